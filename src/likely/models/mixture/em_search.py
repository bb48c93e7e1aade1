"""Looking for hidden groups: from a table and a plan of its columns to the model that EM comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.dist import Family, MultivariateNormal, Normal
from likely.engine.progress import progress
from likely.errors import LikelyError, notice
from likely.infer import EM, em_restarts
from likely.models.gaussian.shapes import shaped
from likely.models.groups.independent import Tally
from likely.models.groups.merge import without_empty_levels
from likely.models.groups.points import Places
from likely.models.groups.record import Record, Settings, tally_rows
from likely.models.mixture.e_step import Hidden, fixed_priors
from likely.models.mixture.init import Start
from likely.models.mixture.loglik_error import rounding
from likely.models.mixture.partial_labels import told_groups
from likely.models.mixture.settle import kept_priors, settled, widths
from likely.models.parts.part import Reads, Slot, plan
from likely.stats import Groups
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

OPEN = 0.1  # share of all rows in every group that a start begins with, where no prior smooths
SETTLED = 0.05  # nats a column: priors that move by less are settled


@dataclass(frozen=True, slots=True)
class Search:
    """How EM looks for groups."""

    max_iter: int = 200
    tol: float = 1e-6  # of the objective, a row
    restarts: int = 1
    init: Any = "kmeans"
    hard: bool = False
    random_state: Any = None
    n_jobs: int | None = None

    @property
    def given(self) -> bool:
        """Whether the user says where to begin: that is taken as it is."""
        return self.init is not None and not isinstance(self.init, str)


@dataclass(frozen=True)
class Rows:
    """A table to be grouped: its plan, and what all its rows together say."""

    frame: Frame
    weight: Floats | None
    record: Record  # of no groups yet: schema, slots with their priors decided by all rows, settings
    pooled: Tally
    planned: tuple[Slot, ...]  # with the priors as the user said them

    @classmethod
    def of(
        cls,
        frame: Frame,
        weight: Floats | None,
        settings: Settings,
        *,
        kinds: Any = None,
        families: Any = None,
        covariance: str = "full",
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> Rows:
        """Plan the columns; priors are decided from all rows together, until there are groups."""
        chosen = shaped(frame, kinds, families, covariance, missing == "level")
        while True:
            schema, slots = plan(frame, kinds, chosen, settings.prior, missing)
            refuse_unlearnable(schema, slots)
            pooled = tally_rows(schema, slots, frame, Groups.one(frame.n, weight), n_jobs)
            pooled = _with_all_cells(schema, slots, frame, weight, pooled)
            # Beside others, a constant column would make their covariance singular; alone it is no evidence.
            constant = [
                schema.columns[slot.columns[j]].name
                for slot, part in zip(slots, pooled.parts, strict=True)
                if slot.family.joint and slot.reads is Reads.NUMBERS
                for j in slot.family.constant_columns(part)
            ]
            if not constant:
                break
            chosen |= dict.fromkeys(constant, Normal)
        nobody = Column.of_groups("group", ())
        record = _with_cut_words(Record(schema, nobody, slots, pooled, settings))
        if weight is not None and not weight.all():  # a row without weight is no row
            record = without_empty_levels(record)
        return cls(frame, weight, fixed_priors(record, record.tally), record.tally, record.slots)

    @property
    def n(self) -> float:
        """How many rows there are, by weight."""
        return float(self.pooled.groups.sum())

    def search(
        self,
        target: Column,
        how: Search,
        label: Ints | None = None,
        allowed: NDArray[np.bool_] | None = None,
        components: tuple[int, ...] | None = None,
    ) -> EM[Record]:
        """The model of the groups that the target names, or of so many `components` of each.

        Of each row `label` tells which groups are `allowed`.
        """
        record = replace(self.record, target=target, components=components)
        blocks, n = record.blocks(self.frame), self.frame.n
        hidden = Hidden(blocks, n, self.weight, label, allowed, how.hard, how.n_jobs)

        def e_step(model: Record) -> tuple[Record, float]:
            tally, objective = hidden.expect(model)
            return replace(model, tally=tally), objective

        starts = self._starts(record, how, hidden)
        return climb(e_step, starts, how, self, f"{len(record.class_of)} groups")

    def _starts(self, record: Record, how: Search, hidden: Hidden) -> Iterator[Record]:
        """The models that the runs begin with, their priors decided by their groups."""
        if isinstance(how.init, Record):
            yield self.gone_on(how.init, record)
            return
        for groups in self.begin(record, how, hidden.label, hidden.allowed):
            yield self.begun(record, hidden.count(self.record, groups.weighed(self.weight)), how)

    def begun(self, record: Record, tally: Tally, how: Search) -> Record:
        """A model to begin with, of what the first groups hold: exactly that, if the user gave the groups."""
        opened = tally if how.given else open_start(record, tally)
        return settled(replace(record, tally=opened), self.planned)

    def gone_on(self, given: Record, record: Record) -> Record:
        """A fitted model to go on from, under its own priors unless the user gives others."""
        same_plan(given, record)
        return replace(record, tally=given.tally, slots=kept_priors(given.slots, record.slots, self.planned))

    def begin(
        self, record: Record, how: Search, label: Ints | None = None, allowed: NDArray[np.bool_] | None = None
    ) -> Iterator[Groups]:
        """The groups that each run begins with."""
        weight = np.ones(self.frame.n) if self.weight is None else self.weight
        places = Places(record.schema, record.slots, self.frame)
        start = Start(how.init, how.restarts, how.random_state, places, weight)
        if label is None or allowed is None:
            return start.each(len(record.class_of))
        return told_groups(start, label, allowed)


class Model(Protocol):
    """What EM comes to: a record of groups, alone or with more beside it."""

    @property
    def groups(self) -> Record:
        """What the groups look like."""

    def with_groups(self, record: Record) -> Self:
        """The same, with groups that look so."""


M = TypeVar("M", bound=Model)


def climb(
    e_step: Callable[[M], tuple[M, float]], starts: Iterator[M], how: Search, rows: Rows, what: str
) -> EM[M]:
    """EM from every start, with its progress shown.

    Default priors go by how much columns vary within groups, and the groups are what is looked for. So they
    are decided by the groups of the narrowest start, stay so for a run, and are decided anew by what that
    comes to, until this changes nothing. EM climbs in each run; the last one's history is kept.
    """

    def settle(model: M) -> M:
        return model.with_groups(settled(model.groups, rows.planned))

    def run(starts: Iterable[M], iterations: int) -> EM[M]:
        return em_restarts(
            e_step,
            lambda expected: expected,  # a record makes its distributions of its tally
            starts,
            max_iter=iterations,
            tol=how.tol * rows.n,
            watch=lambda i, objective: show(i, f"objective {objective:.8g}"),
            rounding=lambda model: rounding(model.groups),
        )[0]

    begun = list(starts)
    narrowest = min(begun, key=lambda model: widths(model.groups)).groups.slots
    with progress(what, how.max_iter) as show:
        found = run([m.with_groups(replace(m.groups, slots=narrowest)) for m in begun], how.max_iter)
        while found.converged and found.n_iter < how.max_iter:
            again = settle(found.parameters)
            if abs(widths(again.groups) - widths(found.parameters.groups)) < SETTLED:
                break
            more = run([again], how.max_iter - found.n_iter)
            found = replace(more, before=found.n_iter)
    if found.interrupted:
        notice(f"EM was interrupted after {found.n_iter} iterations: the best model so far is kept.")
    return found


def open_start(pooled: Record, tally: Tally) -> Tally:
    """A start whose groups hold a little of everything where no prior keeps a count from being 0.

    What a group never had would stay impossible in it: EM cannot leave a zero.
    """
    parts = list(tally.parts)
    for i, (slot, seen) in enumerate(zip(pooled.slots, parts, strict=True)):
        if slot.prior is None and Kind.QUANTITATIVE not in slot.family.kinds:
            all_rows = seen.pooled().only(np.zeros(len(tally.groups), np.intp))
            parts[i] = seen * (1 - OPEN) + all_rows * (OPEN / len(tally.groups))
    return Tally(tally.groups, tuple(parts))


def same_plan(given: Record, record: Record) -> Record:
    """A model to begin with, if it describes the same columns in as many groups."""
    alike = given.schema.columns == record.schema.columns and len(given.classes) == len(record.classes)
    pairs = ((slot.family, slot.columns, slot.reads) for slot in given.slots)
    if not alike or list(pairs) != [(slot.family, slot.columns, slot.reads) for slot in record.slots]:
        raise LikelyError(
            f"init is a model of {len(given.classes)} groups, or of columns, levels or families, that are "
            f"not those of the {len(record.classes)} groups to be found: give init=model.predict_proba(X), "
            "the share of every group in every row."
        )
    return given


def refuse_unlearnable(schema: Schema, slots: tuple[Slot, ...]) -> None:
    """Refuse families whose estimate does not maximise a likelihood, penalised or not."""
    for slot in slots:
        if slot.family.log_natural is Family.log_natural:
            raise LikelyError(
                f"column {schema.columns[slot.columns[0]].name!r}: the {slot.family.name} family cannot be "
                "learnt by EM: choose another, such as 'normal', 'poisson' or 'categorical'."
            )


def _with_all_cells(
    schema: Schema, slots: tuple[Slot, ...], frame: Frame, weight: Floats | None, pooled: Tally
) -> Tally:
    """What was seen, of joint normals in incomplete rows too: each column by its known cells, on its own."""
    parts = list(pooled.parts)
    for i, slot in enumerate(slots):
        if issubclass(slot.family, MultivariateNormal) and (parts[i].n < pooled.groups).any():  # type: ignore[attr-defined]
            alone = replace(slot, family=Normal)
            seen = tally_rows(schema, (alone,), frame, Groups.one(frame.n, weight), None).parts[0]
            parts[i] = slot.family.of_marginals(pooled.groups, seen)  # type: ignore[arg-type]
    return Tally(pooled.groups, tuple(parts))


def _with_cut_words(record: Record) -> Record:
    """The vocabulary cut once, from all rows: soft counts add up to whole ones only up to rounding."""
    columns, parts, slots = list(record.schema.columns), list(record.tally.parts), list(record.slots)
    for i, slot in enumerate(slots):
        if slot.reads is Reads.WORDS:
            column = columns[slot.columns[0]]
            assert column.words is not None
            kept = column.words.kept(parts[i].total.sum(axis=0), column.levels or ())  # type: ignore[attr-defined]
            parts[i] = parts[i].only_levels([kept])  # type: ignore[attr-defined]
            vocabulary = tuple((column.levels or ())[word] for word in kept)
            columns[slot.columns[0]] = replace(column, levels=vocabulary, listed=True)
    schema = replace(record.schema, columns=tuple(columns))
    return replace(record, schema=schema, tally=Tally(record.tally.groups, tuple(parts)))
