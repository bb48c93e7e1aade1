"""The scoring form answers as the model does, and comes back whole from JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from form_cases import FORMS, HOSTILE, FormCase, rows

import likely
from likely.export.evaluate import probabilities
from likely.export.plain import from_json, to_json

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_the_form_answers_as_the_model(case: FormCase) -> None:
    model, asked = case.fitted()
    form, expected = model.scoring_form(), model.predict_proba(asked)
    told = probabilities(form, asked)
    left = np.isnan(told).any(axis=1)
    assert left.any() == case.open_gaps
    assert not left.all()
    assert np.abs(told - expected)[~left].max() <= 1e-12
    assert form.classes == tuple(model.record_.classes)
    again = from_json(to_json(form))
    assert np.allclose(probabilities(again, asked), told, rtol=0, atol=1e-14, equal_nan=True)
    json.loads(to_json(form), parse_constant=pytest.fail)  # strict JSON: every language reads it


def test_a_number_is_predicted_as_by_the_model() -> None:
    table, _ = rows(1, 300, 3, True)
    asked, _ = rows(2, 100, 3, True)
    asked[HOSTILE][:10] = "never seen"
    outcome = 3.0 * np.nan_to_num(table["number"]) - table["grade"]
    model = likely.LinearRegression().fit(table, outcome)
    told = probabilities(model.scoring_form(), asked)[:, 0]
    assert np.allclose(told, model.predict(asked), rtol=1e-12, atol=1e-12)


def test_an_impossible_row_has_the_base_rate() -> None:
    model = likely.NaiveBayes(families="uniform", evidence_weights=None)
    model.fit({"x": [1.0, 2.0, 3.0, 5.0, 5.5]}, list("aabbb"))
    assert probabilities(model.scoring_form(), {"x": [99.0]}).round(12).tolist() == [
        model.base_rate_.round(12).tolist()
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda t, y: likely.NaiveBayes(families={"number": "kernel"}).fit(t, y), "kernel"),
        (lambda t, y: likely.NaiveBayes("categorical", products=[("grade", "truth")]).fit(t, y), "products"),
        (lambda t, y: likely.Classifier(members=["kernel"]).fit(t, y), "kernel"),
        (lambda t, y: likely.NaiveBayes(kinds={HOSTILE: "text"}).fit(t, y), "texts"),
    ],
)  # fmt: skip
def test_what_has_no_form_is_refused_by_name(make: Any, message: str) -> None:
    model = make(*rows(1, 200, 2, False))
    with pytest.raises(likely.LikelyError, match=message):
        model.scoring_form()
