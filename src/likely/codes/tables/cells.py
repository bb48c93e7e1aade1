"""The text of a table <-> its cells, byte for byte: whatever is odd about the text is kept aside.

Cells are as they are written, quotes included, so nothing needs to be known about how they were quoted. Lines
with more or fewer cells than the others are kept whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DELIMITERS = b",;\t|"
_QUOTE, _NEWLINE, _RETURN = 34, 10, 13
_LOOK = 1 << 16  # bytes from which the delimiter is guessed


@dataclass(frozen=True, slots=True)
class TextCells:
    """A table as text.

    >>> table = TextCells.of(b"a,b\\n1,2\\n3\\n4,5\\n")
    >>> table.columns, table.odd, table.text()
    ([[b'a', b'1', b'4'], [b'b', b'2', b'5']], [(2, b'3')], b'a,b\\n1,2\\n3\\n4,5\\n')
    """

    delimiter: bytes
    end: bytes  # of each line: "\n" or "\r\n"
    ended: bool  # whether the last line has its end
    columns: list[list[bytes]]  # (d), (n) each
    odd: list[tuple[int, bytes]]  # lines that have another number of cells: which, and their text

    @classmethod
    def of(cls, text: bytes) -> TextCells:
        """The cells of a text; one column of whole lines if there is no better way."""
        delimiter = _delimiter(text)
        lines = [_lines(text, delimiter, quoted) for quoted in ((False, True) if b'"' in text else (False,))]
        # A quote may be one of a pair, or an inch: what leaves fewer odd lines is right.
        usual, breaks, ends = min(lines, key=lambda way: int((np.diff(way[2], prepend=0) != way[0]).sum()))
        sizes = np.diff(ends, prepend=0)
        ended = bool(breaks[-1] < len(text))
        starts = np.concatenate([[0], breaks[:-1] + 1])
        firsts = np.concatenate([[0], ends[:-1]])  # the first cell of each line
        newlines = ends[: len(ends) if ended else -1] - 1  # the last cell of each line that has an end
        before = breaks[newlines] - 1
        carriage = len(before) > 0 and before[0] >= 0 and all(text[i] == _RETURN for i in before.tolist())
        stops = breaks.copy()
        if carriage:
            stops[newlines] -= 1
        odd = [(int(i), text[starts[firsts[i]] : stops[ends[i] - 1]]) for i in np.flatnonzero(sizes != usual)]
        even = firsts[sizes == usual]
        columns = [
            [text[a:b] for a, b in zip(starts[even + j].tolist(), stops[even + j].tolist(), strict=True)]
            for j in range(usual)
        ]
        return cls(delimiter, b"\r\n" if carriage else b"\n", ended, columns, odd)

    def text(self) -> bytes:
        """The text again."""
        lines = list(map(self.delimiter.join, zip(*self.columns, strict=True)))
        for at, line in self.odd:
            lines.insert(at, line)
        return self.end.join(lines) + (self.end if self.ended else b"")


def _delimiter(text: bytes) -> bytes:
    """What stands between cells: the character of which most lines have equally many."""
    lines = text[:_LOOK].split(b"\n")[:-1] or [text]
    best, most = b",", 0
    for code in DELIMITERS:
        one = bytes([code])
        cells, often = Counter(line.count(one) for line in lines).most_common(1)[0]
        if cells * often > most:
            best, most = one, cells * often
    return best


def _lines(text: bytes, delimiter: bytes, quoted: bool) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
    """The usual number of cells of a line, where each cell ends, and how many there are up to each line.

    Of a quoted text, what stands between quotes ends no cell.
    """
    codes = np.frombuffer(text, np.uint8)
    newline = codes == _NEWLINE
    stop = newline | (codes == delimiter[0])
    if quoted:
        inside = np.logical_xor.accumulate(codes == _QUOTE)
        stop &= ~inside
        newline &= ~inside
    breaks = np.flatnonzero(stop)
    ends = np.flatnonzero(newline[breaks]) + 1
    if not len(text) or not newline[-1]:  # a last line without an end
        breaks = np.append(breaks, len(text))
        ends = np.append(ends, len(breaks))
    usual = Counter(np.diff(ends, prepend=0).tolist()).most_common(1)[0][0]
    return usual, breaks, ends
