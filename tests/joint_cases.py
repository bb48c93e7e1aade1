"""Random joint distributions, and a second way to know them: a dictionary, added up cell by cell."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from seeds import examples

import likely

steady = settings(derandomize=True, deadline=None, max_examples=examples(40))
close = {"rel": 1e-12, "abs": 1e-12}


@st.composite
def joints(draw, least: int = 1, most: int = 5):
    """1 to 4 levels a variable, of four types; with zeros now and then, and very uneven at times."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = draw(st.lists(st.integers(1, 4), min_size=least, max_size=most))
    cells = rng.gamma(draw(st.sampled_from([0.05, 0.5, 5.0])), size=shape) * (rng.random(shape) < 0.8)
    cells.flat[rng.integers(cells.size)] += 1
    levels = {f"v{i}": _levels(rng, k) for i, k in enumerate(shape)}
    return likely.Joint(cells / cells.sum(), levels)


def _levels(rng: np.random.Generator, k: int) -> list[Any]:
    numbers = [3, 7, 8, 20]
    return [list("abcd"), numbers, [n / 2 for n in numbers], [False, True]][rng.integers(4 if k == 2 else 3)][
        :k
    ]


def cells(joint: likely.Joint) -> dict[tuple[Any, ...], float]:
    """The probability of every combination of levels."""
    combinations = product(*joint.levels.values())
    return dict(zip(combinations, joint.probs.ravel().tolist(), strict=True))


def mass(joint: likely.Joint, *said: dict[str, Any]) -> float:
    """The probability that all statements hold, added up over the dictionary."""
    total = 0.0
    for combination, p in cells(joint).items():
        row = dict(zip(joint.names, combination, strict=True))
        if all(row[name] in (v if isinstance(v, set) else {v}) for s in said for name, v in s.items()):
            total += p
    return total


def statement(rng: np.random.Generator, joint: likely.Joint, names: Any) -> dict[str, Any]:
    """A level, or a set of levels, for each of these variables."""
    said: dict[str, Any] = {}
    for name in names:
        levels = joint.levels[name]
        chosen = [levels[i] for i in rng.permutation(len(levels))[: rng.integers(1, len(levels) + 1)]]
        said[name] = chosen[0] if len(chosen) == 1 and rng.random() < 0.8 else set(chosen)
    return said
