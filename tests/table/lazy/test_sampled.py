"""A share of the rows of a table in a database: taken there, and nothing else is changed there."""

from __future__ import annotations

import duckdb
import narwhals.stable.v2 as nw

from likely.table.lazy.rows import sampled


def test_a_database_keeps_its_own_views():
    """One of its views is named as a query of DuckDB 1.5 would name the relation that it asks."""
    with duckdb.connect() as database:
        database.execute("CREATE VIEW rows AS SELECT 7 AS own")
        table = database.sql("SELECT range AS a, range % 7 AS b FROM range(100000)")
        some = sampled(nw.from_native(table), 0.01).to_native()
        assert some.columns == ["a", "b"]
        kept = some.fetchall()
        assert 800 < len(kept) < 1200
        assert all(b == a % 7 for a, b in kept)
        assert some.fetchall() == kept
        assert database.sql("SELECT * FROM main.rows").fetchall() == [(7,)]
        views = database.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        assert views == [("rows",)]
