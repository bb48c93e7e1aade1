"""What few rows hold is in no number of a page: all of them are unpacked, and searched for what is secret."""

from __future__ import annotations

import base64
import json
import math
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from page_cases import DATA, data_of

import likely

N = 600
NUMBER = re.compile(r"[-+−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?", re.IGNORECASE)
TAGS = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
CLOSE = 1e-9  # of a number, relative: nearer than any rounding that a page makes

# Ends that no rounding of other numbers hits by chance: of a column of numbers, and of one of counts.
ENDS = {"pay": (-731_507.31, 9_876_543.21), "visits": (7919.0, 104_729.0)}
LEVELS = ("Smallville", "Nowhere-on-Sea")
WORDS = ("zyzzogeton", "quixotry")


@cache
def secrets() -> dict[str, np.ndarray]:
    """A table with rare levels and words, and with ends that one row each has."""
    rng = np.random.default_rng(11)
    y = rng.integers(3, size=N)
    pay = np.round(rng.normal(5000.0 + 400 * y, 800.0), 2)
    visits = rng.poisson(2000.0 + 100 * y).astype(np.int64) + 10_000
    pay[3], pay[4] = ENDS["pay"]
    visits[5], visits[6] = ENDS["visits"]
    city = rng.choice(["Bern", "Basel", "Chur"], N).astype(object)
    city[:8], city[8:12] = LEVELS
    bags = ("meet old friend lunch", "win cheap gold now", "send report see boss")
    texts = [" ".join(rng.choice(bags[c].split(), 6)) for c in y]
    note = np.array([f"{t} {WORDS[0]}" if i < 9 else t for i, t in enumerate(texts)], object)
    note[20] = f"{note[20]} {f'{WORDS[1]} ' * 40}"  # often, in one row
    kind = np.array(["a", "b", "c"])[y]
    return {"pay": pay, "visits": visits, "city": city, "note": note, "kind": kind}


@dataclass(frozen=True)
class Leak:
    """A secret that was found, and where."""

    secret: object
    where: str


def leaks(html: str) -> list[Leak]:
    """Ends of columns, rare levels and words, and rows, in what is written and in every number of a page."""
    found = [Leak(word, "a name") for word in (*LEVELS, *WORDS) if word in html]
    data = json.loads(DATA.search(html)[1])
    numbers = [*_numbers(data, "data"), *((x, "text") for x in _written(TAGS.sub(" ", html)))]
    at = np.array([x for x, _ in numbers])
    for name, ends in ENDS.items():
        for end in ends:
            near = np.flatnonzero(np.abs(at - end) <= CLOSE * abs(end))
            found += [Leak((name, end), numbers[i][1]) for i in near]
    return found + _rows(data_of(html))


def _numbers(tree: Any, where: str) -> Iterator[tuple[float, str]]:
    """Every number of the data: plain, packed in bits, packed as changes and added up, and in texts."""
    if isinstance(tree, dict):
        if isinstance(tree.get("f64"), str):
            raw = base64.b64decode(tree["f64"])
            yield from ((x, f"{where}, packed") for (x,) in struct.iter_unpack("<d", raw))
            return
        for name, own in tree.items():
            yield from _numbers(own, f"{where}.{name}")
    elif isinstance(tree, list):
        for own in tree:
            yield from _numbers(own, where)
        yield from _added_up(tree, where)
    elif isinstance(tree, str):
        yield from ((x, where) for x in _written(tree))
    elif isinstance(tree, int | float) and not isinstance(tree, bool):
        yield float(tree), where


def _added_up(tree: list[Any], where: str) -> Iterator[tuple[float, str]]:
    """Sums of a list from its beginning, and steps in it: an end may not be hidden in either."""
    if len(tree) > 1 and all(isinstance(x, int | float) and not isinstance(x, bool) for x in tree):
        own = np.array(tree, float)
        yield from ((float(x), f"{where}, added up") for x in (*np.cumsum(own), *np.diff(own)))


def _written(text: str) -> Iterator[float]:
    for one in NUMBER.findall(text[:200_000]):
        value = float(one.replace(",", "").replace("−", "-").rstrip(".") or 0)
        if math.isfinite(value):
            yield value


