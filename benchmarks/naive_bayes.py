"""Naive Bayes beside scikit-learn's, 1,000,000 rows x 20 columns, 5 classes.

python benchmarks/naive_bayes.py [rows]
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
from side_by_side import compare, peak_extra_mb
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder

import likely


def gaussian(n: int, rng: np.random.Generator) -> None:
    y = rng.integers(0, 5, n)
    X = rng.normal(size=(n, 20)) + 0.3 * y[:, None]
    fitted, peer = likely.NaiveBayes().fit(X, y), GaussianNB().fit(X, y)
    compare("Gaussian fit", lambda: likely.NaiveBayes().fit(X, y), lambda: GaussianNB().fit(X, y), 5)
    compare("Gaussian predict_proba", lambda: fitted.predict_proba(X), lambda: peer.predict_proba(X), 3)
    print(
        f"{'Gaussian fit':44s} peak extra memory {peak_extra_mb(lambda: likely.NaiveBayes().fit(X, y)):6.1f} MB"
    )


def categorical(n: int, rng: np.random.Generator) -> None:
    y = rng.integers(0, 5, n)
    X = (rng.integers(0, 10, (n, 20)) + y[:, None]) % 10
    fitted = likely.NaiveBayes(kinds="categorical").fit(X, y)
    peer = CategoricalNB().fit(X, y)

    def fit() -> object:
        return likely.NaiveBayes(kinds="categorical").fit(X, y)

    compare("categorical fit", fit, lambda: CategoricalNB().fit(X, y), 10)
    compare("categorical predict_proba", lambda: fitted.predict_proba(X), lambda: peer.predict_proba(X), 5)
    print(f"{'categorical fit':44s} peak extra memory {peak_extra_mb(fit):6.1f} MB")


def boolean(n: int, rng: np.random.Generator) -> None:
    y = rng.integers(0, 5, n)
    X = rng.random((n, 20)) < (0.2 + 0.1 * y[:, None])
    fitted, peer = likely.NaiveBayes().fit(X, y), BernoulliNB().fit(X, y)
    compare("Boolean fit", lambda: likely.NaiveBayes().fit(X, y), lambda: BernoulliNB().fit(X, y), 5)
    compare("Boolean predict_proba", lambda: fitted.predict_proba(X), lambda: peer.predict_proba(X), 1)
    print(
        f"{'Boolean fit':44s} peak extra memory {peak_extra_mb(lambda: likely.NaiveBayes().fit(X, y)):6.1f} MB"
    )


def frames(n: int, rng: np.random.Generator) -> None:
    y = rng.integers(0, 5, n)
    words = np.array([f"level {i}" for i in range(10)])
    columns = {f"s{j}": words[(rng.integers(0, 10, n) + y) % 10].tolist() for j in range(10)}
    columns |= {f"f{j}": rng.normal(size=n) + 0.3 * y for j in range(10)}
    texts, floats = [f"s{j}" for j in range(10)], [f"f{j}" for j in range(10)]

    def usual(frame: pd.DataFrame | pl.DataFrame) -> None:
        """What people do today: encode the strings, and fit one naive Bayes for each half."""
        CategoricalNB().fit(OrdinalEncoder().fit_transform(frame[texts]), y)
        GaussianNB().fit(frame[floats].to_numpy(), y)

    for name, frame in (("pandas", pd.DataFrame(columns)), ("Polars", pl.DataFrame(columns))):

        def fit(frame: pd.DataFrame | pl.DataFrame = frame) -> object:
            return likely.NaiveBayes().fit(frame, y)

        def theirs(frame: pd.DataFrame | pl.DataFrame = frame) -> None:
            usual(frame)

        compare(f"{name} frame, 10 strings + 10 floats, fit", fit, theirs, 5, repeats=3)
        print(f"{name + ' frame fit':44s} peak extra memory {peak_extra_mb(fit):6.1f} MB")


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for part in (gaussian, categorical, boolean, frames):
        part(rows, np.random.default_rng(0))
