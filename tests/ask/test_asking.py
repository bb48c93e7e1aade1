"""Questions to naive Bayes: by brute force where all is finite, by SciPy where it is not, and by hand."""

from __future__ import annotations

import datetime
import json
import math
import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from asking_cases import Brute, random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats
from seeds import examples, seeds

import likely
from likely import LikelyError, NaiveBayes

NEAR = {"rel": 1e-12, "abs": 1e-13}


@cache
def finite(seed: int) -> tuple[NaiveBayes, Brute]:
    rng = np.random.default_rng(seed)
    table = random_table(rng, d=3 + seed % 4, n=40, gaps=0.1 if seed % 2 else 0.0)
    strength = (1.0, 0.5, None)[seed % 3]
    model = NaiveBayes(prior=strength, families="classical", evidence_weights=None).fit(table, "y")
    return model, Brute(table, "y", strength or 0.0)


def conditions(draw, brute, names, most):
    """Some conditions as text, and as a test of a row."""
    texts, tests = [], []
    for name in draw(st.lists(st.sampled_from(names), max_size=most)):
        levels = brute.levels[name]
        relation = draw(st.sampled_from(["=", "!=", "in"]))
        if relation == "in":
            chosen = draw(st.lists(st.sampled_from(levels), min_size=1))
            texts.append(f"{name} in {{{', '.join(chosen)}}}")
            tests.append(lambda row, n=name, c=chosen: row[n] in c)
        else:
            level = draw(st.sampled_from(levels))
            texts.append(f"{name} {relation} {level}")
            equal = relation == "="
            tests.append(lambda row, n=name, v=level, e=equal: (row[n] == v) is e)
    return texts, lambda row: all(test(row) for test in tests)


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_every_finite_question_equals_the_sum_over_all_cells(data):
    model, brute = finite(data.draw(st.integers(0, 11)))
    names = list(brute.levels)
    known_texts, known = conditions(data.draw, brute, names, 3)
    bar = f" | {' and '.join(known_texts)}" if known_texts else ""
    if brute.mass(known) == 0:
        with pytest.raises(LikelyError, match="impossible"):
            model.ask(f"P({names[0]}{bar})")
        return
    texts, event = conditions(data.draw, brute, names, 3)
    if texts:
        p = brute.p(event, known)
        assert model.ask(f"P({', '.join(texts)}{bar})") == pytest.approx(p, **NEAR)
        fails = brute.p(lambda row: not event(row), known)
        odds = p / fails if fails else math.inf
        assert model.ask(f"odds({', '.join(texts)}{bar})") == pytest.approx(odds, **NEAR)
    x, y, z = data.draw(st.permutations(names))[:3]
    expected = brute.table([x, z], known)
    found = model.ask(f"P({x}, {z}{bar})")
    assert set(found) >= set(expected)
    for key, p in found.items():
        assert p == pytest.approx(expected.get(key, 0.0), **NEAR)
    best = model.ask(f"argmax({x}, {z}{bar})")
    assert best.probability == pytest.approx(max(expected.values()), **NEAR)
    assert expected[best.value] == pytest.approx(best.probability, **NEAR)
    H = brute.entropy
    more = bar.replace(" | ", ", ") if bar else ""
    assert model.ask(f"H({x}, {y}{bar})") == pytest.approx(H([x, y], known), rel=1e-12, abs=1e-12)
    left = H([x, z], known) - H([z], known)
    assert model.ask(f"H({x} | {z}{more})") == pytest.approx(left, rel=1e-12, abs=1e-12)
    shared = H([x, z], known) + H([y, z], known) - H([x, y, z], known) - H([z], known)
    assert model.ask(f"I({x}; {y} | {z}{more})") == pytest.approx(shared, rel=1e-12, abs=1e-12)
    both = H([x], known) + H([y, z], known) - H([x, y, z], known)
    assert model.ask(f"I({x}; {y}, {z}{bar})") == pytest.approx(both, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_next_question_equals_brute_force(seed):
    model, brute = finite(seed)
    costs = {"x0": 2.0, "x2": 0.5}
    level = brute.levels["x1"][0]
    for about in ("y", "x0"):
        found = model.next_question(f"x1={level}", costs, None if about == "y" else about)

        def known(row, level=level):
            return row["x1"] == level

        H = brute.entropy
        gains = {
            name: H([about], known) + H([name], known) - H([about, name], known)
            for name in brute.levels
            if name not in ("x1", about)
        }
        assert {option.name for option in found.options} == set(gains)
        for option in found.options:
            assert option.bits == pytest.approx(gains[option.name], rel=1e-9, abs=1e-12)
            assert option.cost == costs.get(option.name, 1.0)
        ranks = [option.bits_per_cost for option in found.options]
        assert ranks == sorted(ranks, reverse=True)
        assert found.best == max(gains, key=lambda name: gains[name] / costs.get(name, 1.0))
        rows = found.to_frame()
        assert rows["name"].tolist() == [option.name for option in found.options]
        assert json.loads(json.dumps(found.to_dict()))["options"][0]["name"] == found.best


def test_play_tennis():
    """The fourteen days of play tennis: the figures of the book, and information gains of the columns."""
    model = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
        likely.read("play_tennis"), "play"
    )
    today = "outlook=sunny, temperature=cool, humidity=high, windy=true"
    assert model.ask(f"P(play=no | {today})") == pytest.approx((18 / 875) / (18 / 875 + 1 / 189), rel=1e-12)
    assert model.ask(f"P({today} and play=yes)") == pytest.approx(1 / 189, rel=1e-12)
    assert model.ask(f"P({today}, play=no)") == pytest.approx(18 / 875, rel=1e-12)
    assert model.ask("P(outlook=sunny | play=yes)") == pytest.approx(2 / 9, rel=1e-12)
    assert model.ask("P(windy | play=no)")[True] == pytest.approx(3 / 5, rel=1e-12)
    assert round(model.ask("I(play; outlook)"), 3) == 0.247  # as in every textbook on decision trees
    assert round(model.ask("H(play)"), 3) == 0.94
    assert model.next_question().best == "outlook"
    assert model.ask(f"argmax(play | {today})").value == "no"


