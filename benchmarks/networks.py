"""Belief networks beside pyAgrum, on the public networks: python benchmarks/networks.py FOLDER.

FOLDER has a folder bif with the files (alarm.bif, ...); by default it is ../shared/data. Times are of the
processor, with one thread on both sides, and both in one run; the answers are compared. pyAgrum is taken at
its best of LazyPropagation and ShaferShenoyInference, each with its findings set anew or changed, which keeps
what does not depend on their values. Ours is `Network.marginals`. Without pyAgrum
(`pip install --group peers`) only ours are shown. R's bnlearn and gRain are not measured: Debian has no
package of either.
"""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from figures import keep
from threadpoolctl import threadpool_limits

import likely

try:
    import pyagrum
except ImportError:
    pyagrum = None

SMALL = ("alarm.bif", "insurance.bif", "hailfinder.bif", "win95pts.bif", "andes.bif")
LARGE = ("pigs.bif", "water.bif", "munin.bif", "diabetes.bif.gz", "link.bif")
HUGE = ("munin1.bif",)
PATIENCE = 0.5  # seconds that repetitions of one question may take


def timed(work: Callable[[], Any], most: int = 50) -> tuple[float, float, Any]:
    """Seconds of the processor: the first time, the best of some more, and what came of it."""
    start = time.process_time()
    answer = work()
    first = best = time.process_time() - start
    spent = 0.0
    for _ in range(most):
        if spent > PATIENCE:
            break
        start = time.process_time()
        answer = work()
        took = time.process_time() - start
        best, spent = min(best, took), spent + took
    return first, best, answer


def unpacked(path: Path) -> str:
    if path.suffix != ".gz":
        return str(path)
    plain = Path(tempfile.gettempdir()) / path.stem
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    return str(plain)


class Peer:
    """pyAgrum's best engine for one network and one set of findings."""

    def __init__(self, path: Path) -> None:
        self.net = pyagrum.loadBN(unpacked(path))

    def marginals(
        self, names: list[str], known: dict[str, str], other: dict[str, str]
    ) -> tuple[float, float, list[np.ndarray]]:
        firsts, bests, answers = [], [], None
        for kind in (pyagrum.LazyPropagation, pyagrum.ShaferShenoyInference):
            start = time.process_time()
            engine = kind(self.net)
            engine.setNumberOfThreads(1)
            answers = asked(engine, names, known)
            firsts.append(time.process_time() - start)
            most = 20 if firsts[-1] < PATIENCE else 1
            for ask in (asked, changed):
                _, best, _ = timed(in_turn(partial(ask, engine, names), other, known), most)
                bests.append(best)
        return min(firsts), min(bests), answers or []


def in_turn(ask: Callable[[dict[str, str]], Any], *each: dict[str, str]) -> Callable[[], Any]:
    """One question after another: nothing is told that was told just before."""
    questions = cycle(each)
    return lambda: ask(next(questions))


def asked(engine: Any, names: list[str], known: dict[str, str]) -> list[np.ndarray]:
    engine.eraseAllEvidence()
    engine.setEvidence(known)
    engine.makeInference()
    return [engine.posterior(name).toarray() for name in names]


def changed(engine: Any, names: list[str], known: dict[str, str]) -> list[np.ndarray]:
    for name, value in known.items():
        engine.chgEvidence(name, value)
    engine.makeInference()
    return [engine.posterior(name).toarray() for name in names]


def findings(network: likely.Network, n: int, seed: int) -> dict[str, str]:
    """Of nodes that have arcs: what is known of others tells nothing of the rest."""
    rng = np.random.default_rng(seed)
    row = network.sample(1, seed)
    joined = {name for arc in network.arcs_ for name in arc}
    names = [str(name) for name in rng.permutation(network.record_.names) if name in joined]
    return {name: str(row[name][0]) for name in names[:n]}


def other_levels(network: likely.Network, known: dict[str, str]) -> dict[str, str]:
    """What another row says of the same nodes: of 200, the one that differs in most.

    If none differs, one node is at its next likely level, where that is possible beside the others: what
    is asked again word by word is answered from memory on both sides.
    """
    rows = network.sample(200, 2)
    differ = sum(np.asarray(rows[name], str) != value for name, value in known.items())
    at = int(np.argmax(differ))
    other = {name: str(rows[name][at]) for name in known}
    for name in known if other == known else ():
        rest = {one: level for one, level in known.items() if one != name}
        likely_ones = network.marginals(rest).probabilities[name]
        second = np.argsort(-likely_ones)[1]
        if likely_ones[second] > 0:
            return {**rest, name: str(network.levels(name)[second])}
    return other


