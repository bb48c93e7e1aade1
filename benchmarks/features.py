"""Transformers beside their peers, by processor time; peers that are not installed are left out."""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from figures import keep

import likely

RNG = np.random.default_rng(0)


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def beside(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], wanted: float, times: int = 3
) -> None:
    """Least processor time of some runs in turn; the peer's long runs are made once."""
    mine = min(seconds(ours) for _ in range(times))
    other = seconds(theirs)
    if other < 20:
        other = min(other, seconds(theirs))
    verdict = "met" if other / mine >= wanted else "MISSED"
    print(
        f"{name:44s} ours {mine:8.3f} s   theirs {other:8.2f} s   ratio {other / mine:6.1f}   "
        f"wanted {wanted:4.1f}   {verdict}",
        flush=True,
    )
    keep(name, 1e3 * mine, "ms")
    keep(f"{name}: times as fast as the peer", other / mine, "x")


def numbers(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    y = RNG.integers(0, 2, n)
    return RNG.normal(size=(n, d)) + 0.5 * y[:, None] * RNG.random(d), y


def main() -> None:
    warnings.simplefilter("ignore")
    x, y = numbers(1_000_000, 1)
    try:
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
        from Orange.preprocess.discretize import EntropyMDL

        domain = Domain([ContinuousVariable("x")], DiscreteVariable("y", ("0", "1")))
        table = Table.from_numpy(domain, x, y[:, None])
        ours = likely.Discretize("recursive")
        beside("Fayyad-Irani, 1M x 1", lambda: ours.fit(x, y), lambda: EntropyMDL()(table, "x"), 50)
    except ImportError:
        print("Orange is not installed: left out")
    from sklearn.feature_selection import mutual_info_classif
    from sklearn.preprocessing import KBinsDiscretizer, TargetEncoder

    bins = likely.Discretize("equal_frequency", 10)
    peer = KBinsDiscretizer(10, encode="ordinal", subsample=None, quantile_method="linear")
    beside("equal frequency, 1M x 1", lambda: bins.fit(x), lambda: peer.fit(x), 1)
    codes = RNG.integers(0, 12, (200_000, 20))
    target = RNG.integers(0, 2, 200_000)
    frame = pd.DataFrame(codes, columns=[f"c{j}" for j in range(20)])

    def gain() -> None:
        model = likely.Evidence(kinds="categorical").fit(frame, target)
        model.table()

    beside(
        "information gain, 200k x 20 levels",
        gain,
        lambda: mutual_info_classif(codes, target, discrete_features=True),
        10,
    )
    names = np.array([f"level {i}" for i in range(50)], object)
    strings = pd.DataFrame({f"c{j}": names[RNG.integers(0, 50, 300_000)] for j in range(20)})
    y = RNG.integers(0, 2, 300_000)
    beside(
        "level encoding out of fold, 300k x 20 strings",
        lambda: likely.Evidence().fit_transform(strings, y),
        lambda: TargetEncoder(target_type="binary").fit_transform(strings, y),
        5,
    )
    beside(
        "level encoding of new rows, 300k x 20 strings",
        lambda: likely.Evidence().fit(strings, y).transform(strings),
        lambda: TargetEncoder(target_type="binary").fit(strings, y).transform(strings),
        5,
    )
    x, y = numbers(1_000_000, 20)
    tracemalloc.start()
    likely.Evidence().fit(x, y)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"{'binning with evidence, 1M x 20: peak memory':44s} {peak:6.0f} MB, wanted below 200")
    keep("binning with evidence: peak memory", peak, "MB")
    try:
        from optbinning import BinningProcess

        process = BinningProcess([f"x{j}" for j in range(20)])
        beside(
            "binning with evidence, 1M x 20",
            lambda: likely.Evidence().fit(x, y),
            lambda: process.fit(x, y),
            50,
        )
    except ImportError:
        print("optbinning is not installed: left out")


if __name__ == "__main__":
    main()
