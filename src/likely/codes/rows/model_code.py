"""The code of a fitted model: the better it knows the rows, the shorter they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from likely.ask.world import Nature
from likely.codes.description.code_length import Step
from likely.codes.rows.conditionals import conditionals
from likely.codes.rows.frequencies import Exceptions, whole_frequencies
from likely.codes.rows.range_coder import RangeDecoder, RangeEncoder
from likely.codes.rows.variables import CodedColumn
from likely.codes.tables.stream import StateReader, StateWriter, damaged
from likely.errors import LikelyError
from likely.models.joint.joint import Joint
from likely.table.accepted import TableLike
from likely.table.build import to_table, values_of
from likely.table.column.column import Column
from likely.table.frame import Frame

Ints = NDArray[np.int64]
_MAGIC = b"LRC\x01"
MOST_ROWS = 1 << 32


@dataclass(frozen=True, repr=False)
class ModelCode:
    """Rows in as few bits as a fitted model finds them probable: at most two more than their information.

    Columns are coded one after another, each by what the model expects once those before it are known, and
    decoded by the same model, from its file or from memory. Numbers are rounded to `step`. Whole numbers are
    made of probabilities so that machines agree on them (see `likely.codes.rows.frequencies`).

    Parameters
    ----------
    model : fitted model
        A model of rows: `NaiveBayes` and its relatives (with the target), `Mixture`, `Network`, `Joint`.
    step : number, mapping or None
        To which numbers are rounded, of all columns or by name; None is as they are written.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> code = ModelCode(likely.NaiveBayes().fit(days, "play"))
    >>> small = code.encode(days)
    >>> code.decode(small)["outlook"].tolist() == list(days["outlook"])
    True
    >>> bits = code.bits(days)
    >>> len(bits), len(bits) <= code.information(days) + 2
    (80, True)
    """

    model: Any
    step: Step = None

    def __post_init__(self) -> None:
        if not isinstance(self.model, Joint) and not hasattr(self.model, "log_prob"):
            raise LikelyError(
                f"a {type(self.model).__name__} does not say how probable a whole row is: code rows by "
                "NaiveBayes, Mixture, Network or Joint."
            )

    def bits(self, rows: TableLike) -> str:
        """The bits of the cells of a table, without the header that `encode` puts before them."""
        return self._coded(rows)[0]

    def information(self, rows: TableLike) -> float:
        """The bits that the rows carry under the model, with numbers on their grid: -sum log2 P(row)."""
        columns, codes = self._read(Frame.of(rows))
        total = 0.0
        for j, column in enumerate(columns):
            told = codes[:, j] >= 0
            if not told.all():
                total += _gap_bits(~told)
            before, at = np.unique(codes[told, :j], axis=0, return_inverse=True)
            if column.k > 1 and len(at):
                p = conditionals(self.model, columns, before, j)
                with np.errstate(divide="ignore"):
                    total -= float(np.log2(p[at.reshape(-1), codes[told, j]]).sum())
        return total

    def encode(self, rows: TableLike) -> bytes:
        """Rows as bytes."""
        bits, columns, codes, exceptions = self._coded(rows)
        head = StateWriter()
        head.number(len(codes))
        head.number(len(columns))
        for column, own in zip(columns, codes.T, strict=True):
            head.number(column.n_points)
            head.number(int((own < 0).any()))
            if column.n_points:
                head.text(column.origin.encode())
                head.text(column.step.encode())
        head.number(len(exceptions.ways))
        last = 0
        for place, up in exceptions.ways.items():  # they come in order
            head.number(2 * (place - last) + up)
            last = place
        head.parts.append(_check(columns, codes))
        head.number(len(bits))
        padded = bits.ljust(-(-len(bits) // 8) * 8, "0")
        body = head.bytes() + int(padded or "0", 2).to_bytes(len(padded) // 8, "big")
        return _MAGIC + body + crc32(body).to_bytes(4, "big")

    def decode(self, data: bytes) -> Any:
        """The rows again, in the frame library of the table that the model was fitted to."""
        if data[: len(_MAGIC)] != _MAGIC:
            raise LikelyError("these are no rows that a model has coded: encode() makes them.")
        if crc32(data[len(_MAGIC) : -4]).to_bytes(4, "big") != data[-4:] or len(data) < 12:
            raise damaged()
        head = StateReader(data[:-4], len(_MAGIC))
        n, d = head.number(MOST_ROWS), head.number(MOST_ROWS)
        known = self._columns()
        if d != len(known):
            raise LikelyError(
                f"the rows have {d} columns and the model {len(known)}: another model wrote them."
            )
        columns, gaps = [], []
        for column, levels in known:
            points = head.number()
            gaps.append(bool(head.number(1)))
            if bool(points) is not (levels is None):
                raise LikelyError(f"column {column.name!r} is of another kind: another model wrote the rows.")
            origin, step = (head.text().decode(), head.text().decode()) if points else ("", "")
            columns.append(CodedColumn(column.name, levels or (), origin, step, points))
        ways: dict[int, bool] = {}
        last = 0
        for _ in range(head.number(len(data))):
            apart, up = divmod(head.number(), 2)
            last += apart
            ways[last] = bool(up)
        check = head.take(4)
        size = head.number(8 * len(data))
        body = head.rest()
        if len(body) != -(-size // 8):
            raise damaged()
        bits = f"{int.from_bytes(body, 'big'):0{8 * len(body)}b}"[:size] if size else ""
        codes = self._decoded(RangeDecoder(bits), columns, gaps, n, Exceptions(ways, written=False))
        if _check(columns, codes) != check:
            raise LikelyError("the rows that come out are not those that went in: another model wrote them.")
        cells = {}
        for (column, levels), coded, own in zip(known, columns, codes.T, strict=True):
            library = self._library
            if levels is not None:
                cells[column.name] = values_of(column, own, library)
            else:
                numbers = [np.nan if value is None else value for value in coded.values(own)]
                cells[column.name] = values_of(column, np.array(numbers, np.float64), library)
        return to_table(cells, self._library)

    @property
    def _library(self) -> str:
        if isinstance(self.model, Joint):
            return "dict"
        return str(self.model.record_.schema.library)

    def _columns(self) -> list[tuple[Column, tuple[Any, ...] | None]]:
        """The columns in the order in which they are coded, with their levels; None of numbers."""
        if isinstance(self.model, Joint):
            return [(column, column.levels) for column in self.model.columns]
        record = self.model.record_
        hidden = getattr(self.model, "_hidden", False)
        columns = []
        for name, variable in record.world().variables.items():
            if name == record.target_name and hidden:
                continue
            if name != record.target_name and name not in record.schema.names:
                continue  # a hidden node
            if variable.nature is Nature.SHOWN:
                raise LikelyError(
                    f"column {name!r} is text, which is not coded by a model of rows: compress it."
                )
            columns.append((variable.column, None if variable.numeric else variable.levels))
        return columns

    def _read(self, frame: Frame) -> tuple[list[CodedColumn], Ints]:
        """A table as codes, (n, d)."""
        columns, codes = [], []
        for column, levels in self._columns():
            if column.name not in frame.position:
                raise LikelyError(f"the table has no column {column.name!r}, which the model codes.")
            raw = frame.raw(column.name)
            if levels is None:
                one, own = CodedColumn.of_numbers(raw, self.step)
            else:
                one, own = CodedColumn.of_levels(raw, levels)
            columns.append(one)
            codes.append(own)
        known = {column.name for column in columns}
        for name in frame.names:
            if name not in known:
                raise LikelyError(
                    f"column {name!r} is none that the model knows: it cannot be coded; drop it."
                )
        return columns, np.stack(codes, axis=1)

    def _coded(self, rows: TableLike) -> tuple[str, list[CodedColumn], Ints, Exceptions]:
        columns, codes = self._read(Frame.of(rows))
        encoder, exceptions = RangeEncoder(), Exceptions()
        for j in range(len(columns)):
            told = codes[:, j] >= 0
            gaps = 0
            for at, missing in enumerate([] if told.all() else (~told).tolist()):
                encoder.choose(_gap_frequencies(gaps, at), int(missing))
                gaps += missing
            frequencies, place = _tables(self.model, columns, codes[told, :j], j, exceptions)
            if frequencies is not None:
                for row, choice in zip(place.tolist(), codes[told, j].tolist(), strict=True):
                    encoder.choose(frequencies[row], choice)
        return encoder.finish(), columns, codes, exceptions

    def _decoded(
        self,
        decoder: RangeDecoder,
        columns: Sequence[CodedColumn],
        has_gaps: Sequence[bool],
        n: int,
        exceptions: Exceptions,
    ) -> Ints:
        codes = np.full((n, len(columns)), -1, np.int64)
        for j in range(len(columns)):
            gaps = 0
            told = np.ones(n, bool)
            for at in range(n if has_gaps[j] else 0):
                missing = decoder.choose(_gap_frequencies(gaps, at))
                gaps += missing
                told[at] = not missing
            frequencies, place = _tables(self.model, columns, codes[told, :j], j, exceptions)
            if frequencies is None:
                codes[told, j] = 0
            else:
                codes[told, j] = [decoder.choose(frequencies[row]) for row in place.tolist()]
        return codes


def _tables(
    model: Any, columns: Sequence[CodedColumn], before: Ints, j: int, exceptions: Exceptions
) -> tuple[list[list[int]] | None, Ints]:
    """Frequencies for each different beginning of a row, and which beginning each row has."""
    if columns[j].k < 2 or not len(before):
        return None, np.zeros(0, np.int64)
    different, place = np.unique(before, axis=0, return_inverse=True)
    frequencies = whole_frequencies(conditionals(model, columns, different, j), exceptions)
    return frequencies.tolist(), place.reshape(-1)


def _gap_frequencies(gaps: int, seen: int) -> list[int]:
    """That a cell is told, or missing, by how many of those above it were missing: no model says it."""
    return [2 * (seen - gaps) + 1, 2 * gaps + 1]


def _gap_bits(missing: NDArray[np.bool_]) -> float:
    """What `_gap_frequencies` take for the cells of a column: -log2 of a Beta(1/2, 1/2) evidence."""
    n, gaps = len(missing), int(missing.sum())
    return float((betaln(0.5, 0.5) - betaln(gaps + 0.5, n - gaps + 0.5)) / np.log(2))


def _check(columns: Sequence[CodedColumn], codes: Ints) -> bytes:
    names = json.dumps([[column.name, column.k] for column in columns]).encode()
    return crc32(np.ascontiguousarray(codes, np.int64).tobytes(), crc32(names)).to_bytes(4, "big")