def _rows(tree: Any) -> list[Leak]:
    """Lists of numbers, or of names, that hold the numbers of a row together."""
    table = secrets()
    together = {(float(a), float(b)) for a, b in zip(table["pay"], table["visits"], strict=True)}
    found = []

    def walk(own: Any) -> None:
        values = list(own.values()) if isinstance(own, dict) else own if isinstance(own, list) else []
        plain = [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        found.extend(Leak(pair, "a row") for pair in pairwise(plain) if pair in together)
        for value in values:
            walk(value)

    walk(tree)
    return found


def _fit(model: Any, *names: str, target: str = "kind", **how: Any) -> Callable[[], tuple[Any, Any]]:
    def made() -> tuple[Any, Any]:
        table = {name: secrets()[name] for name in (*names, *([target] if target else []))}
        fitted = model.set_params(**how).fit(table, target) if target else model.set_params(**how).fit(table)
        return fitted, table

    return made


ALL = ("pay", "visits", "city", "note")
LEVELLED = ("pay", "visits", "city")
TEXT = {"kinds": {"note": "text"}}
KINDS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "naive Bayes": _fit(likely.NaiveBayes(), *ALL, **TEXT),
    "naive Bayes, normal": _fit(
        likely.NaiveBayes(families={"pay": "normal", "visits": "poisson"}),
        *ALL,
        kinds={"note": "text", "visits": "count"},
    ),
    "calibrated": _fit(likely.Calibrated(likely.NaiveBayes(kinds={"note": "text"})), *ALL),
    "Gaussian": _fit(likely.GaussianClassifier(), "pay", "visits"),
    "mixture": _fit(likely.Mixture(1), *ALL, target="", **TEXT),
    "mixture of levels and words": _fit(
        likely.Mixture(2, random_state=0), "city", "note", "kind", target="", **TEXT
    ),
    "mixture classifier": _fit(likely.MixtureClassifier(1), "pay", "visits"),
    "logistic regression": _fit(likely.LogisticRegression(), *ALL, **TEXT),
    "linear regression": _fit(
        likely.LinearRegression(prior=likely.Normal(0, 10)), "visits", "city", "note", target="pay", **TEXT
    ),
    "tree": _fit(likely.TreeAugmentedNaiveBayes(), *LEVELLED),
    "average": _fit(likely.AODE(), *LEVELLED),
    "network": _fit(likely.Network([("kind", "pay"), ("kind", "visits"), ("kind", "city")]), *LEVELLED),
    "default learner": _fit(likely.Classifier("additive"), *ALL, **TEXT),
    "default learner of a number": _fit(
        likely.Regressor("additive"), "visits", "city", "note", target="pay", **TEXT
    ),
}


@cache
def made(name: str) -> tuple[Any, Any]:
    return KINDS[name]()


@pytest.mark.parametrize("name", KINDS)
def test_no_number_of_a_page_is_a_secret(name):
    model, table = made(name)
    assert leaks(model.report(table, folds=2 if name == "naive Bayes" else 0).html) == []
    if name == "logistic regression":  # which does not know how many rows have a level
        with pytest.raises(likely.LikelyError, match=r"column 'city' is not known to the model.*report"):
            model.page()
    else:
        assert leaks(model.page().html) == []


def test_a_group_of_few_rows_is_not_told_by_its_mean():
    """One row far out is a group of its own, whose mean it is."""
    table = {name: secrets()[name] for name in ("pay", "visits", "kind")}
    model = likely.MixtureClassifier(2, random_state=0).fit(table, "kind")
    with pytest.raises(likely.LikelyError, match=r"has [\d.]+ rows, and column 'pay'.*fewer groups"):
        model.page()
    found = {leak.secret for leak in leaks(model.page(show_rare=True).html)}
    assert found & {(name, end) for name, ends in ENDS.items() for end in ends}


@pytest.mark.parametrize(
    "planted",
    [
        {"points": [1.0, ENDS["pay"][1]]},
        {"f64": base64.b64encode(np.array([0.5, ENDS["pay"][0]]).tobytes()).decode(), "shape": [2]},
        {"deep": [{"label": f"below {ENDS['visits'][1]:,.0f}"}]},
        {"edges": [9_876_000.0, 543.21]},  # as a change that is added up
        {"label": WORDS[1]},
        {"row": [float(secrets()["pay"][50]), int(secrets()["visits"][50])]},
    ],
    ids=["plain", "packed", "written", "added up", "named", "row"],
)
def test_a_secret_that_is_planted_is_found(planted):
    model, table = made("naive Bayes")
    html = model.report(table, folds=0).html
    data = DATA.search(html)[1]
    told = html.replace(data, json.dumps({**json.loads(data), "planted": planted}))
    assert leaks(told) != []


def test_what_is_asked_for_is_found_too():
    """With rare values shown the search finds levels and words: it looks where they would be."""
    model, table = made("naive Bayes")
    found = {leak.secret for leak in leaks(model.report(table, folds=0, show_rare=True).html)}
    assert {*LEVELS, *WORDS} <= found
