"""Selection of columns beside its peers, by processor time; peers that are not installed are left out."""

from __future__ import annotations

import time
import tracemalloc
import warnings

import numpy as np
import pandas as pd
from features import beside
from figures import keep

import likely

RNG = np.random.default_rng(0)


def numbers(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    y = RNG.integers(0, 2, n)
    return RNG.normal(size=(n, d)) + 0.5 * y[:, None] * RNG.random(d), y


def within(name: str, model: likely.Select, X: object, y: np.ndarray, wanted: float) -> None:
    """Processor time of a fit, and its peak memory in another."""
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    verdict = "met" if seconds <= wanted else "MISSED"
    print(
        f"{name:44s} ours {seconds:8.3f} s   peak {peak:6.0f} MB   wanted {wanted:4.1f} s   {verdict}",
        flush=True,
    )
    keep(name, 1e3 * seconds, "ms")
    keep(f"{name}: peak memory", peak, "MB")


def main() -> None:
    warnings.simplefilter("ignore")
    from sklearn.feature_selection import mutual_info_classif

    X, y = numbers(2000, 50)
    try:
        from skrebate import ReliefF

        beside(
            "ReliefF, 2k x 50 numbers",
            lambda: likely.Select("relieff", 10).fit(X, y),
            lambda: ReliefF(n_neighbors=10, n_features_to_select=10).fit(X, y),
            50,
        )
    except ImportError:
        print("skrebate is not installed: left out")
    codes, target = RNG.integers(0, 12, (200_000, 20)), RNG.integers(0, 2, 200_000)
    frame = pd.DataFrame(codes, columns=[f"c{j}" for j in range(20)])
    for name, table in (("matrix", codes), ("frame", frame)):
        beside(
            f"information gain, 200k x 20 levels, {name}",
            lambda table=table: likely.Select("gain", 10, kinds="categorical").fit(table, target),
            lambda: mutual_info_classif(codes, target, discrete_features=True),
            10,
        )
    X, y = numbers(20_000, 50)
    within("ReliefF, 20k x 50 numbers", likely.Select("relieff", 10), X, y, 10)
    within("ReliefF, 20k x 50 numbers, 2k rows drawn", likely.Select("relieff", 10, sample=2000), X, y, 2)
    gaps = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    within("ReliefF, 20k x 50 numbers, a tenth missing", likely.Select("relieff", 10), gaps, y, 10)
    words = pd.DataFrame({f"c{j}": np.array(list("abcd"))[RNG.integers(0, 4, 20_000)] for j in range(50)})
    within("ReliefF, 20k x 50 levels", likely.Select("relieff", 10), words, y, 10)
    within("ReliefF, 20k x 3 truths: all rows tie", likely.Select("relieff", 1), X[:, :3] > 0, y, 10)
    within("CFS, 20k x 50 numbers", likely.Select("cfs"), X, y, 10)


if __name__ == "__main__":
    main()
