"""Decompositions of the film matrix, by every method, and the laws that they obey."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.decomposition import NMF, PCA, TruncatedSVD
from sklearn_checks import estimator_checks

import likely
from likely import Decompose, LikelyError
from likely.infer.low_rank import open_cells

FILMS = np.array([[1, 0, 1, 0], [0, 2, 2, 2], [0, 0, 0, 1], [1, 2, 3, 2], [1, 0, 1, 1], [0, 2, 2, 3]], float)
GENRES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
BLOCKS = np.array([[1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 0, 1]])
NAMES = ["love", "war", "both", "fun"]
METHODS = ["pca", "svd", "lsa", "nmf", "ppca", "completion", "binary", "boolean"]
each = pytest.mark.parametrize("method", METHODS)
RNG = np.random.default_rng(4)
TABLE = RNG.gamma(2, 1, (60, 5)) @ RNG.random((5, 6)) * [1, 10, 0.1, 3, 1, 1]


@estimator_checks(
    Decompose("pca", starts=3), rarely=[Decompose(method, starts=3) for method in METHODS if method != "pca"]
)
def test_decompose_estimator_checks(estimator, check):
    check(estimator)


def test_svd_of_the_films():
    svd = Decompose("svd", None).fit(FILMS)
    assert svd.singular_values_**2 == pytest.approx([47.930289, 3.725747, 1.343965, 0], abs=5e-7)
    assert svd.singular_values_ == pytest.approx([6.9232, 1.9302, 1.1593, 0], abs=5e-5)
    assert (svd.singular_values_**2).sum() == pytest.approx((FILMS**2).sum()) == 53
    assert svd.shares_.cumsum()[:3] == pytest.approx([0.904345, 0.974642, 1], abs=5e-7)
    assert svd.components_[0] == pytest.approx([0.130608, 0.484046, 0.614654, 0.608967], abs=5e-7)
    errors = [Decompose("svd", k).fit(FILMS).error_ for k in (1, 2, 3)]
    assert errors == pytest.approx([5.069711, 1.343965, 0], abs=5e-7)


def test_both_routes_to_the_squares_and_the_product():
    svd = Decompose("svd", None).fit(FILMS)
    columns, rows = np.linalg.eigvalsh(FILMS.T @ FILMS)[::-1], np.linalg.eigvalsh(FILMS @ FILMS.T)[::-1]
    assert svd.singular_values_**2 == pytest.approx(columns, abs=1e-10)
    assert svd.singular_values_**2 == pytest.approx(rows[:4], abs=1e-10)
    scores = svd.transform(FILMS)
    assert scores.T @ scores == pytest.approx(np.diag(svd.singular_values_**2), abs=1e-10)  # U Sigma
    assert svd.components_ @ svd.components_.T == pytest.approx(np.eye(4), abs=1e-12)  # a rotation


def test_pca_of_the_films():
    pca = Decompose("pca", 3).fit(FILMS)
    assert pca.singular_values_ == pytest.approx([3.851486, 1.775643, 0.716344], abs=5e-7)
    assert pca.singular_values_**2 / 6 == pytest.approx([2.472324, 0.525485, 0.085525], abs=5e-7)
    assert pca.shares_ == pytest.approx([0.801835, 0.170428, 0.027738], abs=5e-7)
    assert pca.mean_ == pytest.approx(FILMS.mean(axis=0))


@pytest.mark.parametrize(("method", "theirs"), [("pca", PCA), ("svd", TruncatedSVD), ("lsa", TruncatedSVD)])
def test_as_scikit_learn_but_for_the_signs(method, theirs):
    ours = Decompose(method, 3).fit(TABLE)
    other = theirs(3, **({} if theirs is PCA else {"algorithm": "arpack"})).fit(TABLE)
    assert np.abs(ours.transform(TABLE)) == pytest.approx(np.abs(other.transform(TABLE)), rel=1e-8, abs=1e-8)
    largest = np.take_along_axis(ours.components_, np.abs(ours.components_).argmax(1)[:, None], 1)
    assert (largest > 0).all()


def test_nmf_of_the_films():
    two = Decompose("nmf", 2).fit(FILMS)
    assert two.error_ == pytest.approx(1.4256, abs=5e-5)
    assert two.error_ >= 1.343964
    assert Decompose("nmf", 3).fit(FILMS).error_ == pytest.approx(0, abs=1e-12)
    assert (two.components_ >= 0).all()
    assert (two.transform(FILMS) >= 0).all()
    theirs = NMF(2, init="nndsvda", tol=1e-10, max_iter=5000).fit(FILMS)
    assert two.error_ <= theirs.reconstruction_err_**2 * (1 + 1e-6)
    with pytest.raises(LikelyError, match=r"column 'x1' is -2 in row 0.*'svd'"):
        Decompose("nmf").fit([[1.0, -2.0], [1.0, 2.0]])


def test_the_genres_are_found_and_exact():
    found = Decompose("binary", 3).fit(FILMS)
    assert found.error_ == pytest.approx(0, abs=1e-20)
    assert np.diag([1, 2, 1]) @ BLOCKS == pytest.approx(np.diag([1, 2, 1]) * 1 @ BLOCKS)
    assert GENRES @ np.diag([1, 2, 1]) @ BLOCKS == pytest.approx(FILMS)
    order = [1, 0, 2]  # the largest first
    assert found.singular_values_ == pytest.approx([2, 1, 1])
    assert found.components_[:1] == pytest.approx(BLOCKS[order][:1])
    assert {tuple(row) for row in found.components_} == {tuple(row) for row in BLOCKS.astype(float)}
    parts = found.parts(FILMS)
    assert parts.sum(axis=0) == pytest.approx(FILMS)
    assert [np.linalg.matrix_rank(part) for part in parts] == [1, 1, 1]
    assert Decompose("binary", None).fit(FILMS).components_.shape == (3, 4)


def test_binary_factors_by_brute_force():
    """All pairs of 0/1 factors of a small matrix: nothing beats what is found."""
    X = np.array([[1.0, 0, 2], [3, 1, 0], [0, 2, 2]])
    every = [np.array([b >> i & 1 for i in range(3)], float) for b in range(8)]
    best = np.inf
    for a in every:
        for b in every:
            block = np.outer(a, b)
            size = (block * X).sum() / max((block**2).sum(), 1)
            best = min(best, ((X - size * block) ** 2).sum())
    assert Decompose("binary", 1).fit(X).error_ == pytest.approx(best)


def test_boolean_rank_is_below_the_ordinary_rank():
    pattern = FILMS > 0
    assert np.linalg.matrix_rank(pattern.astype(float)) == 4
    assert ((GENRES @ BLOCKS > 0) == pattern).all()
    found = Decompose("boolean", None).fit(FILMS)
    assert found.error_ == 0
    assert found.components_.shape == (3, 4)
    assert (found.inverse_transform(found.transform(FILMS)) == pattern).all()
    assert Decompose("boolean", 2).fit(FILMS).error_ == 2  # by brute force below
    others = np.array([[0, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]], bool)  # not unique
    union = np.array(
        [[others[list(c)].any(axis=0) for c in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])]]
    )
    assert all((union[0] == row).all(axis=1).any() for row in pattern)


def test_two_boolean_blocks_by_brute_force():
    pattern = FILMS > 0
    every = [np.array([b >> i & 1 for i in range(4)], bool) for b in range(16)]
    best = min(
        sum(min((row != c).sum() for c in (0 * a, a, b, a | b)) for row in pattern)
        for a in every
        for b in every
    )
    assert Decompose("boolean", 2).fit(pattern).error_ == best == 2


@pytest.mark.parametrize(
    "cells", [[(3, 2)], [(0, 2)], [(4, 0)], [(1, 1)], [(3, 2), (5, 1)]], ids=lambda cells: str(cells)
)
def test_hidden_cells_are_found_again(cells):
    hidden = FILMS.copy()
    for cell in cells:
        hidden[cell] = np.nan
    model = Decompose("completion", 3).fit(hidden)
    assert model.undetermined_ == []
    assert model.complete(hidden) == pytest.approx(FILMS, abs=1e-8)


def test_what_is_not_determined_is_said_and_left_missing():
    hidden = pd.DataFrame(FILMS.copy(), columns=NAMES)
    hidden.loc[5, "fun"] = np.nan
    model = Decompose("completion", 3).fit(hidden)
    assert model.undetermined_ == [(5, "fun")]
    assert np.isnan(model.complete(hidden).loc[5, "fun"])
    assert "row 5, 'fun'" in model.describe()


def test_a_column_that_is_hardly_known_is_not_determined():
    hidden = FILMS.copy()
    hidden[1:, 3] = np.nan  # one cell cannot tell three coefficients
    model = Decompose("completion", 3).fit(hidden)
    assert [name for _, name in model.undetermined_] == ["x3"] * 5
    assert np.isnan(model.complete(hidden)[1:, 3]).all()


def test_large_tables_are_completed_where_they_are_determined():
    rng = np.random.default_rng(2)
    whole = rng.normal(size=(1000, 3)) @ rng.normal(size=(3, 20))
    hidden = np.where(rng.random(whole.shape) < 0.3, np.nan, whole)
    hidden[2:, 7] = np.nan  # two cells cannot tell three coefficients
    hidden[5, 2:] = np.nan
    model = Decompose("completion", 3, starts=1).fit(hidden)
    filled = model.complete(hidden)
    opened = {(5, f"x{j}") for j in range(2, 20)} | {(i, "x7") for i in range(2, 1000)}
    assert set(model.undetermined_) == opened
    assert np.isnan(filled).sum() == len(opened)
    assert np.nanmax(np.abs(filled - whole)) < 1e-6


def test_open_cells_of_rank_one_are_those_of_the_graph():
    """Rank 1 without zeros: a cell is determined where its row and column are connected by known cells."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        known = rng.random((5, 4)) < 0.4
        left, right = rng.uniform(1, 2, (5, 1)), rng.uniform(1, 2, (1, 4))
        reach = np.eye(9, dtype=bool)
        for i, j in np.argwhere(known):
            reach[i, 5 + j] = reach[5 + j, i] = True
        for _ in range(9):
            reach = reach.astype(int) @ reach > 0
        assert (open_cells(left, right, known) == ~reach[:5, 5:]).all()


