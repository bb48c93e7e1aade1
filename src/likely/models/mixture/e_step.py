"""The E step of mixtures: responsibilities, expected sufficient statistics, and the objective of EM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.dist.numeric.own_group import OwnGroup
from likely.engine import Chunk, Engine, Memory, ReduceTask
from likely.engine.memory import CELLS
from likely.infer import bayes_rule
from likely.models.groups.independent import Held, Independent, hold
from likely.models.groups.record import GroupRecord, log_rates_prior
from likely.models.groups.tally import GroupedRows, GroupTally
from likely.models.parts.part import Part
from likely.stats import Groups
from likely.stats.products import KEPT, STEP
from likely.table.column.block import Block

Floats = NDArray[np.float64]

# Steps of rows in a block: long ones spend less of their time in Python, but what is made of numbers for
# the first look is to be in the cache for the second.
LONG, LONG_OF_NUMBERS = 8, 4
# The share of all rows that a group must have for shares below `NEGLIGIBLE` to be nothing beside it.
LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected sufficient statistics of some rows, and their log-likelihood."""

    tally: GroupTally
    log_likelihood: float

    def __add__(self, other: Expected) -> Expected:
        return Expected(self.tally + other.tally, self.log_likelihood + other.log_likelihood)


@dataclass(frozen=True)
class Hidden:
    """A table whose rows belong to hidden groups (latent variables), known for none or for some of the rows.

    `expect` is the E step of EM; the M step is to take its counts for a tally. With `hard`, a row goes to
    its most probable group alone, as in K-means.
    """

    blocks: Sequence[Block]
    n: int
    weight: Floats | None = None  # (n,)
    label: NDArray[np.intp] | None = None  # (n,): what is told of each row, -1 for nothing
    allowed: NDArray[np.bool_] | None = None  # (labels, g): the groups that a label leaves open
    hard: bool = False
    engine: Engine = field(default_factory=Memory)

    def expect(self, record: GroupRecord) -> tuple[GroupTally, float]:
        """Expected statistics under a model, and the objective: log-likelihood plus log prior."""
        own = record.core.own_group() if self.label is None and self.n >= LONG * STEP else None
        expected = self._expect(record, own)
        groups = expected.tally.groups
        if own is not None and (groups < LEAST_SHARE * groups.sum()).any():
            # The shares that were left out may be all that such a group has.
            expected = self._expect(record, None)
        return expected.tally.settled(), expected.log_likelihood + log_prior(record)

    def _expect(self, record: GroupRecord, own: OwnGroup | None) -> Expected:
        rows = Chunk(HiddenRows(tuple(self.blocks), self.weight, self.label), self.n, 0)
        width = row_width(record.parts, twice=own is None)
        return self.engine.reduce(rows, ExpectedCounts(record.core, width, self.allowed, self.hard, own))

    def count(self, pooled: GroupRecord, groups: Groups) -> GroupTally:
        """The statistics of rows in given groups; missing cells have the overall expectation."""
        return count_as_known(pooled, self.blocks, groups, self.engine)


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The columns that each part reads, the weights of rows, and their labels where known."""

    blocks: tuple[Block, ...]
    weight: Floats | None  # (n,)
    label: NDArray[np.intp] | None  # (n,)


@dataclass(frozen=True, slots=True)
class ExpectedCounts(ReduceTask[HiddenRows, Expected]):
    """The E step: responsibilities by Bayes' rule, and the statistics weighted by them."""

    core: Independent
    row_cells: int
    allowed: NDArray[np.bool_] | None  # (labels, g)
    hard: bool
    own: OwnGroup | None = None  # which rows can be of one group only, where groups lie apart

    def width(self, stored: int) -> int:
        """As `row_width` reckons."""
        return self.row_cells

    def step(self, data: HiddenRows, start: int, stop: int) -> Expected:
        """Of some rows."""
        held = hold(data.blocks, start, stop)
        weight = None if data.weight is None else data.weight[start:stop]
        label = None if data.label is None else data.label[start:stop]
        if self.own is not None:
            return self._of_own(self.own, dense(held[0].held), weight)
        return self._of(held, stop - start, weight, label)

    def _of_own(self, own: OwnGroup, cells: Floats, weight: Floats | None) -> Expected:
        """Rows that only one group explains are counted there; the others are shared among their groups."""
        owned = own(cells)
        mine, others = (None if weight is None else weight[at] for at in (owned.places, owned.others))
        groups = Groups.hard(owned.group, len(self.core.log_weights), mine)
        settled = Expected(
            _counted(self.core.parts, [Held(owned.rows)], groups), _weighed(owned.log_joint, mine)
        )
        if not len(owned.others):
            return settled
        return settled + self._of([Held(cells[owned.others])], len(owned.others), others, None)

    def _of(
        self, held: Sequence[Held], n: int, weight: Floats | None, label: NDArray[np.intp] | None
    ) -> Expected:
        """By Bayes' rule."""
        joint, shared = self.core.log_joint(held, 0, n)
        if label is not None:
            assert self.allowed is not None
            some = label >= 0
            joint[some] = np.where(self.allowed[label[some]], joint[some], -np.inf)
        shares, log_evidence = bayes_rule(joint, log=False, spare=not self.hard)
        lost = log_evidence == -np.inf
        if lost.any():  # impossible everywhere: it tells nothing of the groups
            shares[lost] = np.exp(self.core.log_weights)
        if self.hard:
            best = shares.argmax(axis=1)
            log_evidence = joint[np.arange(len(best)), best]
            groups = Groups.hard(best, joint.shape[1], weight)
        else:
            groups = Groups.softly(shares).weighed(weight)
        return Expected(_counted(self.core.parts, held, groups), _weighed(log_evidence + shared, weight))


