"""Every share that `likely learn` prints is counted again with pandas, every range lies inside the data."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from seeds import first

import likely

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself


def shows(column, said):
    """Whether each cell of a column shows what was said of it, and the limits that were named."""
    if found := re.fullmatch(r"has '(.*)'", said):
        words = column.map(
            lambda text: re.findall(r"(?u)\b\w+\b", text.lower()) if isinstance(text, str) else []
        )
        return words.map(lambda own: found[1] in own), []
    if said in ("= missing", "= known"):
        return column.isna() == (said == "= missing"), []
    if said.startswith("= ") and not pd.api.types.is_float_dtype(column):
        return column.map(lambda cell: cell is not None and str(cell) == said[2:]), []
    number = r"(-?[\d.]+(?:e[+-]?\d+)?)"
    low, high = -np.inf, np.inf
    if found := re.fullmatch(f"= {number}", said):
        low = high = float(found[1])
    elif found := re.fullmatch(f"up to {number}", said):
        high = float(found[1])
    elif found := re.fullmatch(f"from {number} on", said):
        low = float(found[1])
    else:
        found = re.fullmatch(f"from {number} to {number}", said)
        low, high = float(found[1]), float(found[2])
    return (column >= low) & (column <= high), [limit for limit in (low, high) if np.isfinite(limit)]


def check(said, table, target, weight=None):
    """All shares of one report; how many there were."""
    counted = 0
    w = pd.Series(np.ones(len(table)) if weight is None else table[weight])
    for label, signs in said["evidence"].items():
        mine = table[target].astype(str) == label
        for sign in signs:
            column = table[sign["column"]]
            there, limits = shows(column, sign["value"])
            share = float(w[mine & there].sum() / w[mine].sum())
            assert sign["share of class"] == pytest.approx(share, abs=1e-12), sign
            assert all(column.min() <= limit <= column.max() for limit in limits), sign
            counted += 1
    return counted


BUNDLED = {
    "titanic": ("survived", []),
    "play_tennis": ("play", []),
    "emails": ("class", ["--kind", "message=text"]),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_tables(cli, name):
    target, options = BUNDLED[name]
    said = json.loads(cli.ok("learn", name, *NB, "-t", target, "--json", "--folds", "0", *options))
    assert check(said, likely.read(name, into="pandas"), target) > 3


REAL = {
    "penguins": ("penguins.csv", "species", []),
    "penguins with kernels": ("penguins.csv", "species", ["--family", "auto"]),
    "penguins, gaps as levels": ("penguins.csv", "sex", ["--missing", "level"]),
    "adult": ("adult.csv.gz", "income", []),
    "glass": ("glass.csv", "Type", []),
    "credit approval": ("credit_approval.csv", "class", []),
    "counts": ("adult.csv.gz", "income", ["--kind", "age=count", "--kind", "hours-per-week=count"]),
    "texts": ("sms_spam.csv", "label", ["--kind", "text=text"]),
}


@pytest.mark.parametrize("name", first(3, REAL))
def test_real_tables(cli, shared_data, name):
    file, target, options = REAL[name]
    table = likely.read(shared_data / file, into="pandas")
    table = table[table[target].notna()].reset_index(drop=True)[:5000]
    table.to_csv("t.csv", index=False)
    said = json.loads(cli.ok("learn", "t.csv", *NB, "-t", target, "--json", "--folds", "0", *options))
    assert check(said, table, target) >= 2 * len(said["evidence"])


def test_weights_count(cli):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=200).round(2), "c": rng.choice(list("uv"), 200)})
    table["y"] = np.where(table["x"] + rng.normal(size=200) > 0, "yes", "no")
    table["w"] = rng.integers(0, 4, 200)
    table.to_csv("t.csv", index=False)
    said = json.loads(cli.ok("learn", "t.csv", *NB, "-t", "y", "--weight", "w", "--json", "--folds", "0"))
    assert check(said, table, "y", "w") > 2


def test_three_of_four_texts(cli):
    """`b` comes three times in one text and not in another: 75 %, not 100 %."""
    out = cli.ok("learn", "emails", *NB, "-t", "class", "--kind", "message=text", "--folds", "0")
    assert re.search(r"has 'b'.* 75%", out)


@pytest.mark.parametrize("seed", range(20))
def test_skewed_numbers(cli, seed):
    """Far outliers, ties and gaps: no limit beyond the data, whatever a normal distribution holds likely."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["rich", "poor"], 120, p=[0.2, 0.8])
    x = np.where(rng.random(120) < 0.7, 0.0, rng.lognormal(3, 2, 120)) * (1 + 3 * (y == "rich"))
    x[rng.random(120) < 0.1] = np.nan
    table = pd.DataFrame({"x": x, "z": 1e6 + rng.normal(size=120) * (1 + (y == "rich")), "y": y})
    table.to_csv("t.csv", index=False)
    table = pd.read_csv("t.csv")
    assert (
        check(json.loads(cli.ok("learn", "t.csv", *NB, "-t", "y", "--json", "--folds", "0")), table, "y") > 1
    )


def test_ranges_of_whole_numbers_have_whole_ends(cli, folder):
    """Also where gaps make floats of them."""
    rng = np.random.default_rng(0)
    tenure = rng.poisson(6, 300)
    left = rng.random(300) < 1 / (1 + np.exp(tenure - 6.0))
    cells = ["" if gap else str(value) for gap, value in zip(rng.random(300) < 0.1, tenure, strict=True)]
    rows = (f"{cell},{'yes' if gone else 'no'}" for cell, gone in zip(cells, left, strict=True))
    (folder / "t.csv").write_text("\n".join(["tenure,left", *rows]))
    said = json.loads(cli.ok("learn", "t.csv", "-t", "left", "--model", "naive-bayes", "--json"))["evidence"]
    values = [sign["value"] for own in said.values() for sign in own]
    assert values
    assert not any("." in value for value in values)
