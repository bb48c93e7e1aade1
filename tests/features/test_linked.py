"""Features of linked tables, beside those of pandas' groupby."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn_checks import estimator_checks

import likely
from likely import LikelyError, Linked

RNG = np.random.default_rng(8)
PARENTS = pd.DataFrame(
    {"shop": [f"s{i}" for i in range(40)], "city": RNG.choice(["Rome", "Oslo"], 40)}, index=range(5, 45)
)
CHILDREN = pd.DataFrame(
    {
        "shop": [f"s{i}" for i in RNG.integers(0, 35, 400)],  # the last five have none
        "item": RNG.choice(["tea", "jam", "oil"], 400, p=[0.6, 0.3, 0.1]),
        "price": np.where(RNG.random(400) < 0.1, np.nan, RNG.gamma(2, 3, 400).round(2)),
        "paid": RNG.random(400) < 0.7,
    }
)
SMALL = {"x0": [0.0, 1.0, 1.0, 2.0], "v": [1.0, 2.0, 3.0, 4.0]}


@estimator_checks(Linked("x0", SMALL))
def test_linked_estimator_checks(estimator, check):
    check(estimator)


def test_fish_and_their_parts():
    fish = {"fish": ["trout", "eel", "jelly"]}
    parts = {
        "fish": ["trout", "trout", "trout", "eel", "eel"],
        "part": ["fin", "gill", "tail", "tail", "fin"],
        "pair": [True, True, False, False, False],
    }
    out = Linked("fish", parts).fit_transform(fish)
    assert list(out["exists"]) == [True, True, False]
    assert list(out["count"]) == [3, 2, 0]
    assert list(out["exists(part = gill)"]) == [True, False, False]
    assert list(out["count(pair = true)"]) == [2, 0, 0]  # whether there is a pair is what gills say
    names = list(out)
    assert names.index("exists") < names.index("exists(part = gill)")
    assert "exists(part = tail)" not in names  # equal to exists on all rows


@pytest.mark.parametrize("depth", [1, 2])
def test_against_groupby(depth):
    model = Linked("shop", CHILDREN, conditions=["price > 5 and item = tea"], depth=depth).fit(PARENTS)
    out = model.transform(PARENTS).set_index("shop")

    def wanted(rows, how):
        if how in ("exists", "count"):
            counts = rows.groupby("shop").size().reindex(out.index, fill_value=0)
            return counts > 0 if how == "exists" else counts
        grouped = rows.groupby("shop")["price"]
        if how == "sum":
            none = rows.groupby("shop").size().reindex(out.index, fill_value=0) == 0
            return grouped.sum(min_count=1).reindex(out.index).where(~none, 0.0)
        return getattr(grouped, how)().reindex(out.index)

    masks = {
        "": slice(None),
        "item = tea": CHILDREN["item"] == "tea",
        "item = jam": CHILDREN["item"] == "jam",
        "item = oil": CHILDREN["item"] == "oil",
        "paid = true": CHILDREN["paid"],
        "price > 5 and item = tea": (CHILDREN["price"] > 5) & (CHILDREN["item"] == "tea"),
    }
    checked = 0
    for condition, mask in masks.items():
        for how in ("exists", "count", "min", "max", "mean", "sum"):
            column = "price" if how not in ("exists", "count") else ""
            inside = " where ".join(one for one in (column, condition) if one)
            name = f"{how}({inside})" if inside else how
            if name in out:
                theirs = wanted(CHILDREN.loc[mask], how)
                assert out[name].astype(float).to_numpy() == pytest.approx(
                    theirs.astype(float).to_numpy(), nan_ok=True
                ), name
                checked += 1
    assert checked == len(model.features_) >= (40 if depth == 1 else 20) // 3
    assert {name.split("(")[0] for name in model.features_} == {
        "exists",
        "count",
        "min",
        "max",
        "mean",
        "sum",
    }
    assert any("where" in name for name in model.features_) == (depth == 2)


def test_explosion_is_bounded():
    assert len(Linked("shop", CHILDREN, depth=2, max_features=7).fit(PARENTS).features_) == 7
    rare = Linked("shop", CHILDREN, least=30).fit(PARENTS)
    out = rare.transform(PARENTS)
    assert all((out[name].fillna(0).astype(float) != 0).sum() >= 30 for name in rare.features_)
    assert 0 < len(rare.features_) < len(Linked("shop", CHILDREN).fit(PARENTS).features_)
    assert not [n for n in Linked("shop", CHILDREN, levels=1).fit(PARENTS).features_ if "oil" in n]
    twice = CHILDREN.assign(again=CHILDREN["price"])
    assert Linked("shop", twice).fit(PARENTS).features_ == Linked("shop", CHILDREN).fit(PARENTS).features_
    assert "of 14 that were tried" in Linked("shop", CHILDREN).fit(PARENTS).describe()


def test_children_of_children():
    orders = {"shop": ["s0", "s0", "s1"], "order": ["o1", "o2", "o3"]}
    lines = {"order": ["o1", "o1", "o2", "o3", "o3", "o3"], "price": [1.0, 2.0, 5.0, 1.0, 1.0, 1.0]}
    model = Linked("shop", orders, nested=Linked("order", lines)).fit({"shop": ["s0", "s1", "s2"]})
    out = model.transform({"shop": ["s0", "s1", "s2"]})
    assert list(out["max(count)"])[:2] == [2.0, 3.0]
    assert list(out["sum(sum(price))"]) == [8.0, 3.0, 0.0]


def test_new_children_for_new_rows():
    model = Linked("shop", CHILDREN).fit(PARENTS)
    new = {"shop": ["z", "z"], "item": ["tea", "new thing"], "price": [2.0, 4.0], "paid": [True, False]}
    out = model.set_params(children=new).transform(
        pd.DataFrame({"shop": ["z", None], "city": ["Bree", "Rome"]})
    )
    assert out["count"].tolist()[0] == 2
    assert out["mean(price)"].tolist()[0] == 3
    assert pd.isna(out["count"][1])  # whose children nobody knows


def test_linked_frames_files_and_sql(tmp_path):
    model = Linked("shop", pl.from_pandas(CHILDREN), depth=2, nested=None).fit(PARENTS)
    out = model.transform(PARENTS)
    assert out.index.equals(PARENTS.index)
    assert list(out) == model.get_feature_names_out().tolist()
    for other, kind in (
        (pl.from_pandas(PARENTS), pl.DataFrame),
        (pa.Table.from_pandas(PARENTS, preserve_index=False), pa.Table),
    ):
        made = model.transform(other)
        assert isinstance(made, kind)
        assert np.asarray(made["count"]).tolist() == out["count"].tolist()
    model.save(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(likely.load(tmp_path / "it.likely").transform(PARENTS), out)
    rows = duckdb.sql(model.to_sql("PARENTS", "CHILDREN")).df().set_index("shop").loc[out["shop"]]
    for name in model.features_:
        assert rows[name].astype(float).to_numpy() == pytest.approx(
            out[name].astype(float).to_numpy(), nan_ok=True
        )


def test_nested_files(tmp_path):
    orders = {"shop": ["s0", "s0", "s1"], "order": ["o1", "o2", "o3"]}
    lines = pd.DataFrame(
        {"order": ["o1", "o1", "o2", "o3", "o3", "o3"], "price": [1.0, 2.0, 5.0, 1.0, 1.0, 1.0]}
    )
    shops = {"shop": ["s0", "s1", "s2"]}
    model = Linked("shop", orders, nested=Linked("order", lines)).fit(shops)
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely").transform(shops)
    assert {k: list(v) for k, v in again.items()}.keys() == model.transform(shops).keys()
    assert list(again["sum(sum(price))"]) == [8.0, 3.0, 0.0]


def test_bad_linked_tables_are_refused():
    with pytest.raises(LikelyError, match="give it as `children`"):
        Linked("shop").fit(PARENTS)
    with pytest.raises(LikelyError, match="no column 'id'"):
        Linked("id", CHILDREN).fit(PARENTS)
    with pytest.raises(LikelyError, match=r"children.*no column 'city'"):
        Linked("city", CHILDREN).fit(PARENTS)
    with pytest.raises(LikelyError, match="cannot be compared"):
        Linked("k", {"k": ["a", "b"], "v": [1, 2]}).fit({"k": [1.5, 2.5]})
    with pytest.raises(LikelyError, match="prize"):
        Linked("shop", CHILDREN, conditions=["prize > 3"]).fit(PARENTS)
    with pytest.raises(LikelyError, match="max_features"):
        Linked("shop", CHILDREN, max_features=0).fit(PARENTS)
    empty = Linked("shop", {"shop": ["none"], "v": [1.0]}).fit(PARENTS)
    assert empty.features_ == []
    assert list(empty.transform(PARENTS)) == list(PARENTS)
