"""Subgroups: found, given, negated, counted, saved, and as SQL."""

from __future__ import annotations

from itertools import combinations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn_checks import estimator_checks

import likely
from likely import Discretize, LikelyError, Subgroups
from likely.features.row_truth import candidates, truth_of
from likely.models.hypotheses import ANY, Concept
from likely.table.frame import Frame
from likely.table.schema import Schema

FISH = {
    "length": [3.0, 4.0, 5.0, 3.0, 7.0, 4.0, None],
    "gills": ["no", "no", "no", "yes", "no", None, "yes"],
}
DOLPHIN = "3 <= length <= 5 and gills = no"
DAYS = likely.read("play_tennis", into="pandas")


@estimator_checks(Subgroups(), rarely=[Subgroups(measure="gain", depth=2)])
def test_subgroup_estimator_checks(estimator, check):
    check(estimator)


def test_a_given_conjunction_and_its_negation():
    model = Subgroups([DOLPHIN, f"not ({DOLPHIN})"]).fit(FISH)
    inside, outside = list(model.transform(FISH).values())[-2:]
    assert list(inside) == [True, True, True, False, False, None, False]  # gills decide the last
    assert list(outside) == [False, False, False, True, True, None, True]
    assert model.negations_[0] == "length < 3 or length > 5 or gills != no"
    again = Subgroups([model.negations_[0]]).fit(FISH)
    assert list(list(again.transform(FISH).values())[-1]) == list(outside)
    assert model.deductive
    assert not model.supervised


def test_a_concept_is_a_column():
    concept = Concept(("outlook", "wind", "humidity"), ("sunny", ANY, "high"))
    model = Subgroups([concept.text]).fit(DAYS.drop(columns="play"))
    ours = model.transform(DAYS.drop(columns="play")).iloc[:, -1]
    assert ours.tolist() == [
        concept.covers(row) for row in zip(DAYS["outlook"], DAYS["windy"], DAYS["humidity"], strict=True)
    ]
    assert ours.sum() == 3
    for nothing in (Concept(("a",), (ANY,)), Concept(("a",), None)):
        with pytest.raises(LikelyError, match="no condition"):
            nothing.text  # noqa: B018


def every_conjunction(frame, depth):
    """All conjunctions of up to `depth` equalities, as masks."""
    equal = [(name, value) for name in frame for value in frame[name].unique()]
    for size in range(1, depth + 1):
        for parts in combinations(equal, size):
            if len({name for name, _ in parts}) == size:
                yield (
                    parts,
                    np.logical_and.reduce([(frame[name] == value).to_numpy() for name, value in parts]),
                )


@pytest.mark.parametrize("score", ["wracc", "gain"])
def test_the_best_is_that_of_brute_force(score):
    """With a beam that holds everything the search is complete."""
    frame, yes = DAYS.drop(columns="play"), (DAYS["play"] == "yes").to_numpy()

    def entropy(share):
        return 0.0 if share in (0, 1) else -share * np.log2(share) - (1 - share) * np.log2(1 - share)

    def quality(mask):
        if mask.sum() < 2:
            return -1.0
        if score == "wracc":
            return abs(mask.mean() * (yes[mask].mean() - yes.mean()))
        rest = entropy(yes[~mask].mean()) * (~mask).mean() if (~mask).any() else 0.0
        return entropy(yes.mean()) - mask.mean() * entropy(yes[mask].mean()) - rest

    best = max(quality(mask) for _, mask in every_conjunction(frame, 3))
    model = Subgroups(measure=score, beam=500, least=2).fit(frame, DAYS["play"])
    mine = model.transform(frame)[model.texts_[0]].to_numpy()
    assert quality(mine) == pytest.approx(best, abs=1e-12)
    assert [quality(model.transform(frame)[t].to_numpy()) for t in model.texts_] == sorted(
        [quality(model.transform(frame)[t].to_numpy()) for t in model.texts_], reverse=True
    )


