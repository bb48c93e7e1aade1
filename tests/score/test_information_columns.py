"""What may be a column, a name, a table, a weight, a distribution; and what is refused, with the remedy."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely.score import (
    Bits,
    conditional_entropy,
    conditional_entropy_of,
    entropy,
    entropy_of,
    information,
    kl,
    kl_of,
    mutual_information,
    mutual_information_of,
)

COLOURS = ["red", "red", None, "blue", "green", "blue"]
SIZES = [1, 1, 2, 2, None, 2]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        lambda c: np.array(c, object),
        pd.Series,
        lambda c: pd.Series(c, dtype="category" if isinstance(c[0], str) else "Int64"),
        pl.Series,
        lambda c: pl.Series(c, dtype=pl.Categorical if isinstance(c[0], str) else pl.Int8),
    ],
)
def test_any_column(make):
    found = mutual_information_of(make(COLOURS), make(SIZES))
    assert found == 1  # red, red, blue, blue against 1, 1, 2, 2
    assert found.n == 4


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame])
@pytest.mark.filterwarnings("ignore:a lazy table of")
def test_any_table(make):
    table = make({"colour": COLOURS, "size": SIZES, "count": [1, 1, 5, 1, 5, 1]})
    assert mutual_information_of("colour", "size", table=table) == 1
    assert entropy_of(["colour", "size"], table=table) == 1
    assert entropy_of(["colour", "size"], table=table, weight="count").n == 4
    assert conditional_entropy_of("size", ["colour"], table=table) == 0
    assert entropy_of(table).n == 4


def test_matrices_are_tables_and_values_go_beside_names():
    matrix = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert entropy_of(matrix) == 2
    assert mutual_information_of("x0", matrix[:, 0], table=matrix) == 1
    assert entropy_of("a", table={"a": ["u", "v"]}, weight=[1, 3]) == pytest.approx(0.8113, abs=1e-4)


def test_missing_cells_are_left_out_of_the_question_they_are_in():
    table = {"a": [1, 1, 2, None], "b": ["u", None, "v", "v"]}
    assert [entropy_of(name, table=table).n for name in ("a", "b")] == [3, 3]
    assert mutual_information_of("a", "b", table=table).n == 2


def test_rows_of_weight_zero_are_no_rows():
    assert repr(entropy_of(["a", "b", "c"], weight=[1, 1, 0])) == repr(entropy_of(["a", "b"], weight=[1, 1]))


def test_declared_levels_that_do_not_occur_are_not_counted():
    column = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(list("abcdefgh")))
    assert entropy_of(column).bias == entropy_of(["a", "b"]).bias


def test_many_columns_of_many_levels_need_no_table_of_all_combinations():
    rng = np.random.default_rng(0)
    wide = {f"c{j}": rng.integers(10_000, size=2000) for j in range(12)}
    assert entropy_of(wide) == pytest.approx(np.log2(2000))
    assert mutual_information_of(wide["c0"], wide) == pytest.approx(entropy_of(wide["c0"]))


@pytest.mark.parametrize("values", [[0.5, 1.5], [1.0, np.inf], np.array(["2020-01-01"], "datetime64[D]")])
def test_numbers_on_a_scale_are_refused_unless_declared(values):
    with pytest.raises(likely.LikelyError, match=r"'x' holds .* put them into bins .* kinds='categorical'"):
        entropy_of(values)
    assert entropy_of(values, kinds="categorical") == np.log2(len(values))
    assert entropy_of("v", table={"v": values}, kinds={"v": "categorical"}) == np.log2(len(values))


def test_kinds():
    assert entropy_of([1.0, None, 2.0]) == 1  # whole numbers with a gap
    assert entropy_of([0, 1], kinds="boolean") == 1
    assert entropy_of([0, 4], kinds="count") == 1
    assert entropy_of(["s", "l"], kinds={"x": ["s", "m", "l"]}) == 1
    assert entropy_of("a", table={"a": [1, 2], "b": [0.5, 1]}, kinds={"b": "quantitative"}) == 1
    with pytest.raises(likely.LikelyError, match="should hold"):
        entropy_of([0, 4], kinds="boolean")
    with pytest.raises(likely.LikelyError, match="holds whole numbers such as 3"):
        entropy_of([3, 4], kinds="quantitative")
    with pytest.raises(likely.LikelyError, match="several types"):
        entropy_of([3, "a"])
    with pytest.raises(likely.LikelyError, match="did you mean 'age'"):
        entropy_of("age", table={"age": [1, 2]}, kinds={"agee": "categorical"})


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: entropy([0.5, 0.4]), r"sum of p=0\.9: .* entropy_of\(column\)"),
        (lambda: entropy([1.5, -0.5]), r"p=-0\.5: a probability is a number from 0 to 1"),
        (lambda: entropy([np.nan, 1.0]), "p=nan"),
        (lambda: entropy([None, 1.0]), "p=nan"),
        (lambda: entropy([]), "p is empty"),
        (lambda: entropy(["0.5", "0.5"]), r"p holds '0\.5', which is no probability: .* entropy_of"),
        (lambda: entropy([True, False]), "p holds True, which is no probability"),
        (lambda: entropy([[0.5], [0.2, 0.3]]), "rows of p are of different lengths"),
        (lambda: entropy({"a": 0.5, "b": 0.5}), "p="),
        (lambda: entropy(likely.Normal(0.0, 1.0)), "has no levels"),
        (lambda: entropy(likely.Bernoulli([0.2, 0.3])), r"batch .* likely.Bernoulli\(p.p\[0\]\)"),
        (lambda: information(1.2), r"p=1\.2: a probability is a number from 0 to 1"),
        (lambda: information(-0.1), r"p=-0\.1"),
        (lambda: kl([0.5, 0.5], [0.2, 0.3, 0.5]), r"p has the shape \(2,\) and q \(3,\)"),
        (lambda: kl([0.5, 0.5], [0.5, 0.6]), r"sum of q=1\.1: .* kl_of"),
        (lambda: conditional_entropy([0.5, 0.5], 0), "nothing is left"),
        (lambda: conditional_entropy([[0.5, 0.5]], 2), "joint has 2 axes"),
        (lambda: conditional_entropy([[0.5, 0.5]], "rows"), "given='rows'"),
        (lambda: conditional_entropy([1, 2], [0, 1]), "conditional_entropy_of"),
        (lambda: mutual_information([0.5, 0.5]), "1 axis beside those given .* mutual_information_of"),
        (lambda: mutual_information(np.full((2, 2, 2), 1 / 8)), "3 axes beside"),
        (lambda: entropy_of([]), "no row has a value in 'x'"),
        (lambda: entropy_of([None, None]), "no row has a value in 'x'"),
        (lambda: entropy_of(None), "x is None"),
        (lambda: entropy_of("play"), "x='play' is a name: give the table"),
        (lambda: entropy_of("plya", table={"play": [1]}), "x names column 'plya', .* 'play'"),
        (lambda: entropy_of([], table={"play": [1]}), "has no columns"),
        (lambda: entropy_of({}), "has no columns"),
        (lambda: entropy_of(3), "'x' has 0 dimensions"),
        (lambda: entropy_of([1, 2], weight=[1]), "x has 2 rows and weight has 1"),
        (lambda: entropy_of([1, 2], weight=[1, -1]), r"weight=-1.*: it must be 0 or above"),
        (lambda: entropy_of([1, 2], weight=[1, np.nan]), "weight=nan"),
        (lambda: entropy_of([1, 2], weight=["a", "b"]), "'weight' should hold numbers"),
        (lambda: entropy_of([1], weight={"a": [1], "b": [1]}), "weight has 2 columns"),
        (lambda: entropy_of([1, 2], weight=[0, 0]), "and a weight: there is nothing to count"),
        (lambda: mutual_information_of([1, 2], [1, 2, 3]), "x has 2 rows and y has 3"),
        (lambda: mutual_information_of([1, None], [None, 2]), "no row has a value in 'x', 'y'"),
        (lambda: kl_of(["1"], [1]), "holds text here and whole numbers there"),
        (lambda: kl_of({"a": [1], "b": [2]}, [1]), "x has 2 columns: compare them one by one"),
        (lambda: kl_of([1], [1], kinds={"x": "count"}), "give one kind for both"),
    ],
)
def test_refusals_name_the_argument_the_value_and_the_remedy(call, said):
    with pytest.raises(likely.LikelyError, match=said):
        call()


def test_distributions():
    assert entropy(likely.Bernoulli(0.5)) == 1
    assert entropy(likely.Categorical([0.25, 0.25, 0.5])) == 1.5
    assert information(likely.Bernoulli(0.25)).round(3).tolist() == [0.415, 2]
    own, other = likely.Categorical([0.5, 0.5], levels="ab"), likely.Categorical([0.75, 0.25], levels="ba")
    assert kl(own, other) == pytest.approx(kl([0.5, 0.5], [0.25, 0.75]))
    assert kl(own, likely.Categorical([0.5, 0.25, 0.25], levels="acb")) == 0.5
    assert kl(own, likely.Categorical([1.0], levels="a")) == np.inf
    assert kl(likely.Bernoulli(0.25), [0.75, 0.25]) == 0
    assert kl(likely.Categorical([0.5, 0.5]), own) == 0


def test_zeros_make_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert information(0.0) == np.inf
        assert str(information(1.0)) == "0.0"
        assert entropy([1.0, 0.0]) == 0
        assert kl([0.5, 0.5], [1.0, 0.0]) == np.inf
        assert kl([1.0, 0.0], [1.0, 0.0]) == 0
        assert mutual_information([[1.0, 0.0], [0.0, 0.0]]) == 0
        assert mutual_information([[1e-300, 0.0], [0.0, 1.0]]) < 1e-12
        assert repr(kl_of(["a", "b"], ["b"])) == "inf bits from 3 rows"
        assert kl([1e-310, 1.0], [1e-320, 1.0]) < 1e-12


def test_bits_are_floats():
    bits = entropy_of(["a", "b", "b"])
    assert isinstance(bits, float)
    assert type(bits * 2) is float
    assert f"{bits:.3f}" == "0.918"
    assert json.loads(json.dumps(bits)) == float(bits)
    for again in (pickle.loads(pickle.dumps(bits)), copy.deepcopy(bits)):
        assert (again, again.n, again.bias) == (bits, bits.n, bits.bias)
    assert repr(entropy_of(["a"])) == "0 bits from 1 row"
    assert repr(Bits(0.0123, 2.5, 1.25)) == "0.012 bits from 2.5 rows; biased high by about 1.2"
    assert repr(Bits(3.3e-16, 10, -0.004)) == "0 bits from 10 rows; biased low by about 0.004"
