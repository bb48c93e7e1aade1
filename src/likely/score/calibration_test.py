"""Are probabilities right? Three tests, each against another way of being wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.logs import special
from likely.score.reliability import Bins, labels_and_class
from likely.stats.groups import Floats


@dataclass(frozen=True)
class CalibrationTest:
    """What each test found: its statistic, and how often right probabilities would look as bad by chance.

    `in_the_large` asks whether as many rows came true as predicted, `spiegelhalter` whether probabilities are
    too bold or too timid, `chi_squared` whether any bin is off.
    """

    in_the_large: float
    in_the_large_p: float
    spiegelhalter: float
    spiegelhalter_p: float
    chi_squared: float
    degrees: int
    chi_squared_p: float

    def __repr__(self) -> str:
        return (
            f"in the large z = {self.in_the_large:.2f} (p = {self.in_the_large_p:.2g}); "
            f"Spiegelhalter z = {self.spiegelhalter:.2f} (p = {self.spiegelhalter_p:.2g}); "
            f"bins chi-squared = {self.chi_squared:.2f} on {self.degrees} (p = {self.chi_squared_p:.2g})"
        )


def calibration_test(
    y: ArrayLike,
    p: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    positive: object = None,
    bins: int = 10,
    weight: ArrayLike | None = None,
) -> CalibrationTest:
    """Test probabilities against what came true; nothing may have been fitted to these rows.

    Probabilities of 0 and 1 leave nothing to chance: if one of them is wrong the statistics are infinite.

    Parameters
    ----------
    y, p, classes, weight
        As for `log_loss`.
    positive : label or None
        The class that is looked at; None takes the second of two.
    bins : int
        About how many the chi-squared test has, with equally many rows.

    Examples
    --------
    >>> print(str(calibration_test([0, 1, 1, 1], [0.2, 0.4, 0.6, 0.8], bins=2)).replace("; ", "\\n"))
    in the large z = 1.12 (p = 0.26)
    Spiegelhalter z = -0.55 (p = 0.59)
    bins chi-squared = 1.30 on 2 (p = 0.52)
    """
    told, place = labels_and_class(y, p, classes, positive, weight)
    chance, came, w = told.p[:, place], (told.codes == place).astype(np.float64), told.weight
    variance = w**2 * chance * (1 - chance)
    off = w * (came - chance)
    impossible = bool((off[variance == 0] != 0).any())
    large = _z(float(off.sum()), float(variance.sum()), impossible)
    tilt = 1 - 2 * chance
    bold = _z(float(off @ tilt), float(variance @ tilt**2), impossible)
    chi_squared, degrees = _chi_squared(Bins.of(told, place, bins))
    chi_squared = math.inf if impossible else chi_squared
    return CalibrationTest(
        large,
        _two_sided(large),
        bold,
        _two_sided(bold),
        chi_squared,
        degrees,
        float(special("chdtrc", degrees, chi_squared)) if degrees else float(not impossible),
    )


def _z(off: float, variance: float, impossible: bool) -> float:
    """A sum in standard deviations; infinite where something happened that was predicted never to."""
    if impossible:
        return math.inf
    return off / math.sqrt(variance) if variance > 0 else 0.0


def _two_sided(z: float) -> float:
    return float(2 * special("ndtr", -abs(z)))


def _chi_squared(bins: Bins) -> tuple[float, int]:
    """Over the bins in which something is left to chance, and how many they are."""
    left = bins.spread > 0
    off: Floats = (bins.weight * (bins.share - bins.mean))[left]
    return float((off**2 / bins.spread[left]).sum()), int(left.sum())
