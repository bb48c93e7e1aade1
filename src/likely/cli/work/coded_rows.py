"""Rows of a table <-> a file of bits, by a model file."""

from __future__ import annotations

from pathlib import Path

from likely.cli.work.files import whole_table
from likely.cli.work.models import load_model
from likely.codes.rows.model_code import ModelCode
from likely.errors import LikelyError
from likely.table.frame import Frame
from likely.table.write.whole_file import whole_file
from likely.table.write.write import write

CODED = ".lrc"


def code_rows(file: str, model: str, target: Path) -> tuple[int, int, int]:
    """Write the rows of a table as a model codes them; their number, their bits, and the bytes in all."""
    table = whole_table(file)
    code = ModelCode(load_model(model))
    data = code.encode(table)
    with whole_file(target) as out:
        out.write(data)
    return Frame.of(table).n, len(code.bits(table)), len(data)


def decode_rows(path: Path, model: str, target: Path) -> int:
    """Write the rows again as a table; their number."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LikelyError(f"{path} cannot be read: {error.strerror}.") from error
    table = ModelCode(load_model(model)).decode(data)
    write(table, target)
    return Frame.of(table).n
