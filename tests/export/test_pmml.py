"""PMML answers as the model does, by PMML4S."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from form_cases import FORMS, HOSTILE, FormCase, rows

import likely

pytestmark = pytest.mark.filterwarnings("ignore")
WRITTEN = [case for case in FORMS if not case.name.startswith("calibrated") and not case.open_gaps]


def run(text: str, table: dict[str, Any]) -> Any:
    """What pypmml answers, a dictionary of each row."""
    pypmml = pytest.importorskip("pypmml", reason="takes pypmml, and Java")
    model = pypmml.Model.fromString(text)
    names = list(table)
    lists = [column.tolist() for column in table.values()]
    told = []
    for row in zip(*lists, strict=True):
        cells = {name: _cell(cell) for name, cell in zip(names, row, strict=True)}
        told.append(model.predict(cells))
    return told


def _cell(cell: Any) -> Any:
    if isinstance(cell, str) or cell is None:
        return cell
    return None if cell != cell else float(cell)


@pytest.mark.long
@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
def test_pmml_answers_as_the_model(case: FormCase) -> None:
    model, asked = case.fitted()
    asked = {name: column[-60:] for name, column in asked.items()}
    expected = model.predict_proba(asked)
    told = run(model.to_pmml(), asked)
    p = np.array([[row[f"p_{label}"] for label in model.classes_.tolist()] for row in told], np.float64)
    assert np.abs(p - expected).max() <= 1e-9


@pytest.mark.long
def test_a_number_is_predicted() -> None:
    table, _ = rows(1, 300, 3, True)
    asked, _ = rows(2, 40, 3, True)
    asked[HOSTILE][:10] = "never seen"
    model = likely.LinearRegression().fit(table, 3.0 * np.nan_to_num(table["number"]) - table["grade"])
    told = np.array([row["predicted"] for row in run(model.to_pmml(), asked)], np.float64)
    assert np.allclose(told, model.predict(asked), rtol=1e-9, atol=1e-9)


def test_the_document_names_every_column_and_class() -> None:
    model, _ = FormCase("", likely.NaiveBayes).fitted()
    root = ET.fromstring(model.to_pmml())
    tag = "{http://www.dmg.org/PMML-4_4}"
    names = [field.get("name") for field in root.iter(f"{tag}DataField")]
    assert names == [*model.record_.schema.names, "y"]
    labels = [table.get("targetCategory") for table in root.iter(f"{tag}RegressionTable")]
    assert labels == list(model.classes_)


def test_what_is_calibrated_has_no_pmml() -> None:
    model = likely.Calibrated(likely.NaiveBayes(), method="beta").fit(*rows(1, 200, 2, False))
    with pytest.raises(likely.LikelyError, match="calibrated"):
        model.to_pmml()


def test_names_that_xml_cannot_write_are_refused() -> None:
    model = likely.NaiveBayes().fit({"a\x01b": list("xyxy")}, list("aabb"))
    with pytest.raises(likely.LikelyError, match="XML"):
        model.to_pmml()
