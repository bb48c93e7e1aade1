"""Tables of database servers by their address."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from postgres_server import connected

import likely
from likely import LikelyError

URL = "postgresql://me:secret@warehouse:1/shop"


def stand_in(monkeypatch, **connection):
    """Ibis with a driver that fails, as it would."""

    def connect(url):
        if not connection:
            raise OSError("no route to warehouse\nas me with secret")
        return SimpleNamespace(**connection)

    monkeypatch.setitem(sys.modules, "ibis", SimpleNamespace(connect=connect))


def test_without_ibis_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ibis", None)
    with pytest.raises(LikelyError, match=r"pip install 'ibis-framework\[postgres\]'") as refused:
        likely.scan(f"{URL}#orders")
    assert "secret" not in str(refused.value)


def test_a_server_that_cannot_be_reached(monkeypatch):
    stand_in(monkeypatch)
    with pytest.raises(
        LikelyError, match=r"me:\.\.\.@warehouse:1/shop: no route to warehouse\. Check"
    ) as refused:
        likely.scan(f"{URL}#orders")
    assert "secret" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("#order", "there is no table 'order'. Write #TABLE after it; there are lines, orders"),
        ("", "no table is named"),
    ],
)
def test_a_table_that_is_not_there(monkeypatch, table, said):
    stand_in(monkeypatch, list_tables=lambda: ["orders", "lines"])
    with pytest.raises(LikelyError) as refused:
        likely.scan(URL + table)
    assert said in str(refused.value)


def test_queries_are_views(monkeypatch):
    with pytest.raises(LikelyError, match="make a view"):
        likely.scan(f"{URL}#orders", query="select 1")


# Ibis leaves it to the interpreter to close a connection, of which psycopg complains.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_learn_from_a_server(postgres, cli, folder, titanic_rows):
    pytest.importorskip("ibis", reason="takes Ibis")
    with connected(postgres) as connection:
        connection.execute("create table people (class text, sex text, age text, survived text)")
        with connection.cursor() as cursor, cursor.copy("copy people from stdin") as copy:
            for row in titanic_rows:
                copy.write_row(row)
    url = f"postgresql://likely:secret@127.0.0.1:{postgres}/postgres#people"
    fitted = likely.NaiveBayes().fit(likely.scan(url), "survived")
    known = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
    someone = {"class": ["1st"], "sex": ["female"], "age": ["adult"]}
    assert fitted.predict_proba(someone) == pytest.approx(known.predict_proba(someone), abs=1e-12)
    assert "saved people.likely" in cli.ok("learn", url, "-t", "survived")
    refused = cli("learn", url)
    assert "--target is missing" in refused.err
    assert "secret" not in refused.err
    assert b"secret" not in (folder / "people.likely").read_bytes()


@pytest.fixture
def titanic_rows():
    table = likely.read("titanic", into="dict")
    return [tuple(map(str, row)) for row in zip(*table.values(), strict=True)]