def _weighed(logs: Floats, weight: Floats | None) -> float:
    """The weighted sum of log-probabilities; a row of weight 0 adds nothing, even if it is impossible."""
    return float((logs if weight is None else np.where(weight > 0, logs * weight, 0.0)).sum())


@dataclass(frozen=True, slots=True)
class CountSoftly(ReduceTask[GroupedRows, GroupTally]):
    """The counts of rows whose groups are given; missing cells as the distributions expect them."""

    parts: tuple[Part, ...]

    def width(self, stored: int) -> int:
        """As `row_width` reckons."""
        return row_width(self.parts)

    def step(self, data: GroupedRows, start: int, stop: int) -> GroupTally:
        """Of some rows."""
        return _counted(self.parts, hold(data.blocks, start, stop), data.groups.rows(start, stop))


def count_rows(parts: Sequence[Part], blocks: Sequence[Block], groups: Groups, engine: Engine) -> GroupTally:
    """The counts of rows whose groups are given; missing cells as the distributions expect them."""
    rows = Chunk(GroupedRows(tuple(blocks), groups), len(groups), 0)
    return engine.reduce(rows, CountSoftly(tuple(parts))).settled()


def count_as_known(
    pooled: GroupRecord, blocks: Sequence[Block], groups: Groups, engine: Engine
) -> GroupTally:
    """The counts of rows whose groups are taken as known; missing cells as they are in all rows."""
    parts = [part.repeated(groups.n_groups) for part in pooled.parts]
    return count_rows(parts, blocks, groups, engine)


def row_width(parts: Sequence[Part], twice: bool = False) -> int:
    """How many cells to count per row when choosing the size of blocks; `twice` if there are two passes."""
    steps = LONG
    for part in parts:
        if twice and part.kept_cells:
            steps = min(steps, LONG_OF_NUMBERS, max(1, KEPT // (STEP * part.kept_cells)))
    return max(CELLS // (steps * STEP), len(parts[0].schema.columns))


def _counted(parts: Sequence[Part], held: Sequence[Held], groups: Groups) -> GroupTally:
    """Expected statistics of some rows whose groups are given."""
    pairs = zip(parts, held, strict=True)
    return GroupTally(groups.total, tuple(part.expect(rows, groups, len(groups)) for part, rows in pairs))


def log_prior(record: GroupRecord) -> float:
    """The log density of a model's parameters on their natural scale, up to a constant."""
    return log_rates_prior(record) + log_parts_prior(record)


def log_parts_prior(record: GroupRecord) -> float:
    """The log prior density of the columns' parameters alone, without the weights of the groups."""
    return sum(part.log_prior() for part in record.core.parts)


def fixed_priors(record: GroupRecord) -> GroupRecord:
    """The model with every default prior fixed from all rows together, so that EM keeps it constant."""
    return record.with_parts(part.with_prior(part.prior) for part in record.parts)
