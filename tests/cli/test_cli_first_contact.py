"""What a newcomer meets in a terminal: warnings that help, summaries, answers beside the data."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from drive import ANY_CODE, Terminal, piped
from scipy.stats import binomtest
from seeds import seeds

import likely
from likely.cli.work.tables import fitting

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself


@pytest.fixture
def titanic(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli.ok("learn", "titanic", "-t", "survived", "--folds", 0, *NB)
    return "titanic.likely"


def test_worse_than_the_base_rate_is_said_with_a_remedy(cli, tmp_path, monkeypatch):
    """Ten copies of a weak column, of which classical naive Bayes counts the same evidence ten times."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.5
    x = np.where(rng.random(400) < 0.6, y, ~y)
    frame = pd.DataFrame({f"x{i}": np.where(x, "p", "q") for i in range(10)} | {"y": np.where(y, "a", "b")})
    frame.to_csv("copies.csv", index=False)
    plain = (*NB, "--prior", "none")  # without a prior, evidence counts in full
    out = cli.ok("learn", "copies.csv", "-t", "y", *plain)
    assert "Warning: on rows that it had not seen, this model is worse than the base rate alone." in out
    assert "--model logistic" in out
    said = json.loads(cli.ok("learn", "copies.csv", "-t", "y", "--json", *plain))
    scores = said["cross-validation"]["scores"]["log loss"]
    assert said["worse than the base rate"]
    assert scores["estimate"] > scores["base rate alone"]
    for sound in ((), NB):
        assert "Warning" not in cli.ok("learn", "copies.csv", "-t", "y", *sound)


