"""What becomes of probabilities after the scores: maps of log-odds, a temperature, another base rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogitLine:
    """log-odds = intercept + slope (score - centre), of scores moved into a range."""

    slope: float
    intercept: float
    centre: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class BetaMap:
    """log-odds = a log p - b log(1 - p) + c, where the score, moved into a range, is the log-odds of p."""

    a: float
    b: float
    c: float
    limit: float


@dataclass(frozen=True, eq=False)
class ShareMap:
    """P as steps, and lines between them, of the score."""

    pieces: Pieces  # of one group


ScoreMap = LogitLine | BetaMap | ShareMap


@dataclass(frozen=True, eq=False)
class EachClassMap:
    """A map of the log-odds of each class against all others, the probabilities brought to the sum 1.

    Of two classes there is one map, of the second.
    """

    maps: tuple[ScoreMap, ...]
    limit: float  # log-odds farther out count as this


@dataclass(frozen=True, eq=False)
class Sharpened:
    """P(class) in proportion to p ** sharpening."""

    sharpening: float
    limit: float  # classes farther below the best, in logs, count as this far


@dataclass(frozen=True, eq=False)
class Reweighed:
    """Each probability times a factor, brought to the sum 1."""

    log_factors: Floats  # (c,)
    rates: Floats  # (c,): where a row is left without a class


Recalibration = EachClassMap | Sharpened | Reweighed
