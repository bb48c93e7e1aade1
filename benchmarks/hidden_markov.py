"""Hidden Markov models beside hmmlearn's (scaling, its fastest): the time of an iteration from one start.

python benchmarks/hidden_markov.py [which, by a part of its name]
"""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from figures import keep
from side_by_side import Result
from threadpoolctl import threadpool_limits

import likely

COLUMNS, LEVELS = 3, 8
FEW, MANY = 2, 8  # iterations: what the fit takes besides is the same in both


def compare(
    name: str, ours: Callable[[int], object], theirs: Callable[[int], object], wanted: float, repeats: int = 4
) -> None:
    """The best of each in turn; an iteration by the difference of two fits, so that all else cancels."""
    best: dict[tuple[bool, int], float] = {}
    ours(1), theirs(1)
    for _ in range(repeats):
        for mine, fit in ((True, ours), (False, theirs)):
            for iterations in (FEW, MANY):
                start = time.perf_counter()
                fit(iterations)
                took = time.perf_counter() - start
                best[mine, iterations] = min(took, best.get((mine, iterations), np.inf))
    own, peer = ((best[mine, MANY] - best[mine, FEW]) / (MANY - FEW) for mine in (True, False))
    Result(name, own, peer, wanted).show()


def chain(n: int, s: int) -> np.ndarray:
    """States that last ten rows on average."""
    rng = np.random.default_rng(0)
    change = rng.random(n) < 0.1
    return rng.integers(0, s, n)[np.maximum.accumulate(np.where(change, np.arange(n), 0))]


def given(s: int) -> tuple[np.ndarray, np.ndarray]:
    return np.full(s, 1 / s), np.full((s, s), 0.3 / s) + 0.7 * np.eye(s)


def peer(name: str, s: int, iterations: int, **options: Any) -> Any:
    from hmmlearn import hmm

    model = getattr(hmm, name)(
        s, implementation="scaling", init_params="", n_iter=iterations, tol=-np.inf, **options
    )
    model.startprob_, model.transmat_ = given(s)
    return model


def ours(X: Any, start: Any, lengths: Any, **options: Any) -> Callable[[int], object]:
    s = len(start.classes_)

    def fit(iterations: int) -> object:
        return likely.HiddenMarkov(
            s, prior=None, init=start.record_, max_iter=iterations, tol=0, n_jobs=1, **options
        ).fit(X, lengths=lengths)

    return fit


def gaussian(s: int, wanted: float, apart: float = 3.0) -> None:
    n, lengths = 100_000, [1000] * 100
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(s, COLUMNS)) * apart
    X = rng.normal(size=(n, COLUMNS)) + centres[chain(n, s)]
    means, spreads = centres + 0.5, np.tile(2 * np.eye(COLUMNS), (s, 1, 1))
    names = tuple(f"x{j}" for j in range(COLUMNS))
    normal = likely.MultivariateNormal(means, spreads)
    start = likely.HiddenMarkov.from_parameters(*given(s), {names: normal})

    def theirs(iterations: int) -> object:
        model = peer("GaussianHMM", s, iterations, covariance_type="full")
        model.means_, model.covars_ = means, spreads
        return model.fit(X, lengths)

    table = {name: X[:, j] for j, name in enumerate(names)}
    compare(
        f"Gaussian full x {COLUMNS}, 100 x 1,000, {s} states, {apart:g} sds",
        ours(table, start, lengths),
        theirs,
        wanted,
    )


def levels(n: int, lengths: list[int], s: int, wanted: float) -> None:
    rng = np.random.default_rng(1)
    truth, begin = rng.dirichlet(np.ones(LEVELS), s), rng.dirichlet(np.full(LEVELS, 5.0), s)
    X = (rng.random((n, 1)) > np.cumsum(truth, axis=1)[chain(n, s)][:, :-1]).sum(axis=1)
    table = likely.Categorical(begin, levels=range(LEVELS))
    start = likely.HiddenMarkov.from_parameters(*given(s), {"x": table})

    def theirs(iterations: int) -> object:
        model = peer("CategoricalHMM", s, iterations)
        model.emissionprob_, model.n_features = begin, LEVELS
        return model.fit(X[:, None], lengths)

    name = f"categorical, {len(lengths)} x {lengths[0]:,}, {s} states"
    compare(name, ours({"x": X}, start, lengths, kinds="categorical"), theirs, wanted, repeats=3)


def phage() -> None:
    """The lambda phage in stretches of like composition, from reading to states."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data" / "lambda_phage.fasta"
    if not path.is_file():
        print("lambda phage: no file")
        return
    start = time.perf_counter()
    bases = list("".join(path.read_text().splitlines()[1:]))
    model = likely.HiddenMarkov(4, random_state=0).fit({"base": bases})
    model.predict({"base": bases})
    took = time.perf_counter() - start
    keep("lambda phage, 4 states", took, "s")
    print(
        f"lambda phage, {len(bases):,} bases, 4 states: {took:.1f} s, {model.n_iter_} iterations; wanted 10 s"
    )


CASES: dict[str, Callable[[], None]] = {
    "gaussian 4": lambda: gaussian(4, 3),
    "gaussian 16": lambda: gaussian(16, 5),
    "gaussian 4 apart": lambda: gaussian(4, 3, 30.0),
    "gaussian 16 apart": lambda: gaussian(16, 5, 30.0),
    "categorical 4": lambda: levels(100_000, [1000] * 100, 4, 1),
    "categorical 16": lambda: levels(100_000, [1000] * 100, 16, 2),
    "categorical long": lambda: levels(1_000_000, [1_000_000], 4, 1),
    "phage": phage,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with threadpool_limits(1):
        for name, run in CASES.items():
            if not sys.argv[1:] or any(part in name for part in sys.argv[1:]):
                run()
