"""A file that is there as a whole or not at all: the only place that puts files under their names."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from likely.errors import LikelyError


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to, which gets its name when the block ends well; else what was there stays.

    "-" is standard output. What is no ordinary file (a pipe, a device) is written to as it is.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).expanduser()
    if target.is_dir():
        raise LikelyError(f"{path} is a folder; name a file in it")
    with ExitStack() as stack:
        try:
            special = target.exists() and not target.is_file()
            file = stack.enter_context(target.open("wb") if special else replacing(target))
        except OSError as error:
            raise LikelyError(f"{path} cannot be written: {error.strerror}") from error
        yield file


@contextmanager
def replacing(path: Path, sync: bool = True) -> Iterator[BinaryIO]:
    """Write beside the file, and put the new one in its place when all of it is on the disk.

    Whatever goes wrong before that, the old file stays as it was and nothing else is left behind. The new
    file may be read and written by whoever could read and write the old one.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException:  # also an interrupt from the keyboard
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    if sync and os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name, too
        finally:
            os.close(folder)
