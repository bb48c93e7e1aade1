"""`evaluate`, `calibrate` and `decide`: what the library says, from the command line."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

import likely
from likely.cli.work import evaluate
from likely.score import auc, calibration_error, log_loss, reliability, roc
from likely.table.batch.batches import batches

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself

PEOPLE = likely.read("titanic", into="dict")
TRUTH = PEOPLE["survived"]
ROWS = {name: column for name, column in PEOPLE.items() if name != "survived"}


@pytest.fixture
def answers(cli, titanic):
    """A file with probabilities: p_no, p_yes and the target."""
    cli.ok("predict", titanic, "titanic", "-o", "answers.csv")
    return "answers.csv"


@pytest.fixture
def p():
    return likely.NaiveBayes().fit(PEOPLE, "survived").predict_proba(ROWS)[:, 1]


SCORES = ("--score-column", "p_yes", "--target", "survived", "--positive", "yes")


class TestEvaluate:
    def test_a_model(self, cli, titanic, p):
        said = json.loads(cli.ok("evaluate", titanic, "titanic", "--json"))
        assert said["measures"]["log loss (nats)"]["estimate"] == pytest.approx(log_loss(TRUTH, p))
        assert said["measures"]["AUC"]["standard error"] == pytest.approx(auc(TRUTH, p).standard_error)
        assert said["measures"]["calibration error"]["estimate"] == pytest.approx(calibration_error(TRUTH, p))
        assert list(said["curves"]) == ["yes"]
        curve, direct = said["curves"]["yes"], roc(TRUTH, p)
        assert curve["tpr"] == direct.tpr.tolist()
        assert curve["AUC interval"] == pytest.approx(direct.auc.interval())
        ratios = [float(r) for r in curve["hull"]["likelihood ratio"]]
        assert ratios == pytest.approx(direct.hull.likelihood_ratio.tolist())
        assert said["reliability"]["yes"]["share"] == reliability(TRUTH, p).share.tolist()
        out = cli.ok("evaluate", titanic, "titanic")
        assert out.startswith("survived of 2201 rows of titanic\n")
        assert "Where to cut for the fewest errors" in out

    def test_a_column_of_scores_says_the_same(self, cli, titanic, answers):
        of_model = json.loads(cli.ok("evaluate", titanic, "titanic", "--json"))
        of_scores = json.loads(cli.ok("evaluate", "--scores", answers, *SCORES, "--json"))
        for name, measure in of_model["measures"].items():
            assert of_scores["measures"][name] == pytest.approx(measure)

    def test_scores_that_are_no_probabilities(self, cli, folder):
        (folder / "s.csv").write_text("s,y\n-3,a\n1,b\n2,a\n7,b\n0,\n")
        done = cli("evaluate", "--scores", "s.csv", "--score-column", "s", "--target", "y", "--json")
        assert json.loads(done.out)["measures"] == {
            "AUC": {
                "estimate": 0.75,
                "standard error": pytest.approx(
                    float(auc([0, 1, 0, 1], [0.1, 0.5, 0.6, 0.9]).standard_error)
                ),
            }
        }
        assert "1 row without a value of 'y' left out" in done.err

    def test_a_file_is_judged_in_pieces_as_a_whole(self, cli, folder, monkeypatch):
        """Of classes and of numbers, in whose first piece nothing is told."""
        monkeypatch.setattr(evaluate, "batches", partial(batches, rows=300))
        rng = np.random.default_rng(8)
        x = rng.normal(size=1000).round(3)
        table = {"x": x, "y": np.where(x + rng.normal(size=1000) > 0, 2, 1), "z": x + rng.normal(size=1000)}
        likely.NaiveBayes(families="classical").fit({"x": x, "y": table["y"]}, "y").save("classes.likely")
        likely.LinearRegression().fit({"x": x, "z": table["z"]}, "z").save("numbers.likely")
        likely.write({"x": x} | {n: np.where(np.arange(1000) < 350, np.nan, table[n]) for n in "yz"}, "t.csv")
        p = likely.load("classes.likely").predict_proba({"x": x[350:]})
        of_classes = cli("evaluate", "classes.likely", "t.csv", "--json")
        assert "350 rows without a value" in of_classes.err
        said = json.loads(of_classes.out)["measures"]["log loss (nats)"]["estimate"]
        assert said == pytest.approx(log_loss(table["y"][350:], p), rel=1e-12)
        of_numbers = json.loads(cli.ok("evaluate", "numbers.likely", "t.csv", "--json"))["measures"]
        off = likely.load("numbers.likely").predict({"x": x[350:]}) - table["z"][350:]
        assert of_numbers["RMSE"]["estimate"] == pytest.approx(np.sqrt(np.mean(off**2)), rel=1e-9)

    @pytest.mark.parametrize("ending", ["svg", "png"])
    def test_pictures(self, cli, titanic, folder, ending):
        cli.ok("evaluate", titanic, "titanic", "--plot", f"picture.{ending}")
        head = {"svg": b"<?xml", "png": b"\x89PNG"}[ending]
        assert (folder / f"picture.{ending}").read_bytes().startswith(head)
        assert cli("evaluate", titanic, "titanic", "--plot", f"picture.{ending}").code == 1  # it exists

    @pytest.mark.parametrize(
        ("arguments", "code", "said"),
        [
            ([], 2, "give a MODEL and a FILE"),
            (["--scores", "titanic"], 2, "--score-column"),
            (
                ["--scores", "titanic", "--score-column", "agee", "--target", "survived"],
                1,
                "did you mean 'age'",
            ),
        ],
    )
    def test_refused(self, cli, folder, arguments, code, said):
        done = cli("evaluate", *arguments)
        assert (done.code, said in done.err) == (code, True)

    def test_a_file_without_the_target(self, cli, titanic, folder):
        (folder / "x.csv").write_text("class,sex,age\n1st,male,adult\n")
        done = cli("evaluate", titanic, "x.csv")
        assert done.code == 1
        assert "no column 'survived'" in done.err

    def test_three_classes(self, cli, folder):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 3, 60)
        rows = [f"{x:.3f},{'abc'[c]}" for x, c in zip(rng.normal(size=60) + y, y, strict=True)]
        (folder / "t.csv").write_text("\n".join(["x,y", *rows]))
        cli.ok("learn", "t.csv", *NB, "-t", "y", "--folds", "0")
        said = json.loads(cli.ok("evaluate", "t.likely", "t.csv", "--json", "--plot", "t.svg"))
        assert list(said["curves"]) == ["a", "b", "c"]


class TestDecide:
    def test_costs(self, cli, titanic):
        out = cli.ok("decide", titanic, "titanic", "--cost", "yes->no=5", "--json")
        rows = [json.loads(line) for line in out.splitlines()]
        decider = likely.Decider(likely.load(titanic), costs="yes->no=5")
        assert [row["decision"] for row in rows] == decider.predict(ROWS).tolist()
        costs = [row["expected_cost"] for row in rows]
        assert costs == pytest.approx(decider.expected_costs(ROWS).tolist())

    def test_abstention_leaves_cells_empty(self, cli, titanic, folder):
        cli.ok("decide", titanic, "titanic", "--abstain", "0.2", "-o", "out.csv")
        table = likely.read("out.csv", into="dict")
        alone = np.array([value is None for value in table["decision"]])
        assert alone.any()
        assert (table["expected_cost"][alone] == 0.2).all()
        assert (table["expected_cost"][~alone] <= 0.2).all()

    def test_threshold(self, cli, titanic, p):
        options = ["--rule", "threshold", "--positive", "yes", "--threshold", "0.3", "--json"]
        out = cli.ok("decide", titanic, "titanic", *options)
        called = [json.loads(line)["decision"] == "yes" for line in out.splitlines()]
        assert called == (p >= 0.3).tolist()

    def test_a_model_of_numbers(self, cli, folder):
        likely.LinearRegression().fit({"x": [1.0, 2.0, 3.0]}, [1.0, 2.5, 3.0]).save("line.likely")
        (folder / "x.csv").write_text("x\n1\n")
        done = cli("decide", "line.likely", "x.csv")
        assert (done.code, "a LinearRegression has no probabilities of classes" in done.err) == (1, True)

    def test_refused(self, cli, titanic):
        done = cli("decide", titanic, "titanic", "--cost", "yes->noo=5")
        assert (done.code, "did you mean 'no'" in done.err) == (1, True)


class TestCalibrate:
    def test_as_the_library(self, cli, answers, p):
        cli.ok("calibrate", answers, *SCORES, "-o", "better.csv")
        found = likely.read("better.csv", into="dict")["calibrated"]
        assert found == pytest.approx(likely.calibrate.isotonic(TRUTH == "yes", p)(p), abs=1e-9)

    @pytest.mark.parametrize("method", ["logistic", "means", "beta", "bins"])
    def test_every_method(self, cli, answers, method):
        out = cli.ok("calibrate", answers, *SCORES, "--method", method, "--json")
        found = [json.loads(line)["calibrated"] for line in out.splitlines()]
        assert np.mean(found) == pytest.approx(np.mean(TRUTH == "yes"), abs=0.03)

    def test_rows_without_a_target_or_a_score(self, cli, folder):
        (folder / "s.csv").write_text("s,y\n1,no\n2,yes\n2,\n,yes\n")
        out = cli.ok("calibrate", "s.csv", "--score-column", "s", "--target", "y", "--json")
        found = [json.loads(line)["calibrated"] for line in out.splitlines()]
        assert found[:3] == pytest.approx([1 / 3, 2 / 3, 2 / 3])
        assert found[3] is None

    @pytest.mark.parametrize(
        ("table", "said"),
        [
            ("s,y\nx,no\nz,yes\n", "does not hold numbers"),
            ("s,y\n1,a\n2,b\n3,c\n", "--positive"),
            ("s,y\n1,\n2,\n", "no row of s.csv"),
        ],
    )
    def test_refused(self, cli, folder, table, said):
        (folder / "s.csv").write_text(table)
        done = cli("calibrate", "s.csv", "--score-column", "s", "--target", "y")
        assert (done.code, said in done.err) == (1, True), done.err


class TestCalibrateModels:
    """A model file in, a calibrated model file out."""

    def test_the_calibrated_model(self, cli, titanic):
        said = json.loads(cli.ok("calibrate", titanic, "titanic", "--json"))
        direct = likely.Calibrated(likely.load(titanic), cv="prefit").fit(PEOPLE, "survived")
        assert (said["method"], said["target"], said["rows"]) == (direct.method_, "survived", 2201)
        assert {name: loss["estimate"] for name, loss in said["log loss"].items()} == direct.log_losses_
        again = likely.load(said["saved"])
        assert said["saved"].endswith("titanic-calibrated.likely")
        assert (again.predict_proba(ROWS) == direct.predict_proba(ROWS)).all()
        assert cli("calibrate", titanic, "titanic").code == 1  # it exists
        assert "calibrated by isotonic on 2201 rows" in cli.ok("calibrate", titanic, "titanic", "--force")

    @pytest.mark.parametrize("method", ["logistic", "means", "beta", "isotonic", "bins", "temperature"])
    def test_every_method(self, cli, titanic, method):
        cli.ok("calibrate", titanic, "titanic", "--method", method, "-o", "c.likely")
        assert likely.load("c.likely").method_ == method

    def test_what_commands_do_with_it(self, cli, titanic):
        cli.ok("calibrate", titanic, "titanic", "-o", "c.likely")
        model = likely.load("c.likely")
        p = model.predict_proba(ROWS)
        said = json.loads(cli.ok("evaluate", "c.likely", "titanic", "--json"))
        assert said["measures"]["log loss (nats)"]["estimate"] == pytest.approx(log_loss(TRUTH, p))
        rows = [json.loads(line) for line in cli.ok("predict", "c.likely", "titanic", "--json").splitlines()]
        assert [row["p_yes"] for row in rows] == pytest.approx(p[:, 1].tolist())
        out = cli.ok("decide", "c.likely", "titanic", "--cost", "yes->no=5", "--json")
        called = [json.loads(line)["decision"] for line in out.splitlines()]
        assert called == likely.Decider(model, costs="yes->no=5").predict(ROWS).tolist()
        shown = cli.ok("show", "c.likely")
        assert shown.startswith("Calibrated NaiveBayes of 'survived': isotonic, from 2201 rows")
        assert str(likely.load(titanic).describe()) in shown
        assert json.loads(cli.ok("show", "c.likely", "--json"))["model"]["estimator"] == "NaiveBayes"
        assert "calibration" in cli.ok("explain", "c.likely", "titanic", "--row", "1")
        done = cli("sample", "c.likely")
        assert (done.code, "Take the model that was calibrated" in done.err) == (1, True)

    @pytest.mark.parametrize(
        ("arguments", "code", "said"),
        [
            ([], 2, "give a MODEL and a FILE"),
            (["titanic"], 2, "--score-column and --target"),
            (["m.likely", "titanic", "--score-column", "p"], 2, "without a MODEL"),
            (["answers.csv", *SCORES, "--method", "temperature"], 2, "is for models"),
            (["m.likely", "titanic"], 1, "there is no model m.likely"),
        ],
    )
    def test_refused(self, cli, folder, arguments, code, said):
        done = cli("calibrate", *arguments)
        assert (done.code, said in done.err) == (code, True), done.err

    def test_a_file_without_the_target(self, cli, titanic, folder):
        (folder / "x.csv").write_text("class,sex,age\n1st,male,adult\n")
        done = cli("calibrate", titanic, "x.csv")
        assert (done.code, "no column 'survived'" in done.err) == (1, True)
