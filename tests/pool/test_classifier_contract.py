"""`Classifier` and `Regressor` are citizens of scikit-learn."""

from __future__ import annotations

import pytest
from expected_failures import excused
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import Classifier, Regressor


@parametrize_with_checks(
    [Classifier(budget="additive"), Classifier(budget="fast"), Regressor(budget="additive")],
    expected_failed_checks=excused,
)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(
    [Classifier(), Regressor()],
    expected_failed_checks=excused,
)
def test_estimator_checks_of_the_default(estimator, check):
    check(estimator)
