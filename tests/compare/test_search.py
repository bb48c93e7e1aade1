"""Forward selection and backward elimination, and what they find."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn_checks import estimator_checks

import likely
from likely import LikelyError, LikelyWarning, NaiveBayes, Search
from likely.compare import cross_validate

RNG = np.random.default_rng(3)
N = 240
Y = np.arange(N) % 2
FRAME = pd.DataFrame(
    {
        "noise": RNG.normal(size=N),
        "strong": RNG.normal(1.5 * Y, 1),
        "level": np.where(RNG.random(N) < 0.7, np.where(Y, "a", "b"), "c"),
        "more": RNG.normal(size=N),
    },
    index=np.arange(N) + 5,
)
PLAIN = NaiveBayes(families="classical", evidence_weights=None)


@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
@estimator_checks(
    Search(PLAIN, keep=1, folds=2),
    excuses=lambda one: dict.fromkeys(
        (f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")),
        "copies of a row are dealt out to different folds",
    ),
)
def test_estimator_checks(estimator, check):
    check(estimator)


def loss(columns, model=PLAIN):
    if not columns:
        return np.log(2)
    return float(cross_validate(model, FRAME[list(columns)], Y).scores["log loss"])


def test_forward_is_greedy_by_the_definition():
    search = Search(PLAIN).fit(FRAME, Y)
    chosen, now = [], np.log(2)
    while True:
        left = [name for name in FRAME if name not in chosen]
        best = min(left, key=lambda name: loss([n for n in FRAME if n in (*chosen, name)]), default=None)
        if best is None or loss([n for n in FRAME if n in (*chosen, best)]) >= now:
            break
        chosen.append(best)
        now = loss([n for n in FRAME if n in chosen])
    assert {"strong", "level"} <= set(chosen)
    assert search.get_feature_names_out().tolist() == [n for n in FRAME if n in chosen]
    assert search.record_.losses[-1] == pytest.approx(now, abs=1e-12)
    assert [line["column"] for line in search.table().lines][1:] == [f"+ {name}" for name in chosen]


def test_backward_leaves_out_what_is_not_missed():
    search = Search(PLAIN, "backward").fit(FRAME, Y)
    kept = search.get_feature_names_out().tolist()
    assert {"strong", "level"} <= set(kept)
    own = loss(kept)
    assert search.record_.losses[-1] == pytest.approx(own, abs=1e-12)
    assert all(loss([n for n in kept if n != name]) > own for name in kept)  # every one of them is missed
    every = loss(list(FRAME))
    assert search.record_.losses[0] == pytest.approx(every, abs=1e-12)
    assert own <= every


def pair():
    """Two Booleans equal in + and opposite in -, with an irrelevant third: all combinations, 20 times."""
    rows = np.tile(np.array(list(itertools.product([0.0, 1.0], repeat=3))), (20, 1))
    return rows, np.where(rows[:, 0] == rows[:, 1], "+", "-")


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0),
        make_pipeline(PolynomialFeatures(2, include_bias=False), LogisticRegression(C=100)),
    ],
    ids=["tree", "products"],
)
def test_forward_stops_at_once_and_backward_keeps_the_pair(model):
    rows, y = pair()
    with pytest.warns(LikelyWarning, match="backward"):
        forward = Search(model).fit(rows, y)
    assert not forward.get_support().any()
    assert forward.transform(rows).shape == (160, 0)
    backward = Search(model, "backward").fit(rows, y)
    assert backward.get_support()[:2].all()
    assert backward.record_.losses[-1] < 0.1


def test_a_model_that_cannot_use_the_pair_says_so():
    rows, y = pair()
    with pytest.warns(LikelyWarning, match="base rate"):
        search = Search(PLAIN, "backward").fit(rows, y)
    assert search.record_.losses.min() >= np.log(2) - 1e-12


def test_the_search_is_inside_the_folds():
    """Noise looks useful to whoever searched on it, and not inside the folds."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 10)), rng.integers(0, 2, 40)
    search = Search(PLAIN, folds=3)
    flattering = search.fit(X, y).record_.losses[-1]
    assert flattering < search.record_.base
    honest = search.evaluate(X, y)
    assert float(honest.scores["log loss"]) > flattering + 0.02
    piped = cross_validate(make_pipeline(Search(PLAIN, folds=3, keep=1), PLAIN), X, y, folds=3)
    one = Search(PLAIN, folds=3, keep=1).evaluate(X, y)
    assert float(piped.scores["log loss"]) == pytest.approx(float(one.scores["log loss"]), abs=1e-12)


