"""Files that commands write: never over something that is needed, and whole or not at all."""

from __future__ import annotations

from pathlib import Path

from likely.errors import LikelyError


def free(path: Path | None, force: bool) -> None:
    """Refuse a file that exists, or a folder that does not, before any work is done; None is no file."""
    if path is None:
        return
    if path.is_dir():
        raise LikelyError(f"{path} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise LikelyError(f"there is no folder {path.parent} to write {path.name} to: make it first.")
    if path.exists() and not force:
        raise LikelyError(f"{path} exists: --force replaces it, or name another file.")