def test_probabilistic_pca_has_the_closed_form():
    """Tipping and Bishop: the axes of PCA, and the mean of the variances that are left for noise."""
    pca = Decompose("pca", None).fit(TABLE)
    variances = pca.singular_values_**2 / len(TABLE)
    ppca = Decompose("ppca", 2).fit(TABLE)
    assert ppca.noise_variance_ == pytest.approx(variances[2:].mean(), rel=1e-6)
    assert ppca.singular_values_**2 / len(TABLE) == pytest.approx(variances[:2], rel=1e-5)
    assert ppca.components_ == pytest.approx(pca.components_[:2], abs=1e-5)
    assert ppca.mean_ == pytest.approx(pca.mean_)
    shrunk = 1 - ppca.noise_variance_ / variances[:2]
    assert ppca.transform(TABLE) == pytest.approx(pca.transform(TABLE)[:, :2] * shrunk, abs=1e-4)


def test_probabilistic_pca_with_gaps_climbs_the_likelihood_of_what_is_known():
    from scipy.stats import multivariate_normal

    from likely.infer.low_rank import normal_factors

    hidden = TABLE.copy()
    hidden[RNG.random(TABLE.shape) < 0.2] = np.nan
    run = normal_factors(hidden, np.ones(len(hidden)), 2)
    now = run.parameters
    covariance = now.loadings @ now.loadings.T + now.noise * np.eye(6)
    known = ~np.isnan(hidden)
    theirs = sum(
        multivariate_normal.logpdf(row[k], now.mean[k], covariance[np.ix_(k, k)])
        for row, k in zip(hidden, known, strict=True)
        if k.any()
    )
    assert run.objective == pytest.approx(theirs, rel=1e-9)
    assert run.converged
    assert (np.diff(run.history) > -1e-7).all()
    model = Decompose("ppca", 2).fit(hidden)
    filled = model.complete(hidden)
    means = np.where(known, hidden, np.nanmean(hidden, axis=0))
    assert ((filled - TABLE) ** 2 / TABLE.var(axis=0)).sum() < 0.5 * (
        (means - TABLE) ** 2 / TABLE.var(axis=0)
    ).sum()


