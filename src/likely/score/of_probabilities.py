"""Information from probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import probability
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.score.entropy import CONDITIONAL, ENTROPY, LOG_2, MUTUAL, Terms, divergence, total
from likely.score.probability_args import by_name, known_axes, masses, probabilities
from likely.stats.groups import Floats


def information(p: ArrayLike) -> Floats:
    """Information content, in bits: -log2 p, infinite where p is 0.

    Of a number or an array of probabilities (they need not add up to 1), or of every level of a
    `Categorical` or `Bernoulli` distribution (false, true).

    >>> information(0.4).round(2), information([0.12, 1.0, 0.0]).round(2)
    (np.float64(1.32), array([3.06, 0.  ,  inf]))
    """
    return (0.0 - log(probability("p", probabilities("p", p))) / LOG_2)[()]  # 0 less 0: no -0


def entropy(p: ArrayLike) -> float:
    """The expected information of a distribution, in bits.

    `p` is an array of probabilities that add up to 1 (a joint table is one distribution over all of its
    cells), or a single `Categorical` or `Bernoulli` distribution. For data there is `entropy_of`.

    >>> entropy([0.5, 0.5]), round(entropy([1 / 6] * 6), 3)
    (1.0, 2.585)
    >>> entropy([3, 5, 3])
    Traceback (most recent call last):
    likely.errors.LikelyError: the sum of p=11.0: probabilities add up to 1; for data use entropy_of(column).
    """
    joint = masses("p", p, "entropy_of(column)")
    return _from_joint(ENTROPY, joint, {"x": range(joint.ndim)})


def conditional_entropy(joint: ArrayLike, given: int | Sequence[int]) -> float:
    """The entropy left in the other axes of a joint table once the axes `given` are known, in bits.

    `joint` holds the probability of every combination, one axis a variable; it adds up to 1. For data
    there is `conditional_entropy_of`.

    >>> joint = [[0.25, 0.25], [0.5, 0.0]]  # two rows, two columns
    >>> conditional_entropy(joint, given=0), round(conditional_entropy(joint, given=1), 3)
    (0.5, 0.689)
    """
    table = masses("joint", joint, "conditional_entropy_of(x, given)")
    known = known_axes(table, given)
    rest = [axis for axis in range(table.ndim) if axis not in known]
    if not rest:
        raise LikelyError(f"given={given!r}: nothing is left of a joint table with {table.ndim} axes.")
    return _from_joint(CONDITIONAL, table, {"x": rest, "given": known})


def mutual_information(joint: ArrayLike, given: int | Sequence[int] | None = None) -> float:
    """What the two axes of a joint table tell of each other, in bits, once the axes `given` are known.

    `joint` holds the probability of every combination and adds up to 1; it has two axes beside those
    given. For data there is `mutual_information_of`.

    >>> mutual_information([[0.5, 0.0], [0.0, 0.5]]), mutual_information([[0.25, 0.25], [0.25, 0.25]])
    (1.0, 0.0)
    """
    table = masses("joint", joint, "mutual_information_of(x, y)")
    known = known_axes(table, given)
    rest = [axis for axis in range(table.ndim) if axis not in known]
    if len(rest) != 2:
        raise LikelyError(
            f"joint has {len(rest)} {'axis' if len(rest) == 1 else 'axes'} beside those given "
            f"(shape {table.shape}, given={given!r}): give a joint table with two, or for data use "
            "mutual_information_of(x, y)."
        )
    return _from_joint(MUTUAL, table, {"x": rest[:1], "y": rest[1:], "given": known})


def kl(p: ArrayLike, q: ArrayLike) -> float:
    """The Kullback-Leibler divergence of p from q, in bits.

    It is the price of coding what p brings about with a code made for q: infinite if q rules out what p
    allows. Arrays of one shape, joint tables too, or `Categorical` and `Bernoulli` distributions; two with
    named levels are matched by name, and a level that one lacks has probability 0 there. For data there
    is `kl_of`.

    >>> round(kl([0.5, 0.5], [0.25, 0.75]), 4), kl([0.5, 0.5], [1.0, 0.0]), kl([1.0, 0.0], [0.5, 0.5])
    (0.2075, inf, 1.0)
    """
    a, b = masses("p", p, "kl_of(x, y)"), masses("q", q, "kl_of(x, y)")
    levels, others = getattr(p, "levels", None), getattr(q, "levels", None)
    if levels is not None and others is not None:
        a, b = by_name(a, levels, b, others)
    if a.shape != b.shape:
        raise LikelyError(
            f"p has the shape {a.shape} and q {b.shape}: give both a probability for every level, in the "
            "same order."
        )
    return divergence(a, b)


def _from_joint(terms: Terms, joint: Floats, axes: Mapping[str, Sequence[int]]) -> float:
    def mass(roles: tuple[str, ...]) -> Floats:
        kept = {axis for role in roles for axis in axes[role]}
        return np.asarray(joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in kept)))

    return total(terms, mass)[0]
