"""Polars counts a few rows at a time for us, which takes less memory, and for others as they told it to."""

from __future__ import annotations

import os

import polars as pl

import likely
from likely.table.lazy.table import AT_ONCE

TABLE = pl.LazyFrame({"x": [1.0, 2.5, 4.0, 7.0], "y": ["a", "a", "b", "b"]})


def settings() -> list[str]:
    return [value for name, value in pl.Config.state(if_set=True).items() if "SIZE" in name]


def test_queries_go_through_few_rows_at_a_time(monkeypatch):
    seen, collect_all = [], pl.collect_all

    def watched(*frames, **how):
        seen.append(settings())
        return collect_all(*frames, **how)

    monkeypatch.setattr(pl, "collect_all", watched)
    likely.NaiveBayes().fit(TABLE, "y")
    assert seen
    assert all(sizes == [str(AT_ONCE)] for sizes in seen)


def test_what_was_set_before_is_set_afterwards():
    before = dict(os.environ)
    likely.NaiveBayes().fit(TABLE, "y")
    assert dict(os.environ) == before
    with pl.Config(streaming_chunk_size=77, tbl_rows=3):
        within = pl.Config.state(if_set=True)
        likely.NaiveBayes().fit(TABLE, "y")
        assert pl.Config.state(if_set=True) == within
