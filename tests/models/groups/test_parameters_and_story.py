"""How many free numbers a model has, counted by hand; and the story that it tells."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import likely
from likely import (
    BasicLinearClassifier,
    GaussianClassifier,
    HiddenMarkov,
    Impute,
    Joint,
    LeastSquaresClassifier,
    LinearRegression,
    LogisticRegression,
    Mixture,
    MixtureClassifier,
    NaiveBayes,
    Words,
)

RNG = np.random.default_rng(0)
N = 60
Y = np.arange(N) % 3
TABLE: dict[str, Any] = {
    "flag": RNG.random(N) < 0.5,
    "level": np.array(list("abcd"))[np.arange(N) % 4],
    "visits": RNG.poisson(2, N),
    "size": RNG.normal(size=N) + Y,
    "width": RNG.normal(size=N),
}
KINDS = {"visits": "count"}


@pytest.mark.parametrize("d", [1, 2, 10])
def test_naive_bayes_over_booleans_has_1_and_2_d(d):
    x = RNG.random((40, d)) < 0.5
    model = NaiveBayes(families="classical", evidence_weights=None).fit(x, np.arange(40) % 2)
    assert model.n_parameters_ == 1 + 2 * d
    joint = Joint.of(model)
    assert joint.n_parameters == 2 ** (d + 1) - 1
    assert f"{2 ** (d + 1):,} cells, {2 ** (d + 1) - 1:,} free" in str(joint)
    given = NaiveBayes(base_rate="uniform", families="classical", evidence_weights=None).fit(
        x, np.arange(40) % 2
    )
    assert given.n_parameters_ == 2 * d  # a base rate that is given is not learnt


# By hand: of each class the coin 1, the die of four 3, the rate 1, two means and two sds; two free shares.
COUNTS = {
    "naive Bayes": (
        NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None),
        3 * (1 + 3 + 1 + 4) + 2,
    ),
    "full": (GaussianClassifier(kinds=KINDS), 3 * (1 + 3 + 1 + 2 + 3) + 2),
    "diagonal": (GaussianClassifier("diagonal", kinds=KINDS), 3 * (1 + 3 + 1 + 4) + 2),
    "tied_diagonal": (GaussianClassifier("tied_diagonal", kinds=KINDS), 3 * (1 + 3 + 1 + 2) + 2 + 2),
    "tied_spherical": (GaussianClassifier("tied_spherical", kinds=KINDS), 3 * (1 + 3 + 1 + 2) + 1 + 2),
    "uniform": (
        NaiveBayes(kinds=KINDS, families={"size": "uniform", "width": "normal"}, evidence_weights=None),
        3 * (1 + 3 + 1 + 4) + 2,
    ),
    "missing": (
        NaiveBayes(kinds=KINDS, missing="level", families="classical", evidence_weights=None),
        3 * (1 + 4 + 1 + 4 + 4) + 2,
    ),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counted_by_hand(name):
    model, count = COUNTS[name]
    model.fit(TABLE, Y)
    assert model.n_parameters_ == count
    said = model.describe()
    assert f"{count} free parameters" in str(said).splitlines()
    assert said.to_dict()["parameters"] == count
    assert f"{count} free parameters" in said._repr_html_()


def test_bars_and_words_are_counted():
    model = NaiveBayes(families="histogram", evidence_weights=None).fit({"size": TABLE["size"]}, Y)
    bars = [len(model.record_.core.parts[0].distribution.parts[g, 0].probs) for g in range(3)]
    assert model.n_parameters_ == sum(k - 1 + 2 for k in bars) + 2
    mails = likely.read("emails", into="dict")
    for bits, each in ((False, 2), (True, 3)):
        words = Words(stop=["d", "e"], pattern=r"\w", bits=bits)
        assert (
            NaiveBayes(kinds={"message": words}, families="classical", evidence_weights=None)
            .fit(mails, "class")
            .n_parameters_
            == 2 * each + 1
        )
    fewer = Words(stop=["d", "e"], pattern=r"\w", max_size=2)  # a word that is not used has no number
    assert (
        NaiveBayes(kinds={"message": fewer}, families="classical", evidence_weights=None)
        .fit(mails, "class")
        .n_parameters_
        == 2 * 1 + 1
    )


def test_hidden_groups_and_the_curve_agree():
    numbers = {"size": TABLE["size"], "width": TABLE["width"]}
    for shape, each, shared in (
        ("full", 5, 0),
        ("diagonal", 4, 0),
        ("tied_diagonal", 2, 2),
        ("tied_spherical", 2, 1),
    ):
        for k in (1, 3):
            model = Mixture(k, covariance=shape, random_state=0).fit(numbers)
            assert model.n_parameters_ == k * each + shared + k - 1
        auto = Mixture("auto", covariance=shape, random_state=0).fit(numbers)
        tried = {one.components: one.parameters for one in auto.curve_.tried}
        assert tried == {k: k * each + shared + k - 1 for k in tried}
        assert auto.n_parameters_ == tried[len(auto.classes_)]
    even = Mixture(3, base_rate="uniform", random_state=0).fit(numbers)
    assert even.n_parameters_ == 3 * 5
    several = MixtureClassifier(2, random_state=0).fit(numbers, Y)
    assert several.n_parameters_ == 6 * 5 + 2 + 3
    chain = HiddenMarkov(3, random_state=0).fit(numbers)
    assert chain.n_parameters_ == 3 * 5 + 2 + 3 * 2
    assert "23 free parameters" in str(chain.describe())
    ordered = HiddenMarkov(3, transitions="left-to-right", random_state=0).fit(numbers)
    assert ordered.n_parameters_ < chain.n_parameters_


def test_conditional_models():
    numbers = {"size": TABLE["size"], "width": TABLE["width"]}
    assert LinearRegression().fit(numbers, RNG.normal(size=N)).n_parameters_ == 2 + 1 + 1
    assert LogisticRegression().fit(numbers, Y > 0).n_parameters_ == 3
    assert LogisticRegression().fit(numbers, Y).n_parameters_ == 2 * 3
    assert BasicLinearClassifier().fit(numbers, Y > 0).n_parameters_ == 3


STORIES = {
    "NaiveBayes": (
        NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None),
        "Draw y from",
        "product of P(column | y)",
    ),
    "GaussianClassifier": (
        GaussianClassifier(kinds=KINDS),
        "size, width: together, normal with mean and covariance of the class",
        "not drawn together are",
    ),
    "MixtureClassifier": (
        MixtureClassifier(2, kinds=KINDS, random_state=0),
        "Draw one of the hidden groups of that y",
        "sum over its groups",
    ),
    "LogisticRegression": (LogisticRegression(kinds=KINDS), "has no story of them", "P(y | row)"),
    "BasicLinearClassifier": (BasicLinearClassifier(kinds=KINDS), "no probability is said", "has no story"),
    "LeastSquaresClassifier": (LeastSquaresClassifier(kinds=KINDS), "Add up a score", "has no story"),
}


@pytest.mark.parametrize("name", STORIES)
def test_stories_of_classifiers(name):
    model, *phrases = STORIES[name]
    story = model.fit(TABLE, Y).story()
    text = " ".join(str(story).split())
    assert text.startswith(f"How {name} takes ")
    for phrase in phrases:
        assert phrase in text
    assert len(story.steps) >= 2
    assert max(map(len, str(story).splitlines())) <= 110
    assert json.loads(json.dumps(story.to_dict()))["steps"] == list(story.steps)


def test_a_story_names_every_column_and_how_it_is_drawn():
    told = (
        NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None)
        .fit(TABLE, Y)
        .story()
        .steps[-1]
        .splitlines()[1:]
    )
    by_name = {line.split(":")[0].strip(): line for line in told}
    assert set(by_name) == set(TABLE)
    assert "toss of a coin" in by_name["flag"]
    assert "throw of a die" in by_name["level"]
    assert "Poisson with the rate" in by_name["visits"]
    assert "normal with mean and sd" in by_name["size"]


def test_stories_without_a_target():
    numbers = {"size": TABLE["size"], "width": TABLE["width"]}
    assert "Draw the hidden group from" in str(Mixture(2, random_state=0).fit(numbers).story())
    assert "Draw the hidden group" in str(Impute().fit(numbers).story())
    chain = HiddenMarkov(2, random_state=0).fit(numbers).story()
    assert chain.about == "a sequence"
    assert "Draw each next state given the one before" in str(chain)
    line = LinearRegression().fit(numbers, np.arange(N) * 1.0).story()
    assert "Draw y from a normal distribution around it" in str(line)
    joint = Joint.from_data(likely.read("play_tennis", into="dict")).story()
    assert "one of the 72 combinations" in str(joint)
    summed = (
        NaiveBayes(estimate="predictive", families="classical", evidence_weights=None).fit(numbers, Y).story()
    )
    assert summed.steps[0].startswith("Draw the numbers of the model")


def test_every_family_has_a_story():
    from likely.dist import FAMILIES

    for family in FAMILIES.values():
        assert "{group}" in family.story


@pytest.mark.parametrize("columns", [10, 11, 20, 25])
def test_a_story_says_how_many_columns_it_does_not_name(columns):
    table = {f"c{j}": ["a", "b"] * 5 for j in range(columns)}
    said = str(NaiveBayes().fit(table, ["u", "v"] * 5).story())
    named = sum(f"c{j}:" in said for j in range(columns))
    more = [int(n) for n in re.findall(r"and (\d+) more line", said)]
    assert named + sum(more) == columns
    assert all(more)
