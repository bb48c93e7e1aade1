"""`likely learn --engine`: files that are read some rows at a time."""

from __future__ import annotations

import json

import numpy as np
import pytest

import likely


@pytest.fixture
def lake(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for i in range(3):
        x = rng.normal(size=400)
        rows = {
            "x": x,
            "who": [f"{i}-{j}" for j in range(400)],
            "y": np.where(x + rng.normal(size=400) > 0, "b", "a"),
        }
        likely.write(rows, tmp_path / f"part-{i}.parquet")
    return tmp_path


@pytest.mark.parametrize("model", ["naive-bayes", "gaussian", "logistic"])
def test_learn_with_an_engine_is_learning_from_all_files(lake, cli, model):
    done = cli(
        "learn", "part-*.parquet", "-t", "y", "--engine", "local", "--model", model, "--drop", "who", "--json"
    )
    facts = json.loads(done.out)
    assert facts["rows"] == 1200
    assert facts["engine"] == "local"
    learnt = likely.load(lake / facts["saved"])
    assert learnt.predict({"x": [3.0, -3.0]}).tolist() == ["b", "a"]


def test_names_of_rows_are_left_out_as_in_memory(lake, cli):
    said = {}
    for keep in ([], ["--keep", "who"]):
        done = cli("learn", "part-*.parquet", "-t", "y", "--engine", "local", "--json", *keep)
        said[bool(keep)] = done.err
        learnt = likely.load(lake / json.loads(done.out)["saved"])
        assert tuple(learnt.record_.schema.names) == (("x", "who") if keep else ("x",))
        (lake / json.loads(done.out)["saved"]).unlink()
    assert "column 'who' is left out: 400 different values in 400 rows" in said[False]
    assert "--keep 'who'" in said[False]
    assert "who" not in said[True]


def test_what_an_engine_cannot_do_is_said(lake, cli):
    for options, said in (
        (("--model", "pool"), "needs all rows in memory"),
        (("--weight", "x"), "--weight does not apply"),
        (("--drop", "nobody"), "nobody"),
        (("--address", "tcp://there:1"), "name its engine"),
    ):
        engine = () if "--address" in options else ("--engine", "local")
        done = cli("learn", "part-*.parquet", "-t", "y", *engine, *options)
        assert said in done.err
