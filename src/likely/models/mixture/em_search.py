"""EM for mixtures from several starts: from a table and the families of its columns to the best fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.dist import Family, MultivariateNormal, Normal, Prior
from likely.dist.elliptical import Factor
from likely.engine import Engine, Memory
from likely.engine.memory import progress
from likely.errors import LikelyError, notice
from likely.infer import EM, em_restarts
from likely.models.gaussian.shapes import shaped
from likely.models.groups.merge import same_plan
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally, Settings, tally_rows
from likely.models.mixture.e_step import Hidden, fixed_priors
from likely.models.mixture.init import RowPoints, Start, told_groups
from likely.models.parts.part import Part
from likely.models.parts.plan import FamilyWords, learn_schema, plan
from likely.stats import Groups
from likely.table.accepted import Kinds
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
EPS = float(np.finfo(np.float64).eps)
OPEN = 0.1  # share of all rows in every group that a start begins with, where no prior smooths
SETTLED = 0.05  # nats a column: priors that move by less are settled


def settled(record: GroupRecord) -> GroupRecord:
    """The model with its data-dependent default priors computed from its current groups."""
    return record.with_parts(part.with_prior(part.asked) if decided(part) else part for part in record.parts)


def with_priors_of(record: GroupRecord, other: GroupRecord) -> GroupRecord:
    """The model with the priors of another model that has the same parts."""
    pairs = record.tally.beside(other.tally)
    return record.with_parts(replace(mine, prior=theirs.prior) for mine, theirs in pairs)


def decided(part: Part) -> bool:
    """Whether the prior depends on the data: the user gave a name or a strength, and not a distribution."""
    return isinstance(part.asked, str | int | float | np.number)


def widths(record: GroupRecord) -> float:
    """How wide the priors expect groups to be: the mean entropy of the quantitative columns, in nats."""
    entropy, columns = 0.0, 0
    for part in record.parts:
        if Kind.QUANTITATIVE in part.family.kinds and isinstance(part.prior, Prior):
            entropy += float(np.sum(part.family.at_mean(part.prior).entropy()))
            columns += len(part.columns)
    return entropy / max(columns, 1)


@dataclass(frozen=True, slots=True)
class EMSearch:
    """The settings of a search by EM: starts, iterations, tolerance."""

    max_iter: int = 200
    tol: float = 1e-6  # of the objective, a row
    restarts: int = 1
    init: Any = "kmeans"
    hard: bool = False
    random_state: Any = None
    engine: Engine = field(default_factory=Memory)

    @property
    def given(self) -> bool:
        """Whether the user gave the start, which is then used as it is."""
        return self.init is not None and not isinstance(self.init, str)


@dataclass(frozen=True)
class PlannedTable:
    """A table to be clustered: the families of its columns, and their statistics over all rows."""

    frame: Frame
    weight: Floats | None
    record: GroupRecord  # of no groups yet: all rows together, and the priors that they decide

    @classmethod
    def of(
        cls,
        frame: Frame,
        weight: Floats | None,
        settings: Settings,
        *,
        kinds: Kinds = None,
        families: FamilyWords = None,
        covariance: str = "full",
        missing: str = "ignore",
        engine: Engine,
    ) -> PlannedTable:
        """Plan the columns; priors are decided from all rows together, until there are groups."""

        def tally(parts: tuple[Part, ...]) -> GroupTally:
            return tally_rows(parts, frame, Groups.one(frame.n, weight), engine)

        pooled = plan_columns(frame, tally, settings, kinds, families, covariance, missing)
        pooled = pooled.with_cut_words()
        if weight is not None and not weight.all():  # a row without weight is no row
            pooled = pooled.without_empty_levels()
        return cls(frame, weight, nobody(pooled, settings))

    @property
    def n(self) -> float:
        """How many rows there are, by weight."""
        return self.record.n

    def counted_rows(self) -> PlannedTable:
        """The same plan, without the rows that have no weight."""
        if self.weight is None or self.weight.all():
            return self
        inside = np.flatnonzero(self.weight)
        return replace(self, frame=self.frame.at(inside), weight=self.weight[inside])

    def search(
        self,
        target: Column,
        how: EMSearch,
        label: Ints | None = None,
        allowed: NDArray[np.bool_] | None = None,
        components: tuple[int, ...] | None = None,
    ) -> EM[GroupRecord]:
        """The model of the groups that the target names, or of so many `components` of each.

        Of each row `label` tells which groups are `allowed`.
        """
        record = replace(self.record, target=target, components=components)
        blocks, n = record.blocks(self.frame), self.frame.n
        hidden = Hidden(blocks, n, self.weight, label, allowed, how.hard, how.engine)

        def e_step(model: GroupRecord) -> tuple[GroupRecord, float]:
            tally, objective = hidden.expect(model)
            return replace(model, tally=tally), objective

        starts = self._starts(record, how, hidden)
        return climb(e_step, starts, how, self.n, f"{len(record.class_of)} groups")

    def _starts(self, record: GroupRecord, how: EMSearch, hidden: Hidden) -> Iterator[GroupRecord]:
        """The start of each run, with default priors computed from its groups."""
        if isinstance(how.init, GroupRecord):
            yield self.gone_on(how.init, record)
            return
        for groups in self.begin(record, how, hidden.label, hidden.allowed):
            yield self.begun(record, hidden.count(self.record, groups.weighed(self.weight)), how)

    def begun(self, record: GroupRecord, tally: GroupTally, how: EMSearch) -> GroupRecord:
        """A model to begin with, of what the first groups hold: exactly that, if the user gave the groups."""
        return settled(replace(record, tally=tally if how.given else open_start(tally)))

    def gone_on(self, given: GroupRecord, record: GroupRecord) -> GroupRecord:
        """A fitted model to go on from, under its own priors unless the user gives others."""
        refuse_other_plan(given, record)
        parts = (
            replace(mine, statistic=theirs.statistic, prior=theirs.prior if decided(mine) else mine.prior)
            for theirs, mine in given.tally.beside(record.tally)
        )
        return replace(record, tally=GroupTally(given.tally.groups, tuple(parts)))

    def begin(
        self,
        record: GroupRecord,
        how: EMSearch,
        label: Ints | None = None,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Iterator[Groups]:
        """The initial groups of each run."""
        weight = np.ones(self.frame.n) if self.weight is None else self.weight
        points = RowPoints(record.parts, self.frame, how.engine)
        start = Start(how.init, how.restarts, how.random_state, points, weight)
        if label is None or allowed is None:
            return start.each(len(record.class_of))
        return told_groups(start, label, allowed)


class HiddenGroups(Protocol):
    """The result of EM: a record of groups, or a record that contains one."""

    @property
    def groups(self) -> GroupRecord:
        """What the groups look like."""

    def with_groups(self, record: GroupRecord) -> Self:
        """The same, with groups that look so."""


M = TypeVar("M", bound=HiddenGroups)


def climb(
    e_step: Callable[[M], tuple[M, float]], starts: Iterator[M], how: EMSearch, n: float, what: str
) -> EM[M]:
    """Run EM from every start and keep the best, with a progress bar.

    Default priors go by how much columns vary within groups, and the groups are what is looked for. So they
    are decided by the groups of the narrowest start, stay so for a run, and are decided anew by what that
    comes to, until this changes nothing. EM climbs in each run; the last one's history is kept.
    """

    def settle(model: M) -> M:
        return model.with_groups(settled(model.groups))

    def run(starts: Iterable[M], iterations: int) -> EM[M]:
        return em_restarts(
            e_step,
            lambda expected: expected,  # a record makes its distributions of its tally
            starts,
            max_iter=iterations,
            tol=how.tol * n,
            watch=lambda i, objective: show(i, f"objective {objective:.8g}"),
            rounding=lambda model: rounding(model.groups),
        )[0]

    begun = list(starts)
    narrowest = min(begun, key=lambda model: widths(model.groups)).groups
    with progress(what, how.max_iter) as show:
        best = run([m.with_groups(with_priors_of(m.groups, narrowest)) for m in begun], how.max_iter)
        while best.converged and best.n_iter < how.max_iter:
            again = settle(best.parameters)
            if abs(widths(again.groups) - widths(best.parameters.groups)) < SETTLED:
                break
            more = run([again], how.max_iter - best.n_iter)
            best = replace(more, before=best.n_iter)
    if best.interrupted:
        notice(f"EM was interrupted after {best.n_iter} iterations: the best model so far is kept.")
    return best


def open_start(tally: GroupTally) -> GroupTally:
    """A start whose groups hold a little of everything where no prior keeps a count from being 0.

    What a group never had would stay impossible in it: EM cannot leave a zero.
    """
    g = len(tally.groups)

    def opened(part: Part) -> Part:
        if part.prior is not None or Kind.QUANTITATIVE in part.family.kinds:
            return part
        all_rows = part.statistic.pooled().only(np.zeros(g, np.intp))
        return part.with_statistic(part.statistic * (1 - OPEN) + all_rows * (OPEN / g))

    return GroupTally(tally.groups, tuple(map(opened, tally.parts)))


def refuse_other_plan(given: GroupRecord, record: GroupRecord) -> None:
    """Refuse an initial model with other columns or another number of groups."""
    alike = given.schema.columns == record.schema.columns and len(given.classes) == len(record.classes)
    if not alike or not same_plan(given, record):
        raise LikelyError(
            f"init is a model of {len(given.classes)} groups, or of columns, levels or families, that are "
            f"not those of the {len(record.classes)} groups to be found: give init=model.predict_proba(X), "
            "the share of every group in every row."
        )


def refuse_unlearnable(parts: Sequence[Part]) -> None:
    """Refuse families whose estimate does not maximise a likelihood, penalised or not."""
    for part in parts:
        if part.family.log_natural is Family.log_natural:
            raise LikelyError(
                f"column {part.first.name!r}: the {part.family.name} family cannot be "
                "learnt by EM: choose another, such as 'normal', 'poisson' or 'categorical'."
            )


def plan_columns(
    frame: Frame,
    tally: Callable[[tuple[Part, ...]], GroupTally],
    settings: Settings,
    kinds: Kinds,
    families: FamilyWords,
    covariance: str,
    missing: str,
) -> GroupTally:
    """What all rows together say of columns whose families are planned from what the frame tells of them."""
    schema = learn_schema(frame, kinds, missing)
    chosen = shaped(schema, families, covariance)
    while True:
        parts = plan(schema, frame, kinds, chosen, settings.prior, missing, settings.estimate)
        refuse_unlearnable(parts)
        pooled = _with_all_cells(tally(parts), tally)
        # Beside others, a constant column would make their covariance singular; alone it is no evidence.
        constant = [
            part.column(place).name
            for part in pooled.parts
            for place in part.family.constant_columns(part.statistic)
        ]
        if not constant:
            return pooled
        chosen |= dict.fromkeys(constant, Normal)


def nobody(pooled: GroupTally, settings: Settings) -> GroupRecord:
    """The record of no groups yet, with the priors that all rows together decide."""
    return fixed_priors(GroupRecord(Column.of_groups("group", ()), pooled, settings))


def _with_all_cells(pooled: GroupTally, tally: Callable[[tuple[Part, ...]], GroupTally]) -> GroupTally:
    """What was seen, of joint normals in incomplete rows too: each column by its known cells, on its own."""
    parts = list(pooled.parts)
    for i, part in enumerate(parts):
        if issubclass(part.family, MultivariateNormal) and (part.statistic.n < pooled.groups).any():
            (marginals,) = tally((replace(part, family=Normal, statistic=None),)).parts
            parts[i] = part.with_statistic(part.family.of_marginals(pooled.groups, marginals.statistic))
    return GroupTally(pooled.groups, tuple(parts))


def rounding(record: GroupRecord) -> float:
    """How far the log-likelihood of all rows may be off through rounding, in nats.

    What a column varies once the others are known is a difference of numbers as large as its whole variance,
    and so is the distance of a row from a group: where a joint normal is flat, or small beside all rows, they
    have as many digits less as they are smaller. And the centre of a group is a number like those of its
    column: where they are large beside their spread, all distances from it are off by its last digit.
    """
    total, n = 0.0, record.tally.groups
    for part in record.core.parts:
        normal = part.distribution
        if isinstance(normal, MultivariateNormal):
            mean = n @ normal.mean / n.sum()
            variance = n @ (normal.variance + (normal.mean - mean) ** 2) / n.sum()
            whiten = Factor.of(normal.covariance).whiten
            times = (np.square(whiten) * variance).sum(axis=(1, 2))
            total += float(n @ times) * EPS * len(mean)
            off = (np.abs(whiten) * (EPS * np.abs(normal.mean))[:, None]).sum(axis=2)  # in sds
            total += float(n @ (off + np.square(off)).sum(axis=1))
    return total
