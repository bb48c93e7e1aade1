"""`Classifier` is a citizen of scikit-learn."""

from __future__ import annotations

import pytest
from expected_failures import excused
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import Classifier


@parametrize_with_checks(
    [Classifier(budget="additive"), Classifier(budget="fast")],
    expected_failed_checks=excused,
)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(
    [Classifier()],
    expected_failed_checks=excused,
)
def test_estimator_checks_of_the_default(estimator, check):
    check(estimator)
