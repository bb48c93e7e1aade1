"""The laws of a fit, over thousands of random ones: it is refused with a reason, or it is right.

What is right: no NaN; probabilities add up to 1; a weight of 2 is the row twice; the order of rows does not
matter; by maximum likelihood no parameters near those found are more likely, as the model itself measures
it; EM never falls, and what it climbs is the likelihood; the number of parameters is what one counts by hand.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from seeds import seeds
from sweep_cases import (
    BY_EM,
    ESTIMATES,
    FAMILIES,
    GAPS,
    MODELS,
    NASTY,
    PRIORS,
    SHAPES,
    WEIGHTS,
    Case,
    draw,
)

from likely.errors import LikelyError
from likely.table.column.kinds import Kind

# What may be refused, and nothing else; each names what to do.
REFUSALS = (
    r"a hidden group has collapsed onto a point\. Give a prior",  # by maximum likelihood
    r"shrinkage=.* is a prior, of which estimate='ml' takes none: use estimate='mean'",
    r"the \w+ family cannot be learnt by EM: choose another",
    r"does not suit the \w+ family of (that )?column.*: give ",  # such as a smoothing of numbers alone
)
CLOSED = ("NaiveBayes", "GaussianClassifier")
NOT_ML = ("histogram", "kernel")  # their bars and bumps are set by rules
PARAMETERS: dict[str, Callable[[int], tuple[int, int]]] = {
    "multivariate_normal": lambda d: (d + d * (d + 1) // 2, 0),
    "tied_normal": lambda d: (d, d * (d + 1) // 2),
    "normal": lambda d: (2 * d, 0),
    "spherical_normal": lambda d: (d + 1, 0),
    "tied_diagonal_normal": lambda d: (d, d),
    "tied_spherical_normal": lambda d: (d, 1),
    "known_normal": lambda d: (d, 0),
    "bernoulli": lambda d: (d, 0),
    "poisson": lambda d: (d, 0),
    "geometric": lambda d: (d, 0),
    "binomial": lambda d: (d, 0),
    "multinomial": lambda d: (d - 1, 0),
}


def broken(seed: int) -> Iterator[str]:
    """What is wrong with the fit of a seed, each in a few words."""
    case = draw(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model = case.fit()
        except LikelyError as error:
            if _expected(str(error)):
                return
            yield f"{case}: {error}"
            return
        except Exception as error:
            yield f"{case}: {type(error).__name__}: {error}"
            return
        for law in LAWS:
            for said in law(case, model):
                yield f"{case}: {said}"


def _expected(error: str) -> bool:
    return any(re.search(refusal, error) for refusal in REFUSALS)


def _probabilities(case: Case, model: Any) -> Iterator[str]:
    if case.model == "Impute":
        filled = model.transform(case.table)
        for name, column in case.table.items():
            known = ~np.isnan(column)
            if known.any() and np.isnan(np.asarray(filled[name], float)).any():
                yield f"column {name} has gaps that are not filled"
            if not np.array_equal(np.asarray(filled[name], float)[known], column[known]):
                yield f"known cells of {name} were changed"
        return
    found = model.predict_proba(case.table)
    if not ((found >= 0) & (found <= 1)).all() or not np.allclose(found.sum(axis=1), 1, rtol=0, atol=1e-9):
        yield "probabilities do not add up to 1"
    if np.isnan(model.log_prob(case.table)).any():
        yield "a log-probability is NaN"


def _answers(case: Case, table: Any) -> Any:
    """What a fit says of rows: log P(row) and P(class given row); of a search, what it climbed to."""
    model = case.fit()
    if case.model == "Mixture":
        return np.array([model.history_[-1]])
    return np.concatenate([model.log_prob(table)[:, None], model.predict_proba(table)], axis=1)


def _same(found: Any, expected: Any) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-6, atol=1e-7, equal_nan=True))


def _weights(case: Case, model: Any) -> Iterator[str]:
    if case.weights not in ("whole", "some zero") or case.model not in (*CLOSED, "Mixture"):
        return
    if set(case.y[case.weight > 0]) != set(case.y):
        return  # a class without rows
    copies = case.of_rows(np.repeat(np.arange(len(case.y)), case.weight.astype(int)), None)
    if not _same(_answers(case, copies.table), _answers(copies, copies.table)):
        yield "weights are not numbers of rows"


def _order(case: Case, model: Any) -> Iterator[str]:
    if case.model not in CLOSED:
        return
    index = np.random.default_rng(case.seed).permutation(len(case.y))
    other = case.of_rows(index, None if case.weight is None else case.weight[index])
    if not _same(_answers(case, case.table), _answers(other, case.table)):
        yield "the order of rows matters"


def _maximum(case: Case, model: Any) -> Iterator[str]:
    """Of closed forms by maximum likelihood; as the distributions themselves say."""
    by_likelihood = case.options["prior"] is None or case.estimate == "ml"
    if case.model not in CLOSED or not by_likelihood or "shrinkage" in case.options:
        return
    record, rng = model.record_, np.random.default_rng(case.seed)
    weight = np.ones(len(case.y)) if case.weight is None else case.weight
    codes = np.searchsorted(record.classes, case.y)
    frame = model._frame(case.table)
    for slot in record.parts:
        part, rows = slot.distribution, slot.block(frame).rows(0, len(codes))
        gaps = bool((np.isnan(rows) if rows.dtype.kind == "f" else rows < 0).any())
        if slot.family.name in NOT_ML or (gaps and slot.family.joint and slot.family.name != "multinomial"):
            continue  # joint normals learn from complete rows, which is said
        if Kind.QUANTITATIVE in slot.family.kinds and not _varies(part, rows, codes, weight):
            continue  # floors, and constant columns

        def measure(at: Any, rows: Any = rows) -> float:
            logs = at.group_log_prob(rows)[np.arange(len(codes)), np.minimum(codes, len(record.classes) - 1)]
            return float((weight * np.where(weight > 0, logs, 0.0))[weight > 0].sum())

        best = measure(part)
        for size in (1e-3, 0.03, 0.3):
            for _ in range(3):
                near = _near(slot.family.name, part, rng, size)
                if near is not None and measure(near) > best + 1e-8 * max(1.0, abs(best)):
                    yield f"other parameters of {slot.family.name} are more likely"
                    return


def _varies(part: Any, rows: Any, codes: Any, weight: Any) -> bool:
    """Whether no group's variance is at a floor, or that of a constant column."""
    spread = np.where(np.nanmax(rows, axis=0) > np.nanmin(rows, axis=0), np.nanvar(rows, axis=0), 0.0)
    known = np.array([[(weight[(codes == g) & ~np.isnan(c)] > 0).sum() for c in rows.T] for g in set(codes)])
    many = (known >= 2).all() and len(known) == len(part.mean)
    return bool(many and (part.variance > 1e-5 * spread).all() and (spread > 0).all())


