"""What decisions cost, by the names of the classes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.groups.tally import class_place
from likely.stats.groups import Floats

_PAIR = re.compile(r"\s*(.+?)\s*->\s*(.+?)\s*=\s*([^=,]+?)\s*")


def cost_matrix(costs: Mapping[tuple[Any, Any], float] | str | None, classes: Sequence[Any]) -> Floats:
    """The cost of calling a row of each class (down) each class (across), (g, g).

    A mistake costs 1 and being right costs 0 unless the pair is named, as ("ham", "spam"): 10 or in a text
    "ham->spam=10": a row of ham that is called spam.

    >>> cost_matrix("spam->ham=1, ham->spam=10", ["ham", "spam"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    matrix = 1.0 - np.eye(len(classes))
    for (true, called), cost in _pairs(costs, classes).items():
        if isinstance(cost, bool) or not isinstance(cost, int | float | np.number) or not math.isfinite(cost):
            raise LikelyError(f"the cost of {true!r} called {called!r} is {cost!r}: give a finite number.")
        place = [class_place(classes, label, "costs names") for label in (true, called)]
        matrix[place[0], place[1]] = cost
    return matrix


def _pairs(costs: object, classes: Sequence[Any]) -> Mapping[tuple[Any, Any], Any]:
    if costs is None:
        return {}
    if isinstance(costs, str):
        return _read(costs, classes)
    if isinstance(costs, Mapping) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in costs):
        return costs
    raise LikelyError(
        f"costs={costs!r}: give a cost by pairs of true and called class, such as "
        f"{{({classes[0]!r}, {classes[-1]!r}): 10}}, or the text '{classes[0]}->{classes[-1]}=10'."
    )


def _read(text: str, classes: Sequence[Any]) -> dict[tuple[Any, Any], float]:
    by_text = {str(label): label for label in classes}
    pairs = {}
    for part in text.split(","):
        match = _PAIR.fullmatch(part)
        try:
            if match is None:
                raise ValueError
            cost = float(match[3])
        except ValueError:
            raise LikelyError(
                f"costs: {part.strip()!r} is not understood; write 'true->called=cost', separated by commas."
            ) from None
        pairs[by_text.get(match[1], match[1]), by_text.get(match[2], match[2])] = cost
    return pairs
