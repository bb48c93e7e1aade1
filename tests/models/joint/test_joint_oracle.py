"""Brute force: what a naive Bayes model of up to 10 variables answers, its joint table answers to 1e-12."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likely
from likely import Joint, LikelyError
from likely.ask.answer import Chances, Choice

CLOSE = {"rel": 1e-12, "abs": 1e-12}
QUESTIONS = 40


def table(rng: np.random.Generator, d: int, gaps: float) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """A target and d columns that depend on it: true/false, named, listed in order, and whole numbers."""
    n = 60
    y = rng.integers(rng.integers(2, 4), size=n)
    columns: dict[str, list[Any]] = {"y": [f"c{i}" for i in y]}
    kinds: dict[str, Any] = {}
    for j in range(d):
        k = int(rng.integers(1, 5))
        code = np.where(rng.random(n) < 0.4, y % k, rng.integers(k, size=n))
        match ("boolean", "categorical", "listed", "ordinal")[j % 4]:
            case "boolean":
                cells = [bool(c % 2) for c in code]
            case "categorical":
                cells = ["red", "green", "blue", "no colour"][:k]
                cells = [cells[c] for c in code]
            case "listed":
                kinds[f"x{j}"] = ["none", "low", "middle", "high", "never seen"][:k] + ["never seen"] * (
                    k < 5
                )
                cells = [kinds[f"x{j}"][c] for c in code]
            case _:
                kinds[f"x{j}"] = "ordinal"
                cells = [(1, 2, 5, 10)[c] for c in code]
        columns[f"x{j}"] = [None if rng.random() < gaps else cell for cell in cells]
    return columns, kinds


def question(rng: np.random.Generator, joint: Joint) -> str:
    """A question of any sort about any of the variables."""
    names = rng.permutation(joint.names).tolist()
    known = ", ".join(_condition(rng, joint, name) for name in names[3 : 3 + rng.integers(0, 4)])
    bar = f" | {known}" if known else ""
    numbers = [n for n in names if all(isinstance(v, int | None) for v in joint.levels[n])]
    match rng.choice(["P", "P", "P", "odds", "table", "argmax", "H", "I", "E", "sd", "quantile"]):
        case "P":
            return f"P({', '.join(_condition(rng, joint, n) for n in names[: rng.integers(1, 4)])}{bar})"
        case "odds":
            return f"odds({_condition(rng, joint, names[0])}, {_condition(rng, joint, names[1])}{bar})"
        case "table":
            return f"P({', '.join(names[: rng.integers(1, 4)])}{bar})"
        case "argmax":
            return f"argmax({', '.join(names[: rng.integers(1, 4)])}{bar})"
        case "H":
            return f"H({names[0]}, {names[1]} | {', '.join(filter(None, [names[2], known]))})"
        case "I":
            return f"I({names[0]}; {names[1]} | {', '.join(filter(None, [names[2], known]))})"
        case word if numbers:
            return f"{word}({numbers[0]}{', 0.5' if word == 'quantile' else ''}{bar})"
    return f"P({names[0]})"


def _condition(rng: np.random.Generator, joint: Joint, name: str) -> str:
    levels = [_written(level) for level in joint.levels[name]]
    ordered = joint.levels[name][0] in ("none", 1) and not isinstance(joint.levels[name][0], bool)
    relation = rng.choice(["=", "!=", "in", *(["<=", ">"] if ordered else [])])
    if relation == "in":
        return f"{name} in {{{', '.join(rng.choice(levels, 2).tolist())}}}"
    values = [v for v in levels if v != "missing"] if relation in ("<=", ">") else levels
    return f"{name} {relation} {rng.choice(values)}"


def _written(level: Any) -> str:
    return "missing" if level is None else f'"{level}"' if isinstance(level, str) else str(level)


def answer(asked: Any, text: str) -> Any:
    """The answer, or the words of the refusal."""
    try:
        return asked.ask(text)
    except LikelyError as refused:
        return str(refused)


def same(mine: Any, theirs: Any) -> bool:
    """Whether two answers to one question are the same, to 1e-12."""
    assert type(mine) is type(theirs)
    if isinstance(mine, Chances):
        assert list(mine) == list(theirs)
        return dict(mine) == pytest.approx(dict(theirs), **CLOSE)
    if isinstance(mine, Choice):  # of two that are equally probable, either
        return mine.probability == pytest.approx(theirs.probability, **CLOSE)
    return mine == (theirs if isinstance(theirs, str) else pytest.approx(theirs, **CLOSE))


@pytest.mark.parametrize("prior", ["default", None], ids=["smoothed", "not smoothed"])
@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("d", [3, 6, 9])
def test_a_model_answers_as_its_joint_table_does(d, missing, prior):
    rng = np.random.default_rng(100 * d + 10 * (missing == "level") + (prior is None))
    columns, kinds = table(rng, d, 0.1)
    model = likely.NaiveBayes(
        kinds=kinds, missing=missing, prior=prior, families="classical", evidence_weights=None
    ).fit(columns, "y")
    joint = Joint.of(model)
    assert len(joint.names) == d + 1
    answered = 0
    for _ in range(QUESTIONS):
        text = question(rng, joint)
        mine, theirs = answer(model, text), answer(joint, text)
        assert same(mine, theirs), text
        answered += not isinstance(theirs, str)
    assert answered >= QUESTIONS / 2


def test_what_a_model_would_ask_next_is_what_its_joint_table_would():
    rng = np.random.default_rng(7)
    columns, kinds = table(rng, 9, 0.1)
    model = likely.NaiveBayes(kinds=kinds, families="classical", evidence_weights=None).fit(columns, "y")
    for known in ({}, {"x0": True}, {"x3": columns["x3"][0], "x2": columns["x2"][0]}):
        mine = {option.name: option.bits for option in model.next_question(given=known).options}
        theirs = {
            option.name: option.bits for option in Joint.of(model).next_question("y", given=known).options
        }
        assert mine == pytest.approx(theirs, **CLOSE)
        assert next(iter(mine)) == next(iter(theirs))


def test_probabilities_of_the_classes_are_those_of_the_joint_table():
    rng = np.random.default_rng(3)
    columns, kinds = table(rng, 6, 0.2)
    model = likely.NaiveBayes(kinds=kinds, families="classical", evidence_weights=None).fit(columns, "y")
    joint = Joint.of(model)
    rows = {name: cells for name, cells in columns.items() if name != "y"}
    for i, expected in enumerate(model.predict_proba(rows)[:20]):
        known = {name: cells[i] for name, cells in rows.items() if cells[i] is not None}
        assert joint.condition(known).marginal("y").probs == pytest.approx(expected, **CLOSE)