def _near(family: str, part: Any, rng: np.random.Generator, size: float) -> Any:
    """Parameters near others, by noise of a size."""

    def noise(array: Any) -> Any:
        return size * rng.normal(size=np.shape(array))

    match family:
        case "bernoulli" | "geometric" | "binomial":
            odds = part.p / np.maximum(1 - part.p, 1e-300) * np.exp(noise(part.p))
            p = np.where(part.p >= 1, 1 - size * rng.random(part.p.shape), odds / (1 + odds))
            p = np.clip(np.where(part.p <= 0, size * rng.random(part.p.shape), p), 0, 1)
            return part._with(p=p)
        case "poisson":
            return part._with(
                rate=part.rate * np.exp(noise(part.rate)) + size * 1e-3 * rng.random(part.rate.shape)
            )
        case "categorical" | "multinomial":
            probs = part.probs * np.exp(noise(part.probs)) + size * 1e-3 * rng.random(part.probs.shape)
            sizes = getattr(part, "sizes", None) or (probs.shape[-1],)
            split = np.split(probs, np.cumsum(sizes)[:-1], axis=-1)
            probs = np.concatenate([own / own.sum(axis=-1, keepdims=True) for own in split], axis=-1)
            return part._with(probs=probs)
        case (
            "normal" | "tied_diagonal_normal" | "spherical_normal" | "tied_spherical_normal" | "known_normal"
        ):
            mean, scale = part.mean + part.sd * noise(part.mean), noise(part.sd)
            shared = {"tied_diagonal_normal": np.s_[:1], "spherical_normal": np.s_[:, :1]}
            shared |= {"tied_spherical_normal": np.s_[:1, :1]}
            scale = 0.0 * scale if family == "known_normal" else scale[shared.get(family, ...)]
            return type(part)(mean, part.sd * np.exp(scale))
        case "multivariate_normal" | "tied_normal":
            d = part.mean.shape[1]
            step = np.eye(d) + noise(np.empty((1 if family == "tied_normal" else len(part.mean), d, d)))
            moved = step @ part.covariance @ np.swapaxes(step, 1, 2)
            return type(part)(part.mean + part.sd * noise(part.mean), (moved + np.swapaxes(moved, 1, 2)) / 2)
        case "uniform":
            low, high = (
                part.low - size * rng.random(part.low.shape),
                part.high + size * rng.random(part.high.shape),
            )
            return type(part)(low, high)
    raise AssertionError(f"the sweep does not know the parameters of {family}")


