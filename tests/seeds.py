"""Random cases of which a few run at every change, and the rest with the long checks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LONG = bool(os.environ.get("LIKELY_LONG"))  # as `make check-long` has it


def seeds(few: int, many: int) -> list[Any]:
    """The seeds below `many`; those from `few` on are long."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]


def sizes(few: int, many: int) -> list[Any]:
    """A size for every change, and another for the long checks."""
    return [few, pytest.param(many, marks=pytest.mark.long)]


def rarely(*cases: Any) -> Iterable[Any]:
    """Cases for the long checks; of several arguments, tuples."""
    return [pytest.param(*(c if isinstance(c, tuple) else (c,)), marks=pytest.mark.long) for c in cases]


def first(few: int, cases: Iterable[Any]) -> list[Any]:
    """Cases of which the first few run at every change; those after them are long."""
    every = list(cases)
    return [*every[:few], *rarely(*every[few:])]


def examples(many: int) -> int:
    """How many examples Hypothesis draws: `many` in the long checks, a quarter at every change."""
    return many if LONG else max(many // 4, 2)
