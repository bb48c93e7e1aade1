"""One file of plain state: a zip of a readable `model.json` and arrays in NumPy's own format.

Nothing in it is ever run, and nothing is believed unchecked: the SHA-256 of `model.json` stands beside it,
and `model.json` holds the layout and the CRC-32 of every array.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from likely.archive.arrays import Array, Layout
from likely.archive.members import Members, new_member
from likely.archive.plain import pack, unpack
from likely.archive.text import from_text, to_text
from likely.errors import LikelyError
from likely.table.write.whole_file import replacing

FORMAT = "likely model"
VERSION = 2
STATE, SEAL = "model.json", "model.json.sha256"


class _NewerError(LikelyError):
    """The file is sound, and only too new."""


def write(path: Path, state: dict[str, Any], *, sync: bool = True) -> None:
    """Write plain state to a file, whole or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write(Path(folder, "counts"), {"counts": [3, 4], "of": "rain"})
    ...     read(Path(folder, "counts"))
    {'counts': [3, 4], 'of': 'rain'}
    """
    taken = {"format", "format_version", "arrays"} & state.keys()
    if taken:
        raise TypeError(f"{taken.pop()!r} is a name of the file's own")
    tree, arrays = pack(state)
    try:
        with replacing(path, sync) as file, ZipFile(file, "w") as archive:
            table = {name: _write_array(archive, name, array) for name, array in arrays.items()}
            whole = {"format": FORMAT, "format_version": VERSION, **tree, "arrays": table}
            text = (to_text(whole) + "\n").encode("utf-8", "surrogatepass")
            archive.writestr(new_member(STATE), text)
            archive.writestr(new_member(SEAL), f"{sha256(text).hexdigest()}  {STATE}\n")
    except OSError as cause:
        why = cause.strerror or type(cause).__name__
        raise LikelyError(f"cannot write {str(path)!r}: {why}. Choose another place.") from cause


def read(path: Path) -> dict[str, Any]:
    """The plain state of a file; an error that names the file if it is not to be trusted."""
    return read_with_version(path)[1]


def read_with_version(path: Path) -> tuple[int, dict[str, Any]]:
    """The version of a file's format, and its plain state."""
    try:
        with Members(path) as members:
            return _read(members)
    except OSError as cause:
        raise LikelyError(
            f"cannot read {str(path)!r}: {cause.strerror or type(cause).__name__}. Check the name."
        ) from cause
    except _NewerError as cause:
        raise LikelyError(f"cannot load {str(path)!r}: {cause}") from None
    except LikelyError as cause:
        raise refused(path, cause) from cause


def refused(path: Path, cause: LikelyError) -> LikelyError:
    """The error for a file that is not what it should be."""
    said = str(cause).rstrip(".")
    return LikelyError(f"cannot load {str(path)!r}: {said}. Save the model again, or fetch the file again.")


def _read(members: Members) -> tuple[int, dict[str, Any]]:
    text = members.read(STATE)
    try:
        tree = from_text(text.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        raise LikelyError(f"its part {STATE!r} is not text") from None
    _check_format(tree)
    if members.read(SEAL) != f"{sha256(text).hexdigest()}  {STATE}\n".encode():
        raise LikelyError(f"its part {STATE!r} was changed after it was written")
    table = tree.pop("arrays", None)
    if type(table) is not dict:
        raise LikelyError("it has no list of arrays")
    arrays = {name: _read_array(members, name, entry) for name, entry in table.items()}
    del tree["format"]
    version: int = tree.pop("format_version")
    return version, unpack(tree, arrays)


def _check_format(tree: object) -> None:
    if type(tree) is not dict or tree.get("format") != FORMAT:
        raise LikelyError(f"it is not a {FORMAT}")
    version = tree.get("format_version")
    if type(version) is not int or version < 1:
        raise LikelyError(f"{version!r} is no version of its format")
    if version > VERSION:
        raise _NewerError(
            f"this file was written by a newer likely (format {version}, this one reads up to {VERSION}); "
            "upgrade with `pip install --upgrade likely`."
        )


def _write_array(archive: ZipFile, name: str, array: Array) -> dict[str, Any]:
    layout, info = Layout.of(array), new_member(_member(name))
    info.file_size = array.nbytes + len(layout.header)
    with archive.open(info, "w") as file:
        for piece in layout.pieces(array):
            file.write(piece)
    return {**layout.as_dict(), "crc32": f"{info.CRC:08x}"}


def _read_array(members: Members, name: str, entry: object) -> Array:
    if type(entry) is not dict:
        raise LikelyError(f"the array {name!r} has no layout")
    content = members.read(_member(name))
    if entry.get("crc32") != f"{members.checksum(_member(name)):08x}":
        raise LikelyError(f"the array {name!r} was changed after it was written")
    return Layout.from_dict(entry).array(content)


def _member(name: str) -> str:
    return f"arrays/{name}.npy"
