"""Plain state (names, numbers, arrays) <-> one safe file; knows no model."""

from likely.archive.file import read, write

__all__ = ["read", "write"]
