"""Naive Bayes by hand: all cells of a small model, and every question answered by adding them up."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Row = dict[str, Any]


class Brute:
    """All combinations of levels with their probabilities, made from counts without the library."""

    def __init__(self, table: dict[str, list[Any]], target: str, strength: float) -> None:
        self.levels = {name: sorted({v for v in cells if v is not None}) for name, cells in table.items()}
        classes = self.levels[target]
        n = len(table[target])
        self.rows: list[tuple[Row, float]] = []
        chance: dict[Any, float] = {}
        for c in classes:
            mine = [i for i in range(n) if table[target][i] == c]
            chance[c] = (len(mine) + strength) / (n + strength * len(classes))
            for name, own in self.levels.items():
                if name == target:
                    continue
                seen = [table[name][i] for i in mine if table[name][i] is not None]
                for level in own:
                    total = len(seen) + strength * len(own)
                    chance[c, name, level] = (seen.count(level) + strength) / total if total else 1 / len(own)
        names = list(self.levels)
        for combination in itertools.product(*self.levels.values()):
            row = dict(zip(names, combination, strict=True))
            c = row[target]
            parts = [chance[c, name, row[name]] for name in names if name != target]
            self.rows.append((row, chance[c] * math.prod(parts)))

    def mass(self, *holds: Callable[[Row], bool]) -> float:
        return math.fsum(p for row, p in self.rows if all(test(row) for test in holds))

    def p(self, event: Callable[[Row], bool], known: Callable[[Row], bool]) -> float:
        return self.mass(event, known) / self.mass(known)

    def table(self, names: Sequence[str], known: Callable[[Row], bool]) -> dict[tuple[Any, ...], float]:
        total = self.mass(known)
        found: dict[tuple[Any, ...], list[float]] = {}
        for row, p in self.rows:
            if known(row):
                found.setdefault(tuple(row[name] for name in names), []).append(p / total)
        return {key: math.fsum(parts) for key, parts in found.items()}

    def entropy(self, names: Sequence[str], known: Callable[[Row], bool]) -> float:
        return -math.fsum(p * math.log2(p) for p in self.table(names, known).values() if p > 0)


def random_table(rng: np.random.Generator, d: int, n: int, gaps: float) -> dict[str, list[Any]]:
    """A table of d columns of 2 to 4 levels, some cells missing, and a target of 2 or 3 classes."""
    g = int(rng.integers(2, 4))
    y = rng.integers(0, g, n)
    y[:g] = np.arange(g)
    table: dict[str, list[Any]] = {}
    for j in range(d):
        k = int(rng.integers(2, 5))
        probs = rng.dirichlet(np.ones(k), g)
        codes = np.array([rng.choice(k, p=probs[c]) for c in y])
        codes[:k] = np.arange(k)  # every level occurs
        cells: list[Any] = [f"l{code}" for code in codes]
        for i in np.flatnonzero(rng.random(n) < gaps):
            if i >= k:
                cells[i] = None
        table[f"x{j}"] = cells
    table["y"] = [f"c{c}" for c in y]
    return table