def questions(folder: Path, files: tuple[str, ...], counts: tuple[int, ...]) -> None:
    print("\nAll marginals, milliseconds: first answer (with the plan) and with the plan kept")
    heads = ("findings", "first", "kept", "pyAgrum", "kept")
    print(f"{'network':12}", *(f"{head:>9}" for head in heads), "  ratios   differ by")
    for file in files:
        path = folder / file
        if not path.exists():
            continue
        peer = Peer(path) if pyagrum is not None else None
        for n in counts:
            network = likely.Network.read(path)
            names = list(network.record_.names)
            known = findings(network, n, 1)
            network.record_.factors  # noqa: B018  # ours is timed without reading the file, as theirs is
            other = other_levels(network, known)
            start = time.process_time()
            answer = network.marginals(known)
            first = time.process_time() - start
            _, best, _ = timed(in_turn(network.marginals, other, known))
            line = f"{path.name.split('.')[0]:12} {n:9} {first * 1e3:9.2f} {best * 1e3:9.3f}"
            keep(f"{path.name}: marginals, {n} findings", best * 1e3, "ms")
            if peer is not None:
                theirs = peer.marginals(names, known, other)
                off = max(
                    np.abs(a - b).max() for a, b in zip(answer.probabilities.values(), theirs[2], strict=True)
                )
                ratios = f"{theirs[0] / first:6.1f} {theirs[1] / best:6.1f}"
                line += f" {theirs[0] * 1e3:9.2f} {theirs[1] * 1e3:9.3f} {ratios}   {off:.1e}"
            print(line, flush=True)


def rows(folder: Path) -> None:
    print("\nlog P(row) and the marginals of what is missing, 20 % of the cells: microseconds a row")
    sizes = (("alarm.bif", 20_000, 200), ("hailfinder.bif", 10_000, 100), ("munin.bif", 200, 10))
    for file, n, theirs_n in sizes:
        network = likely.Network.read(folder / file)
        table = with_gaps(network.sample(n, 0), 0.2)
        _, log_p, logs = timed(lambda: network.log_prob(table), 2)  # noqa: B023
        _, fill, _ = timed(lambda: network.impute(table), 2)  # noqa: B023
        said = f"{file:16} log P {log_p / n * 1e6:7.2f}, gaps filled {fill / n * 1e6:7.2f}"
        if pyagrum is not None:
            engine = pyagrum.LazyPropagation(pyagrum.loadBN(str(folder / file)))
            engine.setNumberOfThreads(1)
            start, off = time.process_time(), 0.0
            for i in range(theirs_n):
                known = {name: values[i] for name, values in table.items() if values[i] is not None}
                engine.setEvidence(known)
                off = max(off, abs(np.log(engine.evidenceProbability()) - logs[i]))
            one = (time.process_time() - start) / theirs_n
            start = time.process_time()
            for i in range(theirs_n):
                known = {name: values[i] for name, values in table.items() if values[i] is not None}
                engine.setEvidence(known)
                engine.makeInference()
                [engine.posterior(name).argmax() for name, values in table.items() if values[i] is None]
            all_gaps = (time.process_time() - start) / theirs_n
            said += (
                f"; pyAgrum {one * 1e6:7.0f} and {all_gaps * 1e6:7.0f}: ratios {one / (log_p / n):.0f} and "
            )
            said += f"{all_gaps / (fill / n):.0f}; logs differ by {off:.1e}"
        keep(f"{file}: log P of a row with gaps", log_p / n * 1e6, "us")
        print(said, flush=True)


def with_gaps(table: dict[str, Any], share: float) -> dict[str, list[Any]]:
    rng = np.random.default_rng(1)
    gappy = {name: np.asarray(values, object) for name, values in table.items()}
    for values in gappy.values():
        values[rng.random(len(values)) < share] = None
    return {name: values.tolist() for name, values in gappy.items()}


def one_target(folder: Path) -> None:
    network = likely.Network.read(folder / "alarm.bif")
    table = network.sample(200_000, 0)
    codes = {name: np.asarray(values) for name, values in table.items()}
    _, best, _ = timed(lambda: network.predict_proba(codes, of="HYPOVOLEMIA"), 3)
    from likely.engine import Chunk
    from likely.models.network.answers import RowPosterior
    from likely.models.network.rows import NodeRows
    from likely.table.frame import Frame

    frame = Frame.of(codes)
    read = NodeRows.of(network.record_, frame)
    task = RowPosterior(network.record_, read.seen, network.record_.place["HYPOVOLEMIA"])
    _, told, _ = timed(lambda: network._engine.map(Chunk(read, frame.n, frame.width), task), 3)
    micro = [took / 2e5 * 1e6 for took in (best, told)]
    print(f"\nOne node of alarm given all others: {micro[0]:.2f} us a row, {micro[1]:.2f} once it is read")
    keep("alarm: one node given the others", micro[1], "us")


