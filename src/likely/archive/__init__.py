"""Plain state (names, numbers, arrays) <-> one safe file; knows no model."""

from likely.archive.file import read, read_with_version, write

__all__ = ["read", "read_with_version", "write"]
