"""A terminal of 80 columns: no line of what a newcomer types is broken by the terminal itself."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from drive import ANY_CODE, Terminal
from rich.cells import cell_len

import likely

NARROW = {"COLUMNS": "80"}


@pytest.fixture(scope="module")
def customers(tmp_path_factory):
    """A messy table: names of several words, long-tailed incomes, dates, gaps, levels of two words."""
    folder = tmp_path_factory.mktemp("narrow")
    rng, n = np.random.default_rng(3), 300
    contract = rng.choice(["Monthly", "One year", "Two years"], n, p=[0.6, 0.2, 0.2])
    income = np.exp(rng.normal(10.4, 0.6, n)).round()
    income[4] = 9.9e6
    table = {
        "customer since": pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 2000, n), unit="D"),
        "monthly charge in dollars": rng.gamma(4, 20, n).round(2),
        "income": income,
        "discount": [f"{x:.1f}%" if x > 4 else "n/a" for x in rng.gamma(3, 5, n)],
        "place": rng.choice(["Saarbrücken", "Düsseldorf", "Nürnberg"], n),
        "contract": contract,
        "churn": np.where(rng.random(n) < np.where(contract == "Monthly", 0.5, 0.1), "Yes", "No"),
    }
    pd.DataFrame(table).to_csv(folder / "customers.csv", index=False)
    return folder


def screen(folder, *words) -> str:
    """What a terminal shows in the end: of what is overwritten, the last."""
    terminal = Terminal(*words, cwd=folder, **NARROW)
    assert terminal.end() == 0, terminal.seen
    plain = ANY_CODE.sub("", terminal.seen.replace("\r\n", "\n"))
    return "\n".join(line.split("\r")[-1] for line in plain.split("\n"))


@pytest.mark.parametrize("model", ["naive-bayes", "logistic", "pool"])
def test_lines_fit(customers, model):
    learn = ("learn", "customers.csv", "-t", "churn", "--model", model, "-o", f"{model}.likely", "--force")
    for words in (
        ("profile", "customers.csv", "-t", "churn"),
        learn,
        ("explain", f"{model}.likely", "customers.csv", "--row", 5),
        ("show", f"{model}.likely"),
        ("features", "customers.csv", "-t", "churn"),
    ):
        said = screen(customers, *words)
        wide = [line for line in said.split("\n") if cell_len(line) > 80]
        assert not wide, words
    explained = screen(customers, "explain", f"{model}.likely", "customers.csv", "--row", 5)
    assert re.search(r"contract +(Monthly|One year|Two years)", explained)
    assert re.search(r"total +[+-]\d", explained)


def test_ledgers_show_what_they_did_where_there_is_room(customers):
    model = likely.NaiveBayes().fit(pd.DataFrame({"sex": ["f", "m"] * 9, "y": ["a", "b"] * 9}), "y")
    assert "evidence (nats)" in str(model.explain({"sex": "f"})[0])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_odds_ratios_are_of_steps_that_a_column_takes(customers):
    rows = likely.read(customers / "customers.csv", into="pandas")
    table = likely.LogisticRegression().fit(rows, "churn").odds_ratios()
    place = table.names.index("income")
    step = 10.0 ** np.floor(np.log10(rows.income.std(ddof=0)))
    assert table.steps[place] == (step, f" (per {step:.0f})")
    line = next(line for line in str(table).split("\n") if line.startswith("income ("))
    assert line.startswith(f"income (per {step:.0f})")
    assert f"{np.exp(step * table.coefficient[place]):.3g} " in line
    assert f"{step * table.coefficient[place]:.4g} " in line
    assert "customer since (per 100 days)" in str(table)
    assert float(table.to_frame().set_index("name").coefficient["income"]) == table.coefficient[place]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_answers_beside_the_data_say_what_was_counted(customers):
    rows = likely.read(customers / "customers.csv", into="pandas")
    model = likely.NaiveBayes().fit(rows, "churn")
    yes = rows[rows.churn == "Yes"]
    most = yes.contract.value_counts()
    said = str(model.ask("P(contract | churn=Yes)", data=rows))
    assert f"in the data: contract = {most.index[0]} in {most.iloc[0]} of {len(yes)} rows" in said
    asked = model.ask("median(income | churn=Yes)", data=rows)
    assert asked.share == np.quantile(yes.income, 0.5, method="inverted_cdf")
    assert f"in the data: median {asked.share:.6g} of {len(yes)} rows" in str(asked)
    assert not asked.differs
    far = model.ask("quantile(income, 0.999 | churn=Yes)", data=rows.assign(income=rows.income * 1e3))
    assert far.differs
    since = str(model.ask("E(customer since | churn=Yes)", data=rows))
    assert f"in the data: mean {yes['customer since'].mean():%Y-%m-%d %H:%M:%S} of {len(yes)} rows" in since


def test_many_levels_are_not_all_printed():
    rng = np.random.default_rng(0)
    table = {"code": [f"c{i}" for i in rng.zipf(1.5, 800).clip(0, 400)], "y": rng.choice(["a", "b"], 800)}
    cells = likely.Evidence("average").fit({"code": table["code"]}, table["y"]).table()
    n = len(set(table["code"]))
    assert len(cells.lines) == n
    assert f"code: {n - 25} other cells with fewer rows, not shown" in str(cells)
    assert str(cells).count("\ncode ") == 25


def test_the_words_of_a_text_are_in_the_ledger_of_the_default_learner():
    rng = np.random.default_rng(1)
    good, bad = ["thanks", "lovely", "quick"], ["late", "broken", "refund"]
    kind = rng.choice(["praise", "complaint"], 120)
    texts = [
        " ".join(rng.choice((good if one == "praise" else bad) * 3 + ["parcel", "box"], 6)) for one in kind
    ]
    model = likely.Classifier("fast", kinds={"message": likely.Words()}).fit({"message": texts}, kind)
    ledger = model.explain({"message": "Lovely, quick: thanks! But late."}, "praise", "complaint")[0]
    (line,) = (line for line in ledger.lines if line.name == "message")
    assert sum(part.evidence for part in line.parts) == pytest.approx(line.evidence, abs=1e-9)
    told = {part.name: part.evidence for part in line.parts}
    assert min(told["lovely"], told["quick"], told["thanks"]) > 0 > told["late"]
    assert "lovely" in str(ledger)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_scales_of_a_nomogram_are_in_the_words_of_the_columns(customers):
    rows = likely.read(customers / "customers.csv", into="pandas")
    calls = np.random.default_rng(0).poisson(1.3, len(rows))
    nomogram = likely.NaiveBayes().fit(rows.assign(calls=calls), "churn").nomogram()
    axes = {axis.name: axis for axis in nomogram.axes}
    marks = [mark.label for mark in axes["customer since"].marks()]
    assert all(
        rows["customer since"].min() <= pd.Timestamp(mark) <= rows["customer since"].max() for mark in marks
    )
    assert {float(word) for word, _ in axes["calls"].lines()} <= set(range(calls.max() + 1))
    assert str(likely.NaiveBayes().fit(rows, "churn").explain(rows[:1])[0]).count("00:00:00") == 0
