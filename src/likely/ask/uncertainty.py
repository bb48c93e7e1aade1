"""Entropy and mutual information of a model's variables, in bits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import Region
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.two_numbers import Pairing
from likely.ask.world import Variable, WorldBelief
from likely.dist.numeric.logs import special
from likely.errors import LikelyError
from likely.score import conditional_entropy, mutual_information

Floats = NDArray[np.float64]
Variables = Mapping[str, Variable]
Names = Sequence[str]

LOG_2 = math.log(2)
MOST_CELLS = 1 << 22  # of a joint table: 32 MB


def cells(variables: Variables, names: Names) -> tuple[int, ...]:
    """The shape of the joint table of these variables, if it is not too large."""
    shape = tuple(len(variables[name].levels) for name in names)
    size = math.prod(shape)
    if size > MOST_CELLS or len(shape) > 32:
        raise LikelyError(
            f"the table of {', '.join(map(repr, names[:6]))}{', ...' if len(names) > 6 else ''} has {size:,} "
            f"cells; the most is {MOST_CELLS:,}: ask for fewer variables at a time."
        )
    return shape


def entropy(variables: Variables, belief: WorldBelief, xs: Names, zs: Names = ()) -> float:
    """H(x | z), averaged over z; of a real number the differential entropy, to 1e-6."""
    numbers, averaged = _numbers(variables, xs), _numbers(variables, zs)
    if averaged and not numbers and len(averaged) == 1:
        rest = [z for z in zs if z not in averaged]
        less = information(variables, belief, xs, averaged, rest)
        return max(0.0, entropy(variables, belief, xs, rest) - less)
    if not numbers and not averaged:
        cells(variables, [*xs, *zs])
        table = belief.table([*xs, *zs])
        return conditional_entropy(table, given=list(range(len(xs), table.ndim)))
    if averaged or len(xs) > 1:
        _refuse_numbers([*numbers, *averaged], "H")
    cells(variables, zs)
    mixture = belief.mixture(xs[0], zs)
    weights = mixture.weights.reshape(-1, mixture.weights.shape[-1])
    flat = replace(mixture, weights=weights)
    shares = weights.sum(axis=1)[:, None]  # P(z)

    def surprise(x: Floats) -> Floats:
        joint = flat.density(x)
        return np.asarray((special("entr", joint) + special("xlogy", joint, shares)).sum(axis=0))

    return mixture.total(surprise) / LOG_2


def information(variables: Variables, belief: WorldBelief, xs: Names, ys: Names, zs: Names = ()) -> float:
    """I(x; y | z), averaged over z; with one number among x and y, or two and no z, by quadrature, to 1e-6.

    Of a number that may be missing, what that tells is counted too.
    """
    if _numbers(variables, zs):
        _refuse_numbers(_numbers(variables, zs), "I")
    numbers = _numbers(variables, [*xs, *ys])
    if not numbers:
        shape = cells(variables, [*xs, *ys, *zs])
        sizes = [math.prod(part) for part in (shape[: len(xs)], shape[len(xs) : len(xs) + len(ys)])]
        table = belief.table([*xs, *ys, *zs]).reshape(*sizes, -1)
        return mutual_information(table, given=2)
    pair = len(xs) == len(ys) == 1 and len(numbers) == 2 and not zs
    if pair and isinstance(belief, Pairing) and not any(variables[name].gaps for name in numbers):
        return belief.pair(numbers[0], numbers[1]).information / LOG_2
    if len(numbers) > 1 or [*numbers] not in ([*xs], [*ys]):
        _refuse_numbers(numbers, "I")
    name, others = numbers[0], ys if [*numbers] == [*xs] else xs
    shape = cells(variables, [*others, *zs])
    mixture = belief.mixture(name, [*others, *zs])
    m = mixture.weights.shape[-1]
    weights = mixture.weights.reshape(math.prod(shape[: len(others)]), -1, m)  # (y, z, m)
    bits = max(0.0, _information_nats(mixture, weights) / LOG_2)
    if not variables[name].gaps:
        return bits
    there = math.exp(belief.log_prob({name: Region(mixture.pieces)}))
    seen = there * weights.sum(axis=2)  # P(y, z, not missing)
    unseen = np.maximum(belief.table([*others, *zs]).reshape(seen.shape) - seen, 0.0)
    gaps = np.stack([seen, unseen])
    return there * bits + mutual_information(gaps / gaps.sum(), given=2)


def _information_nats(mixture: TruncatedMixture, weights: Floats) -> float:
    """I(x; y | z) in nats of a mixture x with weights (y, z, m)."""
    flat = replace(mixture, weights=weights)
    known = weights.sum(axis=2)[..., None]  # P(y, z)
    alone = known.sum(axis=0)  # P(z)

    def gain(x: Floats) -> Floats:
        joint = flat.density(x)  # (y, z, n)
        apart = special("xlogy", joint, joint) - special("xlogy", joint, known)
        shared = joint.sum(axis=0)
        together = special("xlogy", shared, shared) - special("xlogy", shared, alone)
        return np.asarray(apart.sum(axis=(0, 1)) - together.sum(axis=0))

    return mixture.total(gain)


def _numbers(variables: Variables, names: Names) -> list[str]:
    return [name for name in names if variables[name].numeric]


def _refuse_numbers(names: Names, ask: str) -> None:
    raise LikelyError(
        f"{ask} takes one number at a time beside levels, not {' and '.join(map(repr, names))} as they stand "
        f"here: give a value or an interval after the bar, as in {names[-1]} = 3, or cut the number into "
        "levels before fitting."
    )
