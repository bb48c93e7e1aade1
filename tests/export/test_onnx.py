"""ONNX answers as the model does, by onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from form_cases import FORMS, HOSTILE, FormCase, rows

import likely
from likely.export.form import ScoringForm
from likely.export.onnx_model import is_text

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.filterwarnings("ignore")


def run(model: Any, form: ScoringForm, table: dict[str, Any]) -> list[Any]:
    onnx.checker.check_model(model)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(model.SerializeToString(), options)
    feed = {}
    for one in form.inputs:
        values = table[one.name]
        if is_text(one):
            cells = np.array(["" if cell is None else cell for cell in values], object)
        else:
            cells = np.array([np.nan if cell is None else cell for cell in values.tolist()], np.float64)
        feed[one.name] = cells[:, None]
    return list(session.run(None, feed))


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_onnx_answers_as_the_model(case: FormCase) -> None:
    model, asked = case.fitted()
    labels, told = run(model.to_onnx(), model.scoring_form(), asked)
    expected = model.predict_proba(asked)
    left = np.isnan(told).any(axis=1)
    assert left.any() == case.open_gaps
    assert np.abs(told - expected)[~left].max() <= 1e-11
    assert labels[~left].tolist() == [type(labels[0])(x) for x in model.classes_[told[~left].argmax(axis=1)]]


def test_a_number_is_predicted() -> None:
    table, _ = rows(1, 300, 3, True)
    asked, _ = rows(2, 100, 3, True)
    asked[HOSTILE][:10] = "never seen"
    model = likely.LinearRegression().fit(table, 3.0 * np.nan_to_num(table["number"]) - table["grade"])
    (told,) = run(model.to_onnx(), model.scoring_form(), asked)
    assert np.allclose(told[:, 0], model.predict(asked), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("names", [("v0", "v1"), ("v3", "v12"), ("predicted", "probabilities"), ("a", "b")])
def test_columns_may_have_any_name_and_nothing_unused_is_written(names: tuple[str, str]) -> None:
    rng = np.random.default_rng(0)
    level, number = rng.choice(["x", "y"], 60), rng.normal(size=60)
    table = {names[0]: level.astype(object), names[1]: number}
    model = likely.NaiveBayes().fit(table, rng.choice(["no", "yes"], 60))
    made = model.to_onnx()
    _, told = run(made, model.scoring_form(), table)
    assert np.abs(told - model.predict_proba(table)).max() <= 1e-11
    used = {name for node in made.graph.node for name in node.input}
    assert {one.name for one in made.graph.initializer} <= used  # else runtimes warn
