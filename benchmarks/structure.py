"""Structures learnt from rows of public networks, beside pyAgrum.

    python benchmarks/structure.py FOLDER [SEED]

FOLDER has a folder bif with the files; by default it is ../shared/data. Fresh rows are drawn of each network.
BIC is counted by ours for every structure, in nats: the larger, the better. Times are of the processor, one
thread on both sides, without reading the rows; pyAgrum's searches are greedy hill climbing and the local
search with a tabu list. The tabu search of R's bnlearn is stood in for by our own climb with a list of 10
("tabu"), for its score alone: it climbs from no arcs, and goes on for 10 moves without gain. Without pyAgrum
(`pip install --group peers`) only ours are shown.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from figures import keep
from threadpoolctl import threadpool_limits

import likely
from likely.infer.structure import Structure, learn_structure
from likely.infer.structure_score import FamilyScores
from likely.stats.configurations import Configurations

try:
    import pyagrum
except ImportError:
    pyagrum = None

NETWORKS = ("alarm", "insurance", "hailfinder", "child", "win95pts")
ROWS = (5_000, 50_000)


def drawn(path: Path, n: int, seed: int) -> tuple[np.ndarray, list[int], Structure]:
    """Rows of a network as codes, how many levels each node has, and the network's own parents."""
    network = likely.Network.read(path)
    table = network.sample(n, random_state=seed)
    names = list(table)
    levels = {name: network.levels(name) for name in names}
    columns = []
    for name in names:
        place = {level: code for code, level in enumerate(levels[name])}
        columns.append([place[value] for value in table[name]])
    parents = tuple(tuple(names.index(a) for a, b in network.arcs_ if b == name) for name in names)
    return np.array(columns).T, [len(levels[name]) for name in names], parents


def agrum(codes: np.ndarray, levels: list[int], tabu: bool) -> Callable[[], Structure]:
    """One of pyAgrum's searches, over rows that it has read already."""
    import pandas as pd

    names = [f"v{j}" for j in range(len(levels))]
    template = pyagrum.BayesNet()
    for name, k in zip(names, levels, strict=True):
        template.add(pyagrum.LabelizedVariable(name, name, k))
    frame = pd.DataFrame({name: codes[:, j].astype(str) for j, name in enumerate(names)})
    learner = pyagrum.BNLearner(frame, template)
    learner.setNumberOfThreads(1)
    learner.useScoreBIC()
    learner.useNoPrior()
    if tabu:
        learner.useLocalSearchWithTabuList(100, 10)
    else:
        learner.useGreedyHillClimbing()

    def work() -> Structure:
        dag = learner.learnDAG()
        return tuple(tuple(sorted(dag.parents(j))) for j in range(len(levels)))

    return work


def main(folder: Path, seed: int) -> None:
    head = (
        "network",
        "rows",
        "its own",
        "search",
        "s",
        "climb",
        "s",
        "tabu",
        "agrum",
        "s",
        "agrum tabu",
        "s",
    )
    print("{:10}{:>7}{:>14}{:>14}{:>7}{:>14}{:>7}{:>14}{:>14}{:>7}{:>14}{:>7}".format(*head))
    for name in NETWORKS:
        for n in ROWS:
            codes, levels, own = drawn(folder / "bif" / f"{name}.bif", n, seed)
            scores = FamilyScores(Configurations.of(codes, levels))
            works: list[Callable[[], Structure]] = [
                lambda codes=codes, levels=levels, how=how: learn_structure(codes, levels, how=how).parents
                for how in ("search", "climb", "tabu")
            ]
            if pyagrum is not None:
                works += [agrum(codes, levels, tabu) for tabu in (False, True)]
            cells = [f"{name:10}{n:7}{scores.structure(own):14.1f}"]
            bic, seconds = [], []
            for work in works:
                start = time.process_time()
                parents = work()
                seconds.append(time.process_time() - start)
                bic.append(scores.structure(parents))
            for place, (value, took) in enumerate(zip(bic, seconds, strict=True)):
                cells.append(f"{value:14.1f}" + ("" if place == 2 else f"{took:7.2f}"))
            best = "best" if bic[0] >= max(bic) - 1e-6 else "NOT BEST"
            print("".join(cells), f" {best}", flush=True)
            keep(f"structure of {name}, {n} rows", seconds[0], "s")


if __name__ == "__main__":
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "data"
    with threadpool_limits(1):
        main(data, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
