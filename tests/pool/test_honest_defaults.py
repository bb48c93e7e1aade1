"""Defaults on tables that hold little: what they say is not clearly worse than the base rate."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from seeds import rarely

import likely
from likely.pool.reading.reading import Reading
from likely.table.frame import Frame
from likely.table.schema import Schema

MODELS = {
    "naive Bayes": likely.NaiveBayes,
    "logistic": likely.LogisticRegression,
    "pool": lambda: likely.Classifier("fast"),
}


def noise(rng, n, d, levels=False, shares=(0.5, 0.5)):
    """Columns that tell nothing, and classes."""
    cells = rng.choice(list("uvwxyz"), (n, d)) if levels else rng.normal(size=(n, d))
    table = pd.DataFrame(cells, columns=[f"x{i}" for i in range(d)])
    table["y"] = rng.permutation(
        np.repeat(list("abc")[: len(shares)], np.round(np.array(shares) * n).astype(int))
    )
    return table


def worse_by(make, tables):
    """The mean log loss of new rows beyond that of the base rate with a row of each class added."""
    out = []
    for old, new in tables:
        model = make().fit(old, "y")
        truth = new["y"].map({name: k for k, name in enumerate(model.classes_)}).to_numpy()
        base = np.array([(old["y"] == name).sum() + 1.0 for name in model.classes_])
        told = model.predict_log_proba(new)[np.arange(len(new)), truth]
        out.append(float((np.log(base / base.sum())[truth] - told).mean()))
    return np.array(out)


# Seen of 24 tables each: .034, .048, .018, .004, .001 and .011; before members were doubted, .96, .75, .06,
# .05, .04 and .16.
@pytest.mark.parametrize(
    ("n", "d", "levels", "shares"),
    [
        (6, 3, False, (0.5, 0.5)),
        *rarely((8, 3, False, (0.5, 0.5)), (20, 3, False, (0.5, 0.5)), (60, 40, False, (0.5, 0.5))),
        (60, 40, False, (0.7, 0.2, 0.1)),
        *rarely((60, 40, True, (0.8, 0.2))),
    ],
)
def test_a_pool_of_noise_says_little_more_than_the_base_rate(n, d, levels, shares):
    rng = np.random.default_rng(17)
    tables = [(noise(rng, n, d, levels, shares), noise(rng, 500, d, levels, shares)) for _ in range(12)]
    assert worse_by(MODELS["pool"], tables).mean() < 0.08


def test_a_pool_of_few_rows_that_tell_something_tells_it():
    rng = np.random.default_rng(3)

    def told(n):
        table = noise(rng, n, 5)
        score = table["x0"] + table["x1"] + 0.7 * rng.logistic(size=n)
        return table.assign(y=np.where(score > np.median(score), "b", "a"))

    gained = worse_by(MODELS["pool"], [(told(60), told(500)) for _ in range(8)])
    assert gained.mean() < -0.1
    summary = str(likely.Classifier("fast").fit(told(60), "y").describe())
    assert "alone" not in summary


def test_a_pool_that_is_doubted_says_so():
    table = noise(np.random.default_rng(1), 60, 40)
    model = likely.Classifier("fast").fit(table, "y")
    assert sum(model.weights_.values()) < 0.5
    assert "hardly better than the base rate alone" in str(model.describe())
    numbers = table.assign(y=np.random.default_rng(2).normal(size=60))
    assert "hardly better than the mean alone" in str(likely.Regressor("fast").fit(numbers, "y").describe())


def test_evidence_without_a_fold_knows_nothing_of_its_classes():
    rng = np.random.default_rng(5)
    table, codes = noise(rng, 50, 3, levels=True).drop(columns="y"), rng.integers(0, 2, 50)
    fold = np.arange(50) % 5
    schema = Schema.learn(Frame.of(table))
    _, view = Reading.learn(schema, Frame.of(table), codes, 2, np.ones(50), fold)
    known, plain = view.evidence(1.0, without=2), view.evidence(1.0)
    assert (known == plain)[fold == 2].all()
    assert np.abs(known - plain)[fold != 2].max() > 0
    kept = (fold != 2) & (fold != 1) & (table["x0"] == table["x0"][1])  # what row 1, of fold 1, may know
    others = codes[(fold != 2) & (fold != 1)]
    share = (np.bincount(others, minlength=2) + 0.5) / (len(others) + 1)
    odds = np.log((np.bincount(codes[kept], minlength=2) + share) / ((kept.sum() + 1) * share))
    assert known[1, 0] == pytest.approx(odds, rel=1e-12)


def awkward():
    """Tables at the edge of what can be learnt from."""
    rng = np.random.default_rng(8)
    some = pd.DataFrame({"a": rng.normal(size=60), "y": rng.permutation(["no", "yes"] * 30)})
    rare = pd.DataFrame({"a": rng.normal(size=1000), "c": rng.choice(list("uvw"), 1000), "y": "no"})
    rare.loc[37, "y"] = "yes"
    words = np.array(["the", "cat", "dog", "ran", "sat", "mat", "sun", "moon"])
    text = [" ".join(rng.choice(words, 12)) for _ in range(60)]
    numbers = pd.DataFrame(rng.normal(size=(90, 4)), columns=list("abcd"))
    return {
        "two rows": pd.DataFrame({"a": [1.0, 2.0], "y": ["no", "yes"]}),
        "one in 1000": rare,
        "every row twice": pd.concat([some, some], ignore_index=True),
        "30 classes": numbers.assign(y=np.repeat([f"k{i:02}" for i in range(30)], 3)),
        "all missing": some.assign(gone=np.nan),
        "only missing": some[["y"]].assign(gone=np.nan),
        "constant": some.assign(k=3.0, same="same"),
        "only constant": some[["y"]].assign(k=3.0),
        "identifiers": some.assign(id=[f"id{i:05}" for i in range(60)]),
        "a single column": some,
        "a text alone": some[["y"]].assign(t=text),
    }


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", awkward())
def test_awkward_tables_give_probabilities_and_sound_words(name, model):
    table = awkward()[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", likely.LikelyWarning)
        made = MODELS[model]().fit(table, "y")
        p = made.predict_proba(table)
        said = f"{made.describe() if hasattr(made, 'describe') else ''} {made.explain(table.head(1))[0]}"
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(len(table)), abs=1e-9)
    assert not {"nan", "inf", "-inf"} & set(said.lower().split())
    base = table["y"].value_counts(normalize=True)
    assert float(p.mean(axis=0) @ np.log(p.mean(axis=0) / base[made.classes_].to_numpy())) < 0.1


@pytest.mark.parametrize("model", [*MODELS, "number"])
@pytest.mark.parametrize(("value", "word"), [(1e300, "1e+300"), (np.inf, "infinity"), (-np.inf, "infinity")])
def test_numbers_beyond_reach_are_refused_by_name(model, value, word):
    rng = np.random.default_rng(0)
    y = rng.normal(size=30) if model == "number" else rng.permutation(["no", "yes"] * 15)
    table = pd.DataFrame({"a": rng.normal(size=30), "big": rng.normal(size=30), "y": y})
    table.loc[7, "big"] = value
    make = {**MODELS, "number": lambda: likely.Regressor("fast")}[model]
    with pytest.raises(likely.LikelyError, match=f"{word.replace('+', '.')}.*column 'big', row 7.*missing"):
        make().fit(table, "y")