def test_a_planted_subgroup_of_numbers_is_found_and_its_lift_shown():
    """2000 rows, P = .9 in the box and .1 outside: missing it is beyond any chance worth naming."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {"a": rng.integers(0, 10, 2000), "b": rng.choice(["x", "y", "z"], 2000), "c": rng.normal(size=2000)}
    )
    box = (table["a"] >= 3) & (table["a"] < 6) & (table["b"] == "y")
    y = np.where(rng.random(2000) < np.where(box, 0.9, 0.1), "ill", "well")
    model = Subgroups(count=3, cuts=9).fit(table[:1000], y[:1000])
    assert model.texts_[0] == "a >= 3 and a < 6 and b = y"
    line = model.table(table[1000:], y[1000:]).lines[0]  # on rows that were not searched
    assert line["class"] == "ill"
    assert line["rate"] == pytest.approx(y[1000:][box[1000:]].tolist().count("ill") / box[1000:].sum())
    assert line["lift"] == pytest.approx(line["rate"] / (y[1000:] == "ill").mean())
    assert line["low"] < 0.9 / (y[1000:] == "ill").mean() < line["high"]
    assert "90 % interval" in model.describe()


def test_nothing_is_found_where_nothing_is():
    model = Subgroups().fit({"x": [1.0] * 20}, ["a", "b"] * 10)
    assert model.texts_ == []
    assert "no subgroup" in model.describe()
    assert list(model.transform({"x": [1.0]})) == ["x"]
    alone = Subgroups().fit({"x": list(range(20))}, ["a"] * 20)
    assert alone.texts_ == []


def test_rows_that_are_alike_are_one_subgroup():
    twice = {"a": ["u", "v"] * 20, "b": ["u", "v"] * 20, "c": ["p", "p", "q", "q"] * 10}
    model = Subgroups().fit(twice, ["yes", "no"] * 20)
    columns = model.transform(twice)
    masks = {tuple(columns[text]) for text in model.texts_}
    assert len(masks) == len(model.texts_)


def test_weights_are_copies_in_subgroups():
    weight = np.arange(14) % 3
    frame = DAYS.drop(columns="play")
    copies = Subgroups(least=1).fit(frame.loc[frame.index.repeat(weight)], DAYS["play"].repeat(weight))
    weighted = Subgroups(least=1).fit(frame, DAYS["play"], sample_weight=weight)
    assert [line["rate"] for line in weighted.table().lines[:3]] == pytest.approx(
        [line["rate"] for line in copies.table().lines[:3]]
    )


def test_subgroup_frames_files_and_sql(tmp_path):
    dates = pd.date_range("2024-01-01", periods=60)
    table = pd.DataFrame(
        {
            "age": np.where(np.arange(60) % 7 == 0, np.nan, np.arange(60) % 13),
            "size": pd.Categorical(np.tile(["S", "M", "L"], 20), ["S", "M", "L"], ordered=True),
            "member": np.arange(60) % 2 == 0,
            "since": dates,
        },
        index=range(100, 160),
    )
    y = np.where((np.arange(60) % 13 > 6) & (np.arange(60) % 2 == 0), "yes", "no")
    model = Subgroups().fit(table, y)
    out = model.transform(table)
    assert out.index.equals(table.index)
    assert list(out) == model.get_feature_names_out().tolist()
    model.save(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(likely.load(tmp_path / "it.likely").transform(table), out)
    other = model.transform(pl.from_pandas(table))
    assert isinstance(other, pl.DataFrame)
    assert other[model.texts_[0]].to_list() == [None if v is pd.NA else v for v in out[model.texts_[0]]]
    waits = Discretize("equal_width", 2).fit(pd.DataFrame({"wait": dates - dates[0]}))
    with pytest.raises(LikelyError, match="'wait' holds durations, for which there is no SQL"):
        waits.to_sql("rows")
    texts = [
        "since >= 2024-01-20",
        "age >= 3 and size != L",
        "not (age < 5 or member = yes)",
        "age in {1, 2} or size >= M",
        "size = S and age != 3",
    ]
    given = Subgroups(texts).fit(table)
    rows = table.assign(size=table["size"].astype(str))  # noqa: F841  # DuckDB finds it by its name
    theirs, ours = duckdb.sql(given.to_sql("rows")).fetchdf(), given.transform(table)
    for text in texts:
        assert [None if pd.isna(v) else bool(v) for v in theirs[text]] == [
            None if pd.isna(v) else bool(v) for v in ours[text]
        ]


def test_bad_conditions_and_options_are_refused():
    for text, said in (
        ("lenght > 3", "length"),
        ("length > long", "length"),
        ("gills = maybe", "no level"),
        ("gills < yes", "no order"),
        ("length >", "length"),
    ):
        with pytest.raises(LikelyError, match=said):
            Subgroups([text]).fit(FISH)
    with pytest.raises(LikelyError, match="requires y"):
        Subgroups().fit(FISH)
    for wrong in ({"measure": "lift"}, {"depth": 0}, {"count": 1.5}):
        with pytest.raises(LikelyError, match=next(iter(wrong))):
            Subgroups(**wrong).fit(FISH, list("abababa"))
    with pytest.raises(LikelyError, match="without a target"):
        Subgroups([DOLPHIN]).fit(FISH).table(FISH)


def test_conditions_on_levels_of_too_few_rows_are_not_tried():
    rng = np.random.default_rng(8)
    n = 200
    frame = Frame.of(
        {
            "name": rng.choice([*"abcdefgh", None], n, p=[0.5, 0.3, *[0.19 / 6] * 6, 0.01]),
            "size": rng.choice(["S", "M", "L"], n, p=[0.02, 0.9, 0.08]),
            "said": rng.choice(["yes", "no"], n, p=[0.03, 0.97]),
            "true": rng.random(n) < 0.02,
        }
    )
    schema = Schema.learn(frame, {"size": ["S", "M", "L"]})
    weight = rng.integers(0, 3, n).astype(float)
    every = list(candidates(schema, frame, range(4), 8, weight))
    enough = [one for one in every if weight @ (truth_of(one, schema, frame) == 1) >= 10]
    assert 0 < len(enough) < len(every)
    assert list(candidates(schema, frame, range(4), 8, weight, 10)) == enough


def test_numbers_are_cut_where_few_digits_say_it():
    """The conditions named numbers of 17 digits; they hold in the same rows."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=500) * 1e-3
    model = Subgroups(depth=1).fit({"x": x}, x > np.median(x))
    ((name, holds),) = list(zip(model.get_feature_names_out()[1:2], [model.transform({"x": x})], strict=True))
    cut = float(name.split()[-1])
    assert len(f"{cut:e}".rstrip("0").split("e")[0].rstrip("0")) <= 8
    assert name.startswith("x ")
    seen = np.sort(x)
    place = int(np.searchsorted(seen, cut))
    assert seen[place - 1] < cut <= seen[place]
    assert np.array_equal(np.asarray(holds[name], bool), (x >= cut) if ">=" in name else (x < cut))
