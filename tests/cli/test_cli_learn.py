"""`likely learn`: what it learns, shows, saves and refuses."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import likely
from likely.compare import cross_validate

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself


def test_titanic_from_start_to_end(cli, folder):
    out = cli.ok("learn", "titanic", *NB, "--target", "survived")
    assert "class   categorical  categorical  1st, 2nd, 3rd, crew" in out
    assert "log loss (nats)     0.515  ± 0.011            0.629" in out
    assert "yes    sex = female            +1.74  x 5.7             48%" in out
    assert out.endswith("saved titanic.likely\n")
    again = likely.load(folder / "titanic.likely")
    people = likely.read("titanic", into="dict")
    before = likely.NaiveBayes().fit(people, "survived")
    del people["survived"]
    expected = before.predict_proba(people)
    assert np.array_equal(again.predict_proba(people), expected)
    assert again.record_.target.name == "survived"


def test_json_has_what_cross_validation_and_counts_say(cli):
    said = json.loads(
        cli.ok("learn", "titanic", *NB, "-t", "survived", "--json", "--folds", "4", "--seed", "3")
    )
    people = likely.read("titanic", into="dict")
    expected = cross_validate(likely.NaiveBayes(), people, "survived", folds=4, seed=3)
    assert said["cross-validation"] == expected.to_dict()
    assert said["classes"] == {"no": 1490, "yes": 711}
    assert said["saved"] == "titanic.likely"
    female = said["evidence"]["yes"][0]
    share = {label: _share(people, label) for label in ("yes", "no")}
    assert (female["column"], female["value"]) == ("sex", "= female")
    assert female["evidence"] == pytest.approx(math.log(share["yes"] / share["no"]))
    assert female["share of class"] == pytest.approx(
        (people["sex"][people["survived"] == "yes"] == "female").mean()
    )


def _share(people, label):
    """P(female given class), with Laplace's correction."""
    sex = people["sex"][people["survived"] == label]
    return ((sex == "female").sum() + 1) / (len(sex) + 2)


def test_evidence_of_numbers_is_a_range(cli, folder):
    x = np.r_[np.linspace(-1, 1, 50), np.linspace(9, 11, 50)]
    rows = "".join(f"{value},{'low' if value < 5 else 'high'}\n" for value in x)
    (folder / "x.csv").write_text(f"x,y\n{rows}")
    said = json.loads(cli.ok("learn", "x.csv", *NB, "-t", "y", "--family", "normal", "--json"))["evidence"]
    low, high = said["low"][0], said["high"][0]
    assert low["value"].startswith("up to ")
    assert float(low["value"].split()[-1]) == pytest.approx(5, abs=0.2)  # halfway: equal spreads
    assert float(high["value"].split()[1]) == pytest.approx(5, abs=0.2)
    assert high["share of class"] == pytest.approx(1, abs=0.01)
    # the expected log-ratio of two normals of one spread is d^2/2 in units of it
    sd = likely.load(folder / "x.likely").record_.core.parts[0].distribution.sd[0, 0]
    assert low["evidence"] == pytest.approx((10 / sd) ** 2 / 2, rel=0.02)


def test_evidence_of_texts_are_words(cli, folder):
    rows = ["win money now,spam", "win a prize,spam", "see you now,ham", "see the dog,ham"]
    (folder / "m.csv").write_text("\n".join(["text,y", *rows]))
    said = json.loads(
        cli.ok("learn", "m.csv", *NB, "-t", "y", "--kind", "text=text", "--json", "--folds", "2")
    )
    assert said["columns"][0]["kind"] == "text"
    assert said["evidence"]["spam"][0]["value"] == "has 'win'"
    spam, ham = 6, 6  # words; 9 different ones: a dog money now prize see the win you
    assert said["evidence"]["spam"][0]["evidence"] == pytest.approx(
        math.log((3 / (spam + 9)) / (1 / (ham + 9)))
    )


