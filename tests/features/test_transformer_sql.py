"""SQL of transformers where databases differ: words for true and false, SQLite, no column left."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import pytest

import likely


def answers(transformer, table, engine):
    if engine == "duckdb":
        connection = duckdb.connect()
        connection.register("rows", table)
        return connection.execute(transformer.to_sql("rows")).df()
    with closing(sqlite3.connect(":memory:")) as connection:
        table.to_sql("rows", connection, index=False)
        return pd.read_sql(transformer.to_sql("rows"), connection)


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("words", [("No", "Yes"), ("F", "T"), ("false", "true")])
@pytest.mark.parametrize("method", ["pca", "svd"])
def test_words_for_true_and_false_are_numbers_in_sql(words, method, engine):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"paid": rng.choice(words, 30), "age": rng.normal(40, 10, 30)})
    model = likely.Decompose(method, 2).fit(table)
    np.testing.assert_allclose(answers(model, table, engine), model.transform(table), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("method", ["z", "variance", "iqr", "minmax", "six_sigma"])
def test_scales_are_the_same_in_sql(method, engine):
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"a": rng.normal(size=50), "b": rng.normal(1e6, 3.0, 50), "c": np.full(50, 2.0)})
    new = pd.DataFrame(
        {"a": 3 * rng.normal(size=50), "b": rng.normal(1e6, 9.0, 50), "c": rng.normal(size=50)}
    )
    new.iloc[::7] = np.nan
    model = likely.Normalize(method).fit(table)
    np.testing.assert_allclose(answers(model, new, engine), model.transform(new), rtol=1e-9, atol=1e-9)


def test_sql_of_no_column_is_refused():
    model = likely.Binarize(drop_first=True).fit({"a": ["only", "only"]})
    with pytest.raises(likely.LikelyError, match="no column"):
        model.to_sql()


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("model", [likely.Order(), likely.Order("frequency"), likely.Evidence()], ids=repr)
def test_a_column_of_0_and_1_that_later_holds_more_is_the_same_in_sql(model, engine):
    """Nobody said that there is no 2: what comes later is taken for the nearer of the two."""
    table = pd.DataFrame({"x": [0, 1, 1, 0, 1, 0, 1, 1], "y": list("abbabaab")})
    new = pd.DataFrame({"x": [3, 1, 0.75, 0.5, 0.25, 0, -2, None]})
    fitted = model.fit(table[["x"]], table["y"])
    wanted, got = fitted.transform(new)["x"], answers(fitted, new, engine)["x"]
    assert got.isna().tolist() == wanted.isna().tolist() == [False] * 7 + [True]
    np.testing.assert_allclose(got[:7].astype(float), wanted[:7].astype(float), rtol=1e-12)
    assert wanted[:7].nunique() == 2
