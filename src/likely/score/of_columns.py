"""Information from columns of data.

A column is a list, an array or a Series; or, with `table=`, the name of a column, and a list of names for
several taken together. A table in place of a column stands for all of its columns taken together. Strings,
categories, true/false values and whole numbers are levels; other numbers are refused until they are put
into bins, or declared in `kinds`. Rows with a missing cell in any column of the question are left out.
`weight` (values, or a name) counts a row of weight 2 as the row twice.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.columns import Sample
from likely.score.entropy import CONDITIONAL, ENTROPY, LOG_2, MUTUAL, Bits, Terms, divergence, total
from likely.score.probability_args import by_name


def entropy_of(
    x: object, *, table: object = None, weight: ArrayLike | None = None, kinds: object = None
) -> Bits:
    """The entropy of a column, or of several together, as its relative frequencies have it.

    Parameters
    ----------
    x :
        A column of values; or its name in `table`, or a list of names; or a table, all of whose columns
        are taken together.
    table :
        Any table, if columns are given by name.
    weight :
        A weight for each row, or the name of such a column: a row of weight 2 is the row twice.
    kinds :
        Kinds by name, as models take them, or one for all: `kinds="categorical"` takes every number as
        a level. A column without a name goes by the name of its argument.

    Returns
    -------
    Bits
        A float that also carries `n`, the rows without a missing cell, and `bias`, to the first order
        (k - 1) / (2 n ln 2) bits too low for k levels that occur.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> entropy_of("play", table=days)
    0.94 bits from 14 rows; biased low by about 0.05
    >>> float(entropy_of([True, False, None, True, False]))
    1.0
    """
    return _estimated(ENTROPY, Sample.of({"x": x}, table, weight, kinds))


def conditional_entropy_of(
    x: object, given: object, *, table: object = None, weight: ArrayLike | None = None, kinds: object = None
) -> Bits:
    """The entropy left in x once `given` is known; each is what `entropy_of` takes.

    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> conditional_entropy_of("play", "outlook", table=days)
    0.69 bits from 14 rows; biased low by about 0.1
    """
    return _estimated(CONDITIONAL, Sample.of({"x": x, "given": given}, table, weight, kinds))


def mutual_information_of(
    x: object,
    y: object,
    given: object = None,
    *,
    table: object = None,
    weight: ArrayLike | None = None,
    kinds: object = None,
) -> Bits:
    """What x and y tell of each other, once `given` is known; each is what `entropy_of` takes.

    Between a target and a feature, it is the information gain of the feature. It comes out too high as
    a rule: by (k - 1)(l - 1) / (2 n ln 2) bits if all combinations of k and l levels occur.

    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> mutual_information_of("play", "outlook", table=days)
    0.25 bits from 14 rows; biased high by about 0.05
    """
    return _estimated(MUTUAL, Sample.of({"x": x, "y": y, "given": given}, table, weight, kinds))


def kl_of(
    x: object,
    y: object,
    *,
    weight: ArrayLike | None = None,
    weight_y: ArrayLike | None = None,
    kinds: object = None,
) -> Bits:
    """The Kullback-Leibler divergence of the levels of one column from those of another.

    The columns hold the same variable in two samples, such as this month's and last month's, and may be
    of different lengths: so there are two weights, and no `table`. A level of x that y lacks makes the
    answer infinite; to allow for levels not seen yet, compare two smoothed distributions with `kl`.
    `n` counts the rows of both. `kinds` is one kind.

    >>> kl_of(["a", "b", "a", "b"], ["a", "b", "b", "b"])
    0.21 bits from 8 rows; biased high by about 0.5
    >>> float(kl_of(["a", "b"], ["b", "b"]))
    inf
    """
    if isinstance(kinds, Mapping):
        raise LikelyError(f"kinds={kinds!r}: give one kind for both columns, such as 'categorical'.")
    own, other = Sample.of({"x": x}, None, weight, kinds), Sample.of({"y": y}, None, weight_y, kinds)
    for name, sample in (("x", own), ("y", other)):
        if len(sample.columns) != 1:
            raise LikelyError(f"{name} has {len(sample.columns)} columns: compare them one by one.")
    first, second = own.columns[0], other.columns[0]
    first.widened(second)  # refuses what cannot be the same variable
    p, q = by_name(own.mass(("x",)), first.known, other.mass(("y",)), second.known)
    bits = divergence(p, q)
    if bits == float("inf"):
        return Bits(bits, own.n + other.n, bits)
    seen = q > 0
    chance = (np.count_nonzero(p) - 1) / own.n + (float((p[seen] / q[seen]).sum()) - 1) / other.n
    return Bits(bits, own.n + other.n, chance / (2 * LOG_2))


def _estimated(terms: Terms, sample: Sample) -> Bits:
    bits, beyond = total(terms, sample.mass)
    return Bits(bits, sample.n, -beyond / (2 * sample.n * LOG_2))
