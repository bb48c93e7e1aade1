"""Scores and probabilities -> better probabilities.

Each function learns a map from rows whose class is known; call the map with new scores. `Calibrated` does
it for a whole classifier, on rows that it has not seen.

>>> from likely.calibrate import isotonic
>>> map_of_scores = isotonic(["ham", "ham", "spam", "ham", "spam", "spam"], [1, 2, 3, 4, 5, 6])
>>> map_of_scores([2, 3.5, 6]).round(2)
array([0.25, 0.5 , 0.75])
"""

from likely.calibrate.beta import BetaCalibration, OfProbabilities, beta
from likely.calibrate.binned import BinnedCalibration, binned
from likely.calibrate.calibration import Calibration
from likely.calibrate.isotonic import IsotonicCalibration, isotonic
from likely.calibrate.logistic import LogisticCalibration, logistic, logistic_by_means
from likely.calibrate.temperature import TemperatureCalibration, temperature

__all__ = [
    "BetaCalibration",
    "BinnedCalibration",
    "Calibration",
    "IsotonicCalibration",
    "LogisticCalibration",
    "OfProbabilities",
    "TemperatureCalibration",
    "beta",
    "binned",
    "isotonic",
    "logistic",
    "logistic_by_means",
    "temperature",
]
