"""In how many parts the rows are cut, and how often."""

from __future__ import annotations

from likely.errors import LikelyError


def check_numbers(folds: int, repeats: int) -> None:
    """Refuse numbers of folds and of repeats that cannot be."""
    for name, number, least in (("folds", folds, 2), ("repeats", repeats, 1)):
        if not isinstance(number, int) or number < least:
            raise LikelyError(f"{name}={number!r}: give a whole number of {least} or more.")
