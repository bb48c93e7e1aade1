"""CONTRIBUTING.md lists every folder, in the order of the layers, and the picture of the house shows them."""

from __future__ import annotations

import runpy

from source import ROOT, folders

ROOMS = runpy.run_path(str(ROOT / "docs" / "rooms.py"))
LISTED: list[str] = list(ROOMS["rooms"]())


def out_of_order(listed: list[str], layers: list[str]) -> list[str]:
    """Rooms that do not stand where the layers have them; folders inside a room follow it."""
    order = [layers.index(name.split("/")[0]) for name in listed]
    return [name for name, here, best in zip(listed, order, sorted(order), strict=True) if here != best]


def test_every_folder_is_listed():
    assert set(LISTED) == folders()


def test_folders_are_listed_in_the_order_of_the_layers():
    assert out_of_order(LISTED, ROOMS["layers"]()) == []


def test_the_picture_is_up_to_date():
    drawn = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert drawn == ROOMS["picture"](), "draw it again: python docs/rooms.py"


def test_the_law_sees_a_room_in_the_wrong_place():
    assert out_of_order(["table", "table/read", "stats"], ["table", "stats"]) == []
    assert out_of_order(["stats", "table", "table/read"], ["table", "stats"]) == ["stats", "table/read"]