@pytest.mark.parametrize(
    ("options", "kind", "family"),
    [
        (["--kind", "visits=count"], "count", "poisson"),
        (["--kind", "visits=0<1<2<3<4<5"], "ordinal", "categorical"),
        (["--family", "visits=kernel"], "quantitative", "kernel"),
        (["--family", "poisson"], "count", "poisson"),
        (["--kind", "categorical"], "categorical", "categorical"),
    ],
    ids=["count", "levels", "kernel", "all families", "all kinds"],
)
def test_kinds_and_families(cli, folder, options, kind, family):
    rows = "".join(f"{i % 5},{'ab'[i % 2]}\n" for i in range(20))
    (folder / "v.csv").write_text(f"visits,y\n{rows}")
    said = json.loads(cli.ok("learn", "v.csv", *NB, "-t", "y", "--json", *options))["columns"][0]
    assert (said["kind"], said["family"]) == (kind, family)


def test_families_by_themselves(cli, folder):
    x = np.random.default_rng(0).exponential(size=300)
    (folder / "e.csv").write_text("x,y\n" + "".join(f"{v},{i % 2}\n" for i, v in enumerate(x)))
    said = json.loads(cli.ok("learn", "e.csv", "-t", "y", "--family", "auto", "--json"))
    assert said["columns"][0]["family"] == "exponential"


def test_settings_reach_the_model(cli, folder):
    cli.ok("learn", "titanic", "-t", "survived", "--prior", "none", "--missing", "level", "--drop", "age")
    model = likely.load("titanic.likely")
    assert (model.prior, model.missing, model.feature_names_in_.tolist()) == (None, "level", ["class", "sex"])
    cli.ok("learn", "titanic", "-t", "survived", "--prior", "2.5", "--folds", "0", "-o", "other.likely")
    assert likely.load("other.likely").prior == 2.5