def test_documents_and_words_in_one_space():
    texts = [
        "they write about machine learning",
        "machine learning and learning",
        "a film about love",
        "love",
    ]
    model = Decompose("lsa", 2, kinds="text").fit({"text": texts})
    counts = np.array([[t.split().count(w) for w in model.record_.inputs] for t in texts], float)
    _, sizes, axes = np.linalg.svd(counts)
    assert model.singular_values_ == pytest.approx(sizes[:2])
    assert np.abs(model.components_) == pytest.approx(np.abs(axes[:2]), abs=1e-10)
    scores = model.transform({"text": ["learning", "love", None]})
    place = [model.record_.inputs.index(word) for word in ("learning", "love")]
    assert np.isnan(scores["lsa1"][2])
    assert scores["lsa1"][:2] == pytest.approx(model.components_[0, place])  # a word is a text of one word


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "case",
    [
        Decompose("pca", columns=["a"]),
        likely.Linked("k", {"k": ["u", "u"], "v": [1.0, 2.0]}),
        likely.Structured(columns=["k"]),
        likely.Subgroups(least=1),
    ],
    ids=lambda case: type(case).__name__,
)
def test_a_target_in_the_table_is_left_out(case, tmp_path):
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "k": ["u", "v", "w"], "y": ["n", "p", "p"]})
    out = case.fit_transform(table, "y")
    assert "y" not in out
    assert len(out.columns) > 2 or isinstance(case, Decompose)
    case.save(tmp_path / "it.likely")
    assert "y" not in likely.load(tmp_path / "it.likely").transform(table)


