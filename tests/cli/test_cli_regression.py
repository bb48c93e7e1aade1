"""`likely learn --model ...`: every sort of model from start to end, and targets that are numbers."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from drive import piped
from sklearn.linear_model import LinearRegression

import likely
from likely.compare import cross_validate, cross_validate_outcomes

MODELS = ("naive-bayes", "gaussian", "mixture", "logistic")


@pytest.fixture
def cars(folder):
    """Prices that are known sums, and noise."""
    rng = np.random.default_rng(5)
    n = 120
    km, petrol = rng.uniform(0, 200, n), rng.random(n) < 0.5
    price = 30 - 0.1 * km + 2 * petrol + rng.normal(0, 1, n)
    age = np.where(rng.random(n) < 0.1, np.nan, km / 15 + rng.normal(0, 1, n))
    rows = zip(km, petrol, age, price, strict=True)
    lines = [
        f"{k:.3f},{'petrol' if p else 'diesel'},{'' if np.isnan(a) else round(a, 3)},{y:.3f}"
        for k, p, a, y in rows
    ]
    (folder / "cars.csv").write_text("\n".join(["km,fuel,age,price", *lines]) + "\n")
    return likely.read(folder / "cars.csv", into="dict")


@pytest.mark.parametrize("model", [MODELS[0], *(pytest.param(m, marks=pytest.mark.long) for m in MODELS[1:])])
def test_every_sort_of_classifier_from_start_to_end(model, folder):
    """Piped, as people use it."""
    learnt = piped("learn", "titanic", "-t", "survived", "--model", model, "--folds", 2, "--json", cwd=folder)
    assert learnt.code == 0, learnt.err
    said = json.loads(learnt.out)
    assert said["classes"] == {"no": 1490, "yes": 711}
    assert said["cross-validation"]["scores"]["log loss"]["estimate"] < 0.53
    known, people = likely.load(folder / "titanic.likely"), likely.read("titanic", into="dict")
    predicted = piped("predict", "titanic.likely", "titanic", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(predicted.out)))
    del people["survived"]
    p = known.predict_proba(people)
    assert [float(row["p_yes"]) for row in rows] == pytest.approx(p[:, 1].tolist(), abs=1e-12)
    assert [row["predicted"] for row in rows] == known.predict(people).tolist()


@pytest.mark.parametrize("model", MODELS)
def test_what_each_classifier_can_do(model, cli, folder):
    cli.ok("learn", "titanic", "-t", "survived", "--model", model, "--folds", 0)
    assert "survived" in cli.ok("show", "titanic.likely")
    assert json.loads(cli.ok("show", "titanic.likely", "--json"))
    ledger = json.loads(cli.ok("explain", "titanic.likely", "titanic", "--row", 1, "--json"))
    assert ledger["row"] == 1
    assert "yes" in cli.ok("explain", "titanic.likely", "titanic", "--row", 2, "--class", "yes", "--bits")
    assert "accuracy" in cli.ok("evaluate", "titanic.likely", "titanic")
    assert "decision" in cli.ok("decide", "titanic.likely", "titanic")
    asked = cli("ask", "titanic.likely", "P(survived=yes | sex=female)")
    drawn = cli("sample", "titanic.likely", "-n", 3)
    then = cli("next", "titanic.likely")
    if model == "logistic":
        for done in (drawn, then):
            assert done.code == 1
            assert "a LogisticRegression cannot" in done.err
            assert "Learn with --model naive-bayes" in done.err
        assert asked.code == 1
        assert "tell 'class', 'age' too, or ask a Classifier or a NaiveBayes" in asked.err
        told = "P(survived=yes | sex=female, class=1st, age=adult)"
        p = likely.load("titanic.likely").predict_proba({"sex": "female", "class": "1st", "age": "adult"})
        answer = json.loads(cli.ok("ask", "titanic.likely", told, "--json"))["answer"]
        assert answer == pytest.approx(p[0, 1], abs=1e-12)
    else:
        assert (asked.code, drawn.code, then.code) == (0, 0, 0)


def test_a_quantity_makes_a_pool_beside_a_line(cli, cars):
    said = json.loads(cli.ok("learn", "cars.csv", "-t", "price", "--json"))
    assert said["model"] == "Regressor"
    assert set(said["models"]) == {"regressor", "linear", "mean alone"}
    own, line, mean = (
        said["models"][name]["RMSE"]["estimate"] for name in ("regressor", "linear", "mean alone")
    )
    assert own < 1.2 * line < mean  # the truth is a line
    assert {"members", "mean absolute contribution"} <= set(said["pool"])
    assert "interactions, together" in cli.ok("explain", "cars.likely", "cars.csv", "--row", 2)
    assert "Regressor of price" in cli.ok("show", "cars.likely")


def test_a_quantity_makes_a_regression(cli, cars, folder):
    said = json.loads(cli.ok("learn", "cars.csv", "-t", "price", "--model", "linear", "--json", "--seed", 3))
    assert said["model"] == "LinearRegression"
    assert "classes" not in said
    model = likely.LinearRegression("default")
    expected = cross_validate_outcomes(model, cars, "price", seed=3)
    assert said["cross-validation"] == expected.to_dict()
    assert list(said["cross-validation"]["scores"]) == ["RMSE", "R2", "log density"]
    assert said["cross-validation"]["scores"]["RMSE"]["estimate"] == pytest.approx(1, abs=0.15)
    first = said["coefficients"][0]
    assert first["name"] == "km"
    assert first["coefficient"] == pytest.approx(-0.1, abs=0.02)
    assert first["effect of one sd"] == pytest.approx(first["coefficient"] * cars["km"].std())
    out = cli.ok("learn", "cars.csv", "-t", "price", "--model", "linear")
    assert "RMSE" in out
    assert "mean alone" in out
    assert "one sd adds to price" in out
    model.fit(cars, "price")
    assert np.array_equal(
        likely.load(folder / "cars.likely").predict(_without(cars)), model.predict(_without(cars))
    )


def _without(cars):
    return {name: column for name, column in cars.items() if name != "price"}


def test_least_squares_are_those_of_scikit_learn(cli, cars, folder):
    cli.ok("learn", "cars.csv", "-t", "price", "--model", "linear", "--prior", "none", "--drop", "age")
    x = np.column_stack([cars["km"], cars["fuel"] == "petrol"])
    peer = LinearRegression().fit(x, cars["price"])
    rows = list(csv.DictReader(io.StringIO(cli.ok("predict", "cars.likely", "cars.csv"))))
    predicted = np.array([float(row["predicted"]) for row in rows])
    np.testing.assert_allclose(predicted, peer.predict(x), rtol=1e-10)
    inside = [float(row["lower"]) < float(row["price"]) < float(row["upper"]) for row in rows]
    assert 0.8 < np.mean(inside) < 0.98  # 90 %, and three standard errors of 120 rows are 8 %
    lines = cli.ok("predict", "cars.likely", "-", "--json", stdin=(folder / "cars.csv").read_bytes())
    assert json.loads(lines.splitlines()[0])["predicted"] == pytest.approx(predicted[0])


def test_what_a_model_of_numbers_can_do(cli, cars):
    cli.ok("learn", "cars.csv", "-t", "price", "--model", "linear", "--folds", 0)
    said = json.loads(cli.ok("explain", "cars.likely", "cars.csv", "--row", 2, "--json"))
    adds = sum(column["adds"] for column in said["columns"])
    assert said["baseline"] + adds == pytest.approx(said["prediction"])
    assert said["columns"][0]["value"] == cars["km"][1]
    assert "baseline" in cli.ok("explain", "cars.likely", "cars.csv", "--row", 2)
    shown = json.loads(cli.ok("show", "cars.likely", "--json"))
    assert [line["name"] for line in shown["coefficients"]][:2] == ["intercept", "km"]
    assert "linear regression of price, 120 rows" in cli.ok("show", "cars.likely")
    measures = json.loads(cli.ok("evaluate", "cars.likely", "cars.csv", "--json"))["measures"]
    assert list(measures) == ["RMSE", "R2", "log density (nats)"]
    for wrong in (
        ["explain", "cars.likely", "cars.csv", "--row", 1, "--bits"],
        ["decide", "cars.likely", "cars.csv"],
        ["sample", "cars.likely"],
        ["ask", "cars.likely", "P(price)"],
        ["next", "cars.likely"],
        ["evaluate", "cars.likely", "cars.csv", "--plot", "x.svg"],
    ):
        done = cli(*wrong)
        assert done.code == 1, wrong
        assert "Traceback" not in done.err


def test_weights_and_gaps_in_the_target(cli, folder):
    (folder / "w.csv").write_text("x,w,y\n0,1,0.5\n1,1,1\n2,1,2\n3,0,50\n4,1,\n5,1,5.5\n6,1,6\n")
    done = cli("learn", "w.csv", "-t", "y", "--weight", "w", "--prior", "none", "--json", "--folds", 2)
    assert done.code == 0, done.err
    assert "1 row without a value of the target 'y' left out" in done.err
    (found,) = json.loads(done.out)["coefficients"]
    x, y = np.array([0, 1, 2, 5, 6.0]), np.array([0.5, 1, 2, 5.5, 6])
    assert found["coefficient"] == pytest.approx(np.polyfit(x, y, 1)[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "logistic", "--family", "normal"], "--family does not apply to --model logistic"),
        (["--model", "logistic", "--missing", "level"], "it knows indicator and average"),
        (["--model", "gaussian", "--missing", "average"], "it knows ignore and level"),
        (["--model", "logistic", "--prior", "strong"], "--prior 'strong'"),
        (["--model", "logistic", "--prior", "-1"], "--prior '-1'"),
        (["--model", "naive-bayes", "--prior", "auto"], "--prior 'auto'"),
        (["--model", "linear"], "the outcome 'survived' holds text (such as 'no'): linear regression needs"),
    ],
)
def test_what_does_not_apply_is_refused(cli, options, message):
    done = cli("learn", "titanic", "-t", "survived", *options)
    assert done.code == 1
    assert message in done.err


def test_settings_of_a_regression_arrive(cli, folder):
    cli.ok("learn", "titanic", "-t", "survived", "--model", "logistic", "--prior", "auto", "--folds", 0)
    people = likely.read("titanic", into="dict")
    expected = likely.LogisticRegression("auto").fit(people, "survived")
    again = likely.load(folder / "titanic.likely")
    assert np.array_equal(again.coef_, expected.coef_)
    cli.ok(
        *("learn", "titanic", "-t", "survived", "--model", "logistic", "--prior", "0.5"),
        *("--kind", "class=1st<2nd<3rd<crew", "--missing", "average", "--folds", 0),
    )
    again = likely.load(folder / "titanic.likely")
    assert (again.missing, float(again.prior_.sd)) == ("average", 0.5)
    said = json.loads(cli.ok("learn", "titanic", "-t", "survived", "--model", "logistic", "--json"))
    scores = cross_validate(likely.LogisticRegression(), people, "survived")
    assert said["cross-validation"] == scores.to_dict()


def test_whole_numbers_that_come_back_are_classes(cli, folder):
    lines = [f"{i},{i % 3}" for i in range(40)]
    (folder / "few.csv").write_text("\n".join(["x,y", *lines]))
    assert list(json.loads(cli.ok("learn", "few.csv", "-t", "y", "--json", "--folds", 0))["classes"]) == [
        "0",
        "1",
        "2",
    ]
    lines = [f"{i},{7 * i}" for i in range(40)]
    (folder / "many.csv").write_text("\n".join(["x,y", *lines]))
    said = json.loads(cli.ok("learn", "many.csv", "-t", "y", "--json", "--folds", 0))
    assert said["model"] == "Regressor"
