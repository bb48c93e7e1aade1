"""The members of an average, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from likely.errors import LikelyError


def named_members(given: Iterable[Any] | None) -> dict[str, Any]:
    """The members by name; by the name of their class, if they have none.

    >>> from likely import NaiveBayes
    >>> list(named_members([NaiveBayes(), NaiveBayes(prior=2.0)]))
    ['NaiveBayes 1', 'NaiveBayes 2']
    """
    if isinstance(given, Mapping):
        pairs = [(str(name), member) for name, member in given.items()]
    else:
        pairs = _pairs(list(given or ()))
    if not pairs or len({name for name, _ in pairs}) != len(pairs):
        raise LikelyError(f"estimators={given!r}: give classifiers under different names, at least one.")
    for name, member in pairs:
        if not hasattr(member, "predict_proba"):
            raise LikelyError(
                f"estimators: {name!r} has no predict_proba: only probabilities can be averaged."
            )
    return dict(pairs)


def _pairs(given: list[Any]) -> list[tuple[str, Any]]:
    """Names and members; without names, those of their classes, with a number where one comes twice."""
    if all(isinstance(one, tuple) and len(one) == 2 for one in given):
        return [(str(name), member) for name, member in given]
    kinds = [type(member).__name__ for member in given]
    times = [f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
    alone = [kinds.count(kind) == 1 for kind in kinds]
    return list(
        zip([k if one else t for k, t, one in zip(kinds, times, alone, strict=True)], given, strict=True)
    )
