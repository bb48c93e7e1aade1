"""Random cases of which a few run at every change, and the rest with the long checks."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(few: int, many: int) -> list[Any]:
    """The seeds below `many`; those from `few` on are long."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]


def sizes(few: int, many: int) -> list[Any]:
    """A size for every change, and another for the long checks."""
    return [few, pytest.param(many, marks=pytest.mark.long)]
