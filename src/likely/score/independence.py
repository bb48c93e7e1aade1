"""Whether columns of data are independent, given others: G and Pearson's test, with degrees, p and bits."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.columns import Sample
from likely.stats.groups import Floats, Ints

METHODS = ("g", "pearson")


@dataclass(frozen=True, slots=True)
class Independence:
    """The answer of a test of independence; true where the rows do not speak against it.

    >>> Independence("g", 4.0, 2, 0.135, 0.05, 57.0, 1, 0.05)
    G = 4 with 2 degrees, p = 0.14: no sign of dependence (0.05 bits from 57 rows)
    """

    method: str
    statistic: float  # G, or Pearson's chi-squared
    degrees: int
    p: float  # how often independent columns would look as dependent as this, or more so
    bits: float  # the (conditional) mutual information of the rows
    n: float  # the weight of the rows
    strata: int  # how many combinations of what is given occur
    level: float  # p below this speaks against independence

    def __bool__(self) -> bool:
        return self.p >= self.level

    def __repr__(self) -> str:
        name = "G" if self.method == "g" else "chi-squared"
        said = "no sign of dependence" if self else "dependent"
        return (
            f"{name} = {self.statistic:.4g} with {self.degrees} degrees, p = {self.p:.2g}: "
            f"{said} ({self.bits:.2g} bits from {self.n:g} rows)"
        )


def independent_of(
    x: object,
    y: object,
    given: object = None,
    *,
    table: object = None,
    weight: ArrayLike | None = None,
    kinds: object = None,
    method: str = "g",
    level: float = 0.05,
) -> Independence:
    """Whether two columns, or sets of columns, are independent in the population, once `given` are known.

    The G test is 2 n ln 2 times the conditional mutual information; Pearson's is nearly the same for many
    rows. Under independence both follow a chi-squared distribution with (k_x - 1) (k_y - 1) degrees for every
    combination of what is given that occurs. The distribution holds for about 5 rows a cell and more: with
    fewer, G says "dependent" too often.

    Parameters
    ----------
    x, y, given :
        Columns of values; or names in `table`, or lists of names; or tables, all of whose columns are taken
        together.
    table :
        Any table, if columns are given by name.
    weight :
        A weight for each row, or the name of such a column: a row of weight 2 is the row twice.
    kinds :
        Kinds by name, as models take them, or one for all.
    method : "g" or "pearson"
        Which statistic.
    level : float
        Below which p speaks against independence.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic", into="dict")
    >>> independent_of("sex", "survived", table=people)
    G = 434.5 with 1 degrees, p = 1.7e-96: dependent (0.14 bits from 2201 rows)
    >>> bool(independent_of("humidity", "windy", "play", table=likely.read("play_tennis", into="dict")))
    True
    """
    if method not in METHODS:
        raise LikelyError(f"method={method!r}: use 'g' or 'pearson'.")
    if not 0 < level < 1:
        raise LikelyError(f"level={level!r}: give a probability between 0 and 1, such as 0.05.")
    sample = Sample.of({"x": x, "y": y, "given": given}, table, weight, kinds)
    a, b, z = (_codes(sample, role) for role in ("x", "y", "given"))
    return independence_of_counts(_counts(a, b, z, sample.weight), method, level)


def independence_of_counts(counts: Floats, method: str = "g", level: float = 0.05) -> Independence:
    """Of counts (z, x, y): strata of what is given, then x, then y; strata without rows do not count.

    >>> independence_of_counts(np.array([[[10.0, 20.0], [20.0, 10.0]]]), "pearson").statistic.__round__(4)
    6.6667
    """
    from scipy.special import chdtrc

    counts = counts[counts.sum(axis=(1, 2)) > 0]
    n = counts.sum(axis=(1, 2), keepdims=True)
    expected = counts.sum(axis=2, keepdims=True) * counts.sum(axis=1, keepdims=True) / np.where(n > 0, n, 1.0)
    seen, possible = counts > 0, expected > 0
    nats = float((counts[seen] * np.log(counts[seen] / expected[seen])).sum())
    if method == "g":
        statistic = 2.0 * max(nats, 0.0)
    else:
        statistic = float(((counts - expected)[possible] ** 2 / expected[possible]).sum())
    strata = len(counts)
    degrees = (counts.shape[1] - 1) * (counts.shape[2] - 1) * strata
    p = float(chdtrc(degrees, statistic)) if degrees > 0 else 1.0
    total = float(counts.sum())
    bits = max(nats, 0.0) / total / log(2) if total > 0 else 0.0
    return Independence(method, statistic, degrees, p, bits, total, strata, level)


def _codes(sample: Sample, role: str) -> Ints:
    """One number for the combination of the columns of a role in each row, (n,), of those that occur."""
    own = [j for j, other in enumerate(sample.roles) if other == role]
    code = np.zeros(len(sample.codes), np.intp)
    for j in own:
        code = code * len(sample.columns[j].known) + sample.codes[:, j]
        code = np.unique(code, return_inverse=True)[1].reshape(-1)
    return code


def _counts(a: Ints, b: Ints, z: Ints, weight: Floats | None) -> Floats:
    shape = tuple(int(code.max()) + 1 for code in (z, a, b))
    cells = np.ravel_multi_index((z, a, b), shape)
    return np.bincount(cells, weight, int(np.prod(shape))).reshape(shape).astype(np.float64)
