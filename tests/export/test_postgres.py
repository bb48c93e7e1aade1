"""SQL on a real PostgreSQL: a server of its own, made for the test and thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from databases import assert_answers, definition, in_order, quoted, tuples
from form_cases import FORMS, FormCase
from postgres_server import connected

import likely

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def server(postgres: int) -> Iterator[Any]:
    """A connection to the server."""
    with connected(postgres) as connection:
        yield connection


def filled(server: Any, table: dict[str, Any]) -> None:
    server.execute("DROP TABLE IF EXISTS rows")
    server.execute(f"CREATE TABLE rows ({definition(table, 'float8')})")
    with server.cursor().copy("COPY rows FROM STDIN") as copy:
        for row in tuples(table, nan=True):
            copy.write_row(row)


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_sql_answers_as_the_model(case: FormCase, server: Any) -> None:
    model, asked = case.fitted()
    filled(server, asked)
    told = in_order(server.execute(model.to_sql("postgres", keep=["id"])).fetchall())
    assert_answers(model, asked, told, case.open_gaps)


def test_hostile_names_and_levels(server: Any) -> None:
    names = ('"; DROP TABLE rows; --', "it's", "back\\slash", "new\nline", "%s {0}")
    levels, rng = np.array(names, object), np.random.default_rng(5)
    y = rng.integers(0, 3, 200)
    table = {name: levels[(y + rng.integers(0, 3, 200)) % len(levels)] for name in names}
    model = likely.NaiveBayes().fit(table, levels[y])
    filled(server, table)
    told = in_order(server.execute(model.to_sql("postgres", keep=["id"])).fetchall())
    assert np.abs(told - model.predict_proba(table)).max() <= 1e-12
    assert server.execute(f"SELECT count({quoted(names[0])}) FROM rows").fetchone() == (200,)


def test_dates_and_times(server: Any) -> None:
    moments = np.arange("2020-01-01T00", "2020-01-05T00", dtype="datetime64[h]").astype("datetime64[us]")
    y = np.where(np.arange(len(moments)) < 40, "early", "late")
    table = {"day": moments.astype("datetime64[D]"), "at": moments}
    model = likely.NaiveBayes(families="classical").fit(table, y)
    server.execute("DROP TABLE IF EXISTS times")
    server.execute("CREATE TABLE times (id BIGINT, day DATE, at TIMESTAMP)")
    for i, moment in enumerate(moments):
        server.execute("INSERT INTO times VALUES (%s, %s, %s)", (i, str(moment)[:10], str(moment)))
    told = in_order(server.execute(model.to_sql("postgres", source="times", keep=["id"])).fetchall())
    assert np.abs(told - model.predict_proba(table)).max() <= 1e-12
