"""Each warning on a table made for it, and not on a clean one beside it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from scipy import sparse

import likely

RNG = np.random.default_rng(0)
N = 300
NORMAL = RNG.normal(50, 5, N)
WORDS = RNG.choice(["red", "green", "blue"], N)
ANY = RNG.integers(0, 2, N)
POSITIVE = RNG.integers(1, 60, N)


def some(values, mark, rows):
    """The values with a mark in so many rows."""
    cells = list(values)
    for row in range(rows):
        cells[row * 7] = mark
    return cells


# what, the column that shows it, and one like it that does not
CASES = {
    "all missing": ("all missing", [None] * N, some(WORDS, None, 20)),
    "many missing": ("many missing", [None] * 200 + list(NORMAL[:100]), some(NORMAL, None, 40)),
    "constant number": ("constant", [7.0] * N, [7.0, 8.0] * (N // 2)),
    "constant level": ("constant", ["a"] * N, ["a", "b"] * (N // 2)),
    "constant with gaps": ("constant", ["a", None] * (N // 2), ["a", "b"] * (N // 2)),
    "nearly constant": ("nearly constant", ["a"] * (N - 2) + ["b"] * 2, ["a"] * (N - 20) + ["b"] * 20),
    "text identifier": ("identifier", [f"P{i}" for i in range(N)], WORDS),
    "row number": ("identifier", np.arange(N), POSITIVE),
    "long codes": ("identifier", 10**7 + 9999 * np.arange(N), (10 ** (3 + NORMAL / 20)).astype(int)),
    "measured": ("outliers", [*NORMAL[:-1], 1e6], NORMAL),
    "small outlier": ("outliers", [*NORMAL[:-1], -1e4], [*NORMAL[:-1], 80.0]),
    "unknown": ("disguised missing", some(WORDS, "unknown", 9), WORDS),
    "(N/A)": ("disguised missing", some(WORDS, " N/A", 3), some(WORDS, "nay", 3)),
    "?": ("disguised missing", some(WORDS, "?", 3), some(WORDS, "x", 3)),
    "none": ("disguised missing", some(WORDS, "none", 9), ["none"] * 200 + list(WORDS[:100])),
    "-": ("disguised missing", some(WORDS, "-", 9), ["+", "-"] * (N // 2)),
    "-999": ("disguised missing", some(NORMAL, -999.0, 4), some(NORMAL, 49.0, 4)),
    "-999 once": ("disguised missing", some(NORMAL, -999.0, 1), some(NORMAL, -1.0, 1)),
    "-1": ("disguised missing", some(POSITIVE, -1, 5), some(some(POSITIVE, -1, 5), -4, 2)),
    "-9": ("disguised missing", some(POSITIVE, -9, 5), some(some(POSITIVE, -9, 5), -12, 3)),
    "9999": ("disguised missing", some(NORMAL, 9999.0, 4), some(NORMAL, 8000.0, 4)),
    "99": (
        "disguised missing",
        some([*RNG.integers(0, 5, N).tolist(), 5, 6], 99, 4),
        RNG.integers(0, 100, N),
    ),
    "0": ("disguised missing", some(NORMAL, 0.0, 6), some(np.abs(NORMAL - 50), 0.0, 6)),
    "codes": ("identifier", np.arange(N), RNG.choice([-1, 0, 1], N)),
    "mixed types": ("mixed types", some(WORDS, 3, 2), WORDS),
    "numbers as text": ("numbers as text", [f"{x:.2f}" for x in NORMAL], WORDS),
    "numbers with gaps": (
        "numbers as text",
        some([str(x) for x in POSITIVE], "?", 2),
        ["007", "012", "020"] * 100,
    ),
    "thousands": ("numbers as text", ["1,200", "3,500", "12,000"] * 100, ["1,2", "a,b", "c"] * 100),
    "numbers but for a word": (
        "numbers as text",
        some([str(i % 9) for i in range(N)], "k.A.", 30),
        [["1", "2", "3", "low", "high", "odd"][i % 6] for i in range(N)],
    ),
    "ISO dates": ("dates as text", [f"2024-01-{1 + i % 28:02}" for i in range(N)], WORDS),
    "other dates": ("dates as text", [f"{1 + i % 28}/3/2024 10:00" for i in range(N)], ["1-2", "3-4"] * 150),
    "dates in words": ("dates as text", [f"Mar {1 + i % 28}, 2024" for i in range(N)], ["Mar", "Apr"] * 150),
    "spellings": ("spellings", ["Yes", "yes ", "no"] * 100, ["yes", "no", "nope"] * 100),
    "double spaces": ("spellings", ["New  York", "New York"] * 150, ["New York", "York"] * 150),
    "many levels": ("many levels", [f"T{i // 3}" for i in range(N)], [f"T{i // 30}" for i in range(N)]),
    "infinite": ("infinite", some(NORMAL, np.inf, 2), NORMAL),
    "too large": ("too large", some(NORMAL, 1e200, 2), NORMAL),
}


def whats(cells, target=None):
    return [caution.what for caution in likely.profile({"it": cells}, target).warnings]


@pytest.mark.parametrize("case", CASES)
def test_a_warning_fires_where_it_should_and_nowhere_else(case):
    what, faulty, clean = CASES[case]
    assert whats(faulty).count(what) == 1
    assert what not in whats(clean)


@pytest.mark.parametrize(
    "cells", [NORMAL, WORDS, POSITIVE, NORMAL > 50, RNG.poisson(1, N), RNG.exponential(1, N)]
)
def test_clean_columns_have_no_warning(cells):
    assert whats(cells, ANY) == []


def test_messages_say_where_and_what_to_do():
    for what, cells, _ in CASES.values():
        for caution in likely.profile({"it": cells}).warnings:
            assert caution.column == "it"
            assert str(caution).startswith(f"it: {caution.what}. ")
            assert caution.message.endswith((".", ")"))
            assert len(caution.message) > 40
        assert what


def test_a_mark_is_no_outlier_too():
    assert whats(some(NORMAL, -999.0, 4)) == ["disguised missing"]


def test_logarithms_are_advised_only_where_they_help():
    skew = np.concatenate([np.exp(RNG.normal(0, 2, N)), [1e4]])
    both = np.concatenate([NORMAL, [1e-9, 1e9]])
    for cells, helps in ((skew, True), (both, False)):
        (message,) = [c.message for c in likely.profile({"it": cells}).warnings if c.what == "outliers"]
        assert ("Logarithms" in message) is helps


def test_mostly_zeros_is_what_sparse_columns_are():
    matrix = sparse.random(500, 5, 0.005, "csr", random_state=1)
    assert all(c.what != "nearly constant" for c in likely.profile(matrix).warnings)
    assert any(c.what == "nearly constant" for c in likely.profile(matrix.toarray()).warnings)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_next_to_no_rows_warn_of_nothing_but_being_constant(n):
    cells = {"a": ["x", "x"][:n], "b": [1.0, 2.0][:n], "d": [dt.date(2024, 1, 1)] * n}
    assert {c.what for c in likely.profile(cells).warnings} <= ({"constant"} if n == 2 else set())


def test_warnings_of_the_target():
    found = likely.profile({"a": NORMAL, "y": some(WORDS, None, 3)}, "y")
    assert [(c.column, c.what) for c in found.warnings] == [("y", "target missing")]
    assert "3 rows" in found.warnings[0].message
