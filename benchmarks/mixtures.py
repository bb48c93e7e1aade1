"""Mixtures beside scikit-learn's, StepMix's and pomegranate's: the time of an iteration from one start.

python benchmarks/mixtures.py [share of the rows, 1 by default] [which: 8 16 64 diagonal categorical]
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from figures import keep
from side_by_side import Result, peak_extra_mb
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

import likely

FEW, MANY = 2, 8  # iterations: what the fit takes besides is the same in both


class Started(GaussianMixture):
    """scikit-learn's mixture from given responsibilities."""

    def __init__(self, shares: Any = None, **more: Any) -> None:
        super().__init__(**more)
        self.shares = shares

    def _initialize_parameters(self, X: Any, random_state: Any, *more: Any, **others: Any) -> None:
        self._initialize(X, self.shares)


APART = {"overlapping": 1.0, "apart": 4.0}  # sds that the centres lie from each other in every direction


def clouds(n: int, d: int, k: int, apart: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Clusters whose covariances are well conditioned, and which of them each row is of."""
    rng = np.random.default_rng(0)
    mixing = np.eye(d) + 0.3 * rng.normal(size=(k, d, d)) / np.sqrt(d)
    group = rng.integers(0, k, n)
    noise = rng.normal(size=(n, d))
    X = np.empty((n, d))
    for g in range(k):
        X[group == g] = noise[group == g] @ mixing[g] + apart * rng.normal(size=d)
    return X, group


class Timed:
    """Seconds of an iteration: the best fit of many less the best of few, so that all else cancels."""

    def __init__(self) -> None:
        self.best = dict.fromkeys((FEW, MANY), np.inf)

    def run(self, fit: Callable[[int], object]) -> None:
        for iterations in self.best:
            start = time.perf_counter()
            fit(iterations)
            self.best[iterations] = min(self.best[iterations], time.perf_counter() - start)

    @property
    def seconds(self) -> float:
        return (self.best[MANY] - self.best[FEW]) / (MANY - FEW)


def compare(
    name: str,
    ours: Mapping[str, Callable[[int], object]],
    theirs: Callable[[int], object],
    wanted: float,
    repeats: int = 5,
) -> None:
    """Best of `repeats`, in turn; the peer with all BLAS threads and with one, whichever is faster."""
    best = {how: Timed() for how in ours}
    peer, alone = Timed(), Timed()
    for fit in (*ours.values(), theirs):
        fit(1)
    for _ in range(repeats):
        for how, fit in ours.items():
            best[how].run(fit)
        peer.run(theirs)
        with threadpool_limits(1):
            alone.run(theirs)
    for how, took in best.items():
        Result(f"{name}, {how}", took.seconds, min(peer.seconds, alone.seconds), wanted).show()


def mixture(X: Any, shares: np.ndarray, n_jobs: int, **options: Any) -> Callable[[int], object]:
    k = shares.shape[1]

    def fit(iterations: int) -> object:
        return likely.Mixture(
            k, prior=None, init=shares, max_iter=iterations, tol=0, n_jobs=n_jobs, **options
        ).fit(X)

    return fit


def threaded(X: Any, shares: np.ndarray, **options: Any) -> dict[str, Callable[[int], object]]:
    return {f"n_jobs={n_jobs}": mixture(X, shares, n_jobs, **options) for n_jobs in (1, 2)}


def gaussian(n: int, d: int, k: int, shape: str, wanted: float, how: str) -> None:
    X, group = clouds(n, d, k, APART[how])
    # Clusters that lie apart are what a start by K-means finds, and EM stays there.
    shares = np.random.default_rng(1).dirichlet(np.ones(k), n) if how == "overlapping" else np.eye(k)[group]

    def theirs(iterations: int) -> object:
        short = {"full": "full", "diagonal": "diag"}[shape]
        return Started(
            shares, n_components=k, covariance_type=short, reg_covar=0, max_iter=iterations, tol=0
        ).fit(X)

    ours = threaded(X, shares, covariance=shape)
    compare(f"{shape} {n:,} x {d}, {k} {how}", ours, theirs, wanted)
    if (d, shape, how) == (8, "full", "overlapping"):
        beside_pomegranate(X, k, ours)


def beside_pomegranate(X: np.ndarray, k: int, ours: Mapping[str, Callable[[int], object]]) -> None:
    if find_spec("pomegranate") is None:
        print("pomegranate: not installed")
        return
    import torch
    from pomegranate.distributions import Normal
    from pomegranate.gmm import GeneralMixtureModel

    data = torch.tensor(X, dtype=torch.float32)  # what it is made for, and quickest with

    def theirs(iterations: int) -> object:
        parts = [Normal(covariance_type="full") for _ in range(k)]
        return GeneralMixtureModel(parts, max_iter=iterations, tol=-1e300, random_state=0).fit(data)

    compare(f"full {X.shape} beside pomegranate", ours, theirs, 1, repeats=2)


def codes(n: int, d: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.integers(0, 10, (n, d)) + rng.integers(0, k, n)[:, None]) % 10


def categorical(n: int, d: int, k: int, wanted: float) -> None:
    X = codes(n, d, k)
    shares = np.random.default_rng(1).dirichlet(np.ones(k), n)

    def theirs(iterations: int) -> object:
        from stepmix.stepmix import StepMix

        return StepMix(
            k, measurement="categorical", max_iter=iterations, abs_tol=0, rel_tol=0, progress_bar=0,
            random_state=0, n_init=1,
        ).fit(X)  # fmt: skip

    ours = threaded(X, shares, kinds="categorical")
    name = f"categorical {n:,} x {d}, {k} components"
    if find_spec("stepmix") is not None:
        compare(name, ours, theirs, wanted, repeats=2)
        return
    for how, fit in ours.items():
        took = Timed()
        for _ in range(3):
            took.run(fit)
        keep(f"{name}, {how}", 1e3 * took.seconds, "ms")
        print(f"{name}, {how}: {took.seconds * 1e3:.0f} ms; StepMix: not installed", flush=True)


def memory(n: int) -> None:
    """In a process of its own, where nothing freed before can hide what is taken now."""
    for name, make, options in (
        ("full", lambda n: clouds(n, 20, 5)[0], {}),
        ("categorical", lambda n: codes(n, 20, 5), {"kinds": "categorical"}),
    ):
        fit = likely.Mixture(5, random_state=0, max_iter=3, tol=0, **options).fit
        fit(make(1000))
        X = make(n)
        peak = peak_extra_mb(lambda fit=fit, X=X: fit(X))
        keep(f"{name} {n:,} x 20, peak extra memory", peak, "MB")
        print(f"{name} {n:,} x 20, 5 components, K-means start: peak extra memory {peak:.0f} MB", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--memory"]:
        memory(int(sys.argv[2]))
    else:
        share = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
        cases = {
            "8": (int(200_000 * share), 8, 10, "full", 6),
            "16": (int(200_000 * share), 16, 10, "full", 5),
            "64": (int(100_000 * share), 64, 5, "full", 2),
            "diagonal": (int(1_000_000 * share), 10, 10, "diagonal", 5),
        }
        for case in sys.argv[2:] or (*cases, "categorical"):
            if case == "categorical":
                categorical(int(1_000_000 * share), 20, 5, 10)
                continue
            for how in APART:
                gaussian(*cases[case], how)
        if not sys.argv[2:]:
            subprocess.run([sys.executable, __file__, "--memory", str(int(1_000_000 * share))], check=True)
