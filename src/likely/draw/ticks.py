"""Which numbers to write along a scale, and where the words go so that none covers another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """A labelled place on a scale."""

    label: str
    position: float
    lanes: tuple[int, ...] = (1, -1, 2, -2, 3, -3)  # places for its words: above +, below -, best first
    needed: bool = True  # False: without room for its words it is left out


def nice_values(low: float, high: float, about: int = 8) -> list[float]:
    """Round numbers from low to high, about so many.

    >>> nice_values(0.4, 79.6), nice_values(-0.13, 0.12)
    ([10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0], [-0.1, -0.05, 0.0, 0.05, 0.1])
    """
    if not low < high:
        return [low]
    power = math.floor(math.log10((high - low) / about))
    steps = [(round_number, p) for p in (power, power + 1) for round_number in (1, 2, 5)]
    step, p = next((m, p) for m, p in steps if (high - low) / (m * 10.0**p) <= about + 1e-9)
    # The ends count although 0.6 / 0.1 is not quite 6; and multiples are 3 / 10 rather than 3 * 0.1.
    unit = step * 10.0**p
    whole = range(math.ceil(low / unit - 1e-9), math.floor(high / unit + 1e-9) + 1)
    return [float(k * step * 10**p) if p >= 0 else k * step / 10**-p for k in whole]


def stagger(marks: Sequence[Mark], centres: Sequence[float], widths: Sequence[float]) -> list[int]:
    """The lane of each label, in the order given: the first of its lanes with room left, or 0 for none.

    >>> marks = [Mark("a", 0.0), Mark("b", 0.5), Mark("c", 0.9), Mark("d", 2.0)]
    >>> stagger(marks, [mark.position for mark in marks], [1.0] * 4)
    [1, -1, 2, 1]
    """
    taken: dict[int, list[tuple[float, float]]] = {}
    chosen = []
    for mark, centre, width in zip(marks, centres, widths, strict=True):
        left, right = centre - width / 2, centre + width / 2
        free = (lane for lane in mark.lanes if all(right <= a or b <= left for a, b in taken.get(lane, [])))
        lane = next(free, 0)
        taken.setdefault(lane, []).append((left, right))
        chosen.append(lane)
    return chosen
