"""Law: isotonic evidence is the slopes of the convex hull of the coverage curve."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from likely import Evidence


def hull_slopes(negative: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """The share of positives along the lower convex hull, by brute force, from low values to high."""
    x = np.concatenate([[0], np.cumsum(negative + positive)])
    y = np.concatenate([[0], np.cumsum(positive)])
    shares = []
    at = 0
    while at < len(x) - 1:
        slopes = (y[at + 1 :] - y[at]) / (x[at + 1 :] - x[at])
        step = len(slopes) - 1 - int(np.argmin(slopes[::-1]))  # the farthest of the lowest
        shares += [slopes[step]] * (step + 1)
        at += step + 1
    return np.array(shares)


@pytest.mark.parametrize("seed", range(20))
def test_isotonic_evidence_is_the_hull(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    x = rng.integers(0, 15, n).astype(float)
    y = rng.random(n) < 0.2 + 0.04 * x  # rising
    values = np.unique(x)
    negative, positive = (np.array([np.sum((x == v) & (y == c)) for v in values]) for c in (False, True))
    shares = hull_slopes(negative, positive)
    theirs = IsotonicRegression().fit(x, y).predict(values)
    assert shares == pytest.approx(theirs, abs=1e-12)
    rate = y.mean()
    calibrated = shares * (1 - rate) / (shares * (1 - rate) + (1 - shares) * rate)  # at equal base rates
    model = Evidence("isotonic", smoothing="plain", space="probability").fit({"x": x}, y)
    assert model.transform({"x": values})["x"] == pytest.approx(calibrated, abs=1e-12)
