"""Rows as people write them down: a dict of values, a list of dicts, a row of pandas or Polars."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likely
from likely.errors import LikelyError, LikelyWarning
from likely.table.frame import Frame, take, without

COLUMNS = {
    "size": [1.5, None, 4.0, 5.5, 2.5, 3.5],
    "visits": [3, 1, 4, 1, 5, 9],
    "plan": ["a", "b", "a", None, "b", "a"],
    "member": [True, False, True, True, False, None],
    "left": ["yes", "no", "yes", "no", "yes", "no"],
}
RECORDS = [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*COLUMNS.values(), strict=True)]
FEATURES = [name for name in COLUMNS if name != "left"]


@pytest.fixture(scope="module")
def model():
    return likely.NaiveBayes().fit(COLUMNS, "left")


def rows_of(i):
    """The same row in every form in which it may come."""
    record = {name: RECORDS[i][name] for name in FEATURES}
    frame = pd.DataFrame(COLUMNS)[FEATURES]
    polars = pl.DataFrame(COLUMNS)[FEATURES]
    return {
        "dict": record,
        "list of one": [record],
        "pandas": frame.iloc[i],
        "pandas, one type": frame.astype(object).iloc[i],
        "polars": polars.row(i, named=True),
        "polars slice": polars[i],
        "pyarrow": pa.table(COLUMNS).select(FEATURES).slice(i, 1).to_pylist(),
        "numpy values": {name: np.array(value) for name, value in record.items()},
    }


@pytest.mark.parametrize("form", rows_of(0))
@pytest.mark.parametrize("i", range(len(RECORDS)))
def test_a_row_is_a_row_in_any_form(model, form, i):
    expected = model.predict_proba({name: COLUMNS[name] for name in FEATURES})[[i]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = model.predict_proba(rows_of(i)[form])
    np.testing.assert_allclose(answer, expected, rtol=1e-12)  # other blocks of rows round otherwise


def test_records_are_the_table_of_their_columns(model):
    fitted = likely.NaiveBayes().fit(RECORDS, "left")
    np.testing.assert_array_equal(fitted.predict_proba(RECORDS), model.predict_proba(COLUMNS))
    assert [str(kind) for kind in (column.kind for column in fitted.record_.schema.columns)] == [
        str(kind) for kind in (column.kind for column in model.record_.schema.columns)
    ]
    assert likely.profile(RECORDS).to_dict() == likely.profile(COLUMNS).to_dict()


def test_what_a_record_does_not_name_is_missing(model):
    some = [{"size": 1.5, "visits": 3, "plan": "a", "member": True}, {"size": 2.0, "visits": 1}]
    whole = {"size": [1.5, 2.0], "visits": [3, 1], "plan": ["a", None], "member": [True, None]}
    np.testing.assert_array_equal(model.predict_proba(some), model.predict_proba(whole))


def test_what_one_row_alone_does_not_name_is_missing(model):
    told = {"size": 1.5, "visits": 3, "plan": "a"}
    with pytest.warns(LikelyWarning, match="column 'member' is not there"):
        p = model.predict_proba(told)
    np.testing.assert_array_equal(p, model.predict_proba({**told, "member": None}))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"a": 1, "b": [1, 2]}, "column 'a' is 1: give a list"),
        ([1, 2], "Expected 2D array"),
        (pd.Series([1.0, 2.0]), "Expected 2D array"),
        ([{"a": [1, 2]}], "holds|types|values"),
    ],
)
def test_what_is_neither_a_record_nor_a_table(table, said):
    with pytest.raises(LikelyError, match=said):
        likely.NaiveBayes().fit(table, [0] * 2)


def test_nothing_is_no_record():
    assert Frame.of({}).n == 0


def test_some_rows_and_all_columns_but_one():
    np.testing.assert_array_equal(Frame.of(take(RECORDS, np.array([2, 0]))).values("visits"), [4, 3])
    assert "left" not in without(RECORDS, "left")
    assert without(RECORDS[0], "left") == {name: [RECORDS[0][name]] for name in FEATURES}
    assert take(RECORDS[0], np.array([0])) == {name: [value] for name, value in RECORDS[0].items()}


def test_records_where_tables_are_taken():
    many = RECORDS * 10
    columns = {name: column * 10 for name, column in COLUMNS.items()}
    for table in (many, columns):
        assert likely.compare.groups(table, "visits", "left").names == ("no", "yes")
    scores = [likely.compare.cross_validate(likely.NaiveBayes(), t, "left").log_loss for t in (many, columns)]
    assert scores[0] == scores[1]
    calibrated = likely.Calibrated(likely.NaiveBayes()).fit(many, "left")
    again = likely.Calibrated(likely.NaiveBayes()).fit(columns, "left")
    np.testing.assert_array_equal(calibrated.predict_proba(many[0]), again.predict_proba(columns)[:1])
    line = likely.LinearRegression(likely.Normal(0, 10)).fit(many, "visits")
    np.testing.assert_allclose(line.predict(many[1]), line.predict(columns)[[1]])


def test_gaps_are_filled_in_the_form_they_came_in():
    record = {"size": None, "visits": 4, "plan": "a", "member": True}
    filler = likely.Impute("gaussian").fit([{name: r[name] for name in FEATURES} for r in RECORDS])
    one, several = filler.transform(record), filler.transform([record, record])
    assert {name: value for name, value in one.items() if name != "size"} == {
        name: value for name, value in record.items() if name != "size"
    }
    assert np.isfinite(one["size"])
    assert several == [one, one]
    row = filler.transform(pd.Series(record))
    assert row["size"].tolist() == [one["size"]]
