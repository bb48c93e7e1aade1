"""Kinds declared and learnt, and what is said of tables that do not fit."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from backends import NAN, codes, learnt, numbers

from likely.errors import LikelyError, LikelyWarning
from likely.table.column.as_raw import as_raw
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame
from likely.table.schema import Schema

MAKERS = {"dict": dict, "pandas": pd.DataFrame, "Polars": pl.DataFrame, "PyArrow": pa.table}
each_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


# --- kinds


def test_kinds_come_from_the_type_but_for_whole_numbers_that_are_0_or_1() -> None:
    table = {
        "flag": ([0, 1, 0], "boolean"),
        "flag with gaps": ([0.0, 1.0, np.nan], "boolean"),
        "all one": ([1, 1, 1], "quantitative"),
        "whole": ([0, 1, 2], "quantitative"),
        "number": ([0.0, 1.0, 1.0], "quantitative"),
        "truth": ([True, False, True], "boolean"),
        "text": (["0", "1", "0"], "categorical"),
    }
    _, schema = learnt({name: values for name, (values, _) in table.items()})
    assert {c.name: str(c.kind) for c in schema.columns} == {name: kind for name, (_, kind) in table.items()}


def test_a_flag_takes_other_numbers_for_the_nearest_unless_it_is_declared() -> None:
    _, schema = learnt({"a": [0, 1, 0]})
    later = Frame.of({"a": [2, 0, 1, -3]})
    assert schema.columns[0].numbers(later.raw("a")).tolist() == [1, 0, 1, 0]
    _, schema = learnt({"a": [0, 1, 0]}, "boolean")
    with pytest.raises(LikelyError, match="should hold true or false"):
        schema.columns[0].numbers(later.raw("a"))


@each_maker
def test_kinds_by_name_and_for_all(make: Any) -> None:
    table = make({"a": [1, 2], "b": [0, 1], "c": [5, 6]})
    _, schema = learnt(table, {"a": "categorical", "b": Kind.BOOLEAN, "c": "COUNT"})
    assert [str(c.kind) for c in schema.columns] == ["categorical", "boolean", "count"]
    _, schema = learnt(table, "ordinal")
    assert [c.levels for c in schema.columns] == [(1, 2), (0, 1), (5, 6)]
    _, schema = learnt(table, {"a": None})
    assert schema.columns[0].kind is Kind.QUANTITATIVE


@each_maker
def test_a_list_of_levels_makes_an_ordinal(make: Any) -> None:
    table = make({"a": ["low", "high", None]})
    for levels in (["low", "mid", "high"], ("low", "mid", "high"), np.array(["low", "mid", "high"])):
        frame, schema = learnt(table, {"a": levels})
        assert schema.columns[0].kind is Kind.ORDINAL
        assert schema.columns[0].levels == ("low", "mid", "high")
        assert codes(frame, schema) == [0, 2, -1]
    _, schema = learnt(make({"a": [3, 1]}), {"a": np.array([3, 2, 1])})
    assert schema.columns[0].levels == (3, 2, 1)
    assert type(schema.columns[0].levels[0]) is int


@pytest.mark.parametrize(
    ("values", "kinds", "said"),
    [
        ([1], "categorial", "kind 'categorial' for column 'age' is unknown: did you mean 'categorical'?"),
        ([1], "zzz", "kind 'zzz' for column 'age' is unknown: use one of boolean, categorical, ordinal"),
        (
            [1],
            {"agee": "count"},
            "kinds names column 'agee', which the table does not have: did you mean 'age'?",
        ),
        (
            [1],
            {"zzz": "count"},
            "kinds names column 'zzz', which the table does not have: the columns are ['age']",
        ),
        ([1], {7: "count"}, "kinds names column '7', which the table does not have"),
        ([1], 5, "kinds['age'] = 5: give the name of a kind, or a list of levels"),
        ([1], {"age": []}, "kinds['age'] is an empty list"),
        ([1], {"age": [1, None]}, "kinds['age'] lists a missing value"),
        ([1], {"age": [1, 2, 1]}, "kinds['age'] lists the level 1 twice"),
        (
            ["a", "c"],
            {"age": ["a", "b"]},
            "column 'age', row 1 holds 'c', which is not among the levels ['a', 'b']",
        ),
        (["1"], {"age": [1, 2]}, "column 'age', row 0 holds '1', which is not among the levels [1, 2]"),
        ([0, 2], "boolean", "column 'age' should hold true or false (1 or 0), but row 1 holds 2: correct"),
        (
            ["true", "maybe"],
            "boolean",
            "column 'age' should hold true or false (1 or 0), but row 1 holds 'maybe'",
        ),
        (
            [0, -1],
            "count",
            "column 'age' should hold counts (whole numbers from 0), but row 1 holds -1: correct",
        ),
        ([0.0, 1.5], "count", "column 'age' should hold counts (whole numbers from 0), but row 1 holds 1.5"),
        (["x"], "count", "column 'age' should hold numbers, but row 0 holds 'x': convert"),
        (
            ["2.5", None, "oops", "7"],
            "quantitative",
            "column 'age' should hold numbers, but row 2 holds 'oops'",
        ),
        (["2.5", "7"], "quantitative", "column 'age' should hold numbers, but row 0 holds '2.5'"),
        ([None, "x"], "quantitative", "column 'age' should hold numbers, but row 1 holds 'x': convert"),
        ([1.5], "text", "column 'age' is declared text, but holds numbers: convert it to text"),
    ],
)
@each_maker
def test_what_cannot_be_declared(make: Any, values: Any, kinds: Any, said: str) -> None:
    with pytest.raises(LikelyError, match=re.escape(said)):
        learnt(make({"age": values}), kinds)


def test_what_can_be_declared() -> None:
    assert numbers(*learnt({"a": ["True", "false", None]}, "boolean")) == pytest.approx(
        [1, 0, NAN], nan_ok=True
    )
    assert numbers(*learnt({"a": [1.0, 0.0, NAN]}, "boolean")) == pytest.approx([1, 0, NAN], nan_ok=True)
    assert numbers(*learnt({"a": pd.Categorical(["0", "1"])}, "boolean")) == [0, 1]
    assert numbers(*learnt({"a": [2.0, NAN]}, "count")) == pytest.approx([2, NAN], nan_ok=True)
    assert numbers(*learnt({"a": [True, False]}, "count")) == [1, 0]
    assert numbers(*learnt({"a": [None, None]}, "quantitative")) == pytest.approx([NAN, NAN], nan_ok=True)
    assert learnt({"a": ["short"]}, "text")[1].columns[0].kind is Kind.TEXT
    assert learnt({"a": ["x" * 99]}, "categorical")[1].columns[0].levels == ("x" * 99,)


# --- new tables


@each_maker
def test_aligned(make: Any) -> None:
    _, schema = learnt(make({"a": [1], "b": ["x"]}))
    frame = Frame.of(make({"a": [2], "b": ["y"]}))
    assert schema.align(frame, "Model") is frame


@each_maker
def test_missing_columns(make: Any) -> None:
    _, schema = learnt(make({"age": [1], "sex": ["x"]}))
    if Frame.of(make({"sex": ["x"]})).library == "dict":  # what a record does not tell is missing
        with pytest.warns(LikelyWarning, match=r"column 'age' is not there: taken as missing"):
            frame = schema.align(Frame.of(make({"sex": ["x"]})), "Model")
        assert frame.names == ("age", "sex")
        assert frame.raw("age").is_empty()
        return
    with pytest.raises(LikelyError) as said:
        schema.align(Frame.of(make({"sex": ["x"]})), "Model")
    assert str(said.value) == (
        "The feature names should match those that were passed during fit.\n"
        "Feature names seen at fit time, yet now missing:\n- age\n"
        "Add the missing columns (with missing values, if need be).\n"
    )
    with pytest.raises(
        LikelyError, match=r"unseen at fit time:\n- aeg\n(.|\n)*is 'aeg' the column 'age'\? Rename it"
    ):
        schema.align(Frame.of(make({"aeg": [1], "sex": ["x"]})), "Model")


@each_maker
def test_extra_columns_are_ignored_with_one_warning(make: Any) -> None:
    _, schema = learnt(make({"a": [1], "b": ["x"]}))
    with pytest.warns(LikelyWarning) as said:
        frame = schema.align(Frame.of(make({"id": [7], "a": [3], "b": ["x"]})), "Model")
    assert [str(w.message) for w in said] == ["column 'id' not seen when the model was fitted: ignored."]
    assert numbers(frame, schema) == [3.0]
    assert codes(frame, schema, 1) == [0]
    with pytest.warns(LikelyWarning, match="columns 'x0', 'x1', 'x2', 'x3', 'x4', ... not seen"):
        schema.align(Frame.of(make({**{f"x{j}": [7] for j in range(6)}, "a": [3], "b": ["x"]})), "Model")


@each_maker
def test_another_order(make: Any) -> None:
    _, schema = learnt(make({"a": [1], "b": ["x"]}))
    turned = Frame.of(make({"b": ["x"], "a": [1]}))
    if turned.library == "dict":  # names alone say which is which
        assert schema.align(turned, "Model").names == ("a", "b")
        return
    with pytest.raises(LikelyError, match="Feature names must be in the same order as they were in fit"):
        schema.align(turned, "Model")


def test_another_number_of_columns() -> None:
    _, schema = learnt(np.zeros((2, 3)))
    with pytest.raises(
        LikelyError, match="X has 2 features, but Model is expecting 3 features as input: 'x0', 'x1'"
    ):
        schema.align(Frame.of(np.zeros((2, 2))), "Model")


def test_names_on_one_side_only() -> None:
    _, named = learnt(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    with pytest.warns(
        UserWarning, match="X does not have valid feature names, but Model was fitted with feature"
    ):
        frame = named.align(Frame.of(np.array([[5.0, 6.0]])), "Model")
    assert frame.names == ("a", "b")
    assert numbers(frame, named, 1) == [6.0]
    _, unnamed = learnt(np.array([[5.0, 6.0]]))
    with pytest.warns(UserWarning, match="X has feature names, but Model was fitted without feature names"):
        frame = unnamed.align(Frame.of(pd.DataFrame({"a": [1.0], "b": [2.0]})), "Model")
    assert numbers(frame, unnamed, 1) == [2.0]
    _, texts = learnt(pd.DataFrame({"a": ["x"], "b": ["y"]}))
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        frame = texts.align(Frame.of(np.array([["x", "z"]])), "Model")
    assert codes(frame, texts, 1) == [-2]


TODAY, NOW = dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)


@pytest.mark.parametrize(
    ("before", "kinds", "now", "said"),
    [
        (["x"], None, [1], "held text when the model was fitted and now holds whole numbers (such as 1)"),
        (["x"], None, [None, 1.5], "held text when the model was fitted and now holds numbers (such as 1.5)"),
        ([1.5], None, ["x"], "held numbers when the model was fitted and now holds text (such as 'x')"),
        (
            [1.5],
            None,
            ["1", None, "x", "2"],
            "held numbers when the model was fitted and now holds text (row 2: 'x')",
        ),
        (
            [1],
            None,
            [None, "x"],
            "held whole numbers when the model was fitted and now holds text (such as 'x')",
        ),
        ([1], None, [True], "held whole numbers when the model was fitted and now holds true/false values"),
        ([1], "categorical", [True], "held whole numbers when the model was fitted and now holds true/false"),
        (
            [1],
            "categorical",
            ["1"],
            "held whole numbers when the model was fitted and now holds text (such as '1')",
        ),
        ([1], "count", [TODAY], "held whole numbers when the model was fitted and now holds dates"),
        ([TODAY], None, [1], "held dates when the model was fitted and now holds whole numbers (such as 1)"),
        ([TODAY], None, [NOW], "held dates when the model was fitted and now holds times"),
        (
            [TODAY],
            "categorical",
            ["x"],
            "held dates when the model was fitted and now holds text (such as 'x')",
        ),
        ([TODAY], "categorical", [3], "held dates when the model was fitted and now holds whole numbers"),
        ([True], None, [NOW], "held true/false values when the model was fitted and now holds times"),
        ([True], "categorical", ["x"], "held true/false values when the model was fitted and now holds text"),
    ],
)
@each_maker
def test_another_type(make: Any, before: Any, kinds: Any, now: Any, said: str) -> None:
    _, schema = learnt(make({"a": before}), kinds)
    frame = Frame.of(make({"a": now}))
    with pytest.raises(LikelyError, match=re.escape(f"column 'a' {said}") + ".*convert it to what it was"):
        _ = codes(frame, schema) if schema.columns[0].levels else numbers(frame, schema)


@pytest.mark.parametrize(
    ("before", "kinds", "now", "found"),
    [
        ([1.5], None, [2], [2.0]),
        ([1], None, [2.5, None], [2.5, NAN]),
        ([1, 2], "categorical", [2.0, None, 1.5], [1, -1, -2]),
        ([1.0, 2.0], "categorical", [2, 1, 3], [1, 0, -2]),
        ([1, 2], "count", [3.0, None], [3.0, NAN]),
        ([True, False], None, [1, 0], [1.0, 0.0]),
        ([True, False], None, ["True", "false"], [1.0, 0.0]),
        ([True, False], "categorical", [0, 1], [0, 1]),
        ([0, 1], "boolean", [True, None], [1.0, NAN]),
        (["x"], None, [None], [-1]),
        (["x", "y"], None, ["y", "z"], [1, -2]),
        ([TODAY], "categorical", [None, TODAY], [-1, 0]),
        ([NOW, None], "categorical", [NOW], [0]),
    ],
)
@each_maker
def test_types_that_mean_the_same(make: Any, before: Any, kinds: Any, now: Any, found: Any) -> None:
    _, schema = learnt(make({"a": before}), kinds)
    frame = Frame.of(make({"a": now}))
    answer = codes(frame, schema) if schema.columns[0].levels else numbers(frame, schema)
    assert answer == pytest.approx(found, nan_ok=True)


def test_values_are_looked_at_in_new_tables_too() -> None:
    _, schema = learnt({"a": [True, False]})
    with pytest.raises(LikelyError, match=r"column 'a' should hold true or false .* row 1 holds 2"):
        numbers(Frame.of({"a": [0, 2]}), schema)
    with pytest.raises(LikelyError, match=r"column 'a' should hold true or false .* row 0 holds 'x'"):
        numbers(Frame.of({"a": ["x", None]}), schema)


def test_free_text_stays_text() -> None:
    column = learnt({"a": ["x" * 60]})[1].columns[0]
    column.check(as_raw("a", ["short", None]))
    column.check(as_raw("a", pd.Categorical(["short"])))
    column.check(as_raw("a", [None]))
    with pytest.raises(LikelyError, match=r"column 'a' held text .* now holds whole numbers \(such as 1\)"):
        column.check(as_raw("a", [1]))


def test_categories_and_texts_are_the_same() -> None:
    frame, schema = learnt({"a": pd.Categorical(["b", "a"], ["b", "a", "c"])})
    assert codes(Frame.of({"a": ["a", "c", "d", None]}), schema) == [1, 2, -2, -1]
    assert codes(Frame.of({"a": pl.Series(["a", "d"], dtype=pl.Categorical)}), schema) == [1, -2]
    _, schema = learnt({"a": ["a", "b"]})
    assert codes(frame, schema) == [1, 0]


# --- schemas of parts


def test_widened() -> None:
    first = learnt({"a": ["b", "a"], "n": [1, 2]})[1]
    second = learnt({"a": ["c", "a"], "n": [1.5, 2]})[1]
    assert first.widened(second).columns[0].levels == ("a", "b", "c")
    assert second.widened(first).columns[0].levels == ("a", "b", "c")
    assert first.widened(first) == first
    with pytest.raises(LikelyError, match=r"now missing:\n- a"):
        first.widened(learnt({"n": [1]})[1])


def test_widened_listed_levels_keep_their_order() -> None:
    order = ["low", "mid", "high"]
    listed = learnt({"a": ["low", "high"]}, {"a": order})[1]
    found = learnt({"a": ["mid", "high"]}, "ordinal")[1]
    assert listed.widened(found).columns[0].levels == tuple(order)
    assert found.widened(listed).columns[0].levels == tuple(order)
    more = learnt({"a": ["top"]}, "ordinal")[1]
    assert listed.widened(more).columns[0].levels == (*order, "top")
    enum = learnt({"a": pl.Series(["low"], dtype=pl.Enum(order))})[1]
    assert enum.widened(listed).columns[0].levels == tuple(order)
    other = learnt({"a": ["low"]}, {"a": order[::-1]})[1]
    with pytest.raises(
        LikelyError, match=r"column 'a' has its levels in the order \['low', 'mid', 'high'\] here"
    ):
        listed.widened(other)
    numbers_ = learnt({"a": [3, 10]}, "ordinal")[1].widened(learnt({"a": [4]}, "ordinal")[1])
    assert numbers_.columns[0].levels == (3, 4, 10)


def test_widened_of_what_does_not_go_together() -> None:
    text, whole = learnt({"a": ["x"]})[1], learnt({"a": [1]})[1]
    with pytest.raises(
        LikelyError, match=r"column 'a' is categorical here and quantitative there: declare it"
    ):
        text.widened(whole)
    with pytest.raises(LikelyError, match="column 'a' holds text here and whole numbers there: convert"):
        text.widened(learnt({"a": [1]}, "categorical")[1])
    with pytest.raises(LikelyError, match="column 'a': missing is a level of its own on one side only"):
        text.widened(learnt({"a": ["x"]}, missing_level=True)[1])
    nothing = learnt({"a": [None]})[1]
    assert nothing.widened(text) == text
    assert text.widened(nothing) == text
    with pytest.raises(
        LikelyError, match=r"column 'a' held nothing but missing values .* declare it from the start"
    ):
        nothing.widened(learnt({"a": [1]}, "categorical")[1])
    declared = learnt({"a": [None]}, "quantitative")[1]
    assert declared.widened(whole) == whole
    assert whole.widened(declared) == whole
    closed = learnt({"a": ["b", None]}, missing_level=True)[1]
    assert closed.widened(learnt({"a": ["a"]}, missing_level=True)[1]).columns[0].levels == ("a", "b", None)


def test_units() -> None:
    table = {"day": [TODAY], "time": [NOW], "span": [dt.timedelta(1)], "clock": [dt.time(1)], "n": [1]}
    units = [c.unit for c in learnt(table)[1].columns]
    assert units == [
        "days since 1970-01-01",
        "seconds since 1970-01-01",
        "seconds",
        "seconds since midnight",
        None,
    ]


def test_a_schema_knows_where_it_came_from() -> None:
    for make, library in zip(MAKERS.values(), ("dict", "pandas", "polars", "pyarrow"), strict=True):
        schema = learnt(make({"a": [1]}))[1]
        assert (schema.library, schema.named, schema.names) == (library, True, ("a",))
    assert learnt(np.zeros((1, 1)))[1].library == "numpy"
    assert isinstance(learnt({"a": [1]})[1], Schema)
    assert Type.DATE.numeric
