"""Parts of Parquet files that end where sequences do: rows that belong together are read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine.scan.parts import LARGE, RowGroup
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError
from likely.table.frame import Frame
from likely.table.schema import Schema

Ints = NDArray[np.intp]
Hashes = NDArray[np.uint64]
ALL = 1 << 64


def run_starts(frame: Frame, key: str) -> Ints:
    """The rows at which another sequence begins, the first row among them.

    >>> run_starts(Frame.of({"who": ["a", "a", "b"]}), "who")
    array([0, 2])
    """
    codes, _ = frame.raw(key).distinct()
    if (codes < 0).any():
        raise LikelyError(f"column {key!r} names the sequence of each row, and is missing in some: fill it.")
    begins = np.append(True, codes[1:] != codes[:-1])
    return np.flatnonzero(begins[: frame.n])


@dataclass(frozen=True, slots=True)
class SequencePart:
    """The sequences that begin in some row groups, the last read to its end in those that come after."""

    parts: tuple[RowGroup, ...]
    key: str
    skip: int  # rows of the first part that go on a sequence of one before
    rows: int  # after those

    def frames(self, schema: Schema | None) -> Iterator[Frame]:
        """The rows with their key, as many whole sequences at a time as there are in some rows."""
        names = None if schema is None else [*schema.names, self.key]
        held: Any = None
        for table in self._slices(names):
            starts = run_starts(Frame.of(table), self.key)
            at = int(starts[-1])
            if held is not None:
                goes_on = held[self.key][-1].as_py() == table[self.key][0].as_py()
                at = held.num_rows + at if at or not goes_on else 0
                table = _joined(held, table)
            if at:
                yield Frame.of(table.slice(0, at))
            held = table.slice(at)
        if held is not None:
            yield Frame.of(held)

    def _slices(self, names: list[str] | None) -> Iterator[Any]:
        """The rows, no more than so many at a time, as tables of PyArrow."""
        skip, left = self.skip, self.rows
        for part in self.parts:
            for table in part.tables(names):
                inside = table.slice(skip, left)
                skip = max(skip - table.num_rows, 0)
                left -= inside.num_rows
                for start in range(0, inside.num_rows, LARGE):
                    yield inside.slice(start, LARGE)
                if not left:
                    return


def _joined(one: Any, other: Any) -> Any:
    """Tables one after the other: files need not agree on types, as whole numbers here, fractions there."""
    import pyarrow as pa

    both = [_written_out(one, other), _written_out(other, one)]
    return pa.concat_tables(both, promote_options="permissive")


def _written_out(table: Any, beside: Any) -> Any:
    """Texts that are kept by number written out, if those of another table are: only alike can be joined."""
    import pyarrow as pa

    def plain(field: Any) -> Any:
        by_number = pa.types.is_dictionary(field.type)
        same = pa.types.is_dictionary(beside.schema.field(field.name).type) is by_number
        return field.with_type(field.type.value_type) if by_number and not same else field

    return table.cast(pa.schema(map(plain, table.schema)))


@dataclass(frozen=True, slots=True)
class Runs:
    """The sequences of a part, each by a number made of its name, and their rows."""

    names: Hashes
    lengths: Ints


def _runs(part: RowGroup, key: str) -> Runs:
    names, lengths = [np.zeros(0, np.uint64)], [np.zeros(0, np.intp)]
    for table in part.tables([key]):
        frame = Frame.of(table)
        starts = run_starts(frame, key)
        raw = frame.raw(key)
        names.append(np.array([_hashed(raw.item(row)) for row in starts.tolist()], np.uint64))
        lengths.append(np.diff(np.append(starts, frame.n)))
    return Runs(np.concatenate(names), np.concatenate(lengths))


def _hashed(name: object) -> int:
    """The same number of the same name, on any machine.

    >>> _hashed("a") == _hashed("a"), _hashed(1) == _hashed(1.0), _hashed("1") == _hashed(1)
    (True, True, False)
    >>> _hashed(1 << 60) == _hashed((1 << 60) + 1)
    False
    """
    said = repr(int(name) if isinstance(name, float) and name.is_integer() else name)
    return int.from_bytes(blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class SequenceScan:
    """Files whose rows are sequences that stand one after the other, and so many of them."""

    scan: Scan  # of its parts, which end where sequences do
    key: str
    n: int  # sequences
    rows: int

    @classmethod
    def of(cls, table: object, key: object) -> SequenceScan:
        """Look through the column that names the sequence of each row."""
        scan = Scan.of(table)
        if not isinstance(key, str) or key not in scan.names:
            raise LikelyError(
                f"groups={key!r}: name the column that tells the sequence of each row, as a table that is "
                f"not in memory is read one sequence after another. It has {list(scan.names)[:10]!r}."
            )
        groups = [part for part in scan.parts if isinstance(part, RowGroup)]
        if len(groups) < len(scan.parts):
            raise LikelyError(
                "sequences are read from Parquet files, whose rows have an order: write the table as Parquet "
                f"in the order of its sequences (likely.write), and scan that by {key!r}."
            )
        looks = list(scan.executor.run(partial(_runs, key=key), groups))
        parts, sequences = _cut(groups, looks, key)
        if len(np.unique(sequences)) < len(sequences):
            raise LikelyError(
                f"column {key!r}: the rows of some sequences do not stand together. Sort the files by it, "
                "and let the rows of a sequence keep their order."
            )
        rows = sum(part.rows for part in parts)
        return cls(replace(scan, parts=tuple(parts)), key, len(sequences), rows)

    def sample(self, rows: int, schema: Schema) -> Frame:
        """Whole sequences of about so many rows, or the first if these are none; the same ones each time."""
        share = min(1.0, rows / max(self.rows, 1))
        work = partial(_some_sequences, key=self.key, schema=schema, below=int(share * ALL))
        columns: dict[str, list[Any]] = {name: [] for name in (*schema.names, self.key)}
        for some in self.scan.executor.run(work, self.scan.parts):
            for name, cells in some.items():
                columns[name] += cells
        if columns[self.key]:
            return Frame.of(columns)
        first = next(iter(self.scan.parts[0].frames(schema)))
        ends = np.append(run_starts(first, self.key), first.n)
        return first.at(np.arange(ends[1]))


def _cut(groups: Sequence[RowGroup], looks: Sequence[Runs], key: str) -> tuple[list[SequencePart], Hashes]:
    """The parts that begin with a sequence, each to the end of its last; and all sequences in order."""
    totals = [int(look.lengths.sum()) for look in looks]
    goes_on = [0] * len(looks)  # rows at the beginning that belong to the sequence before
    names: list[Hashes] = [np.zeros(0, np.uint64)]
    last: int | None = None
    for i, look in enumerate(looks):
        alike = np.append(last is not None and look.names[:1] == last, look.names[1:] == look.names[:-1])
        alike = alike[: len(look.names)]
        goes_on[i] = int(look.lengths[: int(np.argmin(np.append(alike, False)))].sum())
        names.append(look.names[~alike.astype(bool)])
        last = int(look.names[-1]) if len(look.names) else last
    begins = [i for i, total in enumerate(totals) if total > goes_on[i]]
    parts = []
    for i, end in pairwise([*begins, len(groups)]):
        rest = sum(goes_on[i + 1 : end + 1])
        stop = end + 1 if end < len(groups) and goes_on[end] else end
        parts.append(SequencePart(tuple(groups[i:stop]), key, goes_on[i], totals[i] - goes_on[i] + rest))
    return parts, np.concatenate(names)


def _some_sequences(part: SequencePart, key: str, schema: Schema, below: int) -> dict[str, list[Any]]:
    """The sequences of a part whose number is below another, as plain values."""
    columns: dict[str, list[Any]] = {name: [] for name in (*schema.names, key)}
    for frame in part.frames(schema):
        starts, raw = run_starts(frame, key), frame.raw(key)
        taken = np.array([_hashed(raw.item(row)) < below for row in starts.tolist()], bool)
        inside = frame.at(np.flatnonzero(np.repeat(taken, np.diff(np.append(starts, frame.n)))))
        for name, cells in columns.items():
            cells += inside.raw(name).items()
    return columns
