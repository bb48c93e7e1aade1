"""What people look at in a notebook: everything that answers has a table and, with `plot()`, a picture."""

from __future__ import annotations

import io
import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

import likely

N = 300


@cache
def table() -> dict[str, np.ndarray]:
    """Numbers, whole numbers, levels and a target, with names that HTML and matplotlib could misread."""
    rng = np.random.default_rng(7)
    size = rng.normal(50, 10, N)
    return {
        "size <cm>": size,
        "visits": rng.poisson(3, N),
        "plan": rng.choice(["<b>basic</b>", "US$ & more", "c"], N),
        "left": np.where(size + rng.normal(0, 10, N) > 50, "yes", "no"),
    }


@cache
def naive_bayes() -> likely.NaiveBayes:
    return likely.NaiveBayes(kinds={"visits": "count"}).fit(table(), "left")


@cache
def logistic() -> likely.LogisticRegression:
    return likely.LogisticRegression().fit(table(), "left")


def rows() -> dict[str, np.ndarray]:
    return {name: column for name, column in table().items() if name != "left"}


FACES = {
    "importance": lambda: naive_bayes().importance(rows()),
    "nomogram": lambda: naive_bayes().nomogram(),
    "summary of classes": lambda: logistic().summary(),
    "summary of a number": lambda: likely.LinearRegression().fit(table(), "size <cm>").summary(),
    "cross-validation": lambda: likely.compare.cross_validate(naive_bayes(), table(), "left", folds=3),
    "cross-validation of a number": lambda: likely.compare.cross_validate_outcomes(
        likely.LinearRegression(), table(), "size <cm>", folds=3
    ),
    "groups": lambda: likely.compare.groups(table(), "left", "plan", success="yes"),
    "next question": lambda: naive_bayes().next_question(),
    "next question with costs": lambda: naive_bayes().next_question(costs={"plan": 5.0}),
    "chances": lambda: naive_bayes().ask("P(plan)"),
    "chances of two": lambda: naive_bayes().ask("P(plan, left)"),
    "a number": lambda: naive_bayes().ask("P(`size <cm>` | left=yes)"),
    "a whole number": lambda: naive_bayes().ask("P(visits)"),
    "ledger": lambda: naive_bayes().explain(rows())[0],
    "column": lambda: likely.profile(table())["plan"],
}


@cache
def pool() -> likely.Classifier:
    return likely.Classifier(random_state=0).fit(table(), "left")


# What has a table, and no single picture.
TABLES = {
    "odds ratios": lambda: logistic().odds_ratios(),
    "a pool": lambda: pool().describe(),
    "curves": lambda: pool().curves(rows()),
    "interactions": lambda: pool().interactions(rows()),
}


class Words(HTMLParser):
    """What a page says, and the tags it is made of."""

    def __init__(self, page: str):
        super().__init__()
        self.said: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


@pytest.mark.parametrize("name", [*FACES, *TABLES])
def test_it_has_a_table_that_says_what_the_text_says(name):
    shown = {**FACES, **TABLES}[name]()
    page = Words(shown._repr_html_())
    assert not page.tags & {"script", "cm"}
    said = " ".join(page.said)
    if name != "column":  # whose page has other words than its text
        # Every number and name of the text is on the page; bars are drawn there.
        for word in re.findall(r"[\w.$&]+", str(shown)):
            assert word in said, word


@pytest.mark.parametrize("name", FACES)
def test_it_draws_itself(name):
    drawn = FACES[name]().plot()
    png, size = drawn._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert 200 < size["width"] < 1200
    assert 40 < size["height"] < 1200
    axes = drawn if isinstance(drawn, tuple) else (drawn,)
    axes[0].figure.savefig(io.BytesIO(), format="svg")


def widths(ax) -> list[float]:
    return [float(bar.get_width()) for bar in ax.patches]


def test_bars_grow_to_the_right_and_are_as_long_as_the_numbers():
    shown = FACES["importance"]()
    order = np.argsort(-shown.mean_absolute)
    np.testing.assert_allclose(widths(shown.plot()), shown.mean_absolute[order])
    chances = FACES["chances"]()
    np.testing.assert_allclose(widths(chances.plot()), list(chances.values()))
    asked = FACES["next question with costs"]()
    np.testing.assert_allclose(widths(asked.plot()), [o.bits / o.cost for o in asked.options])
    for name in ("importance", "chances", "next question"):
        assert all(bar.get_x() == 0 for bar in FACES[name]().plot().patches)
        page = FACES[name]()._repr_html_()
        lengths = [int(length) for length in re.findall(r"width:(\d+)px", page)]
        assert max(lengths) == 160
        assert "margin-left" not in page  # no bar begins in the middle


def test_the_bars_of_whole_numbers_are_their_probabilities():
    answer = FACES["a whole number"]()
    bars = answer.plot().patches
    at = [bar.get_x() + bar.get_width() / 2 for bar in bars]
    np.testing.assert_allclose([bar.get_height() for bar in bars], answer.density(at))
    assert sum(bar.get_height() for bar in bars) == pytest.approx(1, abs=3e-3)  # what is beyond is not drawn


def test_the_curve_of_a_number_is_its_density():
    smooth = likely.NaiveBayes(kinds={"visits": "count"}, families="classical").fit(table(), "left")
    answer = smooth.ask("P(`size <cm>` | left=yes)")
    curve = answer.plot().lines[0]
    x, y = curve.get_xdata(), curve.get_ydata()
    np.testing.assert_allclose(y, answer.density(x))
    assert np.trapezoid(y, x) == pytest.approx(0.998, abs=1e-3)
    assert answer.cdf(x[0]) == pytest.approx(0.001, abs=1e-9)


def test_times_are_written_as_times():
    days = np.datetime64("2024-01-01") + np.arange(60)
    model = likely.NaiveBayes().fit({"day": days, "y": ["a", "b"] * 30}, "y")
    ax = model.ask("P(day)").plot()
    ax.figure.savefig(io.BytesIO())
    assert any(label.get_text().startswith("2024-") for label in ax.get_xticklabels())
    assert "from 202" in ax.get_xlabel()


def test_intervals_are_those_of_the_table():
    shown = FACES["summary of classes"]()
    frame = shown.to_frame()
    ends = [line.get_xdata() for line in shown.plot().lines if len(line.get_xdata()) == 2][1:]
    np.testing.assert_allclose(ends, np.column_stack([frame["lower"], frame["upper"]])[1:])
    groups = FACES["groups"]()
    frame = groups.to_frame()
    ends = [line.get_xdata() for line in groups.plot().lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(ends, np.column_stack([frame["lower"], frame["upper"]]))


def test_scores_stand_beside_their_yardstick():
    shown = FACES["cross-validation"]()
    panels = shown.plot()
    assert len(panels) == len(shown.scores)
    for ax, name in zip(panels, shown.scores, strict=True):
        score = shown.scores[name]
        (low, high), (dot,) = (line.get_xdata() for line in ax.lines)
        assert dot == float(score)
        assert (low, high) == pytest.approx(
            (score - 2 * score.standard_error, score + 2 * score.standard_error)
        )
        assert ax.collections[0].get_offsets().tolist() == [[float(shown.base_rate[name]), 0.0]]
