"""`likely learn` when nobody says which model: the pool, simpler models beside it, and its evidence."""

from __future__ import annotations

import json

import numpy as np
import pytest

import likely
from likely.compare import cross_validate
from likely.score import calibration_error


@pytest.fixture
def table(folder):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    a, b = rng.normal(size=120) + 1.5 * y, np.where(rng.random(120) < 0.3, "u", np.where(y == 1, "v", "w"))
    rows = "".join(f"{x:.3f},{level},{'yes' if k else 'no'}\n" for x, level, k in zip(a, b, y, strict=True))
    (folder / "t.csv").write_text(f"a,b,y\n{rows}")
    return folder / "t.csv"


def test_the_default_is_the_pool_beside_simpler_models(cli, folder, table):
    said = json.loads(cli.ok("learn", "t.csv", "-t", "y", "--folds", "3", "--seed", "2", "--json"))
    assert said["model"] == "Classifier"
    assert set(said["models"]) == {"pool", "naive-bayes", "logistic", "gaussian"}
    rows = likely.read(table, into="dict")
    own = cross_validate(likely.NaiveBayes(), rows, "y", folds=3, seed=2)
    told = said["models"]["naive-bayes"]
    for measure, score in own.scores.items():
        assert told[measure]["estimate"] == pytest.approx(float(score))
        assert told[measure]["standard error"] == pytest.approx(score.standard_error)
    error = calibration_error(rows["y"][own.rows], own.probabilities, classes=list(own.classes))
    assert told["calibration error"]["estimate"] == pytest.approx(float(error))
    assert said["models"]["pool"]["log loss"] == {
        name: said["cross-validation"]["scores"]["log loss"][name] for name in ("estimate", "standard error")
    }
    model = likely.load(folder / "t.likely")
    assert {m["member"]: m["weight"] for m in said["pool"]["members"]} == model.weights_
    assert set(said["pool"]["mean absolute evidence"]) == {"a", "b"}


def test_it_is_shown_for_people(cli, table):
    out = cli.ok("learn", "t.csv", "-t", "y", "--folds", "2")
    assert "Models side by side" in out
    assert "The members of the pool" in out
    assert "of the log-odds" in out


def test_what_is_said_of_distributions_means_naive_bayes(cli, folder, table):
    cli.ok("learn", "t.csv", "-t", "y", "--prior", "none", "--folds", "0")
    assert isinstance(likely.load(folder / "t.likely"), likely.NaiveBayes)
    assert (
        "--prior does not apply to --model pool"
        in cli("learn", "t.csv", "-t", "y", "--model", "pool", "--prior", "2").err
    )


def test_other_commands_take_a_pool(cli, folder, table):
    cli.ok("learn", "t.csv", "-t", "y", "--folds", "0")
    assert "P(y = yes | a = 2, b = v)" in cli.ok("ask", "t.likely", "P(y=yes | a=2, b=v)")
    assert "yes" in cli.ok("predict", "t.likely", "t.csv")
    assert "interactions, together" in cli.ok("explain", "t.likely", "t.csv", "--row", "1")
    assert "log loss" in cli.ok("evaluate", "t.likely", "t.csv")
    assert "Classifier" in cli.ok("show", "t.likely")
    cli.ok("learn", "t.csv", "-t", "y", "--folds", "0", "--drop", "b", "-o", "less.likely")
    assert cli("diff", "t.likely", "less.likely").code == 0
    refused = cli("sample", "t.likely")
    assert refused.code == 1
    assert "--model naive-bayes" in refused.err
