"""Rows whose groups are hidden: what EM expects of them, and what it climbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Prior
from likely.engine import reduce_rows
from likely.engine.memory import CELLS
from likely.infer import bayes_rule
from likely.models.groups.block_rows import Held, hold
from likely.models.groups.independent import Tally
from likely.models.groups.record import Record, log_rates_prior
from likely.models.parts.part import Reads
from likely.stats import Groups
from likely.stats.products import KEPT, STEP, height
from likely.table.block import Block

Floats = NDArray[np.float64]

# Steps of rows in a block: long ones spend less of their time in Python, but what is made of numbers for
# the first look is to be in the cache for the second.
LONG, LONG_OF_NUMBERS = 8, 4


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of the groups of some rows, and how probable the rows are."""

    tally: Tally
    log_likelihood: float

    def __add__(self, other: Expected) -> Expected:
        return Expected(self.tally + other.tally, self.log_likelihood + other.log_likelihood)


@dataclass(frozen=True)
class Hidden:
    """A table whose rows belong to groups that nobody sees, or that only some rows tell.

    `expect` is the E step of EM; the M step is to take its counts for a tally. With `hard`, a row goes to
    its most probable group alone, as in K-means.
    """

    blocks: Sequence[Block]
    n: int
    weight: Floats | None = None  # (n,)
    label: NDArray[np.intp] | None = None  # (n,): what is told of each row, -1 for nothing
    allowed: NDArray[np.bool_] | None = None  # (labels, g): the groups that a label leaves open
    hard: bool = False
    n_jobs: int | None = None

    def expect(self, record: Record) -> tuple[Tally, float]:
        """The counts to be expected under a model, and its objective: log-likelihood and log prior."""

        def step(start: int, stop: int) -> Expected:
            return self._expect(record, start, stop)

        found = reduce_rows(self.n, row_width(record, twice=True), step, n_jobs=self.n_jobs)
        assert found is not None
        return found.tally.settled(), found.log_likelihood + log_prior(record)

    def _expect(self, record: Record, start: int, stop: int) -> Expected:
        held = hold(self.blocks, start, stop)
        joint, shared = record.core.log_joint(held, 0, stop - start)
        if self.label is not None:
            assert self.allowed is not None
            told = self.label[start:stop]
            some = told >= 0
            joint[some] = np.where(self.allowed[told[some]], joint[some], -np.inf)
        shares, log_evidence = bayes_rule(joint, log=False, spare=not self.hard)
        lost = log_evidence == -np.inf
        if lost.any():  # impossible everywhere: it tells nothing of the groups
            shares[lost] = np.exp(record.core.log_weights)
        weight = None if self.weight is None else self.weight[start:stop]
        if self.hard:
            best = shares.argmax(axis=1)
            log_evidence = joint[np.arange(len(best)), best]
            groups = Groups.hard(best, joint.shape[1], weight)
        else:
            groups = Groups.softly(shares).weighed(weight)
        log_evidence = log_evidence + shared
        if weight is not None:
            log_evidence = np.where(weight > 0, log_evidence * weight, 0.0)
        return Expected(_counted(record, record.core.parts, held, groups), float(log_evidence.sum()))

    def count(self, pooled: Record, groups: Groups) -> Tally:
        """The counts of rows whose groups are taken as known; missing cells as they are in all rows."""
        return count_as_known(pooled, self.blocks, groups, self.n_jobs)


def count_rows(
    record: Record, parts: Sequence[Any], blocks: Sequence[Block], groups: Groups, n_jobs: int | None
) -> Tally:
    """The counts of rows whose groups are given; missing cells as `parts`, the distributions, expect them."""

    def step(start: int, stop: int) -> Tally:
        return _counted(record, parts, hold(blocks, start, stop), groups.rows(start, stop))

    found = reduce_rows(len(groups), row_width(record), step, n_jobs=n_jobs)
    assert found is not None
    return found.settled()


def count_as_known(pooled: Record, blocks: Sequence[Block], groups: Groups, n_jobs: int | None) -> Tally:
    """The counts of rows whose groups are taken as known; missing cells as they are in all rows."""
    every = np.zeros(groups.n_groups, np.intp)
    parts = [part if hasattr(part, "words") else part.take(every) for part in pooled.parts]
    return count_rows(pooled, parts, blocks, groups, n_jobs)


def row_width(record: Record, twice: bool = False) -> int:
    """By how many cells a row is to be reckoned when rows are put into blocks, to be looked at `twice`."""
    steps = LONG
    for slot in record.slots:
        if twice and slot.reads is Reads.NUMBERS:
            kept = KEPT // (STEP * height(len(slot.columns), slot.family.joint))
            steps = min(steps, LONG_OF_NUMBERS, max(1, kept))
    return max(CELLS // (steps * STEP), len(record.schema.columns))


def _counted(record: Record, parts: Sequence[Any], held: Sequence[Held], groups: Groups) -> Tally:
    """What is expected of some rows whose groups are given."""
    trios = zip(record.slots, parts, held, strict=True)
    counted = (slot.expect(part, rows, groups, record.schema, len(groups)) for slot, part, rows in trios)
    return Tally(groups.total, tuple(counted))


def log_prior(record: Record) -> float:
    """The log density of a model's parameters on their natural scale, up to a constant."""
    return log_rates_prior(record) + log_parts_prior(record)


def log_parts_prior(record: Record) -> float:
    """The same, of the parameters of the columns alone."""
    total = 0.0
    for slot, part in zip(record.slots, record.core.parts, strict=True):
        if isinstance(slot.prior, Prior):
            total += float(np.sum(getattr(part, "words", part).log_natural(slot.prior)))
    return total


def fixed_priors(record: Record, pooled: Tally) -> Record:
    """The model with every prior decided from all rows together, so that it stays the same while EM runs."""
    pairs = zip(record.slots, pooled.parts, strict=True)
    return replace(record, slots=tuple(slot.with_prior(part, record.schema) for slot, part in pairs))
