"""Hidden groups in words: how large each is, and what sets it apart from the rows as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import x_log_y
from likely.format import words
from likely.models.groups.describe import Summary
from likely.models.groups.record import GroupRecord
from likely.models.parts.time_words import mean_words, spread_words
from likely.models.parts.words import WordsPart
from likely.table.column.column import Column

Floats = NDArray[np.float64]

TELLING = 3  # columns that are named of each group
LEAST = 0.02  # bits: what differs by less is no difference


@dataclass(frozen=True, repr=False)
class Portraits(Summary):
    """A fitted mixture in words: each group by the columns that set it apart, then every column."""

    stopped: int | None = field(default=None, kw_only=True)  # the iterations after which EM was cut short

    def _title(self) -> str:
        if self.stopped is None:
            return super()._title()
        return f"{super()._title()}. EM was still climbing after {self.stopped} iterations: raise max_iter."

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        sizes = zip(self.record.group_names, self.record.tally.groups, self._rates(), strict=True)
        groups = [
            {"group": words.json_ready(name), "rows": float(rows), "share": float(share), "apart": told}
            for (name, rows, share), told in zip(sizes, self._apart(), strict=True)
        ]
        return {**super().to_dict(), "groups": groups}

    def _groups(self) -> str:
        record, rates = self.record, self._rates()
        said = []
        for g, (name, told) in enumerate(zip(record.group_names, self._apart(), strict=True)):
            number = f"{record.tally.groups[g]:,.0f}"
            rows = f"{number} row{'' if number == '1' else 's'} ({100 * rates[g]:.0f} %)"
            apart = "; ".join(told) or "as all rows are"
            said.append(f"{record.target.name} {words.shown(name)}: {rows}, {apart}")
        return "\n".join(said)

    def _apart(self) -> list[list[str]]:
        """Of each group, the columns in which it differs most from all rows, and how."""
        by_group = list(zip(*_differences(self.record), strict=True))
        if not by_group:
            return [[] for _ in self.record.group_names]
        first = [sorted(differences, key=lambda one: -one[0])[:TELLING] for differences in by_group]
        return [[phrase for bits, phrase in differences if bits >= LEAST] for differences in first]


def _differences(record: GroupRecord) -> list[list[tuple[float, str]]]:
    """For each column, and of it for each group: by how many bits it differs from all rows, and how."""
    weights, differences = np.exp(record.core.log_weights), []
    for part in record.core.parts:
        for place in range(len(part.columns)):
            column, levels = part.column(place), part.level_table(place)
            if isinstance(part, WordsPart):
                differences.append(_of_words(column, part, weights))
            elif levels is not None:
                differences.append(_of_levels(column, *levels, weights))
            else:
                mean, sd = part.parameters(place).values.T
                differences.append(_of_numbers(column, mean, sd, weights))
    return differences


def _of_levels(column: Column, names: list[str], p: Floats, weights: Floats) -> list[tuple[float, str]]:
    overall = weights @ p
    share = x_log_y(p, np.where(p > 0, p, 1.0) / np.where(overall > 0, overall, 1.0)) / np.log(2)
    said = []
    for mine, own in zip(p, share, strict=True):
        best = int(own.argmax()) if len(own) else 0
        told = f"{names[best]} {100 * mine[best]:.0f} % (of all {100 * overall[best]:.0f} %)" if names else ""
        said.append((float(own.sum()), f"{words.shown(column.name)} {told}"))
    return said


def _of_numbers(column: Column, mean: Floats, sd: Floats, weights: Floats) -> list[tuple[float, str]]:
    """As if all were normal: by the mean, or by the sd if that differs more."""
    centre = float(weights @ mean)
    spread = float(np.sqrt(weights @ (sd**2 + (mean - centre) ** 2)))
    if not (np.isfinite(spread) and spread > 0 and (sd > 0).all()):
        return [(0.0, "")] * len(mean)
    moved = (mean - centre) ** 2 / (2 * spread**2)
    ratio = (sd / spread) ** 2
    wider = (ratio - 1 - np.log(ratio)) / 2
    at, wide = partial(mean_words, column), partial(spread_words, column)
    said = []
    for g in range(len(mean)):
        by_mean = f"mean {at(mean[g])} (of all {at(centre)})"
        by_sd = f"mean {at(mean[g])}, sd {wide(sd[g])} (of all {at(centre)} and {wide(spread)})"
        told = by_mean if moved[g] >= wider[g] else by_sd
        said.append((float((moved[g] + wider[g]) / np.log(2)), f"{words.shown(column.name)} {told}"))
    return said


def _of_words(column: Column, part: WordsPart, weights: Floats) -> list[tuple[float, str]]:
    rates: Floats = part.distribution.rates
    overall = weights @ rates
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.nan_to_num(x_log_y(rates, rates / overall)) - rates + overall
    return [
        (float(own.sum() / np.log(2)), f"{words.shown(column.name)} with {part.describe(g)}")
        for g, own in enumerate(apart)
    ]
