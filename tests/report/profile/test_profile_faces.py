"""How a profile shows itself: text, HTML, JSON, tables, pictures."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likely
from likely.draw import histogram, percentiles

VOID = {"br", "hr", "img", "input", "meta", "link", "rect", "line", "polyline"}


class Balanced(HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.words, self.tags = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(0)
    n = 200
    return {
        "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(1, 90, n)),
        "sex": rng.choice(["<male>", "fe&male"], n),
        "day": np.datetime64("2024-01-01") + rng.integers(0, 90, n),
        "size": pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l", "xl"], ordered=True),
        "fit": rng.random(n) < 0.5,
        "note": [
            f"</td><script>alert({i})</script> and some more words, so that it is text" for i in range(n)
        ],
        "<img src=x>": ["n/a", 'a"b'] * (n // 2),
        "y": rng.choice(["yes", "no"], n),
    }


def test_html_is_well_formed_and_escaped(mixed):
    found = likely.profile(mixed, "y")
    for page in (found._repr_html_(), *(column._repr_html_() for column in found)):
        seen = Balanced(page)
        assert not {"script", "img", "male"} & set(seen.tags)
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # needs nothing outside itself
        for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ET.fromstring(svg)
    page = found._repr_html_()
    words = "".join(Balanced(page).words)
    assert "<male>" in words
    assert "<img src=x>" in words
    assert page.count("<tr>") == 1 + len(found) + sum(bool(column.warnings) for column in found)
    assert "color: #" not in page  # light and dark pages keep their own
    assert 'aria-label="percentile plot"' in page


def test_svg_bars_are_the_histogram(mixed):
    column = likely.profile(mixed)["age"]
    (svg,) = re.findall(r'<svg[^>]*aria-label="histogram".*?</svg>', column._repr_html_(), re.DOTALL)
    heights = [
        float(rect.get("height")) for rect in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")
    ]
    counts = [bar.count for bar in column.bars]
    np.testing.assert_allclose(heights, np.array(counts) * max(heights) / max(counts), atol=1.01)


def test_text_is_aligned_and_100_wide(mixed):
    found = likely.profile(mixed, "y")
    lines = str(found).split("\n")
    assert repr(found) == str(found)
    assert max(map(len, lines)) <= 100
    head = next(line for line in lines if line.startswith("column"))
    for name in mixed:
        line = next(line for line in lines if line.startswith(name))
        kind = str(found[name].kind)
        assert line[head.index("kind") :].startswith(kind)
        right = head.index("missing") + len("missing")
        assert line[:right].endswith("%")
    assert lines[0] == "200 rows, 8 columns: 2 quantitative, 2 categorical, 2 boolean, 1 ordinal, 1 text"
    assert any(line.endswith("target") for line in lines)


def test_long_names_and_many_columns_are_cut_kindly():
    table = {f"{'a long name ' * 5}{i}": [1.0, 2.0, 4.0] for i in range(60)}
    said = str(likely.profile(table))
    assert max(map(len, said.split("\n"))) <= 100
    assert "and 20 other columns: see profile[name] or profile.to_frame()" in said
    assert "\na long name a long name a long" in said
    assert "… " in said
    wide = likely.profile(np.zeros((5, 150)))
    assert wide._repr_html_().count("<tr>") == 1 + 2 * 100  # each has a warning: they are constant
    assert "and 50 other columns" in wide._repr_html_()
    assert "and 130 others: see profile.warnings" in str(wide)


def test_columns_are_as_wide_as_they_need(monkeypatch):
    names = ["customer_lifetime_value_eur", "has_opted_in_to_newsletter", "a"]
    table = {name: ["the first level", "another of them", "a third of them"] * 5 for name in names}
    said = str(likely.profile({name: [1.0, 2.0] for name in names}))
    for name in names:
        assert f"\n{name} " in said
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "150")
    wide = str(likely.profile(table))
    assert "…" not in wide
    assert 100 < max(map(len, wide.split("\n"))) <= 150
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, str(likely.profile(table)).split("\n"))) <= 80


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_one_column_says_all_of_itself(mixed):
    said = str(likely.profile(mixed, "y")["age"])
    for word in ("age: quantitative (numbers)", "standard deviation", "percentile", "mutual information"):
        assert word in said
    assert max(map(len, said.split("\n"))) <= 100


def test_json_is_strict_and_complete(mixed, tmp_path):
    found = likely.profile(mixed, "y")
    path = tmp_path / "profile.json"
    text = found.to_json(path)

    def refuse(word):
        raise AssertionError(word)

    record = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert record == json.loads(text) == found.to_dict()
    json.dumps(found.to_dict(), allow_nan=False)
    assert record["rows"] == 200
    assert record["target"] == "y"
    by_name = {column["name"]: column for column in record["columns"]}
    assert by_name["age"]["statistics"]["mean"] == found["age"].mean
    assert by_name["day"]["statistics"]["min"] == str(found["day"].min)
    assert by_name["day"]["unit"] == "days since 1970-01-01"
    assert len(by_name["size"]["percentiles"]) == 101
    assert by_name["sex"]["association"]["bits"] == found["sex"].association.bits
    assert {warning["what"] for warning in by_name["<img src=x>"]["warnings"]} == {"disguised missing"}


LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": lambda t: pl.from_pandas(pd.DataFrame(t)).cast({"size": pl.Enum(["s", "m", "l", "xl"])}),
    "pyarrow": lambda t: pa.Table.from_pandas(pd.DataFrame(t)),
    "dict": dict,
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_tables_come_back_in_the_library_that_came_in(mixed, library):
    found = likely.profile(LIBRARIES[library](mixed), "y")
    table = found.to_frame()
    assert type(table).__module__.split(".")[0] == ("builtins" if library == "dict" else library)
    columns = {name: list(np.asarray(table[name])) for name in ("column", "kind", "mean", "bits", "warnings")}
    assert columns["column"] == list(mixed)
    assert columns["kind"][0] == "quantitative"
    assert columns["mean"][0] == pytest.approx(np.nanmean(mixed["age"]))
    assert columns["bits"][-1] is None or np.isnan(columns["bits"][-1])
    assert columns["warnings"][6] == "disguised missing"


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_profile_does_not_depend_on_the_library(mixed, library):
    mine, theirs = likely.profile(mixed, "y"), likely.profile(LIBRARIES[library](mixed), "y")
    assert theirs.duplicates == mine.duplicates == 0
    for column, other in zip(mine, theirs, strict=True):
        mine_record, record = column.to_dict(), other.to_dict()
        if column.name == "day":  # which pandas takes for a time
            continue
        for key in ("why", "levels"):  # of the text: which of many ties is found first
            if column.name == "note" or key == "why":
                assert mine_record.pop(key)
                assert record.pop(key)
        told, wanted = record.pop("association"), mine_record.pop("association")
        assert told == (None if wanted is None else pytest.approx(wanted, abs=1e-12))
        mine_record["statistics"].pop("mode", None), record["statistics"].pop("mode", None)
        assert record == mine_record


def test_pictures(mixed):
    found = likely.profile(mixed, "y")
    ax = found["age"].plot()
    assert [bar.get_height() for bar in ax.patches] == [bar.count for bar in found["age"].bars]
    line = found["age"].plot_percentiles().lines[-1]
    np.testing.assert_allclose(line.get_xdata(), found["age"].percentiles)
    np.testing.assert_allclose(line.get_ydata(), np.arange(101))
    levels = found["sex"].plot()
    assert [bar.get_width() for bar in levels.patches] == [level.count for level in found["sex"].levels]
    steps = found["size"].plot_percentiles()
    assert [label.get_text() for label in steps.get_xticklabels()] == ["s", "m", "l"]
    days = found["day"].plot()
    for axes in (ax, levels, steps, days, found["day"].plot_percentiles()):
        axes.figure.savefig(io.BytesIO(), format="png")
    assert any(label.get_text().startswith("2024-") for label in days.get_xticklabels())
    from matplotlib.figure import Figure

    mine = Figure().subplots()
    assert found["age"].plot(mine) is mine
    assert found["age"].plot_percentiles(mine) is mine


def test_empty_pictures():
    assert len(histogram([], [], title="t", xlabel="x").patches) == 0
    assert len(percentiles([], title="t", xlabel="x").lines) == 3  # the quartiles
    assert len(likely.profile({"x": [np.nan]})["x"].plot().patches) == 0


def test_a_profile_is_a_collection():
    found = likely.profile({"age": [1, 2], "sex": ["m", "f"]})
    assert [column.name for column in found] == ["age", "sex"]
    assert len(found) == 2
    assert "age" in found
    assert "size" not in found
    assert found.kinds == {"quantitative": 1, "categorical": 1}
    assert found.target is None
    with pytest.raises(likely.LikelyError, match="no column 'aeg': did you mean 'age'"):
        found["aeg"]
