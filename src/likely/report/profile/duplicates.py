"""How many rows repeat an earlier one, by a fingerprint of each row: no copy of the table is made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.report.profile.inspect import Inspected

_U = np.uint64
_STEP = _U(0x9E3779B97F4A7C15)  # odd, and its bits in disorder: 2^64 over the golden ratio


class Fingerprints:
    """64 bits for each row, the sum of those of its cells; two different rows share them 1 in 2^64 times.

    >>> rows = Fingerprints(3)
    >>> rows.add(Inspected(None, "", 3, codes=np.array([0, 1, 0]), levels="ab"))
    >>> rows.repeated
    1
    """

    def __init__(self, n: int) -> None:
        self._sums = np.zeros(n, _U)
        self._columns = 0

    def add(self, inspected: Inspected) -> None:
        """Put in one column; missing cells are equal to each other."""
        self._columns += 1
        if inspected.numbers is None:
            assert inspected.codes is not None
            self._sums += self._mixed(inspected.codes.astype(np.int64))
        elif inspected.rows is None:
            self._sums += self._mixed(_bits(inspected.numbers))
        else:
            stored = inspected.numbers != 0  # zeros add nothing, whether stored or not
            np.add.at(self._sums, inspected.rows[stored], self._mixed(_bits(inspected.numbers[stored])))

    @property
    def repeated(self) -> int:
        """How many rows are the same as an earlier one."""
        if not self._columns:
            return 0
        ordered = np.sort(self._sums)
        return int(np.count_nonzero(ordered[1:] == ordered[:-1]))

    def _mixed(self, cells: NDArray[Any]) -> NDArray[np.uint64]:
        """Shuffle the bits of every cell (as splitmix64 does), in another way for every column."""
        mixed = cells.view(_U) + _U(self._columns * int(_STEP) % 2**64)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed ^= mixed >> _U(shift)
            mixed *= _U(factor)
        mixed ^= mixed >> _U(31)
        return mixed


def _bits(numbers: NDArray[Any]) -> NDArray[Any]:
    """Equal bits for equal numbers: one kind of zero, one kind of NaN."""
    if numbers.dtype.kind != "f":
        return numbers.astype(np.int64)
    floats = numbers.astype(np.float64) + 0.0
    floats[np.isnan(floats)] = np.nan
    return floats
