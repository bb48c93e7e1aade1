"""Fitted models of every kind that has a page, and random cases with random gaps for each of them."""

from __future__ import annotations

import base64
import json
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import likely

N = 400
DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def data_of(html: str) -> dict[str, Any]:
    """What the script of a page works on, with its packed numbers as lists."""
    return json.loads(DATA.search(html)[1], object_hook=_unpacked)


def _unpacked(record: dict[str, Any]) -> Any:
    if "f64" not in record:
        return record
    return np.frombuffer(base64.b64decode(record["f64"]), "<f8").reshape(record["shape"]).tolist()


@cache
def people(seed: int = 5, classes: int = 3) -> dict[str, np.ndarray]:
    """Levels, true and false, whole numbers and numbers, with gaps, and a class that hangs on all of them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=N)
    size = rng.normal(10.0 * y, 8.0)
    weight = 0.5 * size + rng.normal(y, 4.0)
    visits = rng.poisson(2.0 + y)
    plan = rng.choice(["basic", "plus", "pro", "free"], size=N, p=[0.4, 0.3, 0.2, 0.1])
    plan = np.where((y == 1) & (rng.random(N) < 0.5), "pro", plan).astype(object)
    member = rng.random(N) < 0.3 + 0.2 * (y == 0)
    size[rng.random(N) < 0.1] = np.nan
    plan[rng.random(N) < 0.1] = None
    return {
        "size": size,
        "weight": weight,
        "visits": visits,
        "plan": plan,
        "member": member,
        "kind": np.array(["a", "b", "c", "d"])[y],
    }


@cache
def numbers() -> dict[str, np.ndarray]:
    """Numbers without gaps, and a class."""
    table = people()
    size = np.where(np.isnan(table["size"]), 5.0, table["size"])
    return {
        "size": size,
        "weight": table["weight"],
        "visits": table["visits"] + 0.25,
        "kind": table["kind"],
    }


def _outcome() -> dict[str, np.ndarray]:
    table = dict(people())
    known = np.where(np.isnan(table["size"]), 0.0, table["size"])
    rng = np.random.default_rng(2)
    del table["kind"]
    return table | {"spent": 3 * known - table["visits"] + 5 * table["member"] + rng.normal(0, 2, N)}


def two(table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same rows in two classes."""
    return table | {"kind": np.where(table["kind"] == "a", "a", "b")}


def _columns(table: dict[str, np.ndarray], *names: str) -> dict[str, np.ndarray]:
    return {name: table[name] for name in names}


def _levels() -> dict[str, np.ndarray]:
    table = _columns(people(), "plan", "member", "kind")
    table["plan"] = np.where(table["plan"] == None, "free", table["plan"])  # noqa: E711  # cell by cell
    return table | {"visits": np.where(people()["visits"] > 2, "many", "few")}


SPAM = [
    "win",
    "prize",
    "cheap",
    "gold",
    "offer",
    "now",
    "free",
    "click",
    "win-win",
    "Größe",
    "Ünïcode",
    "50%",
    "don't",
    "i̇",
]
HAM = [
    "meet",
    "lunch",
    "tomorrow",
    "boss",
    "report",
    "old",
    "friend",
    "the",
    "see",
    "you",
    "ΣΊΣΥΦΟΣ",
    "naïve",
    "ß",
    "日本",
    "day_one",
]


@cache
def letters() -> dict[str, np.ndarray]:
    """Texts of words of many scripts, some missing; a number, levels, a class, and a number to predict."""
    rng = np.random.default_rng(9)
    y = rng.integers(3, size=N)
    bags = (SPAM, HAM, SPAM[:6] + HAM[:6])
    said = [" ".join(rng.choice(bags[c], 1 + rng.integers(9))) for c in y]
    said = [text.upper() if rng.random() < 0.2 else text for text in said]
    text = np.array([None if rng.random() < 0.05 else one for one in said], object)
    size = rng.normal(y, 1.5)
    paid = size + np.array([("win" in one.lower()) * 2.0 for one in said]) + rng.normal(size=N)
    plan = np.where(rng.random(N) < 0.3 + 0.2 * y, "plus", "basic").astype(object)
    return {"text": text, "size": size, "plan": plan, "kind": np.array(["a", "b", "c"])[y], "paid": paid}


