"""Records as older versions wrote them, made into those of today."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from likely.models.record import Record
from likely.stats import GapSums, Sums


def of_today(made: Any) -> Any:
    """What was decoded, as this version holds it.

    Up to 0.1 rows of counts were added up without regard to what was missing in them: as rows without gaps.
    """
    if not isinstance(made, Record) or len(made.slots) != len(made.tally.parts):
        return made  # what does not fit together is refused when it is looked over
    pairs = zip(made.slots, made.tally.parts, strict=True)
    parts = tuple(
        GapSums(part.n, part.total) if slot.family.statistic is GapSums and type(part) is Sums else part
        for slot, part in pairs
    )
    return replace(made, tally=replace(made.tally, parts=parts))
