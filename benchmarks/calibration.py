"""ROC analysis and calibration of a million scores, beside scikit-learn."""

from __future__ import annotations

import time

import numpy as np
from figures import keep
from side_by_side import compare
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score, roc_curve

from likely.calibrate import beta, isotonic, logistic
from likely.score import roc

N = 1_000_000


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    score = rng.normal(size=N) + y
    p = 1 / (1 + np.exp(-score))

    def curve() -> None:
        found = roc(y, score)
        assert len(found.fpr) == len(found.tpr)
        assert found.auc > 0.5
        assert found.hull.area >= found.auc

    compare("ROC, AUC and hull", curve, lambda: (roc_curve(y, score), roc_auc_score(y, score)), 2.0)
    compare("isotonic", lambda: isotonic(y, score), lambda: IsotonicRegression().fit(score, y), 1.0)
    compare("logistic (Platt)", lambda: logistic(y, score), lambda: _sigmoid_calibration(score, y), 1.0)
    for name, run in (("logistic", lambda: logistic(y, score)), ("beta", lambda: beta(y, p))):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        keep(f"{name}, alone", min(times), "s")
        verdict = "met" if min(times) < 1 else "MISSED"
        print(f"{name:44s} {min(times):6.2f} s   wanted under 1.00 s   {verdict}")


if __name__ == "__main__":
    main()
