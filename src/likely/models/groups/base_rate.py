"""The probabilities of classes, groups and states: learnt as those of a column of levels are, or given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical, Smoothing
from likely.dist.prior_word import PriorWord
from likely.errors import LikelyError
from likely.stats import Counts

Floats = NDArray[np.float64]


EVEN = ("uniform", "balanced")  # words for all classes alike; the second is scikit-learn's
# A probability for each class, one of these words, or None: learnt.
BaseRate = Mapping[Any, float] | str | None


@dataclass(frozen=True, slots=True)
class Settings:
    """How distributions are made of what was seen."""

    estimate: str = "mean"
    prior: Any = "default"
    base_rate: Any = None  # None: learnt; "uniform" or "balanced"; a probability for each class


def base_rates(classes: tuple[Any, ...], counts: Floats, settings: Settings) -> Floats:
    """P(class): learnt as any categorical column is, or given."""
    given = settings.base_rate
    if given is None:
        learnt: Any = Categorical.estimate(*levels_counted(counts, settings), settings.estimate)
        return np.asarray(learnt.probs, np.float64).reshape(-1)
    if isinstance(given, str) and given in EVEN:
        return np.full(len(classes), 1 / len(classes))
    if not isinstance(given, Mapping):
        raise LikelyError(
            f"base_rate={given!r}: give 'uniform', or a probability for each class such as "
            f"{{{', '.join(f'{c!r}: {1 / len(classes):.2g}' for c in classes[:3])}}}."
        )
    return _given_rates(classes, given)


def drawn_rates(
    classes: tuple[Any, ...], counts: Floats, settings: Settings, rng: np.random.Generator, n: int
) -> Floats:
    """P(class) at n draws from its posterior, (n, g); what was given is known."""
    if settings.base_rate is not None:
        return np.tile(base_rates(classes, counts, settings), (n, 1))
    categorical: Any = Categorical.drawn(*levels_counted(counts, settings), rng, n)
    if categorical is None:
        raise LikelyError(
            f"prior={settings.prior!r} learns the base rate by maximum likelihood: it has no posterior. "
            "Fit with a prior, such as prior='default', or give the base_rate."
        )
    return np.asarray(categorical.probs, np.float64)


def levels_counted(
    counts: Floats, settings: Settings, sizes: tuple[int, ...] | None = None
) -> tuple[Counts, Any]:
    """Classes, groups or states as columns of levels, and their prior.

    It is that of all columns, if that says the same of any levels: None, a strength, or a smoothing without
    shares of its own. What is said of particular columns or levels says nothing of these.
    """
    prior = settings.prior
    plain = prior is None or isinstance(prior, int | float | np.number)
    plain = plain or (isinstance(prior, Smoothing) and prior.even)
    return Counts(counts[None, :], sizes or (len(counts),)), prior if plain else "default"


def log_levels_prior(counts: Counts, prior: PriorWord, probs: Floats) -> float:
    """The log prior density of the probabilities of levels that were counted, on the natural scale."""
    chosen: Any = Categorical.choose_prior(counts, prior)
    return 0.0 if chosen is None else float(Categorical(probs[None], counts.sizes).log_natural(chosen).sum())


def _given_rates(classes: tuple[Any, ...], given: Mapping[Any, float]) -> Floats:
    for label in given:
        class_place(classes, label, "base_rate names")
    left_out = [label for label in classes if label not in given]
    if left_out:
        raise LikelyError(
            f"base_rate has no probability for class {left_out[0]!r}: give one for every class."
        )
    rates = np.array([float(given[label]) for label in classes])
    if not (rates >= 0).all() or not np.isclose(rates.sum(), 1, rtol=0, atol=1e-9):
        raise LikelyError(
            f"base_rate {dict(given)!r} adds up to {rates.sum():g}: probabilities must be 0 or more and "
            "add up to 1."
        )
    return rates


def class_place(classes: Sequence[Any], label: object, who: str = "you name") -> int:
    """Where a class stands among the classes."""
    for place, known in enumerate(classes):
        if known == label:
            return place
    near = get_close_matches(str(label), [str(known) for known in classes], 1)
    likeliest = [known for known in classes if near and str(known) == near[0]]
    hint = f"did you mean {likeliest[0]!r}?" if likeliest else f"the classes are {list(classes)[:10]!r}."
    raise LikelyError(f"{who} class {label!r}, which the model does not know: {hint}")