def test_how_many_columns_are_asked_for():
    assert Search(PLAIN, keep=1).fit(FRAME, Y).get_support().sum() == 1
    assert Search(PLAIN, keep=3).fit(FRAME, Y).get_support().sum() == 3
    assert Search(PLAIN, keep=9).fit(FRAME, Y).get_support().all()
    assert Search(PLAIN, "backward", keep=2).fit(FRAME, Y).get_feature_names_out().tolist() == [
        "strong",
        "level",
    ]
    assert Search(PLAIN, least=0.02).fit(FRAME, Y).get_feature_names_out().tolist() == ["strong", "level"]


def test_frames_files_words_and_picture(tmp_path):
    search = Search(PLAIN, keep=2).fit(FRAME, Y)
    out = search.transform(FRAME)
    pd.testing.assert_frame_equal(out, FRAME[["strong", "level"]])
    table = pl.DataFrame(FRAME.assign(y=Y).to_dict("list"))
    again = Search(PLAIN, keep=2).fit(table, "y")
    assert again.transform(table).columns == ["strong", "level"]
    assert again.get_support(indices=True).tolist() == [1, 2]
    search.save(tmp_path / "it.likely")
    loaded = likely.load(tmp_path / "it.likely")
    assert str(loaded.table()) == str(search.table())
    pd.testing.assert_frame_equal(loaded.transform(FRAME), out)
    assert "looks at the target" in search.describe()
    assert "flatters" in search.describe()
    assert search.to_sql("t") == 'SELECT "strong", "level" FROM "t"'
    assert len(search.plot().lines[0].get_xdata()) == 3
    assert "Keep 2 of its columns" in str(search.story())
    foreign = Search(DecisionTreeClassifier(max_depth=1), keep=1).fit(FRAME[["strong"]].to_numpy(), Y)
    with pytest.raises(LikelyError, match="model"):
        foreign.save(tmp_path / "not.likely")


@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    "odd",
    [
        {"x": [1.0] * 6, "z": ["a"] * 6},
        {"x": [np.nan] * 6, "z": ["a", "b"] * 3},
        {"x": [1e140, -1e140, 0.0] * 2, "z": [1e-300, 0.0] * 3},
    ],
)
def test_odd_tables(direction, odd):
    for y in ([0, 0, 0, 1, 1, 1], [0] * 6, [0, 0, 1, 1, 2, 2]):
        search = Search(PLAIN, direction).fit(odd, y)
        assert np.isfinite(search.record_.losses).all()
        str(search.table())


@pytest.mark.parametrize(
    ("search", "X", "y", "words"),
    [
        (Search(PLAIN, "sideways"), FRAME, Y, ("sideways", "forward")),
        (Search(PLAIN, keep=0), FRAME, Y, ("keep=0",)),
        (Search(PLAIN, folds=1), FRAME, Y, ("folds=1",)),
        (Search(LinearSVC()), FRAME, Y, ("LinearSVC", "predict_proba", "Calibrated")),
        (Search(PLAIN), FRAME[:2], [0, 1], ("2", "more rows")),
        (Search(PLAIN), FRAME, None, ("y",)),
        (Search(PLAIN), {"x": [1.0, np.inf, 2.0, 3.0]}, [0, 0, 1, 1], ("'x'", "infinity")),
    ],
)
def test_refusals_name_what_is_wrong(search, X, y, words):
    with pytest.raises(LikelyError) as error:
        search.fit(X, y)
    for word in words:
        assert word in str(error.value)
