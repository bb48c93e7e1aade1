"""A file of a belief network, in the format that its name ends in."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from likely.archive.network_files import bif, dsc, hugin, xdsl, xmlbif
from likely.archive.network_files.record import PlainNetwork
from likely.errors import LikelyError
from likely.table.write.whole_file import whole_file

MOST_UNPACKED = 1 << 24  # bytes that any packed file may hold
DENSEST = 200  # times its own size that a larger one may hold: networks pack to a twentieth or so


class Format(NamedTuple):
    """A format: what it is called, and both ways between a network and its text."""

    name: str
    read: Callable[[str], PlainNetwork]
    text: Callable[[PlainNetwork], str]


FORMATS = {
    "bif": Format("BIF", bif.read, bif.text),
    "xmlbif": Format("XMLBIF", xmlbif.read, xmlbif.text),
    "bifxml": Format("XMLBIF", xmlbif.read, xmlbif.text),
    "xml": Format("XMLBIF", xmlbif.read, xmlbif.text),
    "xdsl": Format("XDSL", xdsl.read, xdsl.text),
    "net": Format("NET", hugin.read, hugin.text),
    "dsc": Format("DSC", dsc.read, dsc.text),
}


def is_network_file(path: str | Path) -> bool:
    """Whether a name ends as those of network files do.

    >>> is_network_file("alarm.bif.gz"), is_network_file("alarm.csv")
    (True, False)
    """
    return _ending(path) in FORMATS


def read(path: str | Path) -> PlainNetwork:
    """The network of a file; an error names the file, the line and the column."""
    kind, file = _format(path), Path(path).expanduser()
    try:
        return kind.read(_decoded(_unpacked(file)))
    except OSError as cause:
        why = cause.strerror or "it is no sound gzip file"
        raise LikelyError(f"cannot read {str(path)!r}: {why}. Check the name.") from cause
    except LikelyError as cause:
        raise LikelyError(f"{path} ({kind.name}): {cause}.") from cause


def write(path: str | Path, network: PlainNetwork) -> None:
    """Write a network to a file, whole or not at all."""
    kind = _format(path)
    try:
        content = kind.text(network).encode("utf-8", "surrogateescape")
    except LikelyError as cause:
        raise LikelyError(f"{path} ({kind.name}): {cause}.") from cause
    with whole_file(path) as file:
        file.write(gzip.compress(content, mtime=0) if str(path).lower().endswith(".gz") else content)


def _ending(path: str | Path) -> str:
    return Path(str(path).lower().removesuffix(".gz")).suffix.removeprefix(".")


def _format(path: str | Path) -> Format:
    if not is_network_file(path):
        known = ", ".join(f".{ending}" for ending in FORMATS)
        raise LikelyError(f"{str(path)!r} does not end as a network file does: {known}, also with .gz.")
    return FORMATS[_ending(path)]


def _unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if not content.startswith(b"\x1f\x8b"):
        return content
    most = max(MOST_UNPACKED, DENSEST * len(content))
    try:
        with gzip.open(path) as file:
            unpacked = file.read(most + 1)
    except (EOFError, zlib.error) as cause:
        raise LikelyError("it was cut short or damaged; fetch it again") from cause
    if len(unpacked) > most:
        raise LikelyError(f"it holds more than {most} bytes; unpack it if you trust it")
    return unpacked


def _decoded(content: bytes) -> str:
    """UTF-8, or what old programs wrote."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
