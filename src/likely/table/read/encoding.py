"""Text files in any encoding, as UTF-8."""

from __future__ import annotations

import codecs
import gzip
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from likely.errors import LikelyError, notice
from likely.table.read.duck import is_gzip

_CHUNK = 1 << 20
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@contextmanager
def in_utf8(path: Path, encoding: str | None) -> Iterator[Path]:
    """The file itself if it is UTF-8, else a copy that is; without a word on the encoding it is found.

    What is not UTF-8 and has no mark of UTF-16 is taken for Latin-1, and a notice says so.
    """
    name = _found(path) if encoding is None else _checked(encoding)
    if name is None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        copy = Path(folder, path.name.removesuffix(".gz"))
        try:
            with _bytes(path) as source, copy.open("w", encoding="utf-8", newline="") as target:
                shutil.copyfileobj(codecs.getreader(name)(source), target, _CHUNK)
        except UnicodeError as error:
            raise LikelyError(f"{path} is not {name}: {error}; name its encoding") from error
        yield copy


def _checked(encoding: str) -> str | None:
    """An encoding that there is; None for UTF-8."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise LikelyError(
            f"encoding={encoding!r} is unknown: use one such as 'utf-8' or 'latin-1'."
        ) from None
    return None if name in ("utf-8", "utf-8-sig", "ascii") else name


def _found(path: Path) -> str | None:
    """The encoding of a file; None for UTF-8, and for what is no text, which its reader refuses."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    with _bytes(path) as source, suppress(EOFError, OSError):  # of a broken file
        first = source.read(_CHUNK)
        marked = _MARKS.get(first[:2])
        if marked is not None or b"\0" in first:
            return marked
        chunk = first
        while chunk:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                line += chunk[: max(error.start, 0)].count(b"\n")
                byte = error.object[error.start]
                notice(
                    f"{path}, line {line}: byte 0x{byte:02x} is not UTF-8, so the file is read as Latin-1; "
                    "encoding= names another.",
                )
                return _latin(path)
            line += chunk.count(b"\n")
            chunk = source.read(_CHUNK)
    return None


def _latin(path: Path) -> str:
    """Latin-1 as Windows has it, unless there is a byte that it has no character for."""
    with _bytes(path) as source:
        chunks = iter(lambda: source.read(_CHUNK), b"")
        return "latin-1" if any(byte in chunk for chunk in chunks for byte in _UNDEFINED) else "cp1252"


_UNDEFINED = [bytes([byte]) for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)]  # in cp1252


def _bytes(path: Path) -> IO[bytes]:
    how: Any = gzip.open if is_gzip(path) else open
    opened: IO[bytes] = how(path, "rb")
    return opened