def test_more_components_never_leave_more():
    for method in ("svd", "nmf", "binary", "boolean"):
        errors = [Decompose(method, k).fit(FILMS).error_ for k in (1, 2, 3)]
        assert errors == sorted(errors, reverse=True)
        least = [Decompose("svd", k).fit(FILMS).error_ for k in (1, 2, 3)]
        assert method == "boolean" or all(a >= b - 1e-9 for a, b in zip(errors, least, strict=True))


@pytest.mark.parametrize("method", ["pca", "svd"])
@pytest.mark.parametrize("rows", [1, 3, 40])
def test_decomposed_pieces_are_the_whole(method, rows):
    whole = Decompose(method, 3).fit(TABLE)
    first, second = Decompose(method, 3).fit(TABLE[:rows]), Decompose(method, 3).fit(TABLE[rows:])
    for other in (first + second, first.partial_fit(TABLE[rows:])):
        assert other.transform(TABLE) == pytest.approx(whole.transform(TABLE), abs=1e-9)
        assert other.singular_values_ == pytest.approx(whole.singular_values_)


def test_only_closed_forms_learn_in_pieces():
    with pytest.raises(LikelyError, match="cannot learn in pieces"):
        Decompose("nmf").fit(FILMS) + Decompose("nmf").fit(FILMS)
    assert not hasattr(Decompose("nmf"), "partial_fit")


@each
def test_weights_are_copies_of_rows(method):
    weight = RNG.integers(0, 3, len(FILMS)) + 1
    ours = Decompose(method, 2).fit(FILMS, sample_weight=weight)
    copies = Decompose(method, 2).fit(np.repeat(FILMS, weight, axis=0))
    assert ours.error_ == pytest.approx(copies.error_, abs=1e-5)
    if method not in ("binary", "boolean"):
        assert ours.components_ == pytest.approx(copies.components_, abs=1e-3)


@each
def test_decomposed_frames_and_files(method, tmp_path):
    table = pd.DataFrame(FILMS, columns=NAMES, index=range(10, 16)).assign(title=list("uvwxyz"))
    model = Decompose(method, 2).fit(table)
    out = model.transform(table)
    assert list(out) == ["title", f"{method}1", f"{method}2"] == model.get_feature_names_out().tolist()
    assert out.index.equals(table.index)
    for other, kind in (
        (pl.from_pandas(table), pl.DataFrame),
        (pa.Table.from_pandas(table, preserve_index=False), pa.Table),
    ):
        made = model.transform(other)
        assert isinstance(made, kind)
        assert np.asarray(made[f"{method}2"]) == pytest.approx(out[f"{method}2"].to_numpy())
    back = model.inverse_transform(out)
    assert list(back) == NAMES
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(again.transform(table), out)
    assert again.describe() == model.describe()
    assert "scores" in str(model.story())


@each
@pytest.mark.parametrize(
    "table",
    [
        np.zeros((4, 3)),
        np.ones((4, 3)),
        np.ones((1, 3)),
        np.arange(4.0)[:, None],
        np.eye(3) * 1e100,
        np.eye(3) * 1e-150,
    ],
    ids=["zeros", "ones", "one row", "one column", "huge", "tiny"],
)
def test_awkward_tables_decompose(method, table):
    model = Decompose(method, 2).fit(table)
    out = np.asarray(model.transform(table), float)
    assert np.isfinite(out).all()
    assert np.isfinite(model.components_).all()
    assert model.describe()


def test_bad_tables_and_options_are_refused():
    for wrong in ({"method": "fa"}, {"components": 0}, {"components": 1.5}, {"starts": 0}):
        with pytest.raises(LikelyError, match=next(iter(wrong))):
            Decompose(**wrong).fit(FILMS)
    gap = [[1.0, np.nan], [2.0, 3.0]]
    with pytest.raises(LikelyError, match=r"NaN: column 'x1' is missing in row 0.*'ppca'"):
        Decompose().fit(gap)
    with pytest.raises(LikelyError, match="infinity"):
        Decompose().fit([[1.0, np.inf], [2.0, 3.0]])
    for method in ("ppca", "completion"):
        with pytest.raises(LikelyError, match="column 'b' has no known cell"):
            Decompose(method).fit({"a": [1.0, 2.0], "b": np.array([np.nan, np.nan])})
    with pytest.raises(LikelyError, match=r"title.*categorical"):
        Decompose(columns=["title"]).fit({"a": [1.0, 2.0], "title": ["x", "y"]})
    with pytest.raises(LikelyError, match="no columns of numbers"):
        Decompose().fit({"title": ["x", "y"]})
    with pytest.raises(LikelyError, match="'ppca' or 'completion'"):
        Decompose().fit(FILMS).complete(FILMS)
