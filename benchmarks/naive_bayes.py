"""Naive Bayes beside scikit-learn: 1,000,000 rows x 20 columns, 5 classes; words, 100,000 x 50,000, sparse.

python benchmarks/naive_bayes.py [rows]
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from figures import keep
from scipy.sparse import csr_matrix
from side_by_side import compare, peak_extra_mb
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.preprocessing import OrdinalEncoder

import likely

Table = tuple[Any, np.ndarray]


def gaussian(n: int) -> Table:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return rng.normal(size=(n, 20)) + 0.3 * y[:, None], y


def gaussian_apart(n: int) -> Table:
    """Classes 10 sds apart in every column."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return rng.normal(size=(n, 20)) + 10.0 * y[:, None], y


def categorical(n: int) -> Table:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return (rng.integers(0, 10, (n, 20)) + y[:, None]) % 10, y


def boolean(n: int) -> Table:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return rng.random((n, 20)) < 0.2 + 0.1 * y[:, None], y


def words(n: int) -> Table:
    """Documents of 100 words out of 50,000, a tenth as many as there are rows elsewhere."""
    rng = np.random.default_rng(0)
    n, d, length = n // 10, 50_000, 100
    places = rng.integers(0, d, n * length, dtype=np.int32)
    counts = rng.poisson(1, n * length) + 1.0
    X = csr_matrix((counts, places, np.arange(0, n * length + 1, length)), shape=(n, d))
    X.sum_duplicates()
    return X, rng.integers(0, 5, n)


def whole_words(n: int) -> Table:
    X, y = words(n)
    return X.astype(np.int64), y


def columns(n: int) -> tuple[dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    words = np.array([f"level {i}" for i in range(10)])
    texts = {f"s{j}": words[(rng.integers(0, 10, n) + y) % 10].tolist() for j in range(10)}
    return texts | {f"f{j}": rng.normal(size=n) + 0.3 * y for j in range(10)}, y


def pandas(n: int) -> Table:
    table, y = columns(n)
    return pd.DataFrame(table), y


def polars(n: int) -> Table:
    table, y = columns(n)
    return pl.DataFrame(table), y


# The model that the peers fit; by default numbers are put into bins, and each column's evidence is weighed.
SAME: dict[str, Any] = {"families": "classical", "evidence_weights": None}
WORDS = SAME | {"families": "multinomial"}
CASES: dict[str, tuple[Callable[[int], Table], dict[str, Any]]] = {
    "gaussian": (gaussian, SAME),
    "gaussian apart": (gaussian_apart, SAME),
    "gaussian, our default": (gaussian, {}),
    "categorical": (categorical, SAME | {"kinds": "categorical"}),
    "boolean": (boolean, SAME),
    "words": (words, WORDS),
    "words, int64": (whole_words, WORDS),
    "pandas": (pandas, SAME),
    "polars": (polars, SAME),
}
PEERS = {
    "gaussian": GaussianNB,
    "gaussian apart": GaussianNB,
    "gaussian, our default": GaussianNB,
    "categorical": CategoricalNB,
    "boolean": BernoulliNB,
    "words": MultinomialNB,
    "words, int64": MultinomialNB,
}
WANTED = {
    "gaussian": (5, 3),
    "gaussian apart": (5, 3),
    "gaussian, our default": (0, 0),  # another model: what it costs
    "categorical": (10, 5),
    "boolean": (5, 1),
    "words": (1, 1),
    "words, int64": (1, 1),
    "pandas": (5,),
    "polars": (5,),
}


def usual(frame: Any, y: np.ndarray) -> None:
    """What people do today: encode the strings, and fit one naive Bayes for each half."""
    texts, floats = [f"s{j}" for j in range(10)], [f"f{j}" for j in range(10)]
    CategoricalNB().fit(OrdinalEncoder().fit_transform(frame[texts]), y)
    GaussianNB().fit(frame[floats].to_numpy(), y)


def run(name: str, n: int) -> None:
    make, options = CASES[name]
    X, y = make(n)

    def fit() -> object:
        return likely.NaiveBayes(**options).fit(X, y)

    if name not in PEERS:
        compare(f"{name} frame, 10 strings + 10 floats: fit", fit, lambda: usual(X, y), WANTED[name][0])
        return
    fitted, peer = likely.NaiveBayes(**options).fit(X, y), PEERS[name]().fit(X, y)
    compare(f"{name} fit", fit, lambda: PEERS[name]().fit(X, y), WANTED[name][0])
    compare(
        f"{name} predict_proba",
        lambda: fitted.predict_proba(X),
        lambda: peer.predict_proba(X),
        WANTED[name][1],
    )


def memory(name: str, n: int) -> None:
    """In a process of its own, where nothing freed before can hide what is taken now."""
    make, options = CASES[name]
    likely.NaiveBayes(**options).fit(*make(100))
    X, y = make(n)
    peak = peak_extra_mb(lambda: likely.NaiveBayes(**options).fit(X, y))
    keep(f"{name} fit, peak extra memory", peak, "MB")
    verdict = "met" if peak < 150 else "MISSED"
    print(f"{name + ' fit, peak extra memory':44s} {peak:8.1f} MB   wanted under 150   {verdict}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        memory(sys.argv[2], int(sys.argv[3]))
    else:
        rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
        for case in sys.argv[2:] or CASES:
            run(case, rows)
            subprocess.run([sys.executable, __file__, "--memory", case, str(rows)], check=True)
