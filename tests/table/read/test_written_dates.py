"""Dates as people write them, in text files: read whole, and some rows at a time."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import likely
from likely import LikelyError, LikelyWarning
from likely.table.batch.batches import batches
from likely.table.frame import Frame
from likely.table.schema import Schema

DAYS = np.arange("2021-01-01", "2024-12-01", 17, dtype="datetime64[D]")


def written(path, texts):
    """A file with a column `day`, and beside it one that keeps gaps from being blank lines."""
    path.write_text("\n".join(["n,day", *(f"{i},{text}" for i, text in enumerate(texts))]), encoding="utf-8")
    return path


def texts(form, days=DAYS):
    return [day.astype(object).strftime(form) for day in days]


@pytest.mark.parametrize(
    ("form", "order"),
    [
        ("%d.%m.%Y", "the day first"),
        ("%d/%m/%Y", "the day first"),
        ("%m/%d/%Y", "the month first"),
        ("%d-%m-%Y", "the day first"),
        ("%m-%d-%Y", "the month first"),
        ("%Y/%m/%d", "the year first"),
        ("%Y.%m.%d", "the year first"),
    ],
)
def test_all_styles_are_the_dates_that_they_were(tmp_path, form, order):
    file = written(tmp_path / "t.csv", texts(form))
    with pytest.warns(
        LikelyWarning, match=f"column 'day' is written as .* and read as dates, {order}"
    ) as told:
        table = likely.read(file, into="dict")
    assert len(told) == 1
    assert table["day"].dtype == "datetime64[D]"
    assert (table["day"] == DAYS).all()
    some = [Frame.of(batch.table).raw("day") for batch in batches(file, rows=20)]
    assert [value for raw in some for value in raw.items()] == DAYS.astype(object).tolist()


TIMES = np.arange("2021-01-01T00:00", "2021-03-01", 371, dtype="datetime64[m]")


@pytest.mark.parametrize(
    ("form", "order"),
    [
        ("%d.%m.%Y %H:%M", "the day first"),
        ("%m/%d/%Y %H:%M", "the month first"),
        ("%d-%m-%Y %H:%M:%S", "the day first"),
        ("%Y/%m/%d %H:%M", "the year first"),
        ("%-m/%-d/%Y %-H:%M", "the month first"),
        ("%Y-%m-%d %H:%M", None),
        ("%Y-%m-%dT%H:%M", None),
    ],
)
def test_times_of_days_are_the_times_that_they_were(tmp_path, form, order):
    """Also without seconds, and with a single figure for the hour."""
    file = written(tmp_path / "t.csv", texts(form, TIMES))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        table = likely.read(file, into="dict")
    assert [f"read as dates, {order}" in str(one.message) for one in told] == [True] * (order is not None)
    assert (table["day"] == TIMES).all()
    schema = Schema.learn(Frame.of({"day": TIMES}))
    some = [Frame.of(batch.table).raw("day") for batch in batches(file, schema, rows=20)]
    assert [value for raw in some for value in raw.items()] == TIMES.astype(object).tolist()


@pytest.mark.parametrize("odd", ["31.01.2021 25:00", "31.01.2021", "31.01.2021 8 Uhr"])
def test_a_time_that_there_is_not_makes_texts(tmp_path, odd):
    file = written(tmp_path / "t.csv", [*texts("%d.%m.%Y %H:%M", TIMES), odd])
    assert likely.read(file, into="dict")["day"].dtype == object


def test_short_days_and_gaps(tmp_path):
    file = written(tmp_path / "t.csv", ["1.4.2024", " 31.12.2023 ", "?", "9.10.2022", ""])
    with pytest.warns(LikelyWarning, match="read as dates"):
        day = likely.read(file, into="dict")["day"]
    assert day[[0, 1, 3]].tolist() == np.array(["2024-04-01", "2023-12-31", "2022-10-09"], "M8[D]").tolist()
    assert np.isnat(day[[2, 4]]).all()


def test_a_column_that_does_not_say_which_is_the_day_stays_text_with_a_notice(tmp_path):
    early = [day for day in DAYS if day.astype(object).day <= 12]
    file = written(tmp_path / "t.csv", texts("%d/%m/%Y", early))
    with pytest.warns(LikelyWarning, match="no value tells whether the day or the month is first") as told:
        table = likely.read(file, into="dict")
    assert len(told) == 1
    assert table["day"].tolist() == texts("%d/%m/%Y", early)


@pytest.mark.parametrize("odd", ["31.02.2024", "soon", "1.4.24", "2024-04-01", "1/4/2024"])
def test_a_text_among_them_makes_texts(tmp_path, odd):
    file = written(tmp_path / "t.csv", [*texts("%d.%m.%Y"), odd])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = likely.read(file, into="dict")
    assert table["day"].dtype == object


def test_versions_and_addresses_are_no_dates(tmp_path):
    for cells in (["1.2.3", "4.5.6"], ["10.0.0.1", "10.0.0.2"], ["1/2", "3/4"], ["2024/13/45", "2024/14/01"]):
        assert likely.read(written(tmp_path / "t.csv", cells), into="dict")["day"].dtype == object


def test_a_model_reads_them_as_it_learnt_them(tmp_path):
    schema = Schema.learn(Frame.of({"day": DAYS}))
    for form in ("%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d"):
        file = written(tmp_path / "t.csv", texts(form))
        got = [
            value
            for batch in batches(file, schema, rows=30)
            for value in Frame.of(batch.table).raw("day").items()
        ]
        assert got == DAYS.astype(object).tolist()
    file = written(tmp_path / "t.csv", [*texts("%d.%m.%Y")[:3], "31.02.2024", *texts("%d.%m.%Y")])
    with pytest.raises(
        LikelyError, match=r"'day' should hold dates such as .*, but row 3 holds '31\.02\.2024'"
    ):
        list(batches(file, schema))
