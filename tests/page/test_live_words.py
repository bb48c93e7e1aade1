"""Columns of texts on pages: the words that rows enough have, found as Python finds them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from page_cases import data_of

import likely
from likely.page.word_reader import browser_pattern


@pytest.mark.parametrize(
    "model", [likely.NaiveBayes(), likely.LogisticRegression(), likely.Classifier("additive")]
)
def test_texts_have_the_words_that_ten_rows_have(model):
    """With a table all words that ten rows have, and no other; without one what the model knows of rows."""
    rng = np.random.default_rng(4)
    n = 300
    y = rng.integers(2, size=n)
    words = np.array(
        ["meet the old boss again tomorrow " * 2, "buy cheap gold now and here today " * 2], object
    )
    text = words[y]
    text[:9] = text[:9] + " confidential"  # in nine rows
    text[20] += " secret" * 30  # in one row, often
    text[40:50] = text[40:50] + " tenfold"
    table = {"text": text, "x": rng.normal(y, 1.0), "y": np.where(y, "spam", "ham")}
    fitted = model.set_params(kinds={"text": "text"}).fit(table, "y")
    page = fitted.report(table, folds=0)
    column = data_of(page.html)["columns"][0]
    assert column["control"] == "text"
    assert sorted(column["words"]) == sorted({*words[0].split(), *words[1].split(), "tenfold"})
    assert "confidential" not in page.html
    assert "secret" not in page.html
    assert f"Of texts: {len(column['words'])} words that 10 rows or more have" in page.html
    assert "confidential" in fitted.report(table, folds=0, show_rare=True).html
    alone = fitted.page()
    assert "secret" not in alone.html
    column = data_of(alone.html)["columns"][0]
    if isinstance(model, likely.Classifier):  # which knows how many rows have each word
        assert column["control"] == "text"
    else:
        assert "not known without the table" in column["why"]
        assert {term["columns"][0] for term in data_of(alone.html)["model"]["terms"]} == {1}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (likely.Words(pattern=r"(?<=\s)\w+"), "by such a pattern"),
        (likely.Words(min_count=10**6), "none of its words"),
    ],
)
def test_texts_that_are_silent_say_why(words, why):
    table = {**likely.read("emails", into="dict"), "x": np.arange(8.0)}
    table = {name: np.tile(column, 9) for name, column in table.items()}
    fitted = likely.NaiveBayes(kinds={"message": words}).fit(table, "class")
    column = data_of(fitted.report(table, folds=0).html)["columns"][0]
    assert (column["control"], why in column["why"]) == ("none", True)


def test_words_that_say_more_together_are_silent():
    table = {**likely.read("emails", into="dict"), "x": np.arange(8.0)}
    table = {name: np.tile(column, 9) for name, column in table.items()}
    fitted = likely.NaiveBayes(kinds={"message": "text"}, estimate="predictive").fit(table, "class")
    assert "no sum" in data_of(fitted.report(table, folds=0).html)["columns"][0]["why"]


def test_a_model_of_texts_alone_has_a_page_if_its_words_are_known():
    table = likely.read("emails", into="dict")
    model = likely.NaiveBayes(kinds={"message": "text"}).fit(table, "class")
    with pytest.raises(likely.LikelyError, match=r"'message' is all that the model looks at.*report"):
        model.page()
    assert data_of(model.page(show_rare=True).html)["columns"][0]["control"] == "text"


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"\w+", r"[\p{L}\p{N}_]+"),
        (r"[a-z0-9'-]{2,}", r"[a-z0-9\u{27}\u{2d}]{2,}"),
        (r"#\d+|\S+?\.", r"\u{23}\p{Nd}+|[^"),
        (r"(?u)\b\w\w+\b", r"(?:(?<=["),
    ],
)
def test_patterns_are_put_in_the_language_of_browsers(pattern, wanted):
    assert browser_pattern(pattern).startswith(wanted)


@pytest.mark.parametrize(
    "pattern",
    ["(a)b", "(?i)a", "a*", "^a", "a$", "a++", r"(?<=x)y", r"[\W]a", r"\x41", r"a{,3}b"],
)
def test_patterns_that_mean_another_thing_there_are_not(pattern):
    re.compile(pattern)  # of which Python makes something
    assert browser_pattern(pattern) is None