def test_weights(cli, folder):
    (folder / "w.csv").write_text("x,w,y\na,3,yes\nb,1,no\nb,2,yes\na,0,no\n")
    cli.ok("learn", "w.csv", *NB, "-t", "y", "--weight", "w", "--folds", "0")
    record = likely.load("w.likely").record_
    assert record.schema.names == ("x",)
    assert dict(zip(record.classes, record.tally.groups.tolist(), strict=True)) == {"no": 1, "yes": 5}


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["1", "0", "", "1"], [0, 1]),
        (["true", "", "false", "true"], [False, True]),
        (["a", "?", "b", "NA"], ["a", "b"]),
    ],
    ids=["numbers", "truths", "texts"],
)
def test_rows_without_a_target_are_left_out(cli, folder, cells, classes):
    (folder / "t.csv").write_text("x,y\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells)))
    done = cli("learn", "t.csv", *NB, "-t", "y", "--folds", "0")
    assert done.code == 0
    gone = 4 - sum(cell not in ("", "?", "NA") for cell in cells)
    assert (
        f"note: {gone} row{'s' if gone > 1 else ''} without a value of the target 'y' left out." in done.err
    )
    assert likely.load("t.likely").classes_.tolist() == classes


def test_names_of_rows_are_pointed_at(cli, folder):
    (folder / "n.csv").write_text("id,y\n" + "".join(f"k{i},{i % 2}\n" for i in range(30)))
    assert "--drop 'id' leaves it out" in cli("learn", "n.csv", *NB, "-t", "y").err


def test_few_rows(cli, folder):
    (folder / "f.csv").write_text("x,y\n1,a\n2,b\n")
    done = cli("learn", "f.csv", *NB, "-t", "y")
    assert done.code == 0
    assert "no cross-validation: no class has two rows" in done.err
    (folder / "f.csv").write_text("x,y\n1,a\n2,a\n3,a\n")
    assert "3-fold cross-validation" in cli.ok("learn", "f.csv", *NB, "-t", "y")


def test_an_older_model_is_replaced_and_nothing_else(cli, folder):
    cli.ok("learn", "titanic", *NB, "-t", "survived", "--folds", "0")
    cli.ok("learn", "titanic", *NB, "-t", "sex", "--folds", "0")
    assert likely.load("titanic.likely").record_.target.name == "sex"
    (folder / "notes.txt").write_text("precious")
    done = cli("learn", "titanic", *NB, "-t", "survived", "-o", "notes.txt")
    assert (done.code, done.out) == (1, "")
    assert "notes.txt exists: --force replaces it" in done.err
    assert (folder / "notes.txt").read_text() == "precious"
    cli.ok("learn", "titanic", *NB, "-t", "survived", "-o", "notes.txt", "--force", "--folds", "0")
    assert likely.load("notes.txt").classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (
            [],
            2,
            "--target is missing: name the column to predict. titanic has 'class', 'sex', 'age', 'survived'.",
        ),
        (
            ["-t", "Survived"],
            1,
            "titanic has no column 'Survived' to be the target: did you mean 'survived'?",
        ),
        (["-t", "survived", "--kind", "sx=ordinal"], 1, "no column 'sx'; did you mean 'sex'?"),
        (["-t", "survived", "--kind", "sex=odd"], 1, "'sex'"),
        (["-t", "survived", "--kind", "sex=male<boy"], 1, "'female', which is not among the levels"),
        (
            ["-t", "survived", "--family", "sex=normal"],
            1,
            "column 'sex' should hold numbers, but row 1 holds 'male'",
        ),
        (["-t", "survived", "--drop", "x"], 1, "--drop 'x': there is no such column"),
        (["-t", "survived", "--drop", "survived"], 1, "cannot be left out"),
        (["-t", "survived", "--weight", "sex"], 1, "--weight 'sex': weights are numbers"),
        (["-t", "survived", "--prior", "weak"], 1, "--prior 'weak': give 'default'"),
        (["-t", "survived", "--model", "magic"], 2, "naive-bayes"),
        (["-t", "survived", "--folds", "1"], 1, "--folds 1: give a whole number of 2 or more"),
        (["-t", "survived", "-o", "no/such/m.likely"], 1, "there is no folder no/such"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_refusals_say_what_and_what_to_do(cli, folder, options, code, said):
    done = cli("learn", "titanic", *NB, *options)
    assert done.code == code
    assert said in done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") <= 2
    assert done.out == ""
    assert list(folder.iterdir()) == []


def test_a_target_without_classes(cli, folder):
    (folder / "t.csv").write_text("x,y\n" + "".join(f"1,name{i}\n" for i in range(40)))
    assert "'y' has 40 different values in 40 rows" in cli("learn", "t.csv", *NB, "-t", "y").err
    (folder / "t.csv").write_text("x,y\n1,\n2,\n")
    assert "missing in every row" in cli("learn", "t.csv", *NB, "-t", "y").err


@pytest.mark.parametrize(
    ("name", "target", "accuracy"),
    [
        ("iris.csv", "species", 0.95),
        ("house_votes_84.csv", "Class", 0.947),
        ("hepatitis.csv", "Class", 0.84),
        ("sms_spam.csv", "label", 0.985),
        ("penguins.csv", "species", 0.97),
    ],
)
def test_real_data(cli, shared_data, name, target, accuracy):
    """Accuracies of naive Bayes that are known from the literature, within four standard errors."""
    said = json.loads(cli.ok("learn", shared_data / name, *NB, "-t", target, "--json"))
    score = said["cross-validation"]["scores"]["accuracy"]
    assert score["estimate"] == pytest.approx(accuracy, abs=4 * score["standard error"])
    assert all(said["evidence"].values())


def test_texts_that_are_coded_by_characters_have_no_words_to_count(cli, tmp_path):
    texts = [
        f"the weather of day {i} was {'fine and dry' if i % 2 else 'wet and cold'} here" for i in range(40)
    ]
    rows = [f"{text},{'good' if i % 2 else 'bad'}\n" for i, text in enumerate(texts)]
    (tmp_path / "days.csv").write_text("text,day\n" + "".join(rows))
    learn = (
        "learn",
        "days.csv",
        "-t",
        "day",
        "--model",
        "compression",
        "--kind",
        "text=text",
        "--folds",
        "0",
    )
    line = next(line for line in cli.ok(*learn).splitlines() if line.startswith("text "))
    assert "by their characters" in line
