"""A file scored in batches: CSV in, the same rows with probabilities and decision out, 5,000,000 x 8.

python benchmarks/predict_file.py [rows]

Beside it what people do today: pandas in chunks, scikit-learn for the two halves of a naive Bayes. Each runs
in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from figures import keep

TEXTS = {
    "colour": ["red", "green", "blue", "white", "black"],
    "size": ["small", "medium", "large", "huge"],
    "member": ["true", "false"],
}
NUMBERS = ["height", "weight", "score"]
CLASSES = ["maybe", "no", "yes"]


def columns(rng: np.random.Generator, n: int) -> dict[str, Any]:
    levels = {name: np.array(words, object)[rng.integers(0, len(words), n)] for name, words in TEXTS.items()}
    return levels | {name: rng.normal(size=n).round(6) for name in NUMBERS}


def make(path: Path, n: int) -> None:
    """Six columns that the model knows, and two that it does not."""
    from likely.table.write.write import Writer

    rng = np.random.default_rng(1)
    with Writer(path) as out:
        for start in range(0, n, 100_000):
            rows = min(100_000, n - start)
            ids = np.arange(start, start + rows)
            who = np.array([f"customer {i}" for i in rng.integers(0, 100_000, rows)], object)
            out.write({"id": ids, "who": who}, columns(rng, rows))


def training() -> tuple[dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(0)
    return columns(rng, 10_000), np.array(CLASSES, object)[rng.integers(0, 3, 10_000)]


def ours(source: Path, goal: Path) -> None:
    import likely
    from likely.table.batch.batches import batches
    from likely.table.write.write import Writer

    table, y = training()
    model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(
        table | {"member": table["member"] == "true"}, y
    )
    heads = [f"P({label})" for label in model.classes_]
    with Writer(goal) as out:
        for batch in batches(source, model.record_.schema):
            proba = model.predict_proba(batch.table)
            more = dict(zip(heads, proba.T, strict=True))
            out.write(batch.rows, more | {"decision": model.classes_[proba.argmax(axis=1)]})


def theirs(source: Path, goal: Path) -> None:
    import pandas as pd
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.preprocessing import OrdinalEncoder

    table, y = training()
    train = pd.DataFrame(table)
    texts = list(TEXTS)
    codes = OrdinalEncoder().fit(train[texts])
    levels = CategoricalNB().fit(codes.transform(train[texts]), y)
    numbers = GaussianNB().fit(train[NUMBERS].to_numpy(), y)
    chunks = pd.read_csv(source, chunksize=100_000, dtype=dict.fromkeys(texts, str))
    for place, chunk in enumerate(chunks):
        both = levels.predict_log_proba(codes.transform(chunk[texts])) - levels.class_log_prior_
        both += numbers.predict_log_proba(chunk[NUMBERS].to_numpy())
        proba = np.exp(both - both.max(axis=1, keepdims=True))
        proba /= proba.sum(axis=1, keepdims=True)
        for label, column in zip(levels.classes_, proba.T, strict=True):
            chunk[f"P({label})"] = column
        chunk["decision"] = levels.classes_[proba.argmax(axis=1)]
        chunk.to_csv(goal, mode="a" if place else "w", header=not place, index=False)


def agree(one: Path, other: Path) -> None:
    """The first rows of both answers tell the same."""
    import pandas as pd

    a, b = (pd.read_csv(path, nrows=100_000) for path in (one, other))
    heads = [f"P({label})" for label in CLASSES]
    # The priors of the two differ a little: ours smooths the variances.
    np.testing.assert_allclose(a[heads].to_numpy(), b[heads].to_numpy(), atol=1e-3)


def main(n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.csv"
        make(source, n)
        print(f"{n:,} rows, {source.stat().st_size / 1e6:.0f} MB", flush=True)
        seconds = {}
        for who in ("ours", "theirs"):
            goal = Path(folder) / f"{who}.csv"
            start = time.perf_counter()
            command = [sys.executable, __file__, f"--{who}", str(source), str(goal)]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            seconds[who] = time.perf_counter() - start
            keep(f"{who}, {n:,} rows", seconds[who], "s")
            print(f"{who:8s} {seconds[who]:7.1f} s   {said}", flush=True)
        agree(Path(folder) / "ours.csv", Path(folder) / "theirs.csv")
        ratio = seconds["theirs"] / seconds["ours"]
        print(f"ratio {ratio:.1f}   wanted 1.0   {'met' if ratio >= 1 else 'MISSED'}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] in (["--ours"], ["--theirs"]):
        {"--ours": ours, "--theirs": theirs}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(f"processor {used.ru_utime + used.ru_stime:.1f} s, peak memory {used.ru_maxrss / 1024:.0f} MB")
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000)
