"""A file that is there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path, sync: bool) -> Iterator[BinaryIO]:
    """Write beside the file, and put the new one in its place when all of it is on the disk.

    Whatever goes wrong before that, the old file stays as it was and nothing else is left behind.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:  # also an interrupt from the keyboard
        with suppress(FileNotFoundError):
            beside.unlink()
        raise
    if sync and os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name, too
        finally:
            os.close(folder)
