"""How many free numbers a model has: what it learns, and what a description of it must name."""

from __future__ import annotations

from likely.models.groups.record import Record
from likely.models.parts.words import WordsPart


def n_parameters(record: Record) -> int:
    """The free numbers of all groups, those that groups share, and the probabilities of the groups."""
    own, shared = free_parameters(record)
    return own * len(record.group_names) + shared + n_rates(record)


def free_parameters(record: Record) -> tuple[int, int]:
    """How many numbers describe each group, and how many all groups together."""
    found = []
    for slot, seen, part in zip(record.slots, record.tally.parts, record.parts, strict=True):
        if isinstance(part, WordsPart):  # words that were seen too seldom have no numbers
            seen = seen.only_levels([part.kept])  # type: ignore[attr-defined]
        found.append(slot.free_parameters(seen))
    return sum(own for own, _ in found), sum(shared for _, shared in found)


def n_rates(record: Record) -> int:
    """The free probabilities of classes, where they are learnt, and of the groups of each."""
    classes = len(record.classes) - 1 if record.settings.base_rate is None else 0
    return classes + sum(k - 1 for k in record.components or ())