def _climbs(case: Case, model: Any) -> Iterator[str]:
    """Without a prior, what EM came to is the log-likelihood of the rows, as the model says it of them."""
    if case.model in ("Mixture", "HiddenMarkov") and case.options["prior"] is None:
        logs = model.log_prob(case.table)
        weight = np.ones(len(logs)) if case.weight is None else case.weight
        likelihood = float((weight * np.where(weight > 0, logs, 0.0)).sum())
        if not np.isclose(model.history_[-1], likelihood, rtol=1e-6, atol=1e-6):
            yield f"EM climbed to {model.history_[-1]}, and the log-likelihood is {likelihood}"


def _parameters(case: Case, model: Any) -> Iterator[str]:
    if case.model not in BY_EM:
        return
    record = model.record_.states if case.model == "HiddenMarkov" else model.record_
    own = shared = 0
    for slot in record.parts:
        if slot.family.name == "categorical":
            counted = sum(max(len(record.schema.columns[j].levels or ()) - 1, 0) for j in slot.columns), 0
        else:
            counted = PARAMETERS[slot.family.name](len(slot.columns))
        own, shared = own + counted[0], shared + counted[1]
    if record.free_parameters() != (own, shared):
        yield f"{record.free_parameters()} parameters, not {(own, shared)}"


LAWS = (_probabilities, _weights, _order, _maximum, _climbs, _parameters)


def _all(seeds: range) -> list[str]:
    return [said for seed in seeds for said in broken(seed)]


def test_the_sweep_is_wide() -> None:
    """Every choice comes up, and few fits are of priors that are refused."""
    cases = [draw(seed) for seed in range(1000, 1500)]
    axes = {"model": MODELS, "shape": SHAPES, "prior": PRIORS, "estimate": ESTIMATES, "gaps": GAPS}
    axes |= {"weights": WEIGHTS, "nasty": set(NASTY), "family": {f for own in FAMILIES.values() for f in own}}
    for axis, values in axes.items():
        assert {getattr(case, axis) for case in cases} == set(values), axis
    of_levels = ("booleans", "levels", "mixed")
    smoothed = [case.prior in ("laplace", "m-estimate") and case.holds not in of_levels for case in cases]
    assert sum(smoothed) < 100  # of numbers and counts, which are refused, unless they share out words


@pytest.mark.parametrize("part", seeds(1, 10))
def test_fits_are_right_or_refused(part: int) -> None:
    assert _all(range(24 * part, 24 * (part + 1))) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(30))
def test_many_fits_are_right_or_refused(part: int) -> None:
    assert _all(range(1000 + 100 * part, 1000 + 100 * (part + 1))) == []
