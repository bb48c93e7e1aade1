"""Probabilities -> numbers: information in bits, and proper scores.

The name says what goes in. `entropy`, `conditional_entropy`, `mutual_information` and `kl` take
probabilities; with `_of` at the end they take columns of data. A list such as [0, 1] could be either, and
guessing from the values would change the answer when a value changes. `log_loss`, `brier`, `auc` and
`accuracy` judge predicted probabilities by what came true, with standard errors; `roc` shows what thresholds
on any score can do, and `contingency` what decisions did; `reliability`, `calibration_error` and
`calibration_test` ask whether probabilities are calibrated.

>>> from likely.score import entropy, entropy_of
>>> entropy([0.5, 0.5])
1.0
>>> entropy_of(["heads", "tails", "heads", "heads"])
0.81 bits from 4 rows; biased low by about 0.2
"""

from likely.score.area import auc
from likely.score.calibration_error import CalibrationError, calibration_error
from likely.score.calibration_test import CalibrationTest, calibration_test
from likely.score.contingency import Contingency, contingency
from likely.score.decomposition import Decomposition, decompose
from likely.score.entropy import Bits
from likely.score.errors_sent import error_bits
from likely.score.estimate import Area, Rate, Score
from likely.score.hull import Hull
from likely.score.independence import Independence, independence_of_counts, independent_of
from likely.score.isometric import OperatingPoint, isometric
from likely.score.of_columns import conditional_entropy_of, entropy_of, kl_of, mutual_information_of
from likely.score.of_probabilities import conditional_entropy, entropy, information, kl, mutual_information
from likely.score.proper import accuracy, brier, log_loss
from likely.score.reliability import Reliability, reliability
from likely.score.roc import ROC, roc, roc_one_vs_rest, roc_pairwise
from likely.score.sharpness import sharpness

__all__ = [
    "ROC",
    "Area",
    "Bits",
    "CalibrationError",
    "CalibrationTest",
    "Contingency",
    "Decomposition",
    "Hull",
    "Independence",
    "OperatingPoint",
    "Rate",
    "Reliability",
    "Score",
    "accuracy",
    "auc",
    "brier",
    "calibration_error",
    "calibration_test",
    "conditional_entropy",
    "conditional_entropy_of",
    "contingency",
    "decompose",
    "entropy",
    "entropy_of",
    "error_bits",
    "independence_of_counts",
    "independent_of",
    "information",
    "isometric",
    "kl",
    "kl_of",
    "log_loss",
    "mutual_information",
    "mutual_information_of",
    "reliability",
    "roc",
    "roc_one_vs_rest",
    "roc_pairwise",
    "sharpness",
]
