"""What becomes of probabilities after the scores, as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from likely.dist.numeric.pieces import log_or_impossible
from likely.export.form import UNLIKELIEST
from likely.export.recalibration import (
    BetaMap,
    EachClassMap,
    LogitLine,
    Recalibration,
    Reweighed,
    ScoreMap,
    Sharpened,
)
from likely.export.sql_layers import Layers
from likely.export.sql_terms import minus, piece_formula
from likely.export.sql_text import Dialect


def recalibrate(layers: Layers, step: Recalibration, scores: Sequence[str], kept: Sequence[str]) -> list[str]:
    """Layers from scores (logs of probabilities, up to what all share) to those after one step."""
    if isinstance(step, EachClassMap):
        return _each_class(layers, step, scores, kept)
    dialect = layers.dialect
    best = {"m": dialect.highest([f"q.{name}" for name in scores])}
    if isinstance(step, Sharpened):
        layers.add(best, [*kept, *scores])
        factor, limit = dialect.real(step.sharpening), dialect.real(-step.limit)
        new = {
            f"z{c}": f"{factor} * {dialect.greatest}(q.{name} - q.m, {limit})"
            for c, name in enumerate(scores)
        }
        layers.add(new, kept)
        return list(new)
    return _reweighed(layers, step, scores, kept)


def _reweighed(layers: Layers, step: Reweighed, scores: Sequence[str], kept: Sequence[str]) -> list[str]:
    dialect = layers.dialect
    new = {
        f"y{c}": f"q.{name} + {dialect.real(more)}"
        for c, (name, more) in enumerate(zip(scores, step.log_factors, strict=True))
    }
    layers.add(new, kept)
    if (step.log_factors > UNLIKELIEST).all():
        return list(new)
    layers.add({"m": dialect.highest([f"q.{name}" for name in new])}, [*kept, *new])
    gone, rates = f"q.m < {dialect.real(UNLIKELIEST)}", log_or_impossible(step.rates)
    left = {
        f"z{c}": f"CASE WHEN {gone} THEN {dialect.real(rates[c])} ELSE q.{name} END"
        for c, name in enumerate(new)
    }
    layers.add(left, kept)
    return list(left)


def _each_class(layers: Layers, step: EachClassMap, scores: Sequence[str], kept: Sequence[str]) -> list[str]:
    """The log-odds of each class against all others, what its map makes of them, and scores of that."""
    dialect, one = layers.dialect, layers.dialect.real(1.0)
    places = [1] if len(scores) == 2 else list(range(len(scores)))
    others = {c: [f"q.{name}" for i, name in enumerate(scores) if i != c] for c in places}
    layers.add({f"m{c}": dialect.highest(others[c]) for c in places}, [*kept, *scores])
    odds = {}
    for c, own in zip(places, step.maps, strict=True):
        low, high = _range_of(own, step.limit)
        against = dialect.log_sum(others[c], f"q.m{c}")
        odds[f"o{c}"] = dialect.within(f"q.{scores[c]} - ({against})", low, high)
    layers.add(odds, kept)
    half_way = {f"h{c}": _half_way(dialect, own, f"q.o{c}") for c, own in zip(places, step.maps, strict=True)}
    layers.add(half_way, [*kept, *odds])
    mapped = {
        f"u{c}": _mapped(dialect, own, f"q.o{c}", f"q.h{c}") for c, own in zip(places, step.maps, strict=True)
    }
    layers.add(mapped, kept)
    if len(scores) == 2:
        new = {f"z{c}": f"{dialect.real(c - 0.5)} * q.u1" for c in (0, 1)}
    else:
        new = {}
        for c in places:
            small = f"LN({one} + {dialect.power(f'-ABS(q.u{c})')})"
            new[f"z{c}"] = f"{dialect.least}(q.u{c}, {dialect.real(0.0)}) - {small}"
    layers.add(new, kept)
    return list(new)


def _range_of(own: ScoreMap, limit: float) -> tuple[float, float]:
    """Where scores are moved to before they are mapped."""
    if isinstance(own, LogitLine):
        return max(own.low, -limit), min(own.high, limit)
    limit = min(limit, own.limit) if isinstance(own, BetaMap) else limit
    return -limit, limit


def _half_way(dialect: Dialect, own: ScoreMap, score: str) -> str:
    """What a map needs more than once: -log(1 - p) of the smaller probability, or P itself."""
    if isinstance(own, LogitLine):
        return dialect.real(0.0)
    if isinstance(own, BetaMap):
        return f"LN({dialect.real(1.0)} + {dialect.power(f'-ABS({score})')})"
    return piece_formula(dialect, score, own.pieces, 0)


def _mapped(dialect: Dialect, own: ScoreMap, score: str, half_way: str) -> str:
    """The log-odds that a map makes of a score."""
    if isinstance(own, LogitLine):
        apart = minus(dialect, score, own.centre)
        return f"{dialect.real(own.intercept)} + {dialect.real(own.slope)} * {apart}"
    if isinstance(own, BetaMap):
        zero = dialect.real(0.0)
        below = f"{dialect.real(own.a)} * ({dialect.least}({score}, {zero}) - {half_way})"
        above = f"{dialect.real(own.b)} * ({dialect.greatest}({score}, {zero}) + {half_way})"
        return f"{below} + {above} + {dialect.real(own.c)}"
    return f"LN({half_way}) - LN({dialect.real(1.0)} - {half_way})"
