"""`Classifier` and `Regressor` are citizens of scikit-learn."""

from __future__ import annotations

from sklearn_checks import estimator_checks

from likely import Classifier, Regressor


@estimator_checks(
    *(Classifier(budget="additive"), Regressor(budget="additive")),
    rarely=[Classifier(budget="fast"), Classifier(), Regressor()],
)
def test_estimator_checks(estimator, check):
    check(estimator)
