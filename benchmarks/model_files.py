"""How long a large model of texts takes to save and to load: 20 classes and 50,000 words.

python benchmarks/model_files.py
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from figures import keep

import likely
from likely.estimator.saving import save

CLASSES, WORDS, TIMES = 20, 50_000, 15
LIMITS = {"save": 50.0, "load": 30.0}  # milliseconds; without waiting for the disk


def texts_model() -> Any:
    """A model that has seen every word, in texts of each class."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(WORDS)])
    texts = [" ".join(words[part]) for part in np.array_split(rng.permutation(WORDS), 5 * CLASSES)]
    texts += [" ".join(rng.choice(words, 200)) for _ in texts]
    classes = [f"class {i % CLASSES}" for i in range(len(texts))]
    return likely.NaiveBayes(kinds={"text": "text"}).fit({"text": texts}, classes)


def best(work: Callable[[], Any], made: Path | None = None) -> float:
    """The shortest of several runs, in milliseconds; what one makes is taken away before the next."""
    found = []
    for _ in range(TIMES):
        if made is not None:
            made.unlink(missing_ok=True)
        start = perf_counter()
        work()
        found.append(perf_counter() - start)
    return 1e3 * min(found)


def main() -> None:
    model = texts_model()
    asked = {"text": ["word1 word2 word77 word49999", None, "nothing known"]}
    with TemporaryDirectory() as folder:
        path = Path(folder, "texts.likely")
        times = {
            "save": best(lambda: save(model, path, sync=False), path),
            "load": best(lambda: likely.load(path)),
        }
        print(f"{CLASSES} classes, {WORDS} words: {path.stat().st_size / 1e6:.1f} MB")
        again = likely.load(path)
        assert np.array_equal(again.predict_log_proba(asked), model.predict_log_proba(asked))
        first = best(lambda: likely.load(path).predict_proba(asked))
        synced = best(lambda: model.save(path))
    for name, taken in times.items():
        keep(name, taken, "ms")
        verdict = "met" if taken <= LIMITS[name] else "MISSED"
        print(f"{name}: {taken:.1f} ms   wanted at most {LIMITS[name]:.0f}   {verdict}")
    keep("save, and wait for the disk", synced, "ms")
    keep("load and predict", first, "ms")
    print(f"save, and wait for the disk: {synced:.1f} ms; load and predict: {first:.1f} ms")
    print(f"pickle, for comparison: {best(lambda: pickle.loads(pickle.dumps(model))):.1f} ms there and back")


if __name__ == "__main__":
    main()
