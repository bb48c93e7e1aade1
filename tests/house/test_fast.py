"""The quick selection exists and enters every room."""

from __future__ import annotations

from fast import FAST
from source import ROOT, folders

# Rooms that the quick tests of others enter.
BY_OTHERS = {"format": "report", "estimator": "models"}


def test_the_files_are_there():
    assert [name for name in FAST if not (ROOT / "tests" / name).exists()] == []


def test_every_room_is_entered():
    rooms = {name.split("/")[0] for name in folders()}
    assert rooms - {name.split("/")[0] for name in FAST} == set(BY_OTHERS)
