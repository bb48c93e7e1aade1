"""Questions in words to a joint table: each answer is a sum over a dictionary of its cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joint_cases import cells, close, joints, mass, statement, steady

from likely import Conditional, Joint, LikelyError

seeds = st.integers(0, 2**32)


def written(said: dict[str, Any]) -> str:
    """Statements as the language has them."""
    texts = []
    for name, value in said.items():
        many = f"in {{{', '.join(map(str, value))}}}" if isinstance(value, set) else f"= {value}"
        texts.append(f"{name} {many}")
    return ", ".join(texts)


def bar(known: dict[str, Any]) -> str:
    return f" | {written(known)}" if known else ""


@steady
@given(joints(2), seeds)
def test_probabilities_and_odds(joint, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(joint.names).tolist()
    event = statement(rng, joint, names[: rng.integers(1, len(names))])
    known = statement(rng, joint, names[len(names) - rng.integers(0, len(names)) :])
    base = mass(joint, known)
    if base == 0:
        with pytest.raises(LikelyError, match="impossible"):
            joint.ask(f"P({written(event)}{bar(known)})")
        return
    p = mass(joint, event, known) / base
    assert joint.ask(f"P({written(event)}{bar(known)})") == pytest.approx(p, **close)
    odds = joint.ask(f"odds({written(event)}{bar(known)})")
    assert odds / (1 + odds) == pytest.approx(p, **close) if math.isfinite(odds) else p == pytest.approx(1)


@steady
@given(joints(2), seeds)
def test_tables_choices_and_information(joint, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(joint.names).tolist()
    asked = names[: rng.integers(1, min(3, len(names)) + 1)]
    known = statement(rng, joint, names[1 : 1 + rng.integers(0, 2)])
    base = mass(joint, known)
    if base == 0:
        return
    chances = joint.ask(f"P({', '.join(asked)}{bar(known)})")
    best = 0.0
    for key, p in chances.items():
        row = dict(zip(asked, key if len(asked) > 1 else (key,), strict=True))
        expected = mass(joint, row, known) / base
        assert p == pytest.approx(expected, **close)
        best = max(best, expected)
    choice = joint.ask(f"argmax({', '.join(asked)}{bar(known)})")
    assert choice.probability == pytest.approx(best, **close)
    a, b = names[:2]
    assert joint.ask(f"I({a}; {b})") == pytest.approx(joint.mutual_information(a, b), **close)
    assert joint.ask(f"H({a} | {b})") == pytest.approx(joint.entropy(a, given=b), **close)
    gains = {option.name: option.bits for option in joint.next_question(a).options}
    assert gains == pytest.approx({n: joint.mutual_information(a, n) for n in joint.names if n != a}, **close)


def test_numbers_that_are_levels_have_an_order_and_a_mean():
    dice = Joint.product(*(Conditional(name, dict.fromkeys(range(1, 7), 1 / 6)) for name in ("red", "blue")))
    assert dice.ask("E(red)") == pytest.approx(3.5, **close)
    assert dice.ask("sd(red | red > 3)") == pytest.approx(math.sqrt(2 / 3), **close)
    assert dice.ask("P(2 <= red < 5, blue != 6 | red >= 2)") == pytest.approx(3 / 5 * 5 / 6, **close)
    assert dice.ask("quantile(blue, 0.5 | blue >= 3)").value == 4
    assert cells(dice) == pytest.approx(dict(dice.ask("P(red, blue)")), **close)


def test_misspelt_questions_say_what_is_meant():
    joint = Joint([[0.5, 0], [0.1, 0.4]], {"class": ["1st", "2nd"], "sex": ["female", "male"]})
    for question, said in {
        "P(clas=1st)": "did you mean class",
        "P(sex=femal)": "did you mean female",
        "P(sex > female)": "have no order",
        "E(sex)": "which has no E",
        "P(sex | class=1st, sex=male)": r"sex = male is impossible given class = 1st.*sex in \{female\}",
    }.items():
        with pytest.raises(LikelyError, match=said):
            joint.ask(question)