def texts(*names: str) -> dict[str, np.ndarray]:
    """Texts, a number and levels, with some of what may be predicted."""
    return _columns(letters(), "text", "size", "plan", *names)


def _read(**how: Any) -> dict[str, likely.Words]:
    return {"text": likely.Words(**how)}


FAMILIES = {"size": "normal", "weight": "normal", "visits": "poisson"}
COUNTS = {"visits": "count"}

# What to call a model, and how it is made: the model, and the table that its page is made of.
MODELS: dict[str, Callable[[], tuple[Any, dict[str, np.ndarray]]]] = {
    "naive Bayes": lambda: (likely.NaiveBayes().fit(people(), "kind"), people()),
    "naive Bayes, two classes": lambda: (
        likely.NaiveBayes().fit(two(people()), "kind"),
        two(people()),
    ),
    "naive Bayes, classical families": lambda: (
        likely.NaiveBayes(families=FAMILIES, kinds=COUNTS, evidence_weights=None).fit(people(), "kind"),
        people(),
    ),
    "naive Bayes, predictive": lambda: (
        likely.NaiveBayes(families={"size": "normal", "weight": "normal"}, estimate="predictive").fit(
            people(), "kind"
        ),
        people(),
    ),
    "naive Bayes, missing as a level": lambda: (
        likely.NaiveBayes(missing="level").fit(people(), "kind"),
        people(),
    ),
    "Gaussian, full": lambda: (likely.GaussianClassifier().fit(numbers(), "kind"), numbers()),
    "Gaussian, tied": lambda: (likely.GaussianClassifier("tied").fit(numbers(), "kind"), numbers()),
    "Gaussian, diagonal": lambda: (likely.GaussianClassifier("diagonal").fit(numbers(), "kind"), numbers()),
    "Gaussian, predictive": lambda: (
        likely.GaussianClassifier(estimate="predictive").fit(numbers(), "kind"),
        numbers(),
    ),
    "logistic regression": lambda: (
        likely.LogisticRegression().fit(two(people()), "kind"),
        two(people()),
    ),
    "logistic regression, classes": lambda: (
        likely.LogisticRegression().fit(people(), "kind"),
        people(),
    ),
    "linear regression": lambda: (likely.LinearRegression().fit(_outcome(), "spent"), _outcome()),
    "mixture": lambda: (likely.Mixture(3, random_state=0).fit(numbers()), numbers()),
    "mixture of levels and numbers": lambda: (
        likely.Mixture(2, random_state=0).fit(_columns(people(), "size", "plan", "member", "weight")),
        _columns(people(), "size", "plan", "member", "weight"),
    ),
    "mixture classifier": lambda: (
        likely.MixtureClassifier(2, random_state=0).fit(numbers(), "kind"),
        numbers(),
    ),
    "calibrated, isotonic": lambda: (
        likely.Calibrated(likely.NaiveBayes(), method="isotonic").fit(people(), "kind"),
        people(),
    ),
    "calibrated, beta": lambda: (
        likely.Calibrated(likely.NaiveBayes(), method="beta").fit(two(people()), "kind"),
        two(people()),
    ),
    "calibrated, temperature": lambda: (
        likely.Calibrated(likely.GaussianClassifier(), method="temperature").fit(numbers(), "kind"),
        numbers(),
    ),
    "network": lambda: (likely.Network().fit(_levels(), "kind"), _levels()),
    "network with numbers": lambda: (
        likely.Network([("kind", "size"), ("kind", "plan"), ("plan", "weight"), ("member", "size")]).fit(
            _columns(people(), "size", "weight", "plan", "member", "kind"), "kind"
        ),
        _columns(people(), "size", "weight", "plan", "member", "kind"),
    ),
    "default learner, additive": lambda: (
        likely.Classifier("additive").fit(two(people()), "kind"),
        two(people()),
    ),
    "default learner": lambda: (
        likely.Classifier(members=["additive", "evidence", "kernel"]).fit(people(), "kind"),
        people(),
    ),
    "default learner of a number": lambda: (
        likely.Regressor(members=["additive", "kernel"]).fit(_outcome(), "spent"),
        _outcome(),
    ),
    "tree-augmented naive Bayes": lambda: (
        likely.TreeAugmentedNaiveBayes().fit(people(), "kind"),
        people(),
    ),
    "tree-augmented naive Bayes, missing as a level": lambda: (
        likely.TreeAugmentedNaiveBayes(missing="level", evidence_weights=None).fit(people(), "kind"),
        people(),
    ),
    "tree-augmented naive Bayes, maximum likelihood": lambda: (
        likely.TreeAugmentedNaiveBayes(prior=None).fit(two(people()), "kind"),
        two(people()),
    ),
    "AODE": lambda: (likely.AODE().fit(people(), "kind"), people()),
    "AODE, parents seen often": lambda: (
        likely.AODE(least=60, missing="level", base_rate="uniform").fit(people(), "kind"),
        people(),
    ),
    "texts, naive Bayes": lambda: (
        likely.NaiveBayes(kinds=_read()).fit(texts("kind"), "kind"),
        texts("kind"),
    ),
    "texts, pairs of words that are there": lambda: (
        likely.NaiveBayes(kinds=_read(ngrams=2, stop="english", bits=True)).fit(texts("kind"), "kind"),
        texts("kind"),
    ),
    "texts, capitals and signs": lambda: (
        likely.NaiveBayes(kinds=_read(pattern=r"\w+|[^\w\s]", lowercase=False, min_count=3)).fit(
            texts("kind"), "kind"
        ),
        texts("kind"),
    ),
    "texts, calibrated": lambda: (
        likely.Calibrated(likely.NaiveBayes(kinds=_read()), method="beta").fit(two(texts("kind")), "kind"),
        two(texts("kind")),
    ),
    "texts, mixture": lambda: (
        likely.Mixture(2, random_state=0, kinds=_read()).fit(texts()),
        texts(),
    ),
    "texts, logistic regression": lambda: (
        likely.LogisticRegression(kinds=_read()).fit(texts("kind"), "kind"),
        texts("kind"),
    ),
    # Pairs are 480 columns: of three classes, and with a prior that is looked for, they take half a minute.
    "texts, pairs of words, logistic regression": lambda: (
        likely.LogisticRegression(likely.Normal(0, 1), kinds=_read(ngrams=2)).fit(two(texts("kind")), "kind"),
        two(texts("kind")),
    ),
    "texts, linear regression": lambda: (
        likely.LinearRegression(kinds=_read(bits=True), prior=likely.Normal(0, 10)).fit(
            texts("paid"), "paid"
        ),
        texts("paid"),
    ),
    "texts, default learner": lambda: (
        likely.Classifier(members=["additive", "kernel"], kinds=_read()).fit(texts("kind"), "kind"),
        texts("kind"),
    ),
    "texts, default learner, two classes": lambda: (
        likely.Classifier("additive", kinds=_read()).fit(two(texts("kind")), "kind"),
        two(texts("kind")),
    ),
    "texts, default learner of a number": lambda: (
        likely.Regressor("additive", kinds=_read()).fit(texts("paid"), "paid"),
        texts("paid"),
    ),
}