def test_a_log_loss_beyond_patience_is_no_row_of_digits(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    x[::20] = 1e7
    frame = pd.DataFrame({"x": x, "y": np.where(np.arange(200) % 2, "a", "b")})
    frame.loc[frame.y == "b", "x"] = rng.normal(size=100) * 1e-3
    frame.loc[0, "x"] = 1e7
    frame.to_csv("far.csv", index=False)
    out = cli.ok("learn", "far.csv", "-t", "y", "--family", "normal")
    line = next(line for line in out.splitlines() if line.startswith("log loss"))
    assert "over 100" in line
    assert not re.search(r"\d{4}", line)


def test_identifiers_are_left_out_unless_kept(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = likely.read("titanic", into="pandas").iloc[::7][:300]
    frame.insert(0, "ticket", [f"no {i}" for i in range(300)])
    frame.insert(1, "number", range(1, 301))
    frame.to_csv("people.csv", index=False)
    done = cli("learn", "people.csv", "-t", "survived", "--folds", 0, "--json", *NB)
    assert [one["column"] for one in json.loads(done.out)["columns"]] == ["class", "sex", "age"]
    assert "column 'ticket' is left out: 300 different values in 300 rows" in done.err
    assert "--keep 'number'" in done.err
    kept = cli.ok("learn", "people.csv", "-t", "survived", "--folds", 0, "--json", "--keep", "number", *NB)
    assert [one["column"] for one in json.loads(kept)["columns"]] == ["number", "class", "sex", "age"]


def test_predict_sums_up_what_it_wrote(cli, titanic):
    out = cli.ok("predict", titanic, "titanic", "-o", "p.csv")
    told, wrote = pd.read_csv("p.csv"), re.search(r"2201 rows: no (\d+) \(\d+%\), yes (\d+)", out)
    assert [int(n) for n in wrote.groups()] == told.predicted.value_counts()[["no", "yes"]].tolist()
    mean = float(re.search(r"mean probability of the answers ([\d.]+)", out)[1])
    assert mean == pytest.approx(told[["p_no", "p_yes"]].max(axis=1).mean(), abs=6e-4)
    out = cli.ok("decide", titanic, "titanic", "--cost", "no->yes=3", "-o", "d.csv")
    told = pd.read_csv("d.csv")
    assert f"no {(told.decision == 'no').sum()} (" in out
    cost = float(re.search(r"mean expected cost ([\d.]+)", out)[1])
    assert cost == pytest.approx(told.expected_cost.mean(), abs=6e-4)


def test_values_never_seen_are_counted(cli, titanic, tmp_path):
    rows = pd.DataFrame({"class": ["9th", "1st", "9th"], "sex": ["male", None, "F"], "age": ["adult"] * 3})
    rows.to_csv("new.csv", index=False)
    done = cli("predict", titanic, "new.csv", "-o", "n.csv")
    assert "column 'class': 2 cells with 1 value that the model has never seen, such as '9th' (2)" in done.err
    assert "missing cells: sex 1" in done.out
    assert "cells never seen in training: class 2, sex 1" in done.out
    pd.DataFrame({"class": ["x", "y"], "sex": ["x", "y"], "age": ["x", "y"]}).to_csv("alien.csv", index=False)
    assert (
        "warning: no cell of these 2 rows is one that the model knows"
        in cli("predict", titanic, "alien.csv").err
    )


def test_json_keeps_numbers_as_numbers(cli, titanic, tmp_path):
    table = likely.read("titanic", into="pandas").head(5).assign(weight=[1, 2, 3, 4, 5], size=[0.5] * 5)
    table.to_csv("few.csv", index=False)
    first = json.loads(cli.ok("predict", titanic, "few.csv", "--json").splitlines()[0])
    assert (first["weight"], first["size"], first["sex"]) == (1, 0.5, table.sex[0])


def test_wide_rows_keep_the_answer():
    assert fitting([10] * 30, 3, 80) == [0, 1, 2, 27, 28, 29]  # 6 * (10 + 2) and the dots
    assert fitting([10, 90, 10], 1, 80) == [0, 2]


def test_ask_beside_the_data(cli, titanic):
    people = likely.read("titanic", into="pandas")
    for given, mask in {
        "sex=female, class=3rd": (people.sex == "female") & (people["class"] == "3rd"),
        "sex=female or class=1st": (people.sex == "female") | (people["class"] == "1st"),
        "not sex=male": people.sex != "male",
    }.items():
        said = json.loads(cli.ok("ask", titanic, f"P(survived=yes | {given})", "--data", "titanic", "--json"))
        hits, n = int((people.survived[mask] == "yes").sum()), int(mask.sum())
        assert (said["data"]["hits"], said["data"]["rows"]) == (hits, n)
        assert said["data"]["p value"] == pytest.approx(binomtest(hits, n, said["answer"]).pvalue, rel=1e-9)
    text = cli.ok("ask", titanic, "P(survived=yes | sex=female, class=3rd)", "--data", "titanic")
    assert "in the data: 90 of 196 rows (0.4592)" in text
    assert "the columns are taken as independent given the class" in text


def test_carets_stand_under_the_place_where_a_comma_is_missing(cli, titanic):
    said = cli("ask", titanic, "P(survived=yes | class=1st sex=male)").err.splitlines()
    assert said[0] == "error: a comma is missing before 'sex': put one between conditions."
    assert said[2].index("^") == said[1].index("sex")
    said = cli("ask", titanic, "P(survived=yes | class=1st class)").err
    assert said.startswith(
        "error: '1st class' is no level of variable 'class': its levels are 1st, 2nd, 3rd, crew."
    )


def test_median_and_variance():
    rng = np.random.default_rng(2)
    table = {"x": rng.normal(5, 2, 400), "y": rng.choice(["a", "b"], 400)}
    model = likely.NaiveBayes(families="normal").fit(table, "y")
    assert float(model.ask("var(x | y=a)")) == pytest.approx(float(model.ask("sd(x | y=a)")) ** 2)
    assert float(model.ask("median(x | y=a)")) == pytest.approx(float(model.ask("quantile(x, 0.5 | y=a)")))
    assert str(model.ask("median(x)")).startswith("median(x) = ")


def test_a_calibrated_model_explains_and_answers(cli, titanic):
    # Without a prior evidence counts in full, in predictions as in answers.
    cli.ok("learn", "titanic", "-t", "survived", "--folds", 0, *NB, "--prior", "none")
    cli.ok("calibrate", titanic, "titanic", "-o", "c.likely")
    model, people = likely.load("c.likely"), likely.read("titanic", into="pandas").drop(columns="survived")
    ledgers = model.explain(people)
    log_p = model.predict_log_proba(people)
    each = np.arange(len(log_p))
    odds = log_p[each, ledgers.favoured] - log_p[each, ledgers.against]
    np.testing.assert_allclose(ledgers.total, odds, atol=1e-9)
    assert (odds >= 0).all()
    assert ledgers.rest_names == ("calibration",)
    assert "calibration" in cli.ok("explain", "c.likely", "titanic", "--row", 1)
    row = people.iloc[[0]]
    p = model.predict_proba(row)[0, list(model.classes_).index("yes")]
    values = ", ".join(f"{name}={row[name][0]}" for name in ("class", "sex", "age"))
    assert float(model.ask(f"P(survived=yes | {values})")) == pytest.approx(p, abs=1e-9)


def test_a_known_cell_of_a_sequence_is_said_to_be_known():
    rng = np.random.default_rng(3)
    rows = {"x": rng.normal(size=60) + 5 * (np.arange(60) // 20 % 2)}
    model = likely.HiddenMarkov(2).fit(rows)
    with pytest.raises(likely.LikelyError, match=r"'x' is known in row 3: it is "):
        model.ask("P(x > 2)", rows, at=3)


def test_learn_prints_the_odds_ratios_that_show_prints(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    learnt = cli.ok("learn", "titanic", "-t", "survived", "--model", "logistic", "--folds", 0)
    shown = cli.ok("show", "titanic.likely")
    assert "sex=male (against female)" in shown
    assert shown.strip() in learnt


def test_ask_shows_the_rows_that_the_model_was_learnt_from(cli, titanic):
    """Where the counts are in the model: of the target and one column of levels."""
    people = likely.read("titanic", into="pandas")
    lived, women = people.survived == "yes", people.sex == "female"
    upper = people["class"].isin(["1st", "2nd"])
    for question, hits, rows in (
        ("P(survived=yes)", lived, lived | ~lived),
        ("P(survived=yes | sex=female)", lived & women, women),
        ("odds(survived=yes | sex=female)", lived & women, women),
        ("P(sex=female | survived=yes)", lived & women, lived),
        ("P(survived=yes, sex=male)", lived & ~women, lived | ~lived),
        ("P(survived=yes | class in {1st, 2nd})", lived & upper, upper),
        ("P(survived=yes | not (class=3rd or class=crew))", lived & upper, upper),
    ):
        said = json.loads(cli.ok("ask", titanic, question, "--json"))
        assert (said["data"]["hits"], said["data"]["rows"]) == (int(hits.sum()), int(rows.sum()))
    text = cli.ok("ask", titanic, "P(survived=yes | sex=female)")
    assert "in the training data: 344 of 470 rows (0.7319), which chance explains" in text
    for question in ("P(survived=yes | sex=female, class=3rd)", "H(survived)"):  # two columns; no share
        assert "training data" not in cli.ok("ask", titanic, question)
    model = likely.load(titanic)
    assert model.ask("P(survived=yes | sex=female)", data="model").hits == 344
    with pytest.raises(likely.LikelyError, match="data='titanic': give a table, or 'model'"):
        model.ask("P(survived=yes)", data="titanic")


def test_counts_of_rows_with_weights_may_be_fractions(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = likely.read("titanic", into="pandas")
    people["weight"] = np.where(people.sex == "female", 0.5, 0.25)
    people.to_csv("weighed.csv", index=False)
    cli.ok(
        "learn", "weighed.csv", "-t", "survived", "--weight", "weight", "--folds", 0, "-o", "w.likely", *NB
    )
    said = json.loads(cli.ok("ask", "w.likely", "P(survived=yes | class=1st)", "--json"))
    first = people[people["class"] == "1st"]
    assert said["data"]["rows"] == pytest.approx(first.weight.sum())
    assert said["data"]["hits"] == pytest.approx(first.weight[first.survived == "yes"].sum())
    assert f"of {first.weight.sum():.6g} rows" in cli.ok("ask", "w.likely", "P(survived=yes | class=1st)")


def test_the_default_learner_shows_its_counts_too(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli.ok("learn", "titanic", "-t", "survived", "--folds", 0)
    said = json.loads(cli.ok("ask", "titanic.likely", "P(survived=yes | sex=female)", "--json"))
    assert (said["data"]["hits"], said["data"]["rows"]) == (344, 470)


def test_columns_that_a_file_does_not_have_are_missing(cli, titanic):
    rows = pd.DataFrame({"age": ["adult", "child"], "sex": ["female", "male"]})
    rows.to_csv("few.csv", index=False)
    done = cli("predict", titanic, "few.csv", "-o", "f.csv")
    assert "column 'class' is not there: taken as missing, so that it adds no evidence." in done.err
    assert "missing columns: class" in done.out
    assert "missing cells" not in done.out
    p = likely.load(titanic).predict_proba(rows.assign(**{"class": None})[["class", "sex", "age"]])
    np.testing.assert_allclose(pd.read_csv("f.csv")[["p_no", "p_yes"]].to_numpy(), p, rtol=1e-12)
    assert "missing columns: class" in cli.ok(
        "decide", titanic, "few.csv", "--cost", "no->yes=3", "-o", "d.csv"
    )
    assert "class  missing" in re.sub(r" +", "  ", cli.ok("explain", titanic, "few.csv", "--row", 1))
    pd.DataFrame({"colour": ["red"]}).to_csv("none.csv", index=False)
    assert (
        "lacks what the model was fitted on: 'age', 'class', 'sex'" in cli("predict", titanic, "none.csv").err
    )


def test_names_and_values_of_several_words_need_no_quotes(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clubs.csv").write_text("club member,left\n" + "yes,no\nno,yes\nyes,yes\nno,no\n" * 10)
    cli.ok("learn", "clubs.csv", "--target", "left", "--model", "naive-bayes", "-o", "clubs.likely")
    asked = cli.ok("ask", "clubs.likely", "P(left=yes | club member=yes)")
    assert asked == cli.ok("ask", "clubs.likely", "P(left=yes | `club member`=yes)")
    assert "0.5" in asked


def test_of_a_pool_that_learns_nothing_no_other_model_is_advised(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    lines = [f"{x:.3f},{y}" for x, y in zip(rng.normal(size=60), rng.integers(0, 2, 60), strict=True)]
    (tmp_path / "noise.csv").write_text("x,y\n" + "\n".join(lines) + "\n")
    said = cli.ok("learn", "noise.csv", "--target", "y")
    assert "--model logistic" not in said


@pytest.mark.parametrize("seed", seeds(2, 5))
def test_figures_of_compare_ask_and_features_are_those_of_the_rows(seed, cli, tmp_path, monkeypatch):
    """Recounted by pandas on made-up tables with gaps."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(seed)
    n = 150
    table = pd.DataFrame(
        {
            "shop": rng.choice(["a", "b", "c"], n),
            "paid": np.where(rng.random(n) < 0.5, "Yes", "No"),
            "size": rng.gamma(2, 10, n).round(1),
        }
    )
    table["left"] = np.where(rng.random(n) < np.where(table["paid"] == "Yes", 0.2, 0.6), "yes", "no")
    table.loc[rng.random(n) < 0.1, "paid"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    cli.ok("learn", "t.csv", "-t", "left", "--model", "naive-bayes", "-o", "t.likely", "--force")
    inside = table[table["paid"] == "Yes"]
    yes = int((inside["left"] == "yes").sum())
    asked = cli.ok("ask", "t.likely", "P(left=yes | paid=Yes)", "--data", "t.csv")
    assert f"in the data: {yes} of {len(inside)} rows ({yes / len(inside):.4g})" in asked
    groups = cli.ok("compare", "t.csv", "--outcome", "left", "--success", "yes", "--by", "shop")
    lines = {line[0]: line.split() for line in groups.splitlines() if re.match("[abc]  ", line)}
    for shop, own in table.groupby("shop"):
        assert int(lines[shop][1]) == len(own)
        mean = (own["left"].eq("yes").sum() + 1) / (len(own) + 2)  # of a uniform prior
        assert float(lines[shop][2]) == pytest.approx(mean, abs=0.0006)
    told = json.loads(cli.ok("features", "t.csv", "--target", "left", "--json"))
    cells = {(cell["column"], cell["cell"]): cell for cell in told["cells"]}
    for column in ("shop", "paid"):
        for level, own in table.groupby(column):
            cell = cells[column, level]
            yes = int(own["left"].eq("yes").sum())
            assert (cell["rows"], cell["n yes"], cell["n no"]) == (len(own), yes, len(own) - yes)


@pytest.mark.parametrize("model", [(), NB])
@pytest.mark.parametrize(("value", "said"), [("1e300", "1e+300"), ("inf", "infinity")])
def test_a_value_beyond_reach_is_named_by_its_own_row(cli, tmp_path, monkeypatch, model, value, said):
    monkeypatch.chdir(tmp_path)
    cells = [f"{i % 7}.5,{'ab'[i % 2]}" for i in range(40)]
    cells[17] = f"{value},b"
    (tmp_path / "t.csv").write_text("\n".join(["big,y", *cells]) + "\n")
    done = cli("learn", "t.csv", "-t", "y", *model)
    assert done.code != 0
    assert said in done.err
    assert "column 'big', row 18." in done.err  # people count from 1


MESSY = """id,income,empty,const,visits,left
""" + "".join(
    f'C-{i},"${1000 + 37 * i % 5000:,}",,x,{i * 7 % 5},{"Yes" if i * 7 % 5 > 2 else "No"}\n'
    for i in range(60)
)


def test_a_column_that_never_held_a_value_is_not_filled_by_invention(folder):
    """Neither drawn nor asked for: it stays empty, and tells 0 bits and not the dust of rounding."""
    (folder / "messy.csv").write_text(MESSY, encoding="utf-8")
    assert piped("learn", "messy.csv", "-t", "left", "--model", "naive-bayes", cwd=folder).code == 0
    drawn = list(csv.DictReader(io.StringIO(piped("sample", "messy.likely", "-n", "40", cwd=folder).out)))
    assert {row["empty"] for row in drawn} == {""}
    assert {row["const"] for row in drawn} == {"x"}
    assert all(1000 <= int(row["income"]) <= 6000 for row in drawn)
    asked = json.loads(piped("next", "messy.likely", "--json", cwd=folder).out)
    bits = {option["name"]: option["bits"] for option in asked["options"]}
    assert bits["empty"] == 0
    assert bits["visits"] > 0.5


def test_one_class_is_said_to_be_one(folder):
    (folder / "one.csv").write_text("a,y\n" + "".join(f"{i},yes\n" for i in range(20)), encoding="utf-8")
    done = piped("learn", "one.csv", "-t", "y", "--model", "naive-bayes", cwd=folder)
    assert done.code == 0
    assert "'yes' in every row" in done.err


def test_no_better_than_the_base_rate_is_not_called_nothing(folder):
    """32 students of whom 11 improved (Spector and Mazzeo 1980): .66 ± .13 nats beside .64 of the base rate.

    Brier score and AUC are better than the base rate's, so nothing is claimed of what the columns tell.
    """
    from statsmodels.datasets import spector

    spector.load_pandas().data.to_csv(folder / "spector.csv", index=False)
    done = piped("learn", "spector.csv", "-t", "GRADE", "--model", "logistic", cwd=folder)
    assert done.code == 0
    assert "tell nothing" not in done.out
    if "Warning" in done.out:
        assert "no better than the base rate alone, as far as so few rows can tell" in done.out


def test_two_rows_are_not_said_to_show_a_fault_of_the_model(folder):
    """Both are of one class and predicted alike, so that their standard error is 0."""
    (folder / "three.csv").write_text("a,y\n1,yes\n2,no\n3,yes\n", encoding="utf-8")
    done = piped("learn", "three.csv", "-t", "y", "--model", "naive-bayes", cwd=folder)
    assert done.code == 0
    assert "as far as so few rows can tell" in done.out
    assert "repeat each other" not in done.out


def test_a_table_without_rows_is_said_to_have_none(folder):
    (folder / "t.csv").write_text("a,y\n", encoding="utf-8")
    done = piped("learn", "t.csv", "-t", "y", cwd=folder)
    assert done.code == 1
    assert "the table has no rows" in done.err


def test_sentences_are_broken_between_words(folder):
    """The default terminal is 100 wide: warnings and notes are longer."""
    names = "\n".join(f"name{i},{i % 2},{i % 3 == 0}" for i in range(60))
    (folder / "t.csv").write_text(f"a long name of a column,b,y\n{names}\n", encoding="utf-8")
    terminal = Terminal("learn", "t.csv", "-t", "y", "--model", "naive-bayes", cwd=folder)
    assert terminal.end() == 0
    lines = ANY_CODE.sub("", terminal.seen).replace("\r", "").split("\n")
    sentences = [line for line in lines if line.startswith(("note:", "Warning:"))]
    assert sentences
    assert max(map(len, sentences)) <= 100


def test_comparing_is_said_on_standard_error_where_the_answer_is_piped(folder):
    options = ["--outcome", "survived", "--by", "class", "--json"]
    terminal = Terminal("compare", "titanic", *options, cwd=folder, out=folder / "out.txt")
    assert terminal.end() == 0
    assert "comparing" in terminal.seen
    written = (folder / "out.txt").read_text(encoding="utf-8")
    assert json.loads(written)["groups"]


def test_a_disguised_gap_is_told_with_the_option_that_mends_it(cli, folder):
    """A column of amounts where 'k.A.' stands for nothing is one of levels, until it is told."""
    rng = np.random.default_rng(0)
    sizes = [str(size) for size in rng.integers(1000, 9000, 300)]
    sizes[5::30] = ["k.A."] * len(sizes[5::30])
    pd.DataFrame({"size": sizes, "y": rng.choice(["a", "b"], 300)}).to_csv(folder / "lots.csv", index=False)
    said = " ".join(cli.ok("profile", folder / "lots.csv").split())
    assert "on the command line with --na k.A." in said
    told = json.loads(cli.ok("profile", folder / "lots.csv", "--na", "k.A.", "--json"))
    column = next(one for one in told["columns"] if one["name"] == "size")
    assert column["kind"] == "quantitative"
    assert column["missing"] == pd.read_csv(folder / "lots.csv", na_values=["k.A."])["size"].isna().sum()
