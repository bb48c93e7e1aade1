"""The scale of default priors: how much columns vary within groups, which is known once there are groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likely.dist import Prior
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.table.column.kinds import Kind


def settled(record: GroupRecord) -> GroupRecord:
    """The model with the priors that the data decide, by the groups that it has now."""
    return record.with_parts(part.with_prior(part.asked) if decided(part) else part for part in record.parts)


def with_priors_of(record: GroupRecord, other: GroupRecord) -> GroupRecord:
    """The model under the priors of another that has the same parts."""
    pairs = record.tally.beside(other.tally)
    return record.with_parts(replace(mine, prior=theirs.prior) for mine, theirs in pairs)


def decided(part: Part) -> bool:
    """Whether the data decide the prior: the user gave a word or a strength."""
    return isinstance(part.asked, str | int | float | np.number)


def widths(record: GroupRecord) -> float:
    """How wide the priors expect groups to be: the mean entropy of a quantitative column, in nats."""
    entropy, columns = 0.0, 0
    for part in record.parts:
        if Kind.QUANTITATIVE in part.family.kinds and isinstance(part.prior, Prior):
            entropy += float(np.sum(part.family.at_mean(part.prior).entropy()))
            columns += len(part.columns)
    return entropy / max(columns, 1)