def test_diagnostic_test():
    """Prior .008, sensitivity .98, specificity .97: after one positive test 49/235, after two .8959."""
    rows = {True: (8_000, 7_840), False: (992_000, 29_760)}
    disease = [sick for sick, (n, _) in rows.items() for _ in range(2)]
    positive = [True, False] * 2
    weight = [w for n, k in rows.values() for w in (k, n - k)]
    table = {"first": positive, "second": positive}
    model = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
        table, np.array(disease), sample_weight=weight
    )
    assert model.ask("P(y=true | first=true)") == pytest.approx(49 / 235, rel=1e-12)
    assert round(model.ask("P(y=yes | first=1, second=1)"), 4) == 0.8959
    assert model.ask("P(first=true, y=true)") == pytest.approx(0.00784, rel=1e-12)
    assert model.ask("argmax(y | first=true)").value is False


def test_titanic_rows_equal_predict_proba():
    people = likely.read("titanic", into="dict")
    model = NaiveBayes(families="classical", evidence_weights=None).fit(people, "survived")
    for row in range(0, 2201, 97):
        someone = {name: people[name][row] for name in ("class", "sex", "age")}
        known = ", ".join(f'{name}="{value}"' for name, value in someone.items())
        expected = model.predict_proba({name: [value] for name, value in someone.items()})[0]
        chances = model.ask(f"P(survived | {known})")
        np.testing.assert_allclose(chances.probabilities, expected, rtol=1e-12)
        for level, p in zip(model.classes_, expected, strict=True):
            assert model.ask(f"P(survived={level} | {known})") == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize(
    ("name", "target"),
    [("credit_approval.csv", "class"), ("penguins.csv", "species"), ("german_credit.csv", "class")],
)
def test_rows_of_mixed_tables_equal_predict_proba(shared_data, name, target, missing):
    table = likely.read(shared_data / name, into="dict")
    model = NaiveBayes(missing=missing, families="classical", evidence_weights=None).fit(table, target)
    features = [column for column in table if column != target]
    n = len(table[target])
    for row in range(0, n, n // 12):
        cells = {column: table[column][row] for column in features}
        cells = {c: None if v is None or v != v else v for c, v in cells.items()}
        if missing == "ignore":
            cells = {c: v for c, v in cells.items() if v is not None}
        words = {c: "missing" if v is None else f'"{v}"' for c, v in cells.items()}
        known = ", ".join(f"`{c}` = {word}" for c, word in words.items())
        frame = {c: [cells.get(c)] for c in features}
        expected = model.predict_proba(frame)[0]
        found = model.ask(f"P(`{target}` | {known})")
        np.testing.assert_allclose(found.probabilities, expected, rtol=1e-12, atol=1e-300)


@cache
def numbers() -> tuple[NaiveBayes, list[tuple[float, dict]]]:
    """A model with a normal and a count, and its parameters group by group."""
    rng = np.random.default_rng(5)
    y = rng.choice(3, 400, p=[0.2, 0.3, 0.5])
    table = {
        "a": rng.normal(np.array([-3.0, 0.0, 2.0])[y], np.array([1.0, 0.3, 2.0])[y]),
        "n": rng.poisson(np.array([1.0, 4.0, 9.0])[y]),
        "c": np.where(rng.random(400) < np.array([0.2, 0.5, 0.9])[y], "u", "v"),
    }
    model = NaiveBayes(kinds={"n": "count"}, families="classical", evidence_weights=None).fit(table, y)
    core = model.record_.core
    distributions = [part.distribution for part in core.parts]
    normal = next(made for made in distributions if isinstance(made, likely.Normal))
    poisson = next(made for made in distributions if isinstance(made, likely.Poisson))
    level = next(made for made in distributions if isinstance(made, likely.Categorical))
    groups = [
        (
            float(np.exp(core.log_weights[g])),
            {
                "a": stats.norm(normal.mean[g, 0], normal.sd[g, 0]),
                "n": stats.poisson(poisson.rate[g, 0]),
                "u": level.probs[g, 0],
            },
        )
        for g in range(3)
    ]
    return model, groups


def weights(groups, factor):
    found = np.array([w * factor(g) for w, g in groups])
    return found / found.sum()


def test_events_of_numbers():
    model, groups = numbers()
    ask = model.ask
    exact = sum(w * (g["a"].cdf(1) - g["a"].cdf(-1)) for w, g in groups)
    assert ask("P(-1 <= a < 1)") == pytest.approx(exact, rel=1e-12)
    joint = sum(w * g["a"].sf(1) * g["n"].cdf(4) * g["u"] for w, g in groups)
    assert ask("P(a > 1, n <= 4, c=u)") == pytest.approx(joint, rel=1e-12)
    assert ask("P(a > 1 | n < 5, c=u)") == pytest.approx(
        joint / sum(w * g["n"].cdf(4) * g["u"] for w, g in groups), rel=1e-12
    )
    after = weights(groups, lambda g: g["a"].pdf(0.7) * g["n"].pmf(3))
    assert ask("P(c=u | a=0.7, n=3)") == pytest.approx(
        sum(w * g["u"] for w, (_, g) in zip(after, groups, strict=True)), rel=1e-12
    )
    np.testing.assert_allclose(ask("P(y | a=0.7, n=3)").probabilities, after, rtol=1e-12)
    assert ask("P(n in {3, 5})") == pytest.approx(
        sum(w * (g["n"].pmf(3) + g["n"].pmf(5)) for w, g in groups), rel=1e-12
    )
    assert ask("P(n != 3)") == pytest.approx(sum(w * (1 - g["n"].pmf(3)) for w, g in groups), rel=1e-12)
    assert ask("P(n > 2.5, n < 4.5)") == pytest.approx(ask("P(n in {3, 4})"), rel=1e-12)
    assert ask("P(0 < a | a < 1)") == pytest.approx(ask("P(0 < a < 1)") / ask("P(a < 1)"), rel=1e-12)
    assert ask("P(a < 1 | a = 1)") == 0
    assert ask("P(a <= 1 | a = 1)") == 1
    assert ask("P(a < 1, a > 2)") == 0
    assert ask("P(n = 3 | n = 3)") == 1
    tail = sum(w * g["a"].sf(12) for w, g in groups)
    assert ask("P(a > 12)") == pytest.approx(tail, rel=1e-9)
    assert ask("odds(a < 12)") == pytest.approx((1 - tail) / tail, rel=1e-9)


@pytest.mark.parametrize(
    ("bar", "factor"),
    [
        ("", lambda g: 1.0),
        (" | c=u", lambda g: g["u"]),
        (" | n=4", lambda g: g["n"].pmf(4)),
        (" | n>4, c!=u", lambda g: g["n"].sf(4) * (1 - g["u"])),
    ],
    ids=["alone", "level", "count", "both"],
)
def test_moments_and_quantiles(bar, factor):
    model, groups = numbers()
    after = weights(groups, factor)
    parts = [g["a"] for _, g in groups]
    mean = sum(w * part.mean() for w, part in zip(after, parts, strict=True))
    square = sum(w * (part.var() + part.mean() ** 2) for w, part in zip(after, parts, strict=True))
    assert model.ask(f"E(a{bar})") == pytest.approx(mean, rel=1e-12)
    assert model.ask(f"sd(a{bar})") == pytest.approx(math.sqrt(square - mean**2), rel=1e-12)

    def cdf(x):
        return sum(w * part.cdf(x) for w, part in zip(after, parts, strict=True))

    for share in (0.001, 0.1, 0.5, 0.9, 0.999):
        expected = optimize.brentq(lambda x, s=share: cdf(x) - s, -50, 50, xtol=1e-14)
        assert model.ask(f"quantile(a, {share}{bar})") == pytest.approx(expected, rel=1e-10, abs=1e-10)
    whole = model.ask(f"P(a{bar})")
    assert whole.mean == pytest.approx(mean, rel=1e-12)
    assert whole.cdf(0.3) == pytest.approx(cdf(0.3), rel=1e-12)
    expected = sum(w * part.pdf([0.0, 1.0]) for w, part in zip(after, parts, strict=True))
    np.testing.assert_allclose(whole.density([0.0, 1.0]), expected, rtol=1e-12)


def test_numbers_within_an_interval():
    model, groups = numbers()

    def density(x):
        return sum(w * g["a"].pdf(x) for w, g in groups)

    mass = integrate.quad(density, -1, 2, limit=200)[0]
    mean = integrate.quad(lambda x: x * density(x), -1, 2, limit=200)[0] / mass
    second = integrate.quad(lambda x: x * x * density(x), -1, 2, limit=200)[0] / mass
    assert model.ask("E(a | -1 < a < 2)") == pytest.approx(mean, abs=1e-8)
    assert model.ask("sd(a | -1 < a < 2)") == pytest.approx(math.sqrt(second - mean**2), abs=1e-8)
    median = model.ask("quantile(a, 0.5 | -1 < a < 2)")
    assert integrate.quad(density, -1, median, limit=200)[0] == pytest.approx(mass / 2, abs=1e-9)
    far = model.ask("E(a | a > 14)")  # six sds out: only the widest group reaches there
    widest = groups[2][1]["a"]
    z = (14 - widest.mean()) / widest.std()
    assert far == pytest.approx(widest.mean() + widest.std() * stats.norm.pdf(z) / stats.norm.sf(z), rel=1e-8)
    points = np.arange(4, 200)
    masses = sum(w * g["n"].pmf(points) for w, g in groups)
    assert model.ask("E(n | n > 3)") == pytest.approx((points * masses).sum() / masses.sum(), rel=1e-10)
    assert model.ask("argmax(n | n > 3)").value == points[masses.argmax()]


def test_counts():
    model, groups = numbers()
    points = np.arange(0, 200)
    masses = sum(w * g["n"].pmf(points) for w, g in groups)
    assert model.ask("E(n)") == pytest.approx((points * masses).sum(), rel=1e-12)
    assert model.ask("H(n)") == pytest.approx(stats.entropy(masses, base=2), rel=1e-10)
    for share in (0.05, 0.5, 0.95):
        assert model.ask(f"quantile(n, {share})") == points[np.searchsorted(np.cumsum(masses), share)]
    assert model.ask("argmax(n)").value == points[masses.argmax()]
    joint = np.array([w * g["n"].pmf(points) for w, g in groups])
    gain = stats.entropy([w for w, _ in groups], base=2) + stats.entropy(masses, base=2)
    gain -= stats.entropy(joint.ravel(), base=2)
    assert model.ask("I(n; y)") == pytest.approx(gain, rel=1e-9)


def test_information_of_numbers_by_quadrature():
    model, groups = numbers()

    def surprise(p):
        return -p * math.log2(p) if p > 0 else 0.0

    def integral(function):
        breaks = np.linspace(-30, 30, 41)
        parts = (integrate.quad(function, a, b, epsabs=1e-12, limit=200)[0] for a, b in pairwise(breaks))
        return math.fsum(parts)

    h = integral(lambda x: surprise(sum(w * g["a"].pdf(x) for w, g in groups)))
    assert model.ask("H(a)") == pytest.approx(h, abs=1e-7)
    inside = sum(w * g["a"].entropy() / math.log(2) for w, g in groups)
    assert model.ask("H(a | y)") == pytest.approx(inside, abs=1e-7)
    assert model.ask("I(a; y)") == pytest.approx(h - inside, abs=1e-7)
    classes = stats.entropy([w for w, _ in groups], base=2)
    assert model.ask("H(y | a)") == pytest.approx(classes - (h - inside), abs=1e-7)
    by_level = 0.0
    for factor in (lambda g: g["u"], lambda g: 1 - g["u"]):
        share = sum(w * factor(g) for w, g in groups)
        after = weights(groups, factor)
        by_level += share * integral(
            lambda x, a=after: surprise(sum(w * g["a"].pdf(x) for w, (_, g) in zip(a, groups, strict=True)))
        )
    assert model.ask("I(a; c)") == pytest.approx(h - by_level, abs=1e-7)
    assert model.ask("I(a; y | c)") == pytest.approx(by_level - inside, abs=1e-7)
    ranked = {option.name: option.bits for option in model.next_question().options}
    assert ranked["a"] == pytest.approx(h - inside, abs=1e-7)
    assert model.next_question(about="a").left_out == ("n",)


@pytest.mark.parametrize("family", ["histogram", "kernel", "uniform", "normal"])
@pytest.mark.parametrize("estimate", ["mean", "predictive"])
def test_other_families_agree_with_samples(family, estimate):
    """Shares of 200,000 drawn rows: five sds of a share, so a false alarm in 1e5 runs at most."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 200)
    table = {"a": rng.gamma(2.0 + y), "b": rng.normal(y)}
    model = NaiveBayes(families={"a": family, "b": "normal"}, estimate=estimate, evidence_weights=None).fit(
        table, y
    )
    drawn = model.sample(200_000, random_state=1)
    low, high = np.quantile(table["a"], [0.2, 0.8])
    given = drawn["b"] > 0.5
    for text, event, bar in (
        (f"P({low} <= a < {high})", (drawn["a"] >= low) & (drawn["a"] < high), slice(None)),
        (f"P(a > {high}, y=1 | b > 0.5)", ((drawn["a"] > high) & (drawn["y"] == 1)), given),
    ):
        p, share = model.ask(text), event[bar].mean()
        assert abs(p - share) < 5 * math.sqrt(p * (1 - p) / len(event[bar]))
    q = model.ask("quantile(a, 0.3)")
    assert model.ask(f"P(a <= {float(q)!r})") == pytest.approx(0.3, abs=1e-9)
    gain = model.ask("I(a; y)")
    assert gain == pytest.approx(model.ask("H(a)") - model.ask("H(a | y)"), abs=2e-6)
    assert 0 <= gain <= 1


@pytest.mark.parametrize("estimate", ["mean", "predictive"])
def test_columns_described_together(estimate):
    rng = np.random.default_rng(9)
    n = 300
    y = rng.integers(0, 2, n)
    root = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.3, 0.2, 0.9]])
    z = rng.normal(size=(n, 3)) @ root.T + y[:, None] * [1.0, -1.0, 0.5]
    table = {"a": z[:, 0], "b": z[:, 1], "c": z[:, 2], "k": np.where(rng.random(n) < 0.3, "u", "v")}
    together = dict.fromkeys("abc", "multivariate_normal")
    model = NaiveBayes(families=together, estimate=estimate, evidence_weights=None).fit(table, y)
    for row in ({"a": 0.5, "b": 1.0, "c": -1.0, "k": "u"}, {"a": 0.5, "c": 2.0}):
        expected = model.predict_proba({name: [row.get(name)] for name in "abck"})[0]
        known = ", ".join(f"{name}={value}" for name, value in row.items())
        np.testing.assert_allclose(model.ask(f"P(y | {known})").probabilities, expected, rtol=1e-12)
    drawn = model.sample(100_000, random_state=2)
    for text, event, bar in (
        ("P(a > 0, b < 1)", (drawn["a"] > 0) & (drawn["b"] < 1), slice(None)),
        ("P(a > 0.5 | b < 0, k=u)", drawn["a"] > 0.5, (drawn["b"] < 0) & (drawn["k"] == "u")),
        ("P(y=1 | a > 0.5, b < 0)", drawn["y"] == 1, (drawn["b"] < 0) & (drawn["a"] > 0.5)),
    ):
        p, share = model.ask(text), event[bar].mean()
        assert abs(p - share) < 5 * math.sqrt(p * (1 - p) / len(event[bar]))
    if estimate == "mean":
        part = model.record_.core.parts[0].distribution
        weights = model.predict_proba({"a": [None], "b": [0.5], "c": [1.0], "k": [None]})[0]
        keep, means, variances = [1, 2], [], []
        for g in range(2):
            s = part.covariance[g]
            coefficients = np.linalg.solve(s[np.ix_(keep, keep)], s[keep, 0])
            means.append(part.mean[g, 0] + coefficients @ (np.array([0.5, 1.0]) - part.mean[g, keep]))
            variances.append(s[0, 0] - coefficients @ s[keep, 0])
        mean = weights @ means
        assert model.ask("E(a | b=0.5, c=1)") == pytest.approx(mean, rel=1e-10)
        variance = weights @ (np.array(variances) + (np.array(means) - mean) ** 2)
        assert model.ask("sd(a | b=0.5, c=1)") == pytest.approx(math.sqrt(variance), rel=1e-10)
        corners = [stats.multivariate_normal(part.mean[g, :2], part.covariance[g, :2, :2]) for g in range(2)]
        box = np.exp(model.record_.core.log_weights) @ [c.cdf([1.0, 0.0]) for c in corners]
        assert model.ask("P(a < 1, b < 0)") == pytest.approx(box, abs=1e-7)
    with pytest.raises(LikelyError, match="give intervals of two of them at most"):
        model.ask("P(a > 0, b > 0, c > 0)")
    with pytest.raises(LikelyError, match="give a value of 'b'"):
        model.ask("E(a | b > 0)")


def test_counts_described_together_are_evidence_only():
    rng = np.random.default_rng(3)
    words = rng.poisson(2, (40, 3))
    table = {"p": words[:, 0], "q": words[:, 1], "r": words[:, 2]}
    model = NaiveBayes(kinds="count", families="multinomial", evidence_weights=None).fit(
        table, rng.integers(0, 2, 40)
    )
    expected = model.predict_proba({"p": [3], "q": [0], "r": [None]})[0, 1]
    assert model.ask("P(y=1 | p=3, q=0)") == pytest.approx(expected, rel=1e-12)
    with pytest.raises(LikelyError, match="knows it only as evidence"):
        model.ask("P(p > 3)")
    with pytest.raises(LikelyError, match=r"holds counts \(whole numbers from 0\)"):
        model.ask("P(y=1 | p=1.5)")
    assert model.next_question().left_out == ("p", "q", "r")


def test_texts_are_evidence_only():
    table = {
        "message": ["win a prize now", "see you at lunch", "prize money win", "lunch tomorrow then"],
        "length": [4.0, 4.5, 3.0, 3.5],
    }
    model = NaiveBayes(kinds={"message": "text"}, families="classical", evidence_weights=None).fit(
        table, ["spam", "ham", "spam", "ham"]
    )
    expected = model.predict_proba({"message": ["win a prize"], "length": [None]})[0, 1]
    assert model.ask('P(y=spam | message="win a prize")') == pytest.approx(expected, rel=1e-12)
    for question in ('P(message="win")', "P(message)", "I(message; y)", "P(y | message in {a, b})"):
        with pytest.raises(LikelyError, match="'message' is text: the model knows it only as evidence"):
            model.ask(question)
    ranked = model.next_question()
    assert ranked.left_out == ("message",)
    assert ranked.best == "length"
    assert "Left out, for their information cannot be computed: message" in repr(ranked)
    assert model.next_question({"message": "prize", "length": None}).best == "length"


def test_missing_as_a_level():
    rng = np.random.default_rng(4)
    n = 500
    y = rng.integers(0, 2, n)
    table = {
        "a": [
            None if r < 0.1 + 0.4 * c else float(rng.normal(c)) for r, c in zip(rng.random(n), y, strict=True)
        ],
        "b": [None if r < 0.2 else bool(r < 0.6) for r in rng.random(n)],
        "k": [None if r < 0.1 else "u" if r < 0.5 else "v" for r in rng.random(n)],
    }
    model = NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(table, y)
    for cells in ({"a": None, "b": True, "k": None}, {"a": 1.5, "b": None, "k": "u"}):
        words = {name: "missing" if value is None else value for name, value in cells.items()}
        known = ", ".join(f"{name}={word}" for name, word in words.items())
        expected = model.predict_proba({name: [value] for name, value in cells.items()})[0, 1]
        assert model.ask(f"P(y=1 | {known})") == pytest.approx(expected, rel=1e-12)
    parts = [model.ask(f"P(a {event})") for event in ("= missing", "> 0.3", "<= 0.3")]
    assert sum(parts) == pytest.approx(1, rel=1e-12)
    assert model.ask("P(a != missing)") == pytest.approx(1 - parts[0], rel=1e-12)
    assert model.ask("odds(a > 0.3)") == pytest.approx(parts[1] / (parts[0] + parts[2]), rel=1e-12)
    assert sum(model.ask("P(b)").values()) == pytest.approx(1, rel=1e-12)
    assert list(model.ask("P(k)")) == ["u", "v", None]
    assert model.ask("P(k = missing)") == pytest.approx(model.ask("P(k)")[None], rel=1e-12)
    assert model.ask("P(b != true)") == pytest.approx(model.ask("P(b)")[False] + model.ask("P(b)")[None])
    # What is drawn agrees: means of numbers that are there, to five standard errors.
    drawn = model.sample(100_000, random_state=0)
    there = np.array([value for value in drawn["a"] if value == value], float)
    mean, sd = model.ask("E(a)"), model.ask("sd(a)")
    assert abs(there.mean() - mean) < 5 * sd / math.sqrt(len(there))
    # What a number tells is what it tells if it is there, and that it is there.
    p, q = model.ask("P(a=missing | y=0)"), model.ask("P(a=missing | y=1)")
    rate = model.ask("P(y=1)")
    gap = stats.entropy([1 - parts[0], parts[0]], base=2)
    gap -= (1 - rate) * stats.entropy([p, 1 - p], base=2) + rate * stats.entropy([q, 1 - q], base=2)
    assert model.ask("I(a; y)") > gap
    inner = model.ask("I(a; y)") - gap
    present = model.ask("P(a != missing)")
    assert inner / present == pytest.approx(model.ask("H(a)") - model.ask("H(a | y)"), abs=1e-6)
    with pytest.raises(LikelyError, match="'a' is known to be missing"):
        model.ask("E(a | a=missing)")
    assert "a" not in [option.name for option in model.next_question("a=missing").options]


def test_missing_is_no_event_otherwise():
    model, _ = numbers()
    for question in ("P(a=missing)", "P(c=missing)", "P(y=1 | a=missing)"):
        with pytest.raises(LikelyError, match="leave the condition out, or fit with missing='level'"):
            model.ask(question)


def test_times():
    rng = np.random.default_rng(1)
    start = datetime.date(2026, 1, 1)
    days = [start + datetime.timedelta(int(i)) for i in rng.integers(0, 300, 60)]
    at = [datetime.datetime(2026, 1, 1) + datetime.timedelta(hours=int(i)) for i in rng.integers(0, 300, 60)]
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        {"day": days, "at": at}, rng.integers(0, 2, 60)
    )
    mean = np.mean([(day - datetime.date(1970, 1, 1)).days for day in days])
    assert model.ask("E(day)") == pytest.approx(mean, abs=2)
    assert "2026-0" in repr(model.ask("E(day)"))
    assert "days since 1970-01-01" in repr(model.ask("E(day)"))
    assert model.ask("E(day)").to_dict()["unit"] == "days since 1970-01-01"
    assert repr(model.ask("sd(day)")).endswith(" days")
    p = model.ask("P(day < 2026-06-01)")
    assert p == pytest.approx(
        model.ask("P(day)").cdf((datetime.date(2026, 6, 1) - datetime.date(1970, 1, 1)).days)
    )
    assert 0 < model.ask("P(2026-01-03T10:00 < at < '2026-01-05 12:30')") < 1
    expected = model.predict_proba({"day": [None], "at": [datetime.datetime(2026, 1, 4, 5)]})[0, 1]
    assert model.ask("P(y=1 | at=2026-01-04T05:00)") == pytest.approx(expected, rel=1e-12)
    given = {"at": datetime.datetime(2026, 1, 4, 5), "day": None}
    assert [option.name for option in model.next_question(given).options] == ["day"]
    with pytest.raises(LikelyError, match="'soon' is no value of variable 'day', which holds dates"):
        model.ask("P(day < soon)")


def test_ordinal_levels_have_an_order():
    table = {"size": ["s", "m", "l", "m", "s", "l"], "rank": [1, 2, 3, 3, 2, 1]}
    model = NaiveBayes(
        kinds={"size": ["s", "m", "l"], "rank": "ordinal"}, families="classical", evidence_weights=None
    ).fit(table, list("aabbab"))
    assert model.ask("P(size < l)") == pytest.approx(model.ask("P(size in {s, m})"), rel=1e-12)
    assert model.ask("P(size >= m)") == pytest.approx(model.ask("P(size != s)"), rel=1e-12)
    assert model.ask("P(rank > 1.5)") == pytest.approx(model.ask("P(rank in {2, 3})"), rel=1e-12)
    chances = model.ask("P(rank)")
    mean = sum(level * p for level, p in chances.items())
    assert model.ask("E(rank)") == pytest.approx(mean, rel=1e-12)
    assert model.ask("quantile(size, 0.5)").value == "m"
    with pytest.raises(LikelyError, match="'size' is ordinal, which has no E"):
        model.ask("E(size)")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("P(clas=1st)", "the model knows no variable 'clas': did you mean class?"),
        ("P(Sex=male)", "did you mean sex?"),
        ("P(zzz)", "there are class, sex, age, survived."),
        ("P(sex=femal)", "'femal' is no level of variable 'sex': did you mean female?"),
        ("P(sex=FEMALE)", "did you mean female?"),
        ("P(sex=xyz)", "its levels are female, male."),
        ("P(class < 2nd)", "class in {1st, 2nd, 3rd, ...}"),
        ("E(class)", "'class' is categorical, which has no E"),
        ("quantile(class, 0.5)", "has no quantile"),
        ("P(survived=yes | sex=male, sex=female)", "sex = female together with sex = male is impossible"),
        ("H(sex, sex)", "'sex' occurs twice"),
        ("I(sex; sex)", "'sex' occurs twice"),
        ("H(sex | sexx)", "did you mean sex?"),
    ],
)
def test_wrong_words_get_the_nearest_right_one(question, said):
    model = NaiveBayes(families="classical", evidence_weights=None).fit(likely.read("titanic"), "survived")
    with pytest.raises(LikelyError) as caught:
        model.ask(question)
    assert said in str(caught.value)


def test_what_cannot_be_is_refused_with_what_could():
    model = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
        likely.read("play_tennis"), "play"
    )
    with pytest.raises(LikelyError) as caught:
        model.ask("P(windy=yes | outlook=overcast, play=no)")
    assert str(caught.value) == (
        "the condition play = no is impossible given outlook = overcast: its probability is 0. "
        "Possible is play in {yes}."
    )
    numeric, _ = numbers()
    with pytest.raises(LikelyError, match=r"a < -80 is impossible: .* Values lie in -\d.* <= a <= \d"):
        numeric.ask("P(y | a < -80)")
    with pytest.raises(LikelyError, match="n < 0 is impossible"):
        numeric.ask("P(y | n < 0)")
    with pytest.raises(LikelyError, match="stay within 1e\\+150"):
        numeric.ask("P(y | a=1e200)")
    with pytest.raises(LikelyError, match=r"use an interval, such as 2.85 <= a < 3.15"):
        numeric.ask("P(a=3)")
    with pytest.raises(LikelyError, match="use an interval"):
        numeric.ask("P(y | a in {1, 2})")
    with pytest.raises(LikelyError, match="'x' is no value of variable 'a'"):
        numeric.ask("P(a < x)")
    with pytest.raises(LikelyError, match=r"ask for quantile\(a, 0.5\) or E\(a\)"):
        numeric.ask("argmax(a)")
    with pytest.raises(LikelyError, match="'a' and 'n'"):
        numeric.ask("I(a; n | y)")
    with pytest.raises(LikelyError, match="has no table"):
        numeric.ask("P(a, y)")
    with pytest.raises(LikelyError, match="'a' is asked for and given"):
        numeric.ask("E(a | a=3)")
    with pytest.raises(LikelyError, match="holds counts"):
        numeric.ask("P(n=2.5)")


def test_a_table_that_is_too_large_is_refused_in_advance():
    rng = np.random.default_rng(0)
    table = {f"v{i}": rng.choice(list("abcdefgh"), 60) for i in range(20)}
    model = NaiveBayes(families="classical", evidence_weights=None).fit(table, rng.integers(0, 2, 60))
    names = ", ".join(table)
    with pytest.raises(LikelyError, match=r"1,152,921,504,606,846,976 cells; the most is 4,194,304"):
        model.ask(f"P({names})")
    with pytest.raises(LikelyError, match="cells; the most is"):
        model.ask(f"I(y; {names})")
    assert len(model.ask("P(v0, v1, v2, v3, v4)")) == 8**5


def test_odd_tables_have_defined_answers():
    one = NaiveBayes(families="classical", evidence_weights=None).fit(
        {"a": [1.0, 1.0], "k": ["u", "u"], "e": [None, None]}, ["c", "c"]
    )
    assert one.ask("P(y=c | a=1)") == 1
    assert one.ask("H(y)") == 0
    assert one.ask("E(a)") == pytest.approx(1)
    assert [option.bits for option in one.next_question().options] == [0, 0, 0]
    with pytest.raises(LikelyError, match="'e' was missing wherever the model looked"):
        one.ask("P(e)")
    with pytest.raises(LikelyError, match="has no levels"):
        one.ask("P(e=3)")
    row = NaiveBayes(families="classical", evidence_weights=None).fit({"a": [1.0], "k": [True]}, ["c"])
    assert row.ask("P(k=true)") == pytest.approx(2 / 3)
    matrix = NaiveBayes(families="classical", evidence_weights=None).fit(
        np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1]
    )
    assert 0 < matrix.ask(f"P({matrix.record_.schema.names[0]} > 3)") < 1
    heavy = NaiveBayes(estimate="predictive", families="classical", evidence_weights=None).fit(
        {"a": [1.0, 2.0, 3.0, 9.0]}, [0, 1, 0, 1]
    )
    assert math.isfinite(heavy.ask("H(a)"))
    assert math.isfinite(heavy.ask("quantile(a, 0.99)"))


def test_answers_are_plain_data():
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        likely.read("titanic", into="pandas"), "survived"
    )
    p = model.ask("P(survived=yes | sex=female)")
    assert isinstance(p, float)
    assert repr(p) == f"P(survived = yes | sex = female) = {float(p):.4g}"
    assert json.loads(json.dumps(p)) == float(p)
    assert p.to_dict() == {"question": p.question, "answer": float(p), "unit": None}
    chances = model.ask("P(survived, sex)")
    table = chances.to_frame()
    assert list(table.columns) == ["survived", "sex", "probability"]
    assert table["probability"].sum() == pytest.approx(1)
    assert chances["yes", "female"] == pytest.approx(model.ask("P(survived=yes, sex=female)"), rel=1e-12)
    with pytest.raises(KeyError):
        chances["yes"]
    assert json.loads(json.dumps(chances.to_dict()))["answer"][0]["levels"] == ["no", "female"]
    assert ">female</td>" in chances._repr_html_()
    assert model.ask("H(survived)").unit == "bits"
    assert json.loads(json.dumps(model.ask("argmax(class, sex)").to_dict()))["answer"] == ["crew", "male"]
    spread = numbers()[0].ask("P(a)")
    assert set(json.loads(json.dumps(spread.to_dict()))["answer"]) == {"mean", "sd", "quantiles"}
    assert "95%" in spread._repr_html_()
    asked = model.next_question("sex=female", costs={"class": 2})
    assert "bits per cost" in repr(asked)
    assert ">class</td>" in asked._repr_html_()
    assert list(asked.to_frame().columns) == ["name", "bits", "cost", "bits per cost"]
    assert "Nothing is left to ask" in repr(model.next_question("sex=female, age=adult, class=1st"))


def test_the_next_question_refuses_nonsense():
    model = NaiveBayes(families="classical", evidence_weights=None).fit(likely.read("titanic"), "survived")
    with pytest.raises(LikelyError, match="did you mean class"):
        model.next_question(costs={"clas": 2})
    with pytest.raises(LikelyError, match="a cost is a number above 0"):
        model.next_question(costs={"class": 0})
    with pytest.raises(LikelyError, match="did you mean sex"):
        model.next_question(about="sexx")
    with pytest.raises(LikelyError, match="'femal' is no level"):
        model.next_question({"sex": "femal"})
    with pytest.raises(LikelyError, match="give text such as"):
        model.next_question(["sex"])


def fuzz(n: int, seed: int) -> int:
    """How many of n questions of random words were answered; all others must be refused, not crash."""
    model, _ = numbers()
    rng = random.Random(seed)
    names = ["a", "n", "c", "y", "`a`"]
    own = {"a": ["-2", "0", "1.5", "4"], "n": ["0", "3", "7"], "c": ["u", "v"], "y": ["0", "1", "2"]}
    values = ["0", "1", "2", "u", "v", "-3.5", "1e9", "-1e300", "inf", "missing", "true", "'u'", "2026-01-01"]
    relations = ["=", "!=", "<", "<=", ">", ">="]

    def value(name: str) -> str:
        return rng.choice(values if rng.random() < 0.2 else own[name.strip("`")])

    def condition() -> str:
        name, kind = rng.choice(names if rng.random() < 0.95 else ["zz", "and", "`"]), rng.random()
        known = name if name in names else "a"
        if kind < 0.2:
            return f"{name} in {{{value(known)}, {value(known)}}}"
        if kind < 0.4:
            return f"{value(known)} <= {name} < {value(known)}"
        return f"{name} {rng.choice([*relations, '=', '='])} {value(known)}"

    def item() -> str:
        return condition() if rng.random() < 0.5 else rng.choice(names)

    good = 0
    for _ in range(n):
        asks = ["P", "P", "odds", "E", "sd", "quantile", "argmax", "H", "I"]
        ask = rng.choice(asks)
        body = ", ".join(item() for _ in range(rng.choice([1, 1, 1, 2])))
        body += {"quantile": f", {rng.choice(['0', '1', '0.3'])}", "I": f"; {rng.choice(names)}"}.get(ask, "")
        bar = ", ".join(item() for _ in range(rng.choice([0, 0, 1, 1, 2])))
        try:
            answer = model.ask(f"{ask}({body}{f' | {bar}' if bar else ''})")
        except LikelyError:
            continue
        good += 1
        assert json.dumps(answer.to_dict())
        assert "nan" not in repr(answer)
        if isinstance(answer, float):
            assert not math.isnan(answer)
            assert ask != "P" or 0 <= answer <= 1
    return good


def test_random_questions_are_answered_or_refused():
    assert fuzz(300, seed=0) > 40


@pytest.mark.long
def test_many_random_questions_are_answered_or_refused():
    assert fuzz(10_000, seed=1) > 1500


def test_long_rankings_are_cut():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 50)
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        {f"v{i}": rng.integers(0, 2, 50) > 0 for i in range(30)}, y
    )
    ranking = model.next_question()
    assert len(ranking.options) == 30
    assert repr(ranking).endswith("and 10 other variables, each with less")


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_means_of_pieces_of_a_histogram_add_up(seed):
    """The law of total expectation: a jump of the density beside a cut must not be missed."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 300)
    model = NaiveBayes(families="histogram", evidence_weights=None).fit({"x": rng.normal(2.0 * y, 1.0)}, y)
    cuts = [-math.inf, *np.sort(rng.normal(1, 1.5, 3)).tolist(), math.inf]
    for known in ("", ", y=0", ", y=1"):
        bar = f" | {known[2:]}" if known else ""
        total = 0.0
        for low, high in pairwise(cuts):
            piece = f"{low} <= x < {high}"
            total += model.ask(f"P({piece}{bar})") * model.ask(f"E(x | {piece}{known})")
        assert total == pytest.approx(model.ask(f"E(x{bar})"), abs=1e-8)


def test_a_level_is_found_without_the_spaces_around_it():
    """A file that was exported with fixed widths holds 'F  ', which prints as F."""
    table = {"sex": ["F  ", "M  ", "F  ", "M  ", "F  "] * 4, "y": ["a", "b", "a", "a", "b"] * 4}
    model = likely.NaiveBayes().fit(table, "y")
    assert model.ask("P(y=a | sex=F)") == model.ask('P(y=a | sex="F  ")')
    both = likely.NaiveBayes().fit({**table, "sex": ["F", "F  ", "F", "M", "F  "] * 4}, "y")
    assert float(both.ask("P(y=b | sex=F)")) != float(
        both.ask('P(y=b | sex="F  ")')
    )  # what is exact comes first
