"""The members of a zip file that this library wrote: stored as they are, checked before they are used."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from likely.errors import LikelyError

MOST = 100_000  # members
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment of zip files: the same state gives the same bytes

SEALED = 1  # the flag of an encrypted member


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