@cache
def fitted(name: str) -> tuple[Any, dict[str, np.ndarray]]:
    """A model of the table above and its table, fitted once: pages change neither."""
    return MODELS[name]()


def random_cases(data: dict[str, Any], n: int, seed: int = 1) -> list[list[float | None]]:
    """Cells as the page has them: levels that it offers, numbers in and around its points, and gaps."""
    rng = np.random.default_rng(seed)
    share = rng.choice([0.0, 0.2, 0.5, 0.9], size=n)
    cases: list[list[float | None]] = []
    for gaps in share:
        case: list[float | None] = []
        for j, column in enumerate(data["columns"]):
            if rng.random() < gaps or j == data["about"] or column["control"] == "none":
                case.append(None)
            elif column["control"] == "text":
                case.append(_random_text(rng, column["words"]))
            elif column["control"] == "levels":
                case.append(float(rng.integers(len(column["options"]))))
            else:
                low, high = column["points"][0], column["points"][-1]
                x = rng.uniform(low - 0.3 * (high - low), high + 0.3 * (high - low))
                whole = column["kind"] == "count"
                case.append(float(max(round(x), 0)) if whole else float(rng.choice([x, low, round(x, 1)])))
        cases.append(case)
    return cases


OTHERS = [
    "never",
    "SEEN",
    "Straße",
    "İstanbul",
    "x_1",
    "x²",
    "Ⅷ",
    "e\u0301",
    "\u2028",
    "don't",
    "ΟΔΟΣ",
    "𝒜",
    "١٢",
]


