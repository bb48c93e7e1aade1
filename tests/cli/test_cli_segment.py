"""`likely segment`: hidden states found, described and written, as the Python model finds them."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import likely


@pytest.fixture
def visits(folder):
    """Two patients whose rows alternate and are not in order; the state is what the heat shows."""
    rng = np.random.default_rng(1)
    ill = np.repeat([False, True, False, True], [30, 20, 40, 10])
    table = {
        "patient": np.repeat(["a", "b"], [50, 50]),
        "day": np.tile(np.arange(50), 2),
        "heat": np.where(ill, rng.normal(39, 0.4, 100), rng.normal(37, 0.4, 100)).round(2),
    }
    mixed = rng.permutation(100)
    likely.write({name: values[mixed] for name, values in table.items()}, "visits.csv")
    return ill[mixed], table, mixed


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_states_are_those_of_the_model(cli, folder, visits):
    ill, table, mixed = visits
    told = ["--sequence", "patient", "--order", "day", "-k", "2", "--seed", "3"]
    out = cli.ok("segment", "visits.csv", *told, "-o", "out.csv")
    in_order = {"heat": table["heat"]}
    model = likely.HiddenMarkov(2, restarts=5, random_state=3).fit(in_order, lengths=[50, 50])
    assert out == f"{model.describe()}\n\nwrote out.csv\n"
    written = rows((folder / "out.csv").read_text())
    assert list(written[0]) == ["patient", "day", "heat", "p_0", "p_1", "state"]
    p = np.array([[row["p_0"], row["p_1"]] for row in written], float)
    assert p == pytest.approx(model.predict_proba(in_order, lengths=[50, 50])[mixed], abs=1e-9)
    state = np.array([row["state"] for row in written], int)
    assert (state == model.predict(in_order, lengths=[50, 50])[mixed]).all()
    assert max((state == ill).mean(), (state != ill).mean()) > 0.97
    before = rows((folder / "visits.csv").read_text())
    assert [{name: row[name] for name in before[0]} for row in written] == before


def test_the_number_of_states_is_found(cli, visits, monkeypatch):
    monkeypatch.setattr("likely.cli.segment.STARTS", 1)  # two states so far apart are found from any
    said = json.loads(cli.ok("segment", "visits.csv", "--sequence", "patient", "--order", "day", "--json"))
    best = min(said["tried"], key=lambda one: one["bits"])
    assert best["components"] == 2 == len(said["transitions"])
    assert np.array(said["transitions"]).sum(axis=1) == pytest.approx(1)
    assert said["sequences"] == pytest.approx(2)
    assert said["written"] is None
    shown = cli.ok("segment", "visits.csv", "--sequence", "patient", "--order", "day")
    assert shown.startswith("How many states?\n\nstates  parameters")


def test_left_to_right(cli, folder):
    likely.write({"x": [0.0, 0.1, 0.2, 5.0, 5.1, 4.9, 9.0, 9.2]}, "steps.csv")
    cli.ok("segment", "steps.csv", "-k", "3", "--left-to-right", "-o", "out.csv")
    assert [row["state"] for row in rows((folder / "out.csv").read_text())] == list("00011122")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-k", "0"], "from 1"),
        (["--sequence", "patent"], "patient"),
        (["--order", "dy"], "day"),
        (["--drop", "heat", "--sequence", "patient", "--order", "day"], "no column is left"),
    ],
)
def test_errors(cli, visits, options, said):
    done = cli("segment", "visits.csv", *options)
    assert done.code != 0
    assert said in done.err


def test_a_row_that_does_not_say_when(cli, folder):
    likely.write({"t": [1, None, 2], "x": [0.1, 0.2, 0.3]}, "gaps.csv")
    done = cli("segment", "gaps.csv", "--order", "t", "-k", "1")
    assert done.code == 1
    assert "missing in row 2" in done.err  # people count from 1