def learning(folder: Path) -> None:
    network = likely.Network.read(folder / "alarm.bif")
    n = 5_000
    table = with_gaps(network.sample(n, 0), 0.2)
    kinds = {name: list(network.levels(name)) for name in network.record_.names}
    iterations = 10
    model = likely.Network(network.arcs_, kinds=kinds, max_iter=iterations, tol=0)
    start = time.process_time()
    model.fit(table)
    ours = (time.process_time() - start) / (model.n_iter_ + 1)
    said = f"\nEM on alarm, {n:,} rows, 20 % missing: {ours:.3f} s an iteration"
    if pyagrum is not None:
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "rows.csv"
            names = list(table)
            lines = [",".join(names)]
            lines += [
                ",".join("?" if v is None else v for v in row) for row in zip(*table.values(), strict=True)
            ]
            file.write_text("\n".join(lines) + "\n")
            source = pyagrum.loadBN(str(folder / "alarm.bif"))
            learner = pyagrum.BNLearner(str(file), source, ["?"])
            learner.setNumberOfThreads(1)
            learner.useSmoothingPrior(1.0)
            learner.useEM(1e-9)
            learner.EMsetMaxIter(3)
            learner.EMsetMinEpsilonRate(1e-12)
            learner.EMenableMaxIter()
            start = time.process_time()
            learner.learnParameters(source.dag())
            n_iter = max(1, learner.EMnbrIterations())
            theirs = (time.process_time() - start) / n_iter
            said += f"; pyAgrum {theirs:.2f} s ({n_iter} iterations): ratio {theirs / ours:.0f}"
    print(said)
    keep("alarm: an iteration of EM", ours, "s")
    big = {name: np.asarray(values, object) for name, values in network.sample(1_000_000, 0).items()}
    import pandas as pd

    frame = pd.DataFrame({name: pd.Categorical(values) for name, values in big.items()})
    start = time.process_time()
    likely.Network(network.arcs_).fit(frame)
    took = time.process_time() - start
    print(f"Parameters of alarm from 1,000,000 x 37 (pandas categories): {took:.2f} s")
    keep("alarm: parameters of a million rows", took, "s")


def memory(path: Path) -> None:
    """The first answer about a huge network, each side in a process of its own."""
    print(f"\nAll marginals of {path.name}, one finding, in a process of its own")
    took = {}
    for side in ("ours", *(["pyAgrum"] if pyagrum is not None else [])):
        command = [sys.executable, __file__, "--alone", side, str(path)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        took[side] = [float(number) for number in said[-3:]]
        seconds, peak, above = took[side]
        print(
            f"{side:8} {seconds:7.2f} s, peak {peak:6,.0f} MiB, {above:6,.0f} above what was loaded",
            flush=True,
        )
    keep(f"{path.name}: peak memory of an answer", took["ours"][2], "MiB")


def alone(side: str, path: Path) -> None:
    """Print seconds of one answer, the peak of memory, and how far it is above what was loaded before."""
    network = likely.Network.read(path)
    known = findings(network, 1, 1)
    if side == "ours":
        network.record_.factors.tables  # noqa: B018
        loaded, start = peak_memory(), time.process_time()
        network.marginals(known)
        took = time.process_time() - start
    else:
        names, net = list(network.record_.names), pyagrum.loadBN(unpacked(path))
        loaded, start = peak_memory(), time.process_time()
        engine = pyagrum.LazyPropagation(net)
        engine.setNumberOfThreads(1)
        asked(engine, names, known)
        took = time.process_time() - start
    print(took, peak_memory(), peak_memory() - loaded)


def peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def main(folder: Path) -> None:
    likely.Network.read(folder / "asia.bif").marginals()  # what is loaded once is no part of any figure
    questions(folder, SMALL, (1, 10))
    rows(folder)
    one_target(folder)
    learning(folder)
    questions(folder, LARGE, (1, 10))
    questions(folder, HUGE, (1,))
    memory(folder / HUGE[0])
    print(f"\npeak memory of the whole run, both sides: {peak_memory():,.0f} MiB")


if __name__ == "__main__":
    with threadpool_limits(1):
        if "--alone" in sys.argv:
            alone(sys.argv[2], Path(sys.argv[3]))
            sys.exit()
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "bif")
