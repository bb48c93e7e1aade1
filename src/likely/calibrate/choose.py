"""Which method calibrates best: tried on scores that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.calibrate.methods import Ints, fit_method
from likely.score.estimate import Score
from likely.score.proper import log_loss
from likely.stats.groups import Floats

FOLDS = 5


def compare_methods(
    scores: Floats, codes: Ints, classes: Any, weight: Floats | None, odds: bool
) -> dict[str, Score]:
    """The log loss of each method on rows that its maps were not fitted to; the best first."""
    g = len(classes)
    names = [*(["none"] if odds else []), *(["temperature"] if g > 2 else []), "logistic", "beta", "isotonic"]
    names = names if odds else [name for name in names if name != "beta"]
    fold = _folds(codes, len(classes))
    found = {}
    for name in names:
        log_p = np.empty((len(codes), g))
        for place in range(FOLDS):
            test = fold == place
            if test.any():
                mine = None if weight is None else weight[~test]
                log_p[test] = fit_method(name, scores[~test], codes[~test], classes, mine, odds)(scores[test])
        found[name] = log_loss(codes, log_p, classes=np.arange(g), weight=weight, logs=True)
    return dict(sorted(found.items(), key=lambda item: float(item[1])))


def _folds(codes: Ints, g: int) -> Ints:
    """The rows of each class dealt out in turn, one class going on where the last one stopped."""
    order = np.argsort(codes, kind="stable")
    fold = np.empty(len(codes), np.intp)
    fold[order] = np.arange(len(codes)) % FOLDS
    return fold
