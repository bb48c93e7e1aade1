"""Calibrated naive Bayes on real tables: better in log loss, by more than the errors of both."""

from __future__ import annotations

import pandas as pd
import pytest

from likely import Calibrated, NaiveBayes
from likely.compare import cross_validate

LEAKS = ["boat", "body", "name", "ticket", "cabin", "home.dest"]


@pytest.mark.parametrize(
    ("name", "target", "drop"),
    [
        ("german_credit.csv", "class", []),
        ("titanic.csv", "survived", LEAKS),
        ("spambase.csv", "class", []),
        pytest.param("adult.csv.gz", "income", ["fnlwgt"], marks=pytest.mark.long),
        pytest.param("bank_marketing.csv.gz", "y", [], marks=pytest.mark.long),
    ],
)
@pytest.mark.filterwarnings("ignore::likely.errors.LikelyWarning")
def test_log_loss_and_brier_score_improve(shared_data, name, target, drop):
    table = pd.read_csv(shared_data / name, na_values="?").drop(columns=drop)
    plain = cross_validate(NaiveBayes(families="classical", evidence_weights=None), table, target)
    better = cross_validate(
        Calibrated(NaiveBayes(families="classical", evidence_weights=None), cv=3), table, target
    )
    gain = plain.log_loss - better.log_loss
    assert gain > 2 * (plain.log_loss.standard_error**2 + better.log_loss.standard_error**2) ** 0.5
    assert better.brier < plain.brier
    assert better.auc == pytest.approx(plain.auc, abs=0.02)
