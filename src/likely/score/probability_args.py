"""What a user may call a distribution over levels -> an array of probabilities, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import SUM_TOLERANCE, Distribution, demand, numbers
from likely.dist.families.bernoulli import Bernoulli
from likely.dist.families.categorical import Categorical
from likely.errors import LikelyError
from likely.stats.groups import Floats


def probabilities(name: str, p: ArrayLike) -> Any:
    """The probabilities of the levels of a distribution (false, true); anything else as it is."""
    if not isinstance(p, Distribution):
        return p
    if not isinstance(p, Bernoulli | Categorical):
        raise LikelyError(
            f"{name} is {p!r}, which has no levels: give a Categorical or a Bernoulli distribution, or an "
            "array of probabilities. Its own entropy() is in nats."
        )
    if p.batch:
        raise LikelyError(
            f"{name} is a batch of distributions, of shape {p.batch}: give one of them, for example "
            f"{'likely.Bernoulli(p.p[0])' if isinstance(p, Bernoulli) else 'likely.Categorical(p.probs[0])'}."
        )
    return p.probs if isinstance(p, Categorical) else np.stack([1 - p.p, p.p])


def masses(name: str, p: ArrayLike, data: str) -> Floats:
    """Probabilities that add up to 1; `data` is what to call if the values were meant as data.

    >>> masses("p", [0.5, 0.2], "entropy_of(column)")
    Traceback (most recent call last):
    likely.errors.LikelyError: the sum of p=0.7: probabilities add up to 1; for data use entropy_of(column).
    """
    array = _floats(name, probabilities(name, p), data)
    if not array.size:
        raise LikelyError(f"{name} is empty: give the probability of each level; for data use {data}.")
    demand(name, array, array >= 0, f"a probability is a number from 0 to 1; for data use {data}")
    whole = np.asarray(array.sum())
    near = np.abs(whole - 1) <= SUM_TOLERANCE
    demand(f"the sum of {name}", whole, near, f"probabilities add up to 1; for data use {data}")
    return array


def _floats(name: str, given: object, data: str) -> Floats:
    """Numbers as floats. True/false values and text are data, though some text could be read as numbers."""
    try:
        cells = np.asarray(given)
    except ValueError:
        raise LikelyError(f"the rows of {name} are of different lengths: give each the same.") from None
    doubtful = cells.ravel().tolist() if cells.dtype.kind in "bOUST" else ()
    for cell in doubtful:
        if isinstance(cell, str | bytes | bool):
            raise LikelyError(f"{name} holds {cell!r}, which is no probability: for data use {data}.")
    return numbers(name, cells)


def by_name(p: Floats, levels: Sequence[Any], q: Floats, others: Sequence[Any]) -> tuple[Floats, Floats]:
    """Two arrays of probabilities over the levels of both, in one order; 0 for a level that one lacks.

    >>> by_name(np.array([0.2, 0.8]), "ab", np.array([0.3, 0.7]), "bc")
    (array([0.2, 0.8, 0. ]), array([0. , 0.3, 0.7]))
    """
    both = dict.fromkeys([*levels, *others], 0.0)
    mine = both | dict(zip(levels, p.tolist(), strict=True))
    theirs = both | dict(zip(others, q.tolist(), strict=True))
    return np.array(list(mine.values())), np.array(list(theirs.values()))


def known_axes(joint: Floats, given: object, name: str = "joint") -> tuple[int, ...]:
    """The axes of a joint table that `given` means.

    >>> known_axes(np.ones((2, 2, 2)), -1)
    (2,)
    """
    try:
        asked = [] if given is None else [int(axis) for axis in np.atleast_1d(np.asarray(given, np.intp))]
    except (TypeError, ValueError):
        raise LikelyError(f"given={given!r}: give the axis of {name} that is known, or several.") from None
    for axis in asked:
        if not -joint.ndim <= axis < joint.ndim:
            raise LikelyError(f"given={given!r}: {name} has {joint.ndim} axes, counted from 0.")
    return tuple(sorted({axis % joint.ndim for axis in asked}))
