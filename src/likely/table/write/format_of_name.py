"""Which format a name means, when a file is written."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from likely.errors import LikelyError
from likely.table.write.excel import Excel
from likely.table.write.formats import Csv, Desk, Form, Json, Parquet

Maker = Callable[[Desk], Form]

_FORMS: dict[str, Maker] = {
    ".csv": Csv,
    ".tsv": partial(Csv, separator="\t"),
    ".json": partial(Json, array=True),
    ".jsonl": Json,
    ".ndjson": Json,
    ".parquet": Parquet,
    ".pq": Parquet,
    ".xlsx": Excel,
}
_ALSO_GZIPPED = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")


def form_for(path: str | Path) -> Maker:
    """The format that the suffix of a file names; standard output is CSV.

    >>> form_for("people.parquet").__name__
    'Parquet'
    """
    if str(path) == "-":
        return Csv
    *_, inner, outer = ["", "", *(suffix.lower() for suffix in Path(path).suffixes)]
    if outer == ".gz" and inner in _ALSO_GZIPPED:
        return partial(_Gzipped, _FORMS[inner])
    if outer not in _FORMS:
        shown = "".join((inner if outer == ".gz" else "", outer))
        raise LikelyError(
            f"{path}: suffix {shown!r} is not known\n"
            f"What can be written is {', '.join(_FORMS)}; .csv, .tsv and the JSON ones also with .gz"
        )
    return _FORMS[outer]


class _Gzipped:
    """A form whose bytes are compressed on their way to the file."""

    def __init__(self, maker: Maker, desk: Desk) -> None:
        self.packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=desk.file, mtime=0)
        desk.later.callback(self.packed.close)
        self.inner = maker(replace(desk, file=self.packed))  # type: ignore[arg-type]

    def start(self, names: Sequence[str]) -> None:
        self.inner.start(names)

    def add(self, view: str, names: Sequence[str]) -> None:
        self.inner.add(view, names)

    def finish(self) -> None:
        self.inner.finish()
        self.packed.close()
