"""`or`, `not`, `and` and brackets in questions, on either side of the bar: each answer is a sum over cells.

Where all is finite, the cells of a dictionary are added up. With numbers, the line is cut at every bound that
a statement names, and the probabilities of the cells are asked for by conditions alone, which are tested by
themselves against SciPy.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from asking_cases import Brute, random_table
from joint_cases import cells
from seeds import rarely

import likely
from likely import (
    GaussianClassifier,
    HiddenMarkov,
    Joint,
    LikelyError,
    Mixture,
    MixtureClassifier,
    NaiveBayes,
)

NEAR = {"rel": 1e-12, "abs": 1e-13}
TENNIS = likely.read("play_tennis", into="dict")


def tree(rng: np.random.Generator, atoms: Any, depth: int) -> tuple[str, Any]:
    """A random statement as text, and as a test of a row."""
    kind = rng.integers(4) if depth else 3
    if kind == 3:
        return atoms(rng)
    if kind == 2:
        text, test = tree(rng, atoms, depth - 1)
        return f"not ({text})", lambda row: not test(row)
    parts = [tree(rng, atoms, depth - 1) for _ in range(rng.integers(2, 4))]
    word, fold = (" or ", any) if kind else (str(rng.choice([" and ", ", ", " & "])), all)
    return word.join(f"({text})" for text, _ in parts), lambda row: fold(test(row) for _, test in parts)


def of_levels(levels: dict[str, list[Any]]) -> Any:
    def atom(rng: np.random.Generator) -> tuple[str, Any]:
        name = str(rng.choice(list(levels)))
        own = levels[name]
        chosen = [own[i] for i in rng.permutation(len(own))[: rng.integers(1, len(own) + 1)]]
        if rng.random() < 0.4:
            return f"{name} in {{{', '.join(map(str, chosen))}}}", lambda row: row[name] in chosen
        if rng.random() < 0.5:
            return f"{name} != {chosen[0]}", lambda row: row[name] != chosen[0]
        return f"{name} = {chosen[0]}", lambda row: row[name] == chosen[0]

    return atom


def check(ask: Any, rows: list[tuple[dict[str, Any], float]], rng: np.random.Generator, atoms: Any) -> bool:
    """One random question against the rows with their probabilities; whether it could be asked."""
    (event, happens), (known, holds) = tree(rng, atoms, 3), tree(rng, atoms, int(rng.integers(3)))
    base = math.fsum(p for row, p in rows if holds(row))
    if base == 0:
        with pytest.raises(LikelyError, match="is impossible"):
            ask(f"P({event} | {known})")
        return False
    p = math.fsum(p for row, p in rows if holds(row) and happens(row)) / base
    fails = math.fsum(p for row, p in rows if holds(row) and not happens(row)) / base
    assert ask(f"P({event} | {known})") == pytest.approx(p, **NEAR)
    assert ask(f"odds({event} | {known})") == pytest.approx(p / fails if fails else math.inf, rel=1e-11)
    return True


def random_joint(rng: np.random.Generator) -> Joint:
    shape = rng.integers(1, 5, rng.integers(2, 6))
    probs = rng.gamma(0.5, size=shape) * (rng.random(shape) < 0.8)
    probs.flat[rng.integers(probs.size)] += 1
    return Joint(probs / probs.sum(), {f"v{i}": list("abcd")[:k] for i, k in enumerate(shape)})


@pytest.mark.parametrize("seed", range(60))
def test_joint_tables(seed):
    rng = np.random.default_rng(seed)
    joint = random_joint(rng)
    rows = [(dict(zip(joint.names, key, strict=True)), p) for key, p in cells(joint).items()]
    assert sum(check(joint.ask, rows, rng, of_levels(joint.levels)) for _ in range(5)) >= 1


@pytest.mark.parametrize("seed", range(12))
def test_naive_bayes(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, d=4, n=40, gaps=0.1 if seed % 2 else 0.0)
    model, brute = (
        NaiveBayes(prior=1.0, families="classical", evidence_weights=None).fit(table, "y"),
        Brute(table, "y", 1.0),
    )
    for _ in range(6):
        check(model.ask, brute.rows, rng, of_levels(brute.levels))
    known, holds = tree(rng, of_levels(brute.levels), 2)
    if brute.mass(holds) > 0:  # every other question, given a statement
        expected = brute.table(["x0", "y"], holds)
        for key, p in model.ask(f"P(x0, y | {known})").items():
            assert p == pytest.approx(expected.get(key, 0.0), **NEAR)
        bits = brute.entropy(["x0"], holds) + brute.entropy(["y"], holds) - brute.entropy(["x0", "y"], holds)
        assert model.ask(f"I(x0; y | {known})") == pytest.approx(bits, abs=1e-11)


@pytest.mark.parametrize("seed", range(20))
def test_the_laws_of_the_sum_rule(seed):
    rng = np.random.default_rng(100 + seed)
    joint = random_joint(rng)
    atoms = of_levels(joint.levels)
    (a, _), (b, _), (c, _) = (tree(rng, atoms, 2) for _ in range(3))

    def p(text: str) -> float:
        return float(joint.ask(f"P({text})"))

    assert p(f"({a}) or ({b})") == pytest.approx(p(a) + p(b) - p(f"({a}) and ({b})"), abs=1e-12)
    assert p(f"not ({a})") == pytest.approx(1 - p(a), abs=1e-12)
    assert p(f"not (({a}) or ({b}))") == pytest.approx(p(f"not ({a}) and not ({b})"), abs=1e-12)
    assert p(f"({a}) or not ({a})") == pytest.approx(1, abs=1e-12)
    assert p(f"({a}) and (({b}) or ({c}))") == pytest.approx(
        p(f"({a}) and ({b}) or ({a}) and ({c})"), abs=1e-12
    )
    three = [a, b, c]
    pairs = sum(p(f"({x}) and ({y})") for x, y in itertools.combinations(three, 2))
    every = " and ".join(f"({x})" for x in three)
    either = " or ".join(f"({x})" for x in three)
    assert p(either) == pytest.approx(sum(map(p, three)) - pairs + p(every), abs=1e-12)


def test_play_tennis():
    days = Joint.from_data(TENNIS)
    assert days.ask("P(outlook=sunny or windy=true)") == pytest.approx(9 / 14, **NEAR)
    assert days.ask("P(play=yes | outlook=sunny or windy=true)") == pytest.approx(4 / 9, **NEAR)
    assert days.ask("P(not (outlook=sunny or windy=true))") == pytest.approx(5 / 14, **NEAR)
    answer = days.ask("P(outlook=sunny or windy=true, play=no | not humidity=normal)")
    assert str(answer).startswith("P(outlook = sunny or windy = true, play = no | not humidity = normal) = ")
    assert answer == pytest.approx(4 / 7, **NEAR)


BOUNDS = {"x": [-1.0, 0.5], "z": [0.0], "n": [2.0]}
LEVELS = {"c": ["a", "b", "c"], "y": ["u", "v"]}


def of_all(rng: np.random.Generator) -> tuple[str, Any]:
    """A condition of a level, or of a number by one of its bounds."""
    name = str(rng.choice([*BOUNDS, *LEVELS]))
    if name in LEVELS:
        level = str(rng.choice(LEVELS[name]))
        return f"{name} = {level}", lambda row: row[name][0] == level
    bound = float(rng.choice(BOUNDS[name]))
    if rng.random() < 0.5:
        return f"{name} < {bound}", lambda row: row[name][1] <= bound
    return f"{name} >= {bound}", lambda row: row[name][0] >= bound


@cache
def data(gaps: bool) -> tuple[dict[str, Any], Any]:
    rng = np.random.default_rng(5)
    n = 300
    code = rng.integers(0, 2, n)
    x, z = rng.normal(2.0 * code, 1.0), rng.normal(-0.5 * code, 1.5)
    count = rng.poisson(1 + 3 * code).astype(float)
    if gaps:
        x[(rng.random(n) < 0.2) & (code == 1)] = np.nan
    level = np.array(list("abc"), object)[np.minimum(2, rng.binomial(2, 0.3 + 0.3 * code))]
    return {"x": x, "z": z, "n": count, "c": level}, np.array(["u", "v"], object)[code]


def model_of(name: str) -> Any:
    table, y = data(name == "gaps")
    counted = {"kinds": {"n": "count"}}
    match name:
        case "naive Bayes":
            return NaiveBayes(**{"families": "classical", "evidence_weights": None, **counted}).fit(table, y)
        case "gaps":
            return NaiveBayes(
                missing="level", **{"families": "classical", "evidence_weights": None, **counted}
            ).fit(table, y)
        case "histogram":
            return NaiveBayes(
                families={"x": "histogram", "z": "kernel"}, **{"evidence_weights": None, **counted}
            ).fit(table, y)
        case "mixture classifier":
            return MixtureClassifier(2, random_state=0, **counted).fit(table, y)
        case "mixture":
            return Mixture(2, random_state=0, **counted).fit({**table, "y": y})
    return HiddenMarkov(2, random_state=0, **counted).fit({**table, "y": y})


def cut(name: str, gaps: bool) -> list[tuple[str, tuple[Any, ...]]]:
    """Conditions that cut a variable into cells, and what they say."""
    ends = [-math.inf, *BOUNDS.get(name, ()), math.inf]
    found: list[tuple[str, tuple[Any, ...]]]
    if name in LEVELS:
        found = [(f"{name} = {level}", (level,)) for level in LEVELS[name]]
    else:
        found = [(f"{low} <= {name} < {high}", (low, high)) for low, high in itertools.pairwise(ends)]
    return [*found, (f"{name} = missing", (math.nan, math.nan))] if gaps else found


@pytest.mark.parametrize(
    "name", ["naive Bayes", "gaps", "mixture", *rarely("histogram", "mixture classifier", "hidden Markov")]
)
def test_numbers_with_intervals(name):
    model = model_of(name)
    ask = (lambda q: model.ask(q, at=0)) if name == "hidden Markov" else model.ask
    names = ["x", "n", "c", "y"] if name != "histogram" else ["x", "z", "c", "y"]
    rows = []
    for combination in itertools.product(*(cut(one, name == "gaps" and one != "y") for one in names)):
        text = ", ".join(text for text, _ in combination)
        row = {one: said for one, (_, said) in zip(names, combination, strict=True)}
        rows.append((row, float(ask(f"P({text})")), text))
    assert math.fsum(p for _, p, _ in rows) == pytest.approx(1, abs=1e-9)
    rng = np.random.default_rng(1)

    def atoms(rng: np.random.Generator) -> tuple[str, Any]:
        while True:
            text, test = of_all(rng)
            if text.split()[0] in names:
                return text, test

    mean = cache(lambda text: float(ask(f"E(x | {text})")))
    for _ in range(6):
        (event, happens), (known, holds) = tree(rng, atoms, 2), tree(rng, atoms, 2)
        base = math.fsum(p for row, p, _ in rows if holds(row))
        if base < 1e-12:
            continue
        wanted = math.fsum(p for row, p, _ in rows if holds(row) and happens(row)) / base
        assert ask(f"P({event} | {known})") == pytest.approx(wanted, rel=1e-9, abs=1e-11)
        # What is asked of a number, by the law of total expectation over its cells.
        there = [(p, text) for row, p, text in rows if holds(row) and row["x"][0] == row["x"][0] and p > 0]
        total = math.fsum(p for p, _ in there)
        if total < 1e-9:
            continue
        by_cells = math.fsum(p * mean(text) for p, text in there) / total
        assert ask(f"E(x | {known})") == pytest.approx(by_cells, rel=1e-6, abs=1e-6)
        spread = ask(f"P(x | {known})")
        below = math.fsum(p for row, p, _ in rows if holds(row) and row["x"][1] <= 0.5) / total
        assert spread.cdf(0.5) == pytest.approx(below, rel=1e-8, abs=1e-10)
        share = float(rng.random())
        point = spread.quantile(share)
        assert spread.cdf(point) >= share - 1e-12
        assert spread.cdf(math.nextafter(point, -math.inf)) <= share + 1e-12


def test_columns_described_together():
    """Two normal columns with a covariance: by the probabilities of their rectangles."""
    rng = np.random.default_rng(2)
    X = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 2]], 200)
    y = np.where(X[:, 0] + rng.normal(size=200) > 0, "u", "v")
    model = GaussianClassifier("full").fit({"a": X[:, 0], "b": X[:, 1]}, y)

    def p(text: str) -> float:
        return float(model.ask(f"P({text})"))

    assert p("a < 0 or b < 1") == pytest.approx(p("a < 0") + p("b < 1") - p("a < 0, b < 1"), abs=1e-9)
    assert p("y=u | a < 0 or b < 1") == pytest.approx(
        (p("y=u, a<0") + p("y=u, b<1") - p("y=u, a<0, b<1")) / p("a < 0 or b < 1"), abs=1e-9
    )
    either = "a < -1 or 1 <= a < 2"
    assert p(f"b < 0 | {either}") == pytest.approx(
        (p("b<0, a<-1") + p("b<0, 1<=a<2")) / (p("a<-1") + p("1<=a<2")), abs=1e-9
    )


def test_facts_beside_statements():
    """Texts and single values of real numbers are evidence: beside `or`, not inside it."""
    table, y = data(False)
    model = NaiveBayes(kinds={"n": "count"}, families="classical", evidence_weights=None).fit(table, y)
    odds = {one: model.ask(f"odds(y=u | x=0.5, {one})") for one in ("c=a, n<2", "c=a, n>=2", "not c=a, n<2")}
    weight = {one: model.ask(f"P({one} | x=0.5)") for one in odds}
    wanted = sum(weight[one] * odds[one] / (1 + odds[one]) for one in odds) / sum(weight.values())
    assert model.ask("P(y=u | x=0.5, c=a or n<2)") == pytest.approx(wanted, rel=1e-11)
    with pytest.raises(LikelyError, match="a single value of it has probability 0"):
        model.ask("P(y=u | x=0.5 or c=a)")
    spam = NaiveBayes(kinds={"m": "text"}, families="classical", evidence_weights=None).fit(
        {"m": ["a b", "b", "c", "c a"], "q": list("xyxy")}, [1, 1, 0, 0]
    )
    with pytest.raises(LikelyError, match="put it after the bar by itself"):
        spam.ask('P(y=1 | m="a" or q=x)')
    assert 0 < spam.ask('P(y=1 | m="a", q=x or q=y)') < 1


def test_what_cannot_be_and_what_is_too_much():
    joint = Joint([[0.5, 0], [0.1, 0.4]], {"a": ["u", "v"], "b": ["s", "t"]})
    with pytest.raises(
        LikelyError, match=r"the condition not \(b = s or b = t\) is impossible: .*b in {s, t}"
    ):
        joint.ask("P(a | not (b=s or b=t))")
    with pytest.raises(LikelyError, match=r"b = t and a = u or b = t together with a = u is impossible"):
        joint.ask("P(a | a=u, b=t and a=u or b=t)")
    with pytest.raises(LikelyError, match="did you mean"):
        joint.ask("P(a=u or bb=s)")
    table = {f"v{i}": [False, True] * 4 for i in range(40)}
    model = NaiveBayes(families="classical", evidence_weights=None).fit(table, [0, 0, 0, 0, 1, 1, 1, 1])
    many = " and ".join(f"(v{i}=true or v{i + 1}=true)" for i in range(0, 40, 2))
    with pytest.raises(LikelyError, match="falls into more than 4,096 cases"):
        model.ask(f"P({many})")
    every = " or ".join(f"v{i}=true" for i in range(40))  # long, but one case a variable
    none = model.ask("P(" + ", ".join(f"v{i}=false" for i in range(40)) + ")")
    assert model.ask(f"P(not ({every}))") == pytest.approx(none, rel=1e-11)
    assert model.ask(f"P({every})") == pytest.approx(1 - none, rel=1e-12)


def test_rare_events_keep_their_digits():
    """Cases that exclude each other are added: 1 - P(neither) would have no digit left."""
    rare = Joint.product(*(likely.Conditional(n, {0: 1 - 1e-20, 1: 1e-20}) for n in "ab"))
    assert rare.ask("P(a=1 or b=1)") == pytest.approx(2e-20, rel=1e-12)
    assert rare.ask("odds(not (a=0 and b=0))") == pytest.approx(2e-20, rel=1e-12)


def test_next_question_given_a_statement():
    days = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(TENNIS, "play")
    gains = {option.name: option.bits for option in days.next_question("outlook=sunny or windy=true").options}
    for name, bits in gains.items():
        assert bits == pytest.approx(days.ask(f"I(play; {name} | outlook=sunny or windy=true)"), abs=1e-12)
