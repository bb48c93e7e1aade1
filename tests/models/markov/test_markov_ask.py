"""Questions about a row with missing cells: against the sum over all courses of states, by SciPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats
from seeds import seeds

from likely import Bernoulli, Categorical, HiddenMarkov, LikelyError, MultivariateNormal, Normal, Poisson

S = 3
INITIAL = np.array([0.6, 0.3, 0.1])
MOVES = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
SKY = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
WIND = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
MEANS, SDS = np.array([[0.0, 5.0], [2.0, 3.0], [5.0, 4.0]]), np.array([[1.0, 2.0], [0.5, 1.0], [2.0, 0.7]])
RATES = np.array([[1.0, 3.0], [4.0, 2.0], [9.0, 1.0]])
YES = np.array([[0.1, 0.6], [0.5, 0.5], [0.9, 0.3]])
PLACES = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 0.0], [-1.0, 3.0, 2.0]])
SPREADS = np.array(
    [
        [[1.0, 0.8, 0.1], [0.8, 1.0, 0.2], [0.1, 0.2, 0.5]],
        [[2.0, -0.9, 0.4], [-0.9, 1.0, 0.0], [0.4, 0.0, 1.5]],
        [[0.5, 0.3, 0.2], [0.3, 1.0, -0.4], [0.2, -0.4, 2.0]],
    ]
)
LEVELS = {"sky": ["clear", "grey", "rain"], "wind": ["calm", "storm"]}
NAMES = ("sky", "wind", "a", "b", "n", "m", "p", "q", "x", "y", "z")


def model():
    """Every family has several columns, so that each slot can be known in part."""
    return HiddenMarkov.from_parameters(
        INITIAL,
        MOVES,
        {
            "sky": Categorical(SKY, levels=LEVELS["sky"]),
            "wind": Categorical(WIND, levels=LEVELS["wind"]),
            "a": Normal(MEANS[:, 0], SDS[:, 0]),
            "b": Normal(MEANS[:, 1], SDS[:, 1]),
            "n": Poisson(RATES[:, 0]),
            "m": Poisson(RATES[:, 1]),
            "p": Bernoulli(YES[:, 0]),
            "q": Bernoulli(YES[:, 1]),
            ("x", "y", "z"): MultivariateNormal(PLACES, SPREADS),
        },
    )


def table(seed, n=4):
    """Rows drawn at random, 4 cells in 10 taken away."""
    rng = np.random.default_rng(seed)
    drawn = model().sample(n, rng)
    return {name: [None if rng.random() < 0.4 else v for v in drawn[name].tolist()] for name in NAMES}


def known_cells(row, names):
    return [j for j, name in enumerate(names) if row[name] is not None]


def together(row, s):
    """Mean and covariance of x, y, z in a state, given those that are known; and the log density of these."""
    known = known_cells(row, "xyz")
    open_ = [j for j in range(3) if j not in known]
    values = np.array([row["xyz"[j]] for j in known])
    mean, cov = PLACES[s], SPREADS[s]
    if not known:
        return open_, mean, cov, 0.0
    gain = cov[np.ix_(open_, known)] @ np.linalg.inv(cov[np.ix_(known, known)])
    log_density = stats.multivariate_normal.logpdf(values, mean[known], cov[np.ix_(known, known)])
    left = cov[np.ix_(open_, open_)] - gain @ cov[np.ix_(known, open_)]
    return open_, mean[open_] + gain @ (values - mean[known]), left, log_density


def log_prob(row, s):
    """log P(what is known of a row given a state)."""
    found = together(row, s)[3]
    for j, name in enumerate("ab"):
        found += 0 if row[name] is None else stats.norm.logpdf(row[name], MEANS[s, j], SDS[s, j])
    for j, name in enumerate("nm"):
        found += 0 if row[name] is None else stats.poisson.logpmf(row[name], RATES[s, j])
    for j, name in enumerate("pq"):
        found += 0 if row[name] is None else np.log(YES[s, j] if row[name] else 1 - YES[s, j])
    for name, chances in (("sky", SKY), ("wind", WIND)):
        found += 0 if row[name] is None else np.log(chances[s, LEVELS[name].index(row[name])])
    return found


def courses(rows):
    """P(state of each row given all that is known), (n, s): a sum over all courses."""
    found = np.zeros((len(rows), S))
    for course in itertools.product(range(S), repeat=len(rows)):
        p = INITIAL[course[0]] * np.prod([MOVES[i, j] for i, j in itertools.pairwise(course)])
        p *= np.exp(sum(log_prob(row, s) for row, s in zip(rows, course, strict=True)))
        for t, s in enumerate(course):
            found[t, s] += p
    return found / found.sum(axis=1, keepdims=True)


def wanted(row, chances, name):
    """A question about a missing cell of a row, and its answer."""
    if name in "ab":
        j = "ab".index(name)
        return {
            f"E({name})": chances @ MEANS[:, j],
            f"P({name} > 1)": chances @ stats.norm.sf(1, MEANS[:, j], SDS[:, j]),
        }
    if name in "nm":
        j = "nm".index(name)
        return {
            f"E({name})": chances @ RATES[:, j],
            f"P({name} > 2)": chances @ stats.poisson.sf(2, RATES[:, j]),
        }
    if name in "pq":
        return {f"P({name}=true)": chances @ YES[:, "pq".index(name)]}
    if name in "xyz":
        means, sds = np.empty(S), np.empty(S)
        for s in range(S):
            open_, mean, cov, _ = together(row, s)
            place = open_.index("xyz".index(name))
            means[s], sds[s] = mean[place], np.sqrt(cov[place, place])
        return {f"E({name})": chances @ means, f"P({name} < 1)": chances @ stats.norm.cdf(1, means, sds)}
    masses = {"sky": SKY, "wind": WIND}[name]
    return {f"P({name}={level})": chances @ masses[:, j] for j, level in enumerate(LEVELS[name])}


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_missing_cells_are_answered_by_all_others(seed):
    whole = table(seed)
    rows = [{name: whole[name][t] for name in NAMES} for t in range(4)]
    posterior, asked = courses(rows), model()
    for t, row in enumerate(rows):
        for state in range(S):
            assert asked.ask(f"P(state={state})", whole, at=t) == pytest.approx(posterior[t, state], abs=1e-9)
        for name in NAMES:
            if row[name] is None:
                for question, answer in wanted(row, posterior[t], name).items():
                    assert asked.ask(question, whole, at=t) == pytest.approx(answer, abs=1e-8), question


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_a_condition_is_a_cell_that_is_known(seed):
    """What is told after the bar of a missing cell, and what stands in the table, are one and the same."""
    whole = table(seed)
    for t in range(4):
        gaps = [name for name in NAMES if whole[name][t] is None]
        for given, name in itertools.permutations([g for g in gaps if g in (*"abxyz", "sky", "wind")], 2):
            value = {"sky": "rain", "wind": "calm"}.get(given, 1.5)
            filled = {
                k: [value if (k, i) == (given, t) else v for i, v in enumerate(c)] for k, c in whole.items()
            }
            question = (
                f"P({name}=rain" if name == "sky" else f"P({name}=calm" if name == "wind" else f"E({name}"
            )
            told = model().ask(f"{question} | {given}={value})", whole, at=t)
            assert told == pytest.approx(model().ask(f"{question})", filled, at=t), abs=1e-8)


def test_a_fitted_model_with_full_covariance():
    """The neighbour of the missing cell is known: the answer is not the mean of the state."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    rows = {"v": x + 0.1 * rng.normal(size=300), "w": x}
    fitted = HiddenMarkov(1, covariance="full", random_state=0).fit(rows)
    found = fitted.ask("E(v)", {"v": [0.0, None], "w": [0.0, 2.0]}, at=1)
    assert found == pytest.approx(2.0, abs=0.1)
    with pytest.raises(LikelyError, match="'w'"):
        fitted.ask("E(w)", {"v": [0.0, None], "w": [0.0, 2.0]}, at=1)


def test_what_is_impossible_in_every_state_says_nothing():
    sure = HiddenMarkov.from_parameters(
        [0.5, 0.5],
        [[0.5, 0.5], [0.5, 0.5]],
        {
            "c": Categorical([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]], levels="uvw"),
            "d": Categorical([[0.2, 0.8], [0.6, 0.4]], levels="uv"),
        },
    )
    with pytest.warns(UserWarning, match="probability 0"):
        assert sure.ask("P(d=u)", {"c": ["w"], "d": [None]}, at=0) == pytest.approx(0.4)