def _random_text(rng: np.random.Generator, words: list[str]) -> str:
    """Words of the vocabulary and others, with marks between them."""
    some = rng.choice([*words, *OTHERS], 1 + rng.integers(20))
    text = "".join(word + rng.choice([" ", ", ", "! ", "\n", "-", "\u00a0"]) for word in some)
    return text.upper() if rng.random() < 0.3 else text


def as_table(model: Any, data: dict[str, Any], cases: list[list[float | None]]) -> dict[str, Any]:
    """The same cases as a table for Python: levels by their values, and no column that is asked about."""
    record = model.record_
    schema = getattr(record, "nodes", None) or record.schema
    table: dict[str, Any] = {}
    for j, column in enumerate(schema.columns):
        if j == data["about"]:
            continue
        cells = [case[j] for case in cases]
        if column.words is not None:
            values = np.array(cells, object)
        elif column.has_levels or data["columns"][j]["control"] == "levels":
            levels = list(column.known) if column.has_levels else [False, True]
            values = np.array([None if cell is None else levels[int(cell)] for cell in cells], object)
        else:
            values = np.array([np.nan if cell is None else cell for cell in cells])
        table[column.name] = values
    return table


def answers(model: Any, data: dict[str, Any], cases: list[list[float | None]]) -> np.ndarray:
    """What Python says: P(class), or the number; of a pool the lines of its ledgers, for told columns."""
    table = as_table(model, data, cases)
    if isinstance(model, likely.Classifier | likely.Regressor):
        return _projected(model, data, table, cases)
    if data["numeric"]:
        return model.predict(table)[:, None]
    with (
        warnings.catch_warnings()
    ):  # rows that maximum likelihood rules out get the base rate, here and there
        warnings.filterwarnings("ignore", ".* have probability 0 in every class", likely.LikelyWarning)
        return model.predict_proba(table)


def _projected(
    model: Any, data: dict[str, Any], table: dict[str, Any], cases: list[list[float | None]]
) -> np.ndarray:
    """The lines of ledgers for columns that are told; what others add together makes the base rate."""
    told = np.array([[cell is not None for cell in case] for case in cases])
    gaps = {term["columns"][0]: np.array(term["missing"]) for term in data["model"]["terms"]}
    untold = np.array([gaps[j] for j in range(told.shape[1])])  # (columns, classes)
    if isinstance(model, likely.Regressor):
        parts = model.explain(table)
        return (parts.base + (parts.terms[:, :-1] * told).sum(axis=1))[:, None]
    scores = []
    for place, label in enumerate(model.classes_[1:], 1):
        ledgers = model.explain(table, favoured=label, against=model.classes_[0])
        more = np.where(told, ledgers.terms, untold[:, place] - untold[:, 0])
        scores.append(ledgers.base + more.sum(axis=1))
    odds = np.column_stack([np.zeros(len(cases)), *scores])
    p = np.exp(odds - odds.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)
