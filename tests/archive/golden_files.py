"""Model files of released formats, which must stay readable for ever.

`python tests/archive/golden_files.py` writes those that are not there yet, in the format of the day.
What is there is never written again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import likely
from likely.archive.file import VERSION

GOLDEN = Path(__file__).parent / "golden"


def cases() -> dict[str, tuple[Any, dict[str, list[Any]]]]:
    """Small models of every sort, and rows to ask them about."""
    rng = np.random.default_rng(5)
    n = 40
    y = ["a", "b"] * (n // 2)
    shift = np.array([0.0, 1.0] * (n // 2))
    numbers = {
        "normal": (rng.normal(shift, 1) * 10).round(1).tolist(),
        "kernel": rng.normal(shift, 2).round(2).tolist(),
        "histogram": rng.gamma(2 + shift).round(2).tolist(),
        "uniform": rng.uniform(shift, 3).round(2).tolist(),
    }
    counts = {name: (rng.poisson(2 + shift) + 1).tolist() for name in ("poisson", "binomial", "geometric")}
    families = {name: name for name in [*numbers, *counts]}
    levels = {"level": rng.choice(["x", "y", "z"], n).tolist(), "true": (rng.random(n) < 0.3).tolist()}
    gaps = {
        name: [None if i % 7 == 3 else v for i, v in enumerate(column)] for name, column in levels.items()
    }
    texts = {"text": [" ".join(rng.choice(list("abcde"), 4)) for _ in range(n)]}
    titanic = likely.read("titanic", into="dict")
    survived = titanic.pop("survived")
    return {
        "titanic": (
            likely.NaiveBayes().fit(titanic, survived),
            {k: list(v[::300]) for k, v in titanic.items()},
        ),
        "families": (
            likely.NaiveBayes(families=families).fit(numbers | counts, y),
            {name: column[:5] for name, column in (numbers | counts).items()},
        ),
        "together": (
            likely.NaiveBayes(families="multivariate_normal", estimate="predictive").fit(numbers, y),
            {name: column[:5] for name, column in numbers.items()},
        ),
        "gaps": (
            likely.NaiveBayes(missing="level", prior=likely.Laplace(0.5)).fit(
                gaps | {"normal": numbers["normal"]}, y
            ),
            {name: column[:5] for name, column in (gaps | {"normal": numbers["normal"]}).items()},
        ),
        "texts": (
            likely.NaiveBayes(
                kinds={"text": likely.Words(ngrams=2, min_count=2)}, base_rate={"a": 0.25, "b": 0.75}
            ).fit(texts, y),
            {"text": ["a b a", None, "e e", "what"]},
        ),
        "wide": (
            likely.NaiveBayes(kinds="count", prior=2.0).fit(
                {f"c{j}": rng.poisson(1 + shift).tolist() for j in range(20)}, y
            ),
            {f"c{j}": [0, 3] for j in range(20)},
        ),
    }


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, (model, rows) in cases().items():
        path = GOLDEN / f"{VERSION}-{name}.likely"
        if path.exists():
            continue
        model.save(path)
        expected = {
            "rows": rows,
            "classes": model.classes_.tolist(),
            "log_proba": model.predict_log_proba(rows).tolist(),
        }
        path.with_suffix(".json").write_text(json.dumps(expected, default=lambda v: v.item()) + "\n")


if __name__ == "__main__":
    main()
