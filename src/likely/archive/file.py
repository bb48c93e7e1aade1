"""One file of plain state: a zip of a readable `model.json` and arrays in NumPy's own format.

Nothing in it is ever run, and nothing is believed unchecked: the SHA-256 of `model.json` stands beside it,
and `model.json` holds the layout and the CRC-32 of every array.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from likely.archive.arrays import Array, Layout
from likely.archive.plain import from_text, pack, to_text, unpack
from likely.errors import LikelyError
from likely.table.write.whole_file import replacing

MOST = 100_000  # members
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment of zip files: the same state gives the same bytes

SEALED = 1  # the flag of an encrypted member
VERSION = 2
STATE, SEAL = "model.json", "model.json.sha256"


def new_member(name: str) -> ZipInfo:
    """A member to be written: not compressed, as that takes longer than writing, and cannot be a bomb."""
    info = ZipInfo(name, EPOCH)
    info.compress_type = ZIP_STORED
    info.external_attr = 0o644 << 16
    return info


class Members:
    """The members of a file, by name. Sizes are believed only where the file is large enough for them."""

    def __init__(self, path: Path) -> None:
        self.size = os.path.getsize(path)
        try:
            self._zip = ZipFile(path)
        except OSError:
            raise
        except Exception as cause:  # whatever the module does with hostile bytes
            raise LikelyError("it is not a zip file, or it was cut short") from cause
        self._infos = {info.filename: info for info in self._zip.infolist()}
        try:
            self._check(self._zip.infolist())
        except BaseException:
            self._zip.close()
            raise

    def _check(self, infos: list[ZipInfo]) -> None:
        if len(infos) > MOST:
            raise LikelyError(f"it has {len(infos)} parts")
        if len(self._infos) != len(infos):
            raise LikelyError("two of its parts have the same name")
        for info in infos:
            if info.compress_type != ZIP_STORED or info.file_size != info.compress_size:
                raise LikelyError(f"its part {info.filename!r} is compressed")
            if info.flag_bits & SEALED:
                raise LikelyError(f"its part {info.filename!r} is encrypted")
        if sum(info.file_size for info in infos) > self.size:
            raise LikelyError("its parts overlap")

    def __enter__(self) -> Members:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes:
        """The content of a member, if it is the one that was written."""
        if name not in self._infos:
            raise LikelyError(f"its part {name!r} is missing")
        try:
            return self._zip.read(name)  # compares the checksum
        except Exception as cause:  # whatever the module does with hostile bytes
            raise LikelyError(f"its part {name!r} is damaged") from cause

    def checksum(self, name: str) -> int | None:
        """The CRC-32 of a member, which reading it has compared; None if there is no such member."""
        info = self._infos.get(name)
        return None if info is None else info.CRC


FORMAT = "likely model"


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
