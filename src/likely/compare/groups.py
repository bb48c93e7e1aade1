"""Is one group better than another? Rates and means of groups, by their posteriors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.compare.difference import (
    difference_cdf,
    difference_interval,
    expected_losses,
    pair_losses,
    prob_best,
)
from likely.dist import Beta, Normal, NormalInverseGamma, Prior
from likely.dist.distribution import short
from likely.draw import Estimate, forest
from likely.errors import LikelyError, notice
from likely.format.html_table import html_table
from likely.format.markup import element
from likely.format.words import many, probability, shown, table
from likely.models.posterior.data import refuse_too_large
from likely.models.posterior.posterior import LEVEL, Posterior, posterior
from likely.models.posterior.quantity import Quantity, share
from likely.stats import Groups as Membership
from likely.stats import Moments
from likely.table.column.as_raw import as_raw
from likely.table.column.kinds import Type, says_truth, truths
from likely.table.column.raw import Raw
from likely.table.frame import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

ACCURACY = 1e-12  # of probabilities
SHOWN = 10  # groups, and pairs of groups, that are printed
_ALIGN = "<>>>>>"  # of the table of groups


def groups(
    table: object,
    outcome: object,
    by: object,
    *,
    success: object = None,
    weight: object = None,
    prior: Prior | None = None,
    level: float = LEVEL,
) -> GroupComparison:
    """Compare a rate or a mean between groups: which is the largest, by how much, and how sure that is.

    Each group has a posterior of its own, by the same prior. Probabilities and expected losses are integrals
    over these, good to about twelve decimals; nothing is drawn.

    Parameters
    ----------
    table : table or None
        Of any library; None if outcome and by are values.
    outcome : name of a column, or values
        True/false (a rate is compared), numbers (a mean), or levels of which `success` names one. Rows
        without an outcome tell nothing.
    by : name of a column, or values
        The group of each row.
    success : value or None
        Which level of the outcome counts as true.
    weight : name of a column, or values, or None
        How much each row counts, as fractions too: a row for many, or a part of one.
    prior : conjugate prior or None
        Of each group's parameter: by default Beta(1, 1) for a rate; for a mean a weak normal-inverse-gamma
        in the units of the data. A `Gamma` compares the rates of counts.
    level : float
        The probability that the intervals cover.

    Examples
    --------
    >>> import likely
    >>> likely.compare.groups(likely.read("titanic"), "survived", "sex", success="yes")
    survived = yes by sex, 2 groups
    <BLANKLINE>
    group      n   mean   90 % interval      P(best)  expected loss
    female   470  0.731  0.697 to 0.764  > 1 - 1e-12              0
    male    1731  0.212  0.196 to 0.229      < 1e-12          0.519
    <BLANKLINE>
    difference      mean   90 % interval   P(above 0)
    female - male  0.519  0.481 to 0.555  > 1 - 1e-12
    """
    share("level", level)
    values, group = _raw(table, outcome, "outcome"), _raw(table, by, "by")
    if len(values.values) != len(group.values):
        raise LikelyError(
            f"outcome has {len(values.values)} values and by {len(group.values)}: give one for each."
        )
    codes, labels = group.distinct()
    order = sorted(range(len(labels)), key=lambda i: (str(type(labels[i])), labels[i]))
    if len(order) < 2:
        raise LikelyError(f"column {group.name!r} has {many(len(order), 'group')}: it takes two to compare.")
    left_out = int((codes < 0).sum())
    if left_out:
        notice(f"column {group.name!r}: {many(left_out, 'row')} without a group left out.")
    data = _numbers(values, success)
    chosen = _default_prior(values, data, codes, len(labels)) if prior is None else prior
    start = posterior(chosen)
    if len(start.names) != 1:
        raise LikelyError(f"prior={prior!r} is of several parameters: give a Beta, a Gamma or one of a mean.")
    counted = None if weight is None else _weights(table, weight, len(data))
    beliefs = tuple(
        start.update(data[codes == place], weight=None if counted is None else counted[codes == place])
        for place in order
    )
    title = values.name if success is None else f"{values.name} = {shown(success)}"
    return GroupComparison(tuple(labels[i] for i in order), beliefs, f"{title} by {group.name}", float(level))


@dataclass(frozen=True, eq=False, repr=False)
class GroupComparison:
    """What the posteriors of groups say of each other; `print` it for the tables."""

    names: tuple[Any, ...]  # (g,)
    posteriors: tuple[Posterior, ...]  # (g,)
    title: str
    level: float

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The rate or the mean of each group."""
        return tuple(belief.quantities[0] for belief in self.posteriors)

    @cached_property
    def prob_best(self) -> Floats:
        """P(the group's is the largest), (g,)."""
        return prob_best(self.quantities)

    @cached_property
    def expected_loss(self) -> Floats:
        """How much is lost on average by choosing the group if another's is larger, (g,)."""
        return expected_losses(self.quantities)

    @property
    def best(self) -> Any:
        """The group with the least expected loss."""
        return self.names[int(np.argmin(self.expected_loss))]

    def prob(self, first: object, second: object) -> float:
        """P(the first group's is larger than the second's)."""
        a, b = (self.quantities[self._index(name)] for name in (first, second))
        return difference_cdf(b, a, 0.0)

    def difference(self, first: object, second: object) -> dict[str, float]:
        """The difference of two groups: mean, interval, P(above 0), and the losses of choosing either."""
        a, b = (self.quantities[self._index(name)] for name in (first, second))
        lower, upper = difference_interval(a, b, self.level)
        losses = pair_losses(a, b)
        return {
            "mean": a.mean - b.mean,
            "lower": lower,
            "upper": upper,
            "prob": difference_cdf(b, a, 0.0),
            "loss of first": losses[0],
            "loss of second": losses[1],
        }

    def to_frame(self) -> dict[str, Any]:
        """One line for each group."""
        ends = [own.equal_tailed(self.level) for own in self.quantities]
        return {
            "group": _column(self.names),
            "n": np.array([belief.n for belief in self.posteriors]),
            "mean": np.array([own.mean for own in self.quantities]),
            "lower": np.array([end.lower for end in ends]),
            "upper": np.array([end.upper for end in ends]),
            "prob best": self.prob_best,
            "expected loss": self.expected_loss,
        }

    def differences(self) -> dict[str, Any]:
        """One line for each pair of groups, the first less the second."""
        pairs = list(combinations(self.names, 2))
        differences = [self.difference(*pair) for pair in pairs]
        columns = {"first": _column([a for a, _ in pairs]), "second": _column([b for _, b in pairs])}
        return columns | {name: np.array([line[name] for line in differences]) for name in differences[0]}

    def _index(self, name: object) -> int:
        if name not in self.names:
            raise LikelyError(f"there is no group {name!r}: the groups are {list(self.names)[:10]!r}.")
        return self.names.index(name)

    @property
    def _interval(self) -> str:
        return f"{100 * self.level:g} % interval"

    def _lines(self) -> list[list[str]]:
        """The heads, then a line for each group that is printed."""
        frame, head = self.to_frame(), self._interval
        lines = [["group", "n", "mean", head, "P(best)", "expected loss"]]
        for i, name in enumerate(self.names[:SHOWN]):
            mean, lower, upper, loss = (
                float(frame[key][i]) for key in ("mean", "lower", "upper", "expected loss")
            )
            best = float(self.prob_best[i])
            chance = _chance(best, float(np.delete(self.prob_best, i).sum()))
            lines.append(
                [shown(name), f"{frame['n'][i]:g}", short(mean), _range(lower, upper), chance, _loss(loss)]
            )
        return lines

    def _pairs(self) -> list[list[str]]:
        """The heads, then a line for each pair of groups that is printed."""
        pairs = [["difference", "mean", self._interval, "P(above 0)"]]
        for a, b in list(combinations(self.names, 2))[:SHOWN]:
            own = self.difference(a, b)
            chance = _chance(own["prob"], 1 - own["prob"])
            ends = _range(own["lower"], own["upper"])
            pairs.append([f"{shown(a)} - {shown(b)}", short(own["mean"]), ends, chance])
        return pairs

    @property
    def _title(self) -> str:
        return f"{self.title}, {many(len(self.names), 'group')}"

    def _foot(self) -> list[str]:
        return ["to_frame() and differences() have all"] if len(self.names) > 5 else []

    def __str__(self) -> str:
        lines, pairs = table(self._lines(), _ALIGN), table(self._pairs(), _ALIGN[:4])
        return "\n".join([self._title, "", lines, "", pairs, *self._foot()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        (head, *lines), (over, *pairs) = self._lines(), self._pairs()
        groups = html_table(self._title, head, lines, (), _ALIGN)
        return element("div", groups, html_table("", over, pairs, self._foot(), _ALIGN[:4]))

    def plot(self, ax: Axes | None = None) -> Axes:
        """A forest plot: the rate or the mean of each group, with its interval.

        >>> import likely
        >>> found = likely.compare.groups(likely.read("titanic"), "survived", "sex", success="yes")
        >>> [label.get_text() for label in found.plot().get_yticklabels()]
        ['female (n = 470)', 'male (n = 1731)']
        """
        frame = self.to_frame()
        numbers = zip(frame["mean"].tolist(), frame["lower"].tolist(), frame["upper"].tolist(), strict=True)
        rows = [
            Estimate(f"{shown(name)} (n = {n:g})", *each)
            for name, n, each in zip(self.names, frame["n"], numbers, strict=True)
        ]
        xlabel = f"mean and its {self._interval}"
        return forest(rows, title=self._title, xlabel=xlabel, ax=ax)


def _raw(table: object, column: object, what: str) -> Raw:
    """A column by its name, or values."""
    if table is None or not isinstance(column, str):
        return as_raw(what, column)
    frame = Frame.of(table)
    if column not in frame.position:
        raise LikelyError(f"the table has no column {column!r}: its columns are {list(frame.names)[:10]!r}.")
    return frame.raw(column)


def _numbers(values: Raw, success: object) -> Floats:
    """The outcome as numbers; NaN where it is missing."""
    if success is None:
        if says_truth(values):
            return truths(values)
        if not values.type.numeric:
            raise LikelyError(
                f"column {values.name!r} holds {values.type.value}: name the level that counts, "
                f"as in success={values.example()!r}."
            )
        return np.asarray(values.numbers(), np.float64)
    codes, levels = values.distinct()
    if success not in levels:
        raise LikelyError(f"column {values.name!r} never is {success!r}: it is one of {levels[:10]!r}.")
    return np.where(codes < 0, np.nan, codes == levels.index(success))


def _weights(table: object, weight: object, n: int) -> Floats:
    """How much each row counts, (n,)."""
    numbers = np.asarray(_raw(table, weight, "weight").numbers(), np.float64)
    if len(numbers) != n or not (np.isfinite(numbers).all() and (numbers >= 0).all()):
        raise LikelyError(f"weight={weight!r}: weights are numbers of 0 or more, one in every row.")
    return numbers


def _default_prior(values: Raw, data: Floats, codes: Ints, g: int) -> Prior:
    """Uniform for a rate; for a mean weak, and in the units of the data."""
    known = data[~np.isnan(data)]
    if not len(known):
        raise LikelyError(f"column {values.name!r} is missing in every row: there is nothing to compare.")
    if values.type is Type.BOOLEAN or set(np.unique(known)) <= {0.0, 1.0}:
        return Beta(1, 1)
    if not np.isfinite(known).all():
        raise LikelyError(f"column {values.name!r} holds an infinity, which has no mean: leave it out.")
    refuse_too_large(f"column {values.name!r}", known)
    if known.min() == known.max():
        raise LikelyError(
            f"column {values.name!r} is {known[0]:g} in every row: there is nothing to compare."
        )
    inside = codes >= 0
    seen = Moments.collect(data[inside, None], Membership.hard(codes[inside], g))
    prior: NormalInverseGamma = Normal.default_prior(seen).take((0, 0))
    return prior


def _column(names: Sequence[Any]) -> Any:
    out = np.empty(len(names), object)
    out[:] = list(names)
    return out


def _range(lower: float, upper: float) -> str:
    return f"{short(lower)} to {short(upper)}"


def _chance(p: float, others: float) -> str:
    """A probability, as far as the quadrature knows it."""
    if p < ACCURACY:
        return f"< {ACCURACY:g}"
    return f"> 1 - {ACCURACY:g}" if others < ACCURACY else probability(p, others)


def _loss(loss: float) -> str:
    return "0" if loss < ACCURACY else short(loss)
