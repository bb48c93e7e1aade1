"""Discriminant analyses beside scikit-learn's, in turns: python benchmarks/gaussian.py [rows]

Each is run at the better of one and all BLAS threads, and the best of several turns counts.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from figures import keep
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from threadpoolctl import threadpool_limits

from likely import GaussianClassifier

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
TURNS = 7
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 5, ROWS)
MIXING, CENTRES = RNG.normal(size=(20, 20)), RNG.normal(size=(5, 20))
NOISE = RNG.normal(size=(ROWS, 20))
TABLES = {
    "overlapping": NOISE @ MIXING + Y[:, None],
    "apart": (NOISE + 4 * CENTRES[Y]) @ MIXING,  # by 4 sds in every direction
}


def in_turns(calls: dict[str, tuple[int, Callable[[], Any]]]) -> dict[str, float]:
    """The least seconds of each call, all taken once in every turn, with so many BLAS threads."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(TURNS):
        for name, (threads, call) in calls.items():
            with threadpool_limits(threads):
                start = time.perf_counter()
                call()
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def peak(call: Callable[[], Any]) -> float:
    """The megabytes that a call has in use at most, beyond those before it."""
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return found


def compare(
    title: str, required: float, peer: Callable[[], Any], ours: Callable[[int], Callable[[], Any]]
) -> None:
    best = in_turns(
        {
            "scikit-learn, 1 thread": (1, peer),
            "scikit-learn, 2 threads": (2, peer),
            "likely, n_jobs=1": (1, ours(1)),
            "likely, n_jobs=2": (2, ours(2)),
        }
    )
    theirs = min(best["scikit-learn, 1 thread"], best["scikit-learn, 2 threads"])
    print(f"\n{title}: required {required:g} x")
    for name, seconds in best.items():
        ratio = f"{theirs / seconds:5.1f} x" if name.startswith("likely") else ""
        keep(f"{title}: {name}", 1e3 * seconds, "ms")
        print(f"  {name:24} {1000 * seconds:8.1f} ms {ratio}")
    most = peak(ours(1))
    keep(f"{title}: likely, peak memory", most, "MB")
    print(f"  {'likely, peak memory':24} {most:8.1f} MB")


def main() -> None:
    print(f"{ROWS:,} x 20, 5 classes")
    for how, X in TABLES.items():
        beside_scikit_learn(how, X)


def beside_scikit_learn(how: str, X: np.ndarray) -> None:
    for name, shape, peer, (fit, predict) in (
        ("LDA", "tied", LinearDiscriminantAnalysis(solver="lsqr"), (5, 1)),
        ("QDA", "full", QuadraticDiscriminantAnalysis(), (5, 4)),
    ):

        def model(n_jobs: int, shape: str = shape) -> GaussianClassifier:
            return GaussianClassifier(covariance=shape, n_jobs=n_jobs)

        compare(
            f"{name} fit, {how}",
            fit,
            lambda p=peer: p.fit(X, Y),
            lambda jobs, m=model: lambda: m(jobs).fit(X, Y),
        )
        fitted = {jobs: model(jobs).fit(X, Y) for jobs in (1, 2)}
        compare(
            f"{name} predict_proba, {how}",
            predict,
            lambda p=peer: p.predict_proba(X),
            lambda jobs, f=fitted: lambda: f[jobs].predict_proba(X),
        )


if __name__ == "__main__":
    main()
