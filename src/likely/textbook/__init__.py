"""The worked examples of the sources, run through the public API and showing the code they run.

>>> from likely import textbook
>>> textbook.show("P6")
P6  The m-estimate of a probability (Mitchell)
<BLANKLINE>
  Of 5 days without play the wind was strong on 3. Beforehand both winds are alike: p = 1/2.
<BLANKLINE>
    import likely
<BLANKLINE>
    return {
        "m = 2": likely.MEstimate(2, 0.5).estimate(3, 5),
        "m = 0": likely.MEstimate(0, 0.5).estimate(3, 5),
    }
<BLANKLINE>
             ours  source
  m = 2  0.571429       -
  m = 0       0.6     3/5  agrees
<BLANKLINE>
  The source gives the formula; m = 2 is ours.
"""

from __future__ import annotations

from difflib import get_close_matches

from likely.errors import LikelyError
from likely.textbook import (
    conditional,
    construction,
    decisions,
    decompositions,
    densities,
    description,
    em,
    estimation,
    features,
    gaussian,
    hypotheses,
    information,
    linear,
    mixtures,
    naive_bayes,
    networks,
    probability,
    ranking,
    relaxed_independence,
    scales,
    selection,
    sequences,
    side_by_side,
    stationary,
    thresholds,
    transformations,
    words,
)
from likely.textbook.check import Check
from likely.textbook.check import check as _check
from likely.textbook.example import Example

__all__ = ["Check", "Example", "check", "examples", "show"]

_TOPICS = (
    probability,
    estimation,
    hypotheses,
    gaussian,
    linear,
    naive_bayes,
    relaxed_independence,
    words,
    thresholds,
    densities,
    conditional,
    construction,
    side_by_side,
    ranking,
    decisions,
    decompositions,
    em,
    stationary,
    mixtures,
    sequences,
    networks,
    information,
    description,
    features,
    transformations,
    scales,
    selection,
)
_ALL: tuple[Example, ...] = tuple(
    sorted(
        (example for topic in _TOPICS for example in topic.EXAMPLES),
        key=lambda example: example.catalogue_order,
    )
)


def examples() -> tuple[Example, ...]:
    """All worked examples, in the order of the catalogue.

    >>> [example.id for example in examples()][:4]
    ['P1', 'P2', 'P3', 'P4']
    """
    return _ALL


def show(id: str) -> Example:
    """One worked example; `print` it for its data, code, figures and what differs from the source."""
    known = {example.id.upper(): example for example in _ALL}
    if str(id).upper() not in known:
        near = get_close_matches(str(id).upper(), known, 1)
        every = ", ".join(example.id for example in _ALL)
        hint = f"did you mean {known[near[0]].id}?" if near else f"there are {every}."
        raise LikelyError(f"there is no worked example {id!r}: {hint}")
    return known[str(id).upper()]


def check() -> Check:
    """Run all worked examples and judge every figure."""
    return _check(_ALL)
