"""Tables as text <-> small files, byte for byte, a piece of the text at a time; with the bill by column."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np

from likely.codes.tables.cells import TextCells
from likely.codes.tables.segment import ColumnBill, compress_segment, decompress_segment
from likely.codes.tables.stream import (
    StateReader,
    StateWriter,
    damaged,
    quickly_squeezed,
    squeezed,
    unsqueezed,
)
from likely.codes.tables.waves import steps_of
from likely.errors import LikelyError
from likely.format.words import shown, table
from likely.table.write.whole_file import whole_file

SUFFIX = ".ltz"
PIECE = 1 << 24  # bytes of text that are compressed together, and held in memory
_MAGIC = b"LTZ\x03"  # the last byte is the version of the format
_TABLE, _TEXT = b"\0", b"\1"
# Steps that are worth the time, beside one for so many bytes: very many short columns are squeezed as text.
_MOST_STEPS, _BYTES_A_STEP = 15_000, 400
_LARGE = 1 << 16  # bytes of text beyond which trying LZMA's best as well takes time
_MARGIN = 1.25  # that its best may save beside its quickest
_SHOWN = 30
PLAIN = "all or some of it was squeezed as plain text, which takes fewer bytes here or is quicker."

Tell = Callable[[float, float], None]  # bytes done, of how many


@dataclass(frozen=True, repr=False)
class Bill:
    """What a compressed table costs, column by column: compression as an explanation of the table."""

    size: int  # bytes of the text
    compressed: int  # bytes of the file
    rows: int  # that the bits are for: a line of names, and lines of another shape, are not among them
    columns: tuple[ColumnBill, ...]

    def to_frame(self) -> dict[str, Any]:
        """One line for each column."""
        names = np.array([column.name for column in self.columns], object)
        hangs_on = np.array([", ".join(column.hangs_on) for column in self.columns], object)
        bits = np.array([column.bits for column in self.columns])
        return {
            "column": names,
            "distinct": np.array([column.distinct for column in self.columns]),
            "bytes": np.ceil(bits / 8).astype(np.int64),
            "bits a row": bits / max(self.rows, 1),
            "hangs on": hangs_on,
        }

    def __str__(self) -> str:
        share = f", {self.compressed / self.size:.1%}" if self.size else ""
        head = f"{self.size:,} byte{'' if self.size == 1 else 's'}, now {self.compressed:,}{share}"
        if not self.columns:
            return f"{head}\nno bill by column: {PLAIN}" if self.size else head
        rows = [
            [
                shown(column.name, 28),
                f"{column.bits / 8:,.0f}",
                f"{column.bits / max(self.rows, 1):.2f}",
                shown(", ".join(column.hangs_on[:3]), 60),
            ]
            for column in self.columns[:_SHOWN]
        ]
        told = sum(column.bits for column in self.columns) / 8
        names = "lists of values, names, and what the columns hang on"
        rows.append([names, f"{max(self.compressed - told, 0):,.0f}", "", ""])
        more = len(self.columns) - _SHOWN
        rest = [f"and {more} more columns: to_frame() has all"] if more > 0 else []
        return "\n".join([head, "", table([["", "bytes", "bits a row", "hangs on"], *rows], "<>><"), *rest])

    __repr__ = __str__


def compress(text: bytes) -> bytes:
    """A table as text (CSV and its like) in few bytes, which `decompress` turns back to the letter.

    >>> text = b"".join(b"%d,%s\\n" % (i, b"odd" if i % 2 else b"even") for i in range(1000))
    >>> small = compress(text)
    >>> len(text), len(small) < 80, decompress(small) == text
    (8390, True, True)
    """
    out = io.BytesIO()
    _compress(io.BytesIO(text), out, len(text), _silent, billed=False)
    return out.getvalue()


def decompress(data: bytes) -> bytes:
    """The text again; what is damaged is refused."""
    return b"".join(_texts(io.BytesIO(data), len(data), _silent))


def compress_file(path: str | Path, out: str | Path, tell: Tell | None = None) -> Bill:
    """Compress the file of a table; the new one is there as a whole or not at all. Returns the bill."""
    source = _opened(path)
    with source, whole_file(out) as target:
        return _compress(source, target, Path(path).stat().st_size, tell or _silent)


def decompress_file(path: str | Path, out: str | Path, tell: Tell | None = None) -> int:
    """Write the file again that was compressed, whole or not at all; the number of its bytes."""
    source = _opened(path)
    size = 0
    with source, whole_file(out) as target:
        for text in _texts(source, Path(path).stat().st_size, tell or _silent):
            target.write(text)
            size += len(text)
    return size


def _silent(done: float, total: float) -> None:
    pass


def _opened(path: str | Path) -> BinaryIO:
    try:
        return Path(path).expanduser().open("rb")
    except OSError as error:
        raise LikelyError(f"{path} cannot be read: {error.strerror}.") from error


def _compress(source: BinaryIO, target: BinaryIO, total: int, tell: Tell, *, billed: bool = True) -> Bill:
    target.write(_MAGIC)
    size, written, rows = 0, len(_MAGIC), 0
    bills: list[Sequence[ColumnBill]] = []
    for text in _pieces(source):
        body, bill, n = _smallest(text, partial(_told, tell, size, len(text), total), billed)
        head = StateWriter()
        head.number(len(text))
        head.parts.append(crc32(text).to_bytes(4, "big"))
        head.number(len(body))
        target.write(head.bytes() + body)
        size += len(text)
        written += len(head.bytes()) + len(body)
        rows += n
        bills.append(bill)
    target.write(b"\0")
    return Bill(size, written + 1, rows, _summed(bills))


def _told(tell: Tell, before: int, size: int, total: int, share: float) -> None:
    tell(before + share * size, total)


def _pieces(source: BinaryIO) -> Iterator[bytes]:
    """The text in pieces that end with a line, where lines are not longer than a piece."""
    left = b""
    while read := source.read(PIECE - len(left)):
        piece = left + read
        cut = piece.rfind(b"\n") + 1 if len(piece) == PIECE else len(piece)
        left = piece[cut:] if cut else b""
        yield piece[:cut] if cut else piece
    if left:
        yield left


def _smallest(
    text: bytes, tell: Callable[[float], None], billed: bool
) -> tuple[bytes, Sequence[ColumnBill], int]:
    """The bytes of a piece: as a table, or as any text if that is no longer; the bill and its rows."""
    columns = len(TextCells.of(text[: text.find(b"\n") + 1]).columns)
    worth = steps_of(text.count(b"\n"), columns) <= _MOST_STEPS + len(text) // _BYTES_A_STEP
    body, bill, n = compress_segment(text, tell, billed) if worth else (text, [], 0)
    as_table = _TABLE + body
    if len(text) > _LARGE and _MARGIN * len(body) < quickly_squeezed(text):
        return as_table, bill, n
    as_text = _TEXT + squeezed(text, len(body) if worth else None)
    return (as_text, [], 0) if not worth or len(as_text) < len(as_table) else (as_table, bill, n)


def _summed(bills: Sequence[Sequence[ColumnBill]]) -> tuple[ColumnBill, ...]:
    """The bill of all pieces, if their columns are the same in number."""
    if len({len(bill) for bill in bills}) != 1:
        return ()
    return tuple(
        ColumnBill(
            first.name,
            max(one.distinct for one in same),
            sum(one.bits for one in same),
            sum(one.list_bytes for one in same),
            first.hangs_on,
        )
        for same in zip(*bills, strict=True)
        for first in same[:1]
    )


def _texts(source: BinaryIO, total: int, tell: Tell) -> Iterator[bytes]:
    magic = source.read(len(_MAGIC))
    if magic[:-1] == _MAGIC[:-1] and magic != _MAGIC:
        raise LikelyError(
            f"this table was compressed in version {magic[-1]} of the format, and this likely reads version "
            f"{_MAGIC[-1]} alone: decompress it with the likely that made it, and compress it again."
        )
    if magic != _MAGIC:
        raise LikelyError(f"this is no table that `likely compress` made (its files end in {SUFFIX}).")
    while size := _number(source):
        check = int.from_bytes(_exactly(source, 4), "big")
        if size > PIECE:
            raise damaged()
        body = _exactly(source, _number(source))
        tell(source.tell(), total)
        text = _text(body, size)
        if len(text) != size or crc32(text) != check:
            raise damaged()
        yield text
    if source.read(1):
        raise damaged()


def _text(body: bytes, size: int) -> bytes:
    """The text of a piece; whatever a damaged one leads to is said in one way."""
    try:
        if body[:1] == _TABLE:
            return decompress_segment(body[1:], size, lambda share: None)
        if body[:1] == _TEXT:
            return unsqueezed(body[1:], size)
    except (IndexError, ValueError, OverflowError, MemoryError, ArithmeticError):
        raise damaged() from None
    raise damaged()


def _number(source: BinaryIO) -> int:
    """A number as `StateWriter` writes it."""
    read = b""
    while not read or (read[-1] > 127 and len(read) < 9):
        read += _exactly(source, 1)
    return StateReader(read).number()


def _exactly(source: BinaryIO, n: int) -> bytes:
    data = source.read(min(n, 2 * PIECE + 4096))
    if len(data) != n:
        raise damaged()
    return data
