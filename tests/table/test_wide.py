"""Wide sparse matrices: what is known of all columns is kept once, rows are views, sums are right."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix
from sklearn.naive_bayes import MultinomialNB

import likely
from likely.errors import LikelyError
from likely.stats import Groups
from likely.table import schema
from likely.table.column.block import has_gaps, row_sums, rows_of, turned
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import DefaultPositions, Frame, Places
from likely.table.schema import Alike, Everywhere, Schema, each_value, runs

NAMES = tuple(f"x{j}" for j in range(12))


def counts(n: int = 60, d: int = 40, seed: int = 0) -> csr_array:
    """Counts, most of them 0, with a row and a column that are empty."""
    table = np.random.default_rng(seed).poisson(0.3, (n, d)).astype(np.float64)
    table[3] = table[:, 5] = 0
    return csr_array(table)


def test_names_of_places_are_a_tuple_to_all_who_look() -> None:
    names = Places(12)
    assert names == NAMES
    assert NAMES == names  # noqa: SIM300
    assert hash(names) == hash(NAMES)
    assert list(names) == list(NAMES)
    assert (names[-1], names[3:5], len(names)) == ("x11", ("x3", "x4"), 12)
    assert names != Places(11)
    assert names != NAMES[:-1]
    assert names.index("x7") == 7
    assert pickle.loads(pickle.dumps(names)) == names
    with pytest.raises(IndexError):
        names[12]


@pytest.mark.parametrize("name", ["x12", "x-1", "x01", "x", "y3", "x1.0", "x٣", 3, None])
def test_what_is_no_place(name: Any) -> None:
    assert name not in Places(12)
    with pytest.raises(KeyError):
        DefaultPositions(Places(12))[name]


def test_the_place_of_a_name() -> None:
    assert dict(DefaultPositions(Places(12))) == {name: j for j, name in enumerate(NAMES)}


def test_columns_that_are_alike_are_a_tuple_to_all_who_look() -> None:
    pattern = Column("", Kind.COUNT, Type.FLOAT)
    alike = Alike(pattern, Places(3))
    plain = tuple(replace(pattern, name=name) for name in NAMES[:3])
    assert alike == plain
    assert plain == alike
    assert alike == Alike(replace(pattern, name="other"), NAMES[:3])
    assert hash(alike) == hash(plain)
    assert (alike[1], alike[-2:], list(alike)) == (plain[1], plain[1:], list(plain))
    assert alike != Alike(replace(pattern, kind=Kind.BOOLEAN), Places(3))
    assert alike != plain[:2]


def test_one_run_where_all_is_the_same() -> None:
    alike = Alike(Column("", Kind.COUNT, Type.FLOAT), Places(3))
    everywhere = Everywhere(Places(3), "count")
    assert [places for _, places in runs(alike, range(3), everywhere, {})] == [range(3)]
    assert [places for _, places in runs(alike, range(3), {"x1": "count"})] == [(0,), (1,), (2,)]
    assert [places for _, places in runs(tuple(alike), range(3))] == [(0,), (1,), (2,)]
    asked = []
    found = each_value(everywhere, lambda word, name: asked.append(name) or word.upper())  # type: ignore[func-returns-value]
    assert (dict(found), asked) == (dict.fromkeys(NAMES[:3], "COUNT"), ["x0"])


@pytest.mark.parametrize("kinds", [None, "count", "quantitative"])
def test_the_schema_of_a_matrix_is_the_same_as_column_by_column(kinds: str | None) -> None:
    frame = Frame.of(counts())
    schema = Schema.learn(frame, kinds)
    assert isinstance(schema.columns, Alike)
    one_by_one = Schema.learn(frame, dict.fromkeys(frame.names, kinds))
    assert isinstance(one_by_one.columns, tuple)
    assert schema == one_by_one
    assert schema.widened(one_by_one) == schema
    assert dict(schema.declarations) == one_by_one.declarations


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.int32])
@pytest.mark.parametrize("make", [csr_array, csr_matrix, csc_array, coo_array])
def test_a_multinomial_model_is_that_of_scikit_learn(make: Any, dtype: Any) -> None:
    X, y = make(counts()).astype(dtype), np.arange(60) % 3
    ours = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(X, y)
    theirs = MultinomialNB().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-10)
    by_name = likely.NaiveBayes(families=dict.fromkeys(Places(40), "multinomial"), evidence_weights=None).fit(
        X, y
    )
    np.testing.assert_array_equal(by_name.predict_proba(X), ours.predict_proba(X))
    np.testing.assert_allclose(ours.log_prob(X), by_name.log_prob(X), rtol=1e-12)


def test_pieces_of_a_wide_matrix_are_the_whole() -> None:
    X, y = counts(), np.arange(60) % 3
    whole = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(X, y)
    first = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(X[:30], y[:30])
    parts = (
        likely.NaiveBayes(families="multinomial", evidence_weights=None)
        .fit(X[:30], y[:30])
        .partial_fit(X[30:], y[30:])
    )
    assert isinstance(parts.record_.schema.columns, Alike)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-12)
    again = (whole - first) + first
    np.testing.assert_allclose(again.predict_proba(X), whole.predict_proba(X), rtol=1e-12)


@pytest.mark.parametrize("bad", [1.5, -1.0])
def test_a_number_that_is_no_count_is_named_however_late_it_comes(bad: float) -> None:
    X = csr_array(np.ones((4000, 20)))
    X[3999, 17] = bad
    for options in ({"families": "multinomial"}, {"kinds": "count"}):
        with pytest.raises(LikelyError, match=f"column 'x17' should hold counts .* row 3999 holds {bad}"):
            likely.NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(
                X, np.arange(4000) % 2
            )
    model = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(
        abs(np.round(X)), np.arange(4000) % 2
    )
    with pytest.raises(LikelyError, match="column 'x17' should hold counts"):
        model.predict_proba(X)


def test_of_a_missing_count_the_other_words_are_weighed() -> None:
    X, y = counts().toarray(), np.arange(60) % 3
    model = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(X, y)
    X[0, [1, 2]] = np.nan
    words = model.record_.core.parts[0].distribution
    known = np.delete(words.probs, [1, 2], axis=1)
    logs = np.log(known / known.sum(axis=1, keepdims=True)) @ np.delete(X[0], [1, 2])
    joint = np.exp(logs - logs.max())  # the classes are equally frequent
    for table in (X, csr_array(X)):
        np.testing.assert_allclose(model.predict_proba(table)[0], joint / joint.sum(), rtol=1e-10)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("groups", ["hard", "weighed", "soft", "many"])
def test_sums_of_sparse_rows_are_those_of_dense_ones(groups: str, index: Any) -> None:
    rng = np.random.default_rng(1)
    rows = counts()
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    codes, weight = rng.integers(0, 4, 60), rng.random(60)
    member = {
        "hard": Groups.hard(codes, 4),
        "weighed": Groups.hard(codes, 4, weight),
        "soft": Groups.softly(rng.random((60, 4))),
        "many": Groups.hard(rng.permutation(60), 64),
    }[groups]
    wanted = member.matrix.T @ rows.toarray()
    for values in (rows, csc_array(rows), csr_matrix(rows)):
        np.testing.assert_allclose(member.sum(values), wanted, rtol=1e-12)


def test_rows_and_transposes_are_views() -> None:
    whole = counts()
    some = rows_of(whole, 2, 9)
    np.testing.assert_array_equal(some.toarray(), whole.toarray()[2:9])
    np.testing.assert_array_equal(turned(some).toarray(), whole.toarray()[2:9].T)
    for matrix in (some, turned(some)):
        assert np.shares_memory(matrix.data, whole.data)
        assert np.shares_memory(matrix.indices, whole.indices)
    assert rows_of(whole.astype(np.int64), 2, 9).dtype == np.float64
    assert rows_of(whole, 4, 4).shape == (0, 40)


def test_sums_and_gaps_of_rows() -> None:
    whole = counts()
    np.testing.assert_allclose(row_sums(whole), whole.toarray().sum(axis=1))
    np.testing.assert_allclose(row_sums(csc_array(whole)), whole.toarray().sum(axis=1))
    assert row_sums(csr_array((3, 2))).tolist() == [0, 0, 0]
    assert not has_gaps(whole)
    whole.data[-1] = np.nan
    assert has_gaps(whole)
    assert np.isnan(row_sums(whole)).sum() == 1


@pytest.mark.parametrize("cells", [[1e200, -1e200], [np.inf, 1.0], [np.inf, -np.inf]])
def test_huge_and_infinite_cells_are_no_gaps_and_no_warnings(cells):
    with np.errstate(all="raise"):
        assert not has_gaps(np.array([cells * 20]))
        assert has_gaps(np.array([cells * 20 + [np.nan]]))


def test_a_fit_asks_for_few_columns_of_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that differ in their names alone are not made one by one: 50,000 took four fifths of a fit."""
    made: list[str] = []

    def named(pattern: Column, name: str) -> Column:
        made.append(name)
        return replace(pattern, name=name)

    monkeypatch.setattr(schema, "_named", named)
    X, y = csr_matrix(np.random.default_rng(0).poisson(1, (60, 2000)).astype(float)), np.arange(60) % 3
    model = likely.NaiveBayes(families="multinomial", evidence_weights=None).fit(X, y)
    model.predict_proba(X)
    assert len(made) < 100
