"""Columns of one kind side by side, handed out in blocks of rows: views, or buffers used again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.levels import Coded
from likely.table.scratch import scratch
from likely.table.sparse import Rows, rows_of

LIMIT = 1e150  # beyond this a square leaves the range of the numbers


class Block(Protocol):
    """Columns of one kind side by side."""

    def rows(self, start: int, stop: int) -> Any:
        """Rows start to stop, (b, d): to read, and good until the thread asks a block for rows again."""


@dataclass(frozen=True, slots=True)
class Support:
    """Which numbers a family of distributions can describe, and what is said of others."""

    inside: Callable[[Any], NDArray[np.bool_]]
    rule: str

    def first_outside(self, part: Rows) -> tuple[int, int] | None:
        """The row and the column of the first number outside, in a block dense or sparse; NaN is none."""
        stored = part if isinstance(part, np.ndarray) else np.append(part.data, 0.0)
        if (self.inside(stored) | ~np.isfinite(stored)).all():  # infinity is refused with the extremes
            return None
        cells = part if isinstance(part, np.ndarray) else part.toarray()
        wrong = np.argwhere(~self.inside(cells) & np.isfinite(cells))
        return (int(wrong[0, 0]), int(wrong[0, 1])) if len(wrong) else None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Columns of numbers, NaN where missing; from a matrix (also sparse) or from separate columns."""

    names: Sequence[str]
    matrix: Any = None  # (n, D)
    places: NDArray[np.intp] | None = None  # which columns of the matrix; None for all
    columns: tuple[NDArray[Any], ...] = ()
    support: Support | None = None  # beyond which numbers are refused

    def rows(self, start: int, stop: int) -> Any:
        """Numbers of rows start to stop, (b, d)."""
        part = self._rows(start, stop)
        wrong = None if self.support is None else self.support.first_outside(part)
        if self.support is not None and wrong is not None:
            cells = part if isinstance(part, np.ndarray) else part.toarray()
            raise LikelyError(
                f"column {self.names[wrong[1]]!r}, row {start + wrong[0]}: {cells[wrong]:g} is impossible: "
                f"{self.support.rule}. Correct it, mark it as missing, or choose another family."
            )
        return part

    def _rows(self, start: int, stop: int) -> Any:
        if self.matrix is None:
            out = scratch("numbers", (len(self.columns), stop - start))
            for j, column in enumerate(self.columns):
                out[j] = column[start:stop]
            return out.T
        if not isinstance(self.matrix, np.ndarray):
            sparse = rows_of(self.matrix, start, stop)
            return sparse if self.places is None else sparse[:, self.places]
        part = self.matrix[start:stop]
        if self.places is None and part.dtype == np.float64:
            return part
        out = scratch("numbers", (stop - start, len(self.names)))
        out[:] = part if self.places is None else part[:, self.places]
        return out

    def refuse_extremes(self, start: int, stop: int, before: int = 0) -> None:
        """Name the first value that no model can use, if any; `before` rows came before this table."""
        part = self.rows(start, stop)
        cells = part if isinstance(part, np.ndarray) else part.data
        if not (np.abs(cells) > LIMIT).any():  # infinity is, NaN is not
            return
        part = part if isinstance(part, np.ndarray) else part.toarray()
        row, j = (int(place) for place in np.argwhere(np.abs(part) > LIMIT)[0])
        value = part[row, j]
        what = f"{value:g}, a value too large for dtype('float64') squared"
        if np.isinf(value):
            what = "infinity" if value > 0 else "-infinity"
        raise LikelyError(
            f"Input X contains {what}: column {self.names[j]!r}, row {before + start + row}. "
            f"Correct it, mark it as missing, or rescale the column to stay within {LIMIT:g}."
        )


@dataclass(frozen=True, slots=True)
class Codes:
    """Columns of codes of levels: -1 where missing, -2 where never seen."""

    columns: tuple[Coded, ...] = ()  # one by one
    together: Coded | None = None  # or all at once

    def rows(self, start: int, stop: int) -> NDArray[np.intp]:
        """Codes of rows start to stop, (b, d)."""
        if self.together is None:
            out = scratch("codes", (len(self.columns), stop - start)).view(np.intp)
            for j, column in enumerate(self.columns):
                column.rows(start, stop, out[j])
            return out.T
        codes = self.together.as_they_are(start, stop)
        if codes is None:
            codes = scratch("codes", (stop - start, self.together.values.shape[1])).view(np.intp)
            self.together.rows(start, stop, codes)
        return codes


@dataclass(frozen=True, slots=True)
class Missing:
    """Whether each number of another block is missing: 1 or 0."""

    of: Numbers

    def rows(self, start: int, stop: int) -> Any:
        """1 where missing, of rows start to stop, (b, d)."""
        part = self.of.rows(start, stop)
        if isinstance(part, np.ndarray):
            return np.isnan(part).astype(np.float64)
        gaps = part.copy()
        gaps.data = np.isnan(part.data).astype(np.float64)
        return gaps
