"""How many bits about the target each column tells, by itself, on rows that it was not learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.format.words import right_bar, shown, table
from likely.infer.bayes import bayes_rule
from likely.stats.groups import Floats, Groups
from likely.table.build import to_table
from likely.table.read.into import library_for


@dataclass(frozen=True)
class ColumnBits:
    """What one column tells; below 0, what was learnt of it misleads."""

    column: str
    bits: float
    share: float  # of the bits that the target has


@dataclass(frozen=True, repr=False)
class ColumnRanking:
    """The columns by the bits that they tell, most first; prints itself."""

    target: str
    bits: float  # that the target has
    columns: tuple[ColumnBits, ...]

    def to_frame(self, into: str | None = None) -> Any:
        """A table with a row for each column."""
        heads = ("column", "bits", "share")
        return to_table(
            {head: np.array([getattr(one, head) for one in self.columns]) for head in heads},
            library_for(into),
        )

    def __str__(self) -> str:
        most = max((one.bits for one in self.columns), default=0.0)
        rows = [["column", "bits", "share", ""]]
        for one in self.columns:
            bar = right_bar(one.bits / most) if most > 0 and one.bits > 0 else ""
            bits, share = round(one.bits, 4) + 0.0, round(100 * one.share, 1) + 0.0  # no -0.0
            rows.append([shown(one.column), f"{bits:.4f}", f"{share:.1f} %", bar])
        title = f"bits about {self.target} on held-out rows, of {self.bits:.4f}"
        return f"{title}\n\n{table(rows, '<>><')}"

    __repr__ = __str__


def told_bits(told: Floats, groups: Groups) -> float:
    """The bits that evidence (n, m) saves on average, beside knowing the base rate alone."""
    assert groups.codes is not None
    base = groups.total / groups.total.sum()
    both = np.concatenate([np.zeros((len(told), 1)), told], axis=1) if told.shape[1] == 1 else told
    with np.errstate(divide="ignore"):
        log_base = np.log(base)
    log_posterior, _ = bayes_rule(both + log_base)
    rows = np.arange(len(told))
    saved = log_posterior[rows, groups.codes] - log_base[groups.codes]
    return float(np.average(saved, weights=groups.weight) / np.log(2))
