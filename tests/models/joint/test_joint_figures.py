"""The worked figures: the diagnostic test (P2), and independence with and without conditions (P8)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import likely
from likely import Conditional, Joint

STATE = Conditional("disease", {"yes": 0.008, "no": 0.992})
ROWS = {"yes": {"+": 0.98, "-": 0.02}, "no": {"+": 0.03, "-": 0.97}}
TEST = Conditional("test", ROWS, given="disease")
AGAIN = Conditional("again", ROWS, given="disease")


@pytest.fixture
def diagnosis() -> Joint:
    return Joint.product(STATE, TEST)


def test_joint_probabilities_of_a_positive_test(diagnosis):
    assert diagnosis.prob(disease="yes", test="+") == pytest.approx(0.00784, rel=1e-14)
    assert diagnosis.prob(disease="no", test="+") == pytest.approx(0.02976, rel=1e-14)
    assert diagnosis.prob(test="+") == pytest.approx(0.0376, rel=1e-14)  # total probability


def test_posterior_of_the_disease(diagnosis):
    assert diagnosis.prob({"disease": "yes"}, given={"test": "+"}) == pytest.approx(49 / 235, rel=1e-14)
    assert diagnosis.condition(test="+").probs == pytest.approx([49 / 235, 186 / 235], rel=1e-14)
    by_bayes = diagnosis.conditional("disease", given="test")
    assert by_bayes.prob(test="+", disease="yes") == pytest.approx(49 / 235, rel=1e-14)


def test_map_and_maximum_likelihood_disagree(diagnosis):
    assert diagnosis.condition(test="+").argmax() == {"disease": "no"}
    likelihood = diagnosis.conditional("test", given="disease").likelihood(test="+")
    assert likelihood == pytest.approx({"yes": 0.98, "no": 0.03}, rel=1e-14)
    assert max(likelihood, key=likelihood.__getitem__) == "yes"


@pytest.mark.parametrize(
    "tables", [(STATE, TEST, AGAIN), (AGAIN, TEST, STATE)], ids=["in order", "backwards"]
)
def test_a_second_positive_test(tables):
    twice = Joint.product(*tables)
    sick, well = 0.008 * 0.98**2, 0.992 * 0.03**2
    found = twice.prob({"disease": "yes"}, given={"test": "+", "again": "+"})
    assert found == pytest.approx(sick / (sick + well), rel=1e-14)
    assert round(found, 4) == 0.8959
    assert twice.independent("test", "again", given="disease")
    assert not twice.independent("test", "again")


def test_words_independent_given_the_class_and_dependent_without_it():
    """In spam both words are common, in ham both rare: one foretells the other, until the class is known."""
    spam = Conditional("spam", {True: 0.5, False: 0.5})
    words = [
        Conditional(w, {True: {True: 0.8, False: 0.2}, False: {True: 0.1, False: 0.9}}, given="spam")
        for w in ("lottery", "winner")
    ]
    joint = Joint.product(spam, *words)
    assert joint.independent("lottery", "winner", given="spam")
    assert not joint.independent("lottery", "winner")
    # P(winner | lottery) = (.5 * .64 + .5 * .01) / .45 against P(winner) = .45
    assert joint.prob({"winner": True}, given={"lottery": True}) == pytest.approx(0.325 / 0.45, rel=1e-14)
    assert joint.prob(winner=True) == pytest.approx(0.45, rel=1e-14)


def test_words_independent_of_each_other_and_dependent_given_the_class():
    """Mail with at least one of two words is spam: neither tells of the other, until the class is known."""
    words = [Conditional(w, {True: 0.5, False: 0.5}) for w in ("lottery", "meeting")]
    rule = {pair: {any(pair): 1.0} for pair in product([True, False], repeat=2)}
    joint = Joint.product(*words, Conditional("spam", rule, given=["lottery", "meeting"]))
    assert joint.mutual_information("lottery", "meeting") == 0
    assert joint.independent("lottery", "meeting")
    assert not joint.independent("lottery", "meeting", given="spam")
    # Of the three kinds of spam one has both words, and two have each: 1/3 where independence would give 4/9.
    spam = {"spam": True}
    assert joint.prob({"lottery": True, "meeting": True}, given=spam) == pytest.approx(1 / 3, rel=1e-14)
    each = [joint.prob({word: True}, given=spam) for word in ("lottery", "meeting")]
    assert each[0] * each[1] == pytest.approx(4 / 9, rel=1e-14)
    # I = H(lottery) + H(meeting) - H(both), within the 3/4 of the mail that is spam; ham has neither word.
    third = 1 / 3
    entropy = -third * np.log2(third) - (1 - third) * np.log2(1 - third)
    expected = 0.75 * (2 * entropy - np.log2(3))
    assert joint.mutual_information("lottery", "meeting", given="spam") == pytest.approx(expected, rel=1e-13)


def test_titanic_from_data_is_the_relative_frequencies():
    people = likely.read("titanic", into="dict")
    joint = Joint.from_data(people)
    women = [s for s, sex in zip(people["survived"], people["sex"], strict=True) if sex == "female"]
    expected = women.count("yes") / len(women)
    assert (women.count("yes"), len(women)) == (344, 470)
    assert joint.prob({"survived": "yes"}, given={"sex": "female"}) == pytest.approx(expected, rel=1e-14)
    table = joint.conditional("survived", given=["class", "age"])
    assert np.isnan(table.probs[3, 1]).all()  # no child was among the crew
    assert "?" in repr(table)
    assert "undefined" in repr(table)
    assert list(table.likelihood(survived="yes")) == [
        (c, a)
        for c in ("1st", "2nd", "3rd", "crew")
        for a in ("adult", "child")
        if (c, a) != ("crew", "child")
    ]
