"""Joint and conditional tables: how they are made, what is refused, how they look, how large they get."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from joint_cases import cells

import likely
from likely import Conditional, Joint, LikelyError

RAIN = {"today": ["rain", "rain", "sun"], "tomorrow": ["rain", "sun", "sun"], "p": [0.3, 0.2, 0.5]}
LIBRARIES = {"dict": dict, "pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("library", LIBRARIES)
def test_from_a_table_of_any_library_and_back(library):
    joint = Joint.from_table(LIBRARIES[library](RAIN))
    assert cells(joint) == {
        ("rain", "rain"): 0.3, ("rain", "sun"): 0.2, ("sun", "rain"): 0.0, ("sun", "sun"): 0.5
    }  # fmt: skip
    assert type(joint.to_frame()) is type(LIBRARIES[library](RAIN))
    assert type(joint.sample(2, 0)) is type(LIBRARIES[library](RAIN))


@pytest.mark.parametrize("library", LIBRARIES)
def test_from_data_of_any_library(library):
    data = {"windy": [True, False, True, True], "size": ["s", "l", "l", "s"], "n": [1, 2, 3, 4]}
    joint = Joint.from_data(LIBRARIES[library](data), weight="n")
    assert cells(joint) == pytest.approx(
        {(False, "l"): 0.2, (False, "s"): 0.0, (True, "l"): 0.3, (True, "s"): 0.5}, rel=1e-15
    )


def test_levels_that_are_declared_are_levels_though_unobserved():
    size = pd.Categorical(["s", "l", "s"], ["s", "m", "l"], ordered=True)
    for joint in (
        Joint.from_data(pd.DataFrame({"size": size})),
        Joint.from_data({"size": ["s", "l", "s"]}, kinds={"size": ["s", "m", "l"]}),
        Joint.from_table({"size": ["l", "s"], "p": [1 / 3, 2 / 3]}, kinds={"size": ["s", "m", "l"]}),
    ):
        assert joint.levels == {"size": ("s", "m", "l")}
        np.testing.assert_allclose(joint.probs, [2 / 3, 0, 1 / 3], rtol=1e-15)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (None, [2, 0, 0, 1]),
        (1, [3, 1, 1, 2]),
        (likely.Laplace(0.5), [2.5, 0.5, 0.5, 1.5]),
        (likely.MEstimate(4), [3, 1, 1, 2]),
        (likely.MEstimate(2, {("a", "x"): 0.5, ("a", "y"): 0.5, ("b", "x"): 0, ("b", "y"): 0}), [3, 1, 0, 1]),
    ],
    ids=["none", "one", "half", "m", "m by name"],
)
def test_smoothing(prior, expected):
    joint = Joint.from_data({"u": ["a", "a", "b"], "v": ["x", "x", "y"]}, prior=prior)
    np.testing.assert_allclose(joint.probs.ravel(), np.array(expected) / sum(expected), rtol=1e-14)


def test_rows_with_missing_cells_are_left_out_and_a_notice_says_so():
    data = {"u": ["a", None, "b", "b"], "v": [True, True, None, False]}
    with pytest.warns(likely.LikelyWarning, match=r"2 of 4 rows have missing cells") as said:
        joint = Joint.from_data(data)
    assert said[0].filename == __file__
    assert cells(joint) == {("a", False): 0, ("a", True): 0.5, ("b", False): 0.5, ("b", True): 0}


def test_numbers_are_levels_in_a_table_of_probabilities_and_in_order():
    die = Joint.from_table({"eyes": range(1, 7), "p": [1 / 6] * 6})
    assert die.levels == {"eyes": (1, 2, 3, 4, 5, 6)}
    assert die.prob(eyes={2, 4, 6}) == pytest.approx(0.5, rel=1e-14)
    assert Joint.from_data({"eyes": [1, 6, 6]}, kinds={"eyes": "ordinal"}).prob(eyes=6) == pytest.approx(
        2 / 3
    )


def test_conditionals_of_several_variables_in_all_notations():
    rows = {"x": {(1, "s"): 0.5, (2, "l"): 0.5}, "y": {(2, "s"): 0.25, (1, "l"): 0.75}}
    levels = {"a": ["x", "y"], "b": [1, 2], "c": ["s", "l"]}
    array = [[[0.5, 0], [0, 0.5]], [[0, 0.75], [0.25, 0]]]
    frame = {"c": list("slls"), "a": list("xxyy"), "b": [1, 2, 1, 2], "weight": [0.5, 0.5, 0.75, 0.25]}
    for table in (
        Conditional(["b", "c"], rows, given="a", levels=levels),
        Conditional(["b", "c"], array, given=["a"], levels=levels),
        Conditional(["b", "c"], pd.DataFrame(frame), given="a", prob="weight"),
    ):
        assert table.title == "P(b, c | a)"
        assert (table.of, table.given) == (("b", "c"), ("a",))
        assert [table.prob(a=a, b=b, c=c) for a, b, c in [("x", 1, "s"), ("y", 1, "l"), ("y", 2, "s")]] == [
            0.5, 0.75, 0.25,
        ]  # fmt: skip
        assert table.likelihood(b=1, c="s") == {"x": 0.5, "y": 0.0}


def test_levels_of_a_variable_may_stand_in_another_order_in_each_table():
    a = Conditional("a", {"x": 0.9, "y": 0.1})
    b = Conditional("b", {"y": {"u": 1.0}, "x": {"v": 1.0}}, given="a")
    assert Joint.product(a, b).prob(a="x", b="v") == 0.9


def test_rows_that_cannot_occur_may_be_undefined_in_a_product():
    joint = Joint([[0.5, 0.5], [0, 0]], {"a": ["x", "y"], "b": [0, 1]})
    first, second = joint.factorise()
    np.testing.assert_array_equal(Joint.product(second, first).marginal("a", "b").probs, joint.probs)
    with pytest.raises(LikelyError, match=r"P\(b \| a\) is undefined where the other tables"):
        Joint.product(Conditional("a", {"x": 0.5, "y": 0.5}), second)
    with pytest.raises(LikelyError, match="undefined where what is given has probability 0"):
        second.prob(a="y", b=0)


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_of_a_model_is_the_product_of_its_tables(missing):
    people = {
        "sex": ["f", "m", "m", None, "f", "m"],
        "tall": [True, None, False, True, True, False],
        "size": ["s", "l", "m", "m", None, "l"],
        "y": list("aabbab"),
    }
    kinds = {"size": ["s", "m", "l"]}
    model = likely.NaiveBayes(kinds=kinds, missing=missing).fit(people, "y")
    joint = Joint.of(model)
    assert joint.names == ("sex", "tall", "size", "y")
    assert joint.probs.sum() == pytest.approx(1, abs=1e-14)
    assert (None in joint.levels["tall"]) is (missing == "level")
    for row, p in cells(joint).items():
        values = {name: [value] for name, value in zip(joint.names, row, strict=True)}
        label = values.pop("y")
        assert p == pytest.approx(float(np.exp(model.log_prob(values, label))[0]), rel=1e-12)


def test_of_any_model_whose_record_has_tables_of_levels():
    """What a record can do decides, not its class."""
    fitted = likely.NaiveBayes().fit({"u": list("aab"), "y": list("xyy")}, "y").record_
    levels = np.array([[0.25, 0.75], [0.5, 0.5]])
    made_up = SimpleNamespace(
        target=fitted.target,
        schema=fitted.schema,
        rates=np.array([0.4, 0.6]),
        level_tables=lambda: [(fitted.schema.columns[0], levels)],
    )
    joint = Joint.of(SimpleNamespace(record_=made_up))
    assert cells(joint) == pytest.approx(
        {("a", "x"): 0.1, ("b", "x"): 0.3, ("a", "y"): 0.3, ("b", "y"): 0.3}, rel=1e-14
    )


def test_one_class_one_row_one_level():
    joint = Joint.of(likely.NaiveBayes().fit({"u": ["a"], "y": ["b"]}, "y"))
    assert cells(joint) == {("a", "b"): 1.0}
    assert joint.independent("u", "y")
    assert joint.entropy() == 0
    assert cells(Joint.from_data({"u": ["a"]})) == {("a",): 1.0}


def test_draws_are_as_probable_as_the_cells():
    joint = Joint([[0.1, 0.2], [0.0, 0.7]], {"a": ["x", "y"], "b": [False, True]})
    drawn = joint.sample(10_000, random_state=0)
    seen = Joint.from_data(drawn, kinds={"a": ["x", "y"]})
    # Five standard errors: a false alarm once in half a million.
    assert (np.abs(seen.probs - joint.probs) <= 5 * np.sqrt(joint.probs * (1 - joint.probs) / 10_000)).all()
    again = joint.sample(10_000, random_state=0)
    assert all((drawn[name] == again[name]).all() for name in joint.names)
    assert len(joint.sample(0, random_state=0)["a"]) == 0


def test_nothing_changes_a_joint_distribution():
    own = np.array([0.25, 0.75])
    joint = Joint(own, {"a": ["x", "y"]})
    own[0] = 7
    assert joint.prob(a="x") == 0.25
    with pytest.raises(ValueError, match="read-only"):
        joint.probs[0] = 1
    with pytest.raises(AttributeError):
        joint.probs = own
    for other in (copy.deepcopy(joint), pickle.loads(pickle.dumps(joint)), joint.marginal("a")):
        assert cells(other) == cells(joint)


def test_faces():
    joint = Joint.from_table(RAIN)
    assert repr(joint) == (
        "Joint distribution of today, tomorrow: 4 cells, 3 free\n\n"
        "today  tomorrow    p\n"
        "sun    sun       0.5\n"
        "rain   rain      0.3\n"
        "rain   sun       0.2\n"
        "1 combination of probability 0"
    )
    wide = Joint(np.full((3, 4), 1 / 12), {"<b>": [1, 2, 3], "v": list("abcd")})
    assert "and 2 other combinations, 0.1667 together" in repr(wide)
    assert "&lt;b&gt;" in wide._repr_html_()
    assert "<b>" not in wide._repr_html_() + wide.conditional("v", given="<b>")._repr_html_()
    many = Joint(np.full((30, 20), 1 / 600), {"a": range(30), "b": range(20)}).conditional("b", given="a")
    assert repr(many).splitlines()[-2:] == ["and 10 other rows", "and 8 other columns"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Joint.from_table({"a": ["x", "y"], "p": [0.5, 0.4]}), r"add up to 0\.9: .*weight='p'"),
        (lambda: Joint.from_table({"a": ["x", "x"], "p": [0.5, 0.5]}), "a='x' is listed 2 times"),
        (lambda: Joint.from_table({"a": ["x", "y"], "p": [1.5, -0.5]}), r"'p', row 1 holds -0\.5"),
        (lambda: Joint.from_table({"a": ["x", "y"], "p": [1.0, None]}), r"'p', row 1 holds None"),
        (lambda: Joint.from_table({"a": ["x", None], "p": [0.5, 0.5]}), "'a', row 1 is missing"),
        (lambda: Joint.from_table({"a": ["x"], "q": [1.0]}), "no column 'p' of probabilities"),
        (lambda: Joint.from_table({"p": [1.0]}), "give one variable"),
        (lambda: Joint.from_table({"a": [], "p": []}), "0 rows"),
        (lambda: Joint.from_data({"age": [1.5, 2.5]}), r"'age' is quantitative .*kinds=\{'age': 'ordinal'\}"),
        (lambda: Joint.from_data({"n": [1, 2]}, kinds={"n": "count"}), "'n' is count"),
        (lambda: Joint.from_data({"t": ["word " * 20]}), r"'t' is text .*'categorical'"),
        (lambda: Joint.from_data({"a": []}), "0 rows"),
        (lambda: Joint.from_data({"a": ["x", None], "b": [None, None]}), "'b' has no value in any row"),
        (lambda: Joint.from_data({"a": ["x", None], "b": [None, "y"]}), "no row has a value in every column"),
        (lambda: Joint.from_data({"a": ["x"], "w": [-1.0]}, weight="w"), "weight=-1"),
        (lambda: Joint.from_data({"a": ["x"], "w": [0.0]}, weight="w"), "a weight above 0"),
        (lambda: Joint.from_data({"a": ["x", "y"]}, weight=[1e308, 1e308]), "weights add up to more"),
        (lambda: Joint.from_data({"a": ["x", "y"]}, weight=[1, 2, 3]), "weight has 3 values"),
        (lambda: Joint([0.5, 0.5], ["a"]), "levels=.* by name"),
        (lambda: Conditional("a", [0.5, 0.5]), "with levels="),
        (lambda: Joint([0.5, 0.6], {"a": "xy"}), r"add up to 1\.1"),
        (lambda: Joint([0.5, 0.5], {"a": "xyz"}), r"shape \(2,\).* a 3"),
        (lambda: Joint([1.5, -0.5], {"a": "xy"}), "none may be negative"),
        (lambda: Joint([np.nan, 1], {"a": "xy"}), "none may be negative or NaN"),
        (lambda: Joint([0.5, 0.5], {"a": "xx"}), "list every level once"),
        (lambda: Joint(1.0, {}), "levels are none"),
        (lambda: Conditional("t", {"y": {"+": 0.9, "-": 0.2}}, "d"), r"P\(t \| d='y'\) adds up to 1\.1"),
        (lambda: Conditional("t", {(1, 1): {0: 1}, (2, 2): {0: 1}}, list("de")), "d=1, e=2. is not given"),
        (lambda: Conditional("t", {"y": {"+": 1}}, given=["d", "e"]), "a tuple with a level of each of d, e"),
        (lambda: Conditional("t", {"y": 0.5, "n": 0.5}, given="d"), "a mapping from level to probability"),
        (lambda: Conditional("t", {"y": 0.5, "n": 0.5}, given="t"), "each of them once"),
        (lambda: Conditional("t", {"y": 0.5}), r"P\(t\) adds up to 0\.5"),
        (lambda: Conditional("t", {"y": 1.0}, levels={"t": ["n"]}), "not among the levels"),
        (lambda: Joint.product(), "give one Conditional"),
        (lambda: Joint.product({"a": 1}), "is no Conditional"),
        (lambda: Joint.product(Conditional("t", {"y": {"+": 1}}, given="d")), "needs a table that is of 'd'"),
        (lambda: Joint.product(Conditional("t", {1: 1}), Conditional("t", {1: 1})), "two tables are of 't'"),
        (lambda: Joint.product(*(Conditional(a, {0: {0: 1}}, b) for a, b in ("uv", "vu"))), "circle"),
        (lambda: Joint.product(Conditional("a", {0: 1}), Conditional("b", {1: {0: 1}}, "a")), "same levels"),
        (lambda: Joint.of(likely.NaiveBayes()), "is no fitted model"),
        (lambda: Joint.of(likely.NaiveBayes().fit({"x": [1.5, 2]}, ["a", "b"])), "'x' is quantitative"),
        (lambda: Joint.of(likely.NaiveBayes().fit({"x": [None] * 2}, ["a", "b"])), "'x' has no level"),
    ],
)  # fmt: skip
def test_what_is_no_distribution_is_refused(make, said):
    with pytest.raises(LikelyError, match=said):
        make()


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda j: j.prob(todai="rain"), "no variable 'todai': did you mean 'today'"),
        (lambda j: j.prob(today="rane"), "today='rane' is no level.*did you mean 'rain'"),
        (lambda j: j.prob(today=set()), "allows no value"),
        (lambda j: j.prob({"today": "rain"}, today="sun"), "'today' is given twice"),
        (lambda j: j.prob("today"), "give values by name"),
        (lambda j: j.prob({"today": "sun"}, given={"tomorrow": "rain", "today": "sun"}), "probability 0"),
        (lambda j: j.condition(today="sun", tomorrow="sun"), "leaves no variable"),
        (lambda j: j.marginal(), "name one at least"),
        (lambda j: j.marginal("today", "today"), "names a variable twice"),
        (lambda j: j.conditional([], given="today"), "name one variable at least"),
        (lambda j: j.conditional("today", given="today"), "names a variable twice"),
        (lambda j: j.factorise("today"), "name every variable once"),
        (lambda j: j.entropy("today", given="today"), "names a variable twice"),
        (lambda j: j.mutual_information("today", []), "name one variable at least"),
        (lambda j: j.sample(-1), "n=-1"),
        (lambda j: j.to_frame(prob="today"), "'today' is a variable too"),
        (lambda j: j.conditional("today", "tomorrow").prob(today="sun"), "needs one level of 'tomorrow'"),
        (lambda j: j.conditional("today", "tomorrow").likelihood(today={"sun"}), "one level of 'today'"),
    ],
)  # fmt: skip
def test_questions_that_mean_nothing_are_refused(ask, said):
    with pytest.raises(LikelyError, match=said):
        ask(Joint.from_table(RAIN))


def test_what_does_not_fit_is_refused_in_advance_with_its_size():
    coins = [Conditional(f"c{i}", {"h": 0.5, "t": 0.5}) for i in range(70)]
    with pytest.raises(LikelyError, match=r"40 variables has 1,099,511,627,776 cells and needs 8,192 GiB"):
        Joint.product(*coins[:40])
    with pytest.raises(LikelyError, match=r"28 variables has 268,435,456 cells and needs 2\.0 GiB"):
        Joint.product(*coins[:28])
    with pytest.raises(LikelyError, match=r"70 variables has 1\.181e\+21 cells"):
        Joint.product(*coins)
    with pytest.raises(LikelyError, match="70 variables: 32 is the most"):
        Joint.product(*(Conditional(f"c{i}", {"h": 1.0}) for i in range(70)))
    data = {f"c{i}": [True, False] for i in range(40)}
    with pytest.raises(LikelyError, match="40 variables"):
        Joint.from_data(data)
    with pytest.raises(LikelyError, match="41 variables"):
        Joint.of(likely.NaiveBayes().fit(data | {"y": ["a", "b"]}, "y"))
    assert Joint.product(*(Conditional(f"c{i}", {"h": 1.0}) for i in range(32))).prob(c31="h") == 1


def test_twenty_true_or_false_variables():
    """A chain whose answers are known: each variable is the one before, flipped with probability 1/4."""
    flip = {True: {True: 0.75, False: 0.25}, False: {True: 0.25, False: 0.75}}
    chain = [Conditional("v0", {True: 0.5, False: 0.5})]
    chain += [Conditional(f"v{i}", flip, given=f"v{i - 1}") for i in range(1, 20)]
    joint = Joint.product(*chain)
    assert joint.probs.shape == (2,) * 20
    same = (1 + 0.5**19) / 2
    assert joint.prob({"v19": True}, given={"v0": True}) == pytest.approx(same, rel=1e-12)
    assert joint.condition(v0=True).marginal("v19").prob(v19=True) == pytest.approx(same, rel=1e-12)
    assert joint.independent("v0", "v19", given="v7")
    assert not joint.independent("v0", "v3")
    assert joint.entropy() == pytest.approx(1 + 19 * likely.score.entropy([0.25, 0.75]), rel=1e-12)
    assert set(joint.argmax().values()) == {True}
