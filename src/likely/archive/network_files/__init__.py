"""Belief networks as plain state <-> the files of other programs; knows no model."""

from likely.archive.network_files.file import FORMATS, is_network_file, read, write
from likely.archive.network_files.record import PlainNetwork, PlainVariable

__all__ = ["FORMATS", "PlainNetwork", "PlainVariable", "is_network_file", "read", "write"]
