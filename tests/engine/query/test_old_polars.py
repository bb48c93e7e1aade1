"""Polars before 1.34 hands out no batches: its rows come some at a time all the same, in their order."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

import likely
from likely.table.lazy.rows import batches_of

TABLE = {"x": np.arange(25.0), "c": list("abcde") * 5}


@pytest.fixture(autouse=True)
def _old(monkeypatch):
    monkeypatch.delattr(pl.LazyFrame, "collect_batches", raising=False)


@pytest.mark.parametrize("rows", [1, 7, 25, 1000])
def test_the_pieces_are_the_whole(rows):
    frame = pl.LazyFrame(TABLE)
    parts = list(batches_of(nw.from_native(frame), rows))
    assert [len(part) for part in parts[:-1]] == [rows] * (len(parts) - 1)
    assert pl.concat(parts).equals(frame.collect())


def test_a_frame_without_rows_keeps_its_columns():
    (part,) = batches_of(nw.from_native(pl.LazyFrame(TABLE).head(0)), 10)
    assert part.columns == ["x", "c"]


def test_a_model_learns_from_it_what_it_learns_in_memory():
    """By blocks, which logistic regression goes through many times."""
    rng = np.random.default_rng(0)
    table = {"x": rng.normal(size=300), "c": rng.choice(list("ab"), 300)}
    table["y"] = np.where(table["x"] + rng.normal(size=300) > 0, "yes", "no")
    lazily = likely.LogisticRegression(likely.Normal(0, 1)).fit(pl.LazyFrame(table), "y")
    here = likely.LogisticRegression(likely.Normal(0, 1)).fit(table, "y")
    assert lazily.coef_ == pytest.approx(here.coef_, abs=1e-6)
