"""`likely compress` and `likely decompress`."""

from __future__ import annotations

import json

import likely

TABLE = b"n,parity\r\n" + b"".join(b"%d,%s\r\n" % (i, b"odd" if i % 2 else b"even") for i in range(200))


def test_there_and_back(cli, folder):
    (folder / "t.csv").write_bytes(TABLE)
    said = json.loads(cli("compress", "t.csv", "--json").out)
    small = folder / "t.csv.ltz"
    assert said["bytes"] == len(TABLE)
    assert said["compressed"] == small.stat().st_size < len(TABLE) / 10
    assert said["columns"]["column"] == ["n", "parity"]
    assert cli("compress", "t.csv").code == 1  # the file is there
    (folder / "t.csv").unlink()
    assert f"{len(TABLE):,} bytes" in cli("decompress", "t.csv.ltz").out
    assert (folder / "t.csv").read_bytes() == TABLE
    assert "hangs on" in cli("compress", "t.csv", "--force").out


def test_refusals(cli, folder):
    (folder / "t.csv").write_bytes(TABLE)
    assert "does not end in .ltz" in cli("decompress", "t.csv").err
    assert "no table that" in cli("decompress", "t.csv", "-o", "x.csv").err
    assert "cannot be read" in cli("compress", "none.csv").err
    assert not (folder / "x.csv").exists()
    assert not (folder / "none.csv.ltz").exists()


def test_rows_by_a_model(cli):
    cli.ok("learn", "titanic", "-t", "survived", "--model", "network", "-o", "m.likely")
    said = json.loads(cli.ok("compress", "titanic", "--model", "m.likely", "-o", "t.lrc", "--json"))
    assert said["rows"] == 2201
    assert said["bits"] < 7500
    assert said["compressed"] < 1000
    assert "2,201 rows" in cli.ok("decompress", "t.lrc", "--model", "m.likely", "-o", "again.csv")
    again = likely.read("again.csv", into="pandas")
    assert (again == likely.read("titanic", into="pandas")[again.columns]).all().all()
    assert (
        "no rows that a model has coded"
        in cli("decompress", "again.csv", "--model", "m.likely", "-o", "x").err
    )
