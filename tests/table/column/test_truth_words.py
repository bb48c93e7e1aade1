"""Words for true and false: a Boolean column, whose words come back as they were written."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely import LikelyError
from likely.table.build import to_table
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, why

RNG = np.random.default_rng(0)
N = 300
Y = RNG.choice(["stay", "go"], N)
TABLE = {
    "paid": np.where((Y == "go") ^ (RNG.random(N) < 0.2), "Yes", "No").astype(object),
    "flag": np.where(RNG.random(N) < 0.1, None, RNG.choice(["t", "f"], N)).astype(object),
    "size": RNG.normal(size=N) + (Y == "go"),
}
PAIRS = [("No", "Yes"), ("no", "yes"), ("N", "Y"), ("n", "y"), ("false", "true"), ("F", "T"), ("no", "YES")]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_of_words_is_true_and_false(pair):
    column = Column.learn(as_raw("a", [*pair[::-1], None, *pair]))
    assert (column.kind, column.levels) == (Kind.BOOLEAN, pair)  # false comes first
    assert f"{pair[0]} and {pair[1]}, taken as false and true" == why(as_raw("a", [*pair]))


@pytest.mark.parametrize(
    "words", [["yes"], ["yes", "no", "maybe"], ["yes", "false"], ["Yes", "yes"], ["1", "0"], ["a", "b"]]
)
def test_other_words_are_levels(words):
    assert Column.learn(as_raw("a", words)).kind is Kind.CATEGORICAL


def test_what_is_declared_stands():
    raw = as_raw("a", ["yes", "no", "yes"])
    assert Column.learn(raw, "categorical").kind is Kind.CATEGORICAL
    assert Column.learn(raw, ["no", "yes"]).kind is Kind.ORDINAL
    declared = Column.learn(raw, "boolean")
    assert (declared.kind, declared.levels) == (Kind.BOOLEAN, None)
    category = pd.Series(["yes", "no"], dtype="category")
    assert Column.learn(as_raw("a", category)).kind is Kind.CATEGORICAL  # its type says so


def test_a_target_keeps_its_words_as_classes():
    model = likely.NaiveBayes().fit({"x": [1.0, 2.0, 3.0, 4.0]}, ["no", "no", "yes", "yes"])
    assert model.classes_.tolist() == ["no", "yes"]


MODELS = {
    "naive Bayes": likely.NaiveBayes(),
    "logistic regression": likely.LogisticRegression(),
    "Classifier": likely.Classifier(budget="additive"),
    "mixtures": likely.MixtureClassifier(2, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_answer_as_for_two_levels(name, tmp_path):
    """The kind is another word for the same columns: no probability changes, nor by a file."""
    levels = dict.fromkeys(("paid", "flag"), "categorical")
    new, old = (MODELS[name].__class__(**MODELS[name].get_params()) for _ in range(2))
    new.fit(TABLE, Y)
    old.set_params(kinds=levels).fit(TABLE, Y)
    assert [str(column.kind) for column in new.record_.schema.columns] == [
        "boolean",
        "boolean",
        "quantitative",
    ]
    np.testing.assert_array_equal(new.predict_proba(TABLE), old.predict_proba(TABLE))
    new.save(tmp_path / "m.likely")
    np.testing.assert_array_equal(
        likely.load(tmp_path / "m.likely").predict_proba(TABLE), new.predict_proba(TABLE)
    )
    spoken = {**TABLE, "paid": [{"Yes": "TRUE", "No": "n"}[word] for word in TABLE["paid"]]}
    truths = {**TABLE, "paid": [word == "Yes" for word in TABLE["paid"]]}
    for other in (spoken, truths, {**TABLE, "paid": [int(word == "Yes") for word in TABLE["paid"]]}):
        np.testing.assert_array_equal(new.predict_proba(other), new.predict_proba(TABLE))
    assert "Yes" in str(new.explain({"paid": "Yes", "flag": "t", "size": 0.5})[0])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "dict"])
def test_words_come_back_as_they_were_written(library):
    table = to_table({**TABLE, "y": Y.astype(object)}, library)
    drawn = likely.NaiveBayes().fit(table, "y").sample(100, random_state=0)
    column = drawn["paid"]
    values = column.to_pylist() if library == "pyarrow" else list(column)
    assert set(values) == {"Yes", "No"}
    filled = likely.Impute(components=1, random_state=0).fit(table).transform(table)
    words = filled["flag"].to_pylist() if library == "pyarrow" else list(filled["flag"])
    assert set(words) == {"t", "f"}


def test_questions_take_any_word_for_it():
    model = likely.NaiveBayes().fit({**TABLE, "y": Y}, "y")
    share = float(model.ask("P(paid=Yes)"))
    for word in ("true", "yes", "Y", "1"):
        assert float(model.ask(f"P(paid={word})")) == share
    assert float(model.ask("E(paid)")) == pytest.approx(share, abs=1e-12)
    assert list(model.ask("P(paid)")) == ["No", "Yes"]
    with pytest.raises(LikelyError, match=r"'perhaps' is no level of variable 'paid'"):
        model.ask("P(paid=perhaps)")


def test_a_word_never_seen_adds_no_evidence():
    model = likely.NaiveBayes().fit(TABLE, Y)
    row = {"flag": "t", "size": 0.3}
    np.testing.assert_array_equal(
        model.predict_proba({**row, "paid": "perhaps"}), model.predict_proba({**row, "paid": None})
    )


def test_parts_of_a_column_may_show_one_word_alone():
    whole = likely.NaiveBayes(evidence_weights=None).fit(TABLE, Y)
    only_yes = TABLE["paid"] == "Yes"
    parts = [{name: column[rows] for name, column in TABLE.items()} for rows in (only_yes, ~only_yes)]
    first = likely.NaiveBayes(evidence_weights=None)
    for rows in (slice(0, 150), slice(150, None)):
        first.partial_fit({n: c[rows] for n, c in TABLE.items()}, Y[rows], classes=["go", "stay"])
    assert first.record_.schema.columns[0].kind is Kind.BOOLEAN
    np.testing.assert_allclose(first.predict_proba(TABLE), whole.predict_proba(TABLE), atol=1e-12)
    both = [Column.learn(as_raw("paid", part["paid"])) for part in parts]
    assert [column.kind for column in both] == [Kind.CATEGORICAL] * 2
    full = Column.learn(as_raw("paid", TABLE["paid"]))
    for one in both:
        assert full.widened(one) == full
        assert one.widened(full).levels == ("No", "Yes")
    third = Column.learn(as_raw("paid", ["No", "perhaps"]))
    assert full.widened(third).kind is Kind.CATEGORICAL


def test_profile_counts_the_words():
    column = likely.profile(TABLE)["paid"]
    assert str(column.kind) == "boolean"
    counts = pd.Series(TABLE["paid"]).value_counts()
    assert {level.value: level.count for level in column.levels} == counts.to_dict()
