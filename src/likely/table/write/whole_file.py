"""A file that is there as a whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from likely.errors import LikelyError


@contextmanager
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write to, which gets its name when the block ends well; else what was there stays.

    "-" is standard output. What is no ordinary file (a pipe, a device) is written to as it is.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    goal = Path(path).expanduser().resolve()  # the file behind a link, not the link
    if goal.is_dir():
        raise LikelyError(f"{path} is a folder; name a file in it")
    try:
        if goal.exists() and not goal.is_file():
            with goal.open("wb") as stream:
                yield stream
            return
        handle, name = tempfile.mkstemp(prefix=f".{goal.name}.", suffix=".part", dir=goal.parent)
    except OSError as error:
        raise LikelyError(f"{path} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(goal))
        os.replace(name, goal)
    except BaseException:  # also when the user interrupts
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _mode(goal: Path) -> int:
    """Who may read and write: as before, or as for any new file."""
    if goal.exists():
        return goal.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
