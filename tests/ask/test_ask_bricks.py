"""What questions are answered with: constraints that meet, integrals, mixtures of distributions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate as scipy_integrate
from scipy import stats
from seeds import examples

import likely
from likely.ask.constraint import (
    LINE,
    NOTHING,
    Exactly,
    Levels,
    Region,
    both,
    is_empty,
    is_inside,
    otherwise,
)
from likely.ask.truncated_mixture import TruncatedMixture, integrate, mass

ENDS = st.sampled_from([-math.inf, -3.0, -1.0, 0.0, 1.0, 2.0, 5.0, math.inf])


@st.composite
def regions(draw):
    ends = sorted(draw(st.sets(ENDS, min_size=0, max_size=6)))
    ends = ends[: len(ends) // 2 * 2]
    return Region(tuple(zip(ends[::2], ends[1::2], strict=True)), draw(st.booleans()))


POINTS = [*np.arange(-6.0, 8.0), 0.5, -2.5, 1e9, -1e9]


@settings(max_examples=examples(200), deadline=None)
@given(regions(), regions(), st.booleans())
def test_regions_meet_and_are_turned_round(a, b, whole):
    met, rest = both(a, b), otherwise(a, whole, gaps=True)
    assert met.missing is (a.missing and b.missing)
    assert rest.missing is not a.missing
    for x in POINTS:
        if whole and x != math.floor(x):
            continue
        assert is_inside(met, x) is (is_inside(a, x) and is_inside(b, x))
        assert is_inside(rest, x) is not is_inside(a, x)
    assert all(low <= high for low, high in met.pieces + rest.pieces)


def test_levels_and_values_meet():
    assert both(Levels((True, True, False)), Levels((False, True, True))) == Levels((False, True, False))
    assert Levels((False, True, False)).only == 1
    assert Levels((True, True)).only is None
    assert both(Exactly(3.0), Exactly(3.0)) == Exactly(3.0)
    assert both(Exactly("win"), Exactly("lose")) == NOTHING
    assert both(Region(((4.0, 5.0),)), Exactly(3.0)) == NOTHING
    assert is_empty(NOTHING)
    assert is_empty(Levels((False, False)))
    assert not is_empty(Region((), missing=True))
    assert Region(((3.0, 3.0),)).only == 3.0
    assert Region(((3.0, 3.0),), missing=True).only is None


@pytest.mark.parametrize(
    ("function", "breaks", "exact"),
    [
        (np.cos, [0.0, 40.0], math.sin(40)),
        (np.sqrt, [0.0, 1.0], 2 / 3),
        (lambda x: (x > 1 / 3).astype(float), [0.0, 1.0], 2 / 3),
        (lambda x: np.exp(-(x**2) / 2e-6), [-1.0, -1e-3, 1e-3, 1.0], math.sqrt(2e-6 * math.pi)),
        (np.cos, [0.0], 0.0),
    ],
    ids=["waves", "steep", "jump", "narrow", "nothing"],
)
def test_integrals(function, breaks, exact):
    assert integrate(function, np.array(breaks)) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(
    ("parts", "scipy"),
    [
        (likely.Normal([0.0, 3.0], [1.0, 0.2]), [stats.norm(0, 1), stats.norm(3, 0.2)]),
        (likely.StudentT([3.0, 5.0], [0.0, 10.0], [1.0, 2.0]), [stats.t(3, 0, 1), stats.t(5, 10, 2)]),
        (likely.Uniform([0.0, 2.0], [3.0, 6.0]), [stats.uniform(0, 3), stats.uniform(2, 4)]),
        (likely.Poisson([2.0, 30.0]), [stats.poisson(2), stats.poisson(30)]),
        (likely.Geometric([0.5, 0.1]), [stats.geom(0.5), stats.geom(0.1)]),
    ],
    ids=["normal", "t", "uniform", "poisson", "geometric"],
)
@pytest.mark.parametrize("pieces", [LINE, ((1.0, 2.0), (4.0, 11.0))], ids=["line", "pieces"])
def test_mixtures_agree_with_scipy(parts, scipy, pieces):
    share = np.array([0.3, 0.7])
    masses = np.array([sum(_mass(one, low, high) for low, high in pieces) for one in scipy])
    np.testing.assert_allclose(mass(parts, pieces), masses, rtol=1e-10)
    mixture = TruncatedMixture(share, parts, pieces)

    def on(low, high):
        found = 0.0
        for a, b in pieces:
            if max(a, low) <= min(b, high):
                found += (share / masses) @ [_mass(one, max(a, low), min(b, high)) for one in scipy]
        return found

    for x in (0.5, 1.0, 1.7, 3.0, 9.0):
        assert mixture.cdf(x) == pytest.approx(on(-math.inf, x), rel=1e-10, abs=1e-14)
        above = on(math.floor(x) + 1 if parts.whole else x, math.inf)
        assert mixture.sf(x) == pytest.approx(above, rel=1e-10, abs=1e-14)
    for q in (0.01, 0.4, 0.6, 0.99):
        at = mixture.quantile(q)
        assert mixture.cdf(at) >= q - 1e-12
        before = at - 1 if parts.whole else at - 1e-9 * max(1.0, abs(at))
        assert mixture.cdf(before) <= q
    if pieces == LINE:
        mean = share @ [one.mean() for one in scipy]
        variance = share @ [one.var() + (one.mean() - mean) ** 2 for one in scipy]
    elif parts.whole:
        points = np.arange(2000.0)
        inside = np.array([any(a <= x <= b for a, b in pieces) for x in points])
        each = np.array([np.where(inside, one.pmf(points), 0) for one in scipy])
        density = (share / masses) @ each
        mean = points @ density
        variance = (points - mean) ** 2 @ density
    else:

        def density(x):
            return (share / masses) @ [one.pdf(x) for one in scipy]

        def integral(f):
            return sum(scipy_integrate.quad(f, a, b, points=[6.0], limit=500)[0] for a, b in pieces)

        mean = integral(lambda x: x * density(x))
        variance = integral(lambda x: (x - mean) ** 2 * density(x))
    assert mixture.mean == pytest.approx(mean, rel=1e-9)
    assert mixture.sd == pytest.approx(math.sqrt(variance), rel=1e-9)


def _mass(one, low, high):
    whole = hasattr(one, "pmf")
    return one.cdf(high) - one.cdf(low - 1 if whole else low)


def test_the_ends_of_a_mixture():
    mixture = TruncatedMixture(np.array([0.5, 0.5, 0.0]), likely.Uniform([0.0, 2.0, -9.0], [1.0, 5.0, 9.0]))
    assert mixture.ends == (0.0, 5.0)
    assert mixture.quantile(0) == 0
    assert mixture.quantile(1) == 5
    assert mixture.quantile(0.5) == 1
    assert mixture.quantile(0.75) == pytest.approx(3.5, rel=1e-15)


def test_a_median_on_the_edge_of_a_whole_number():
    mixture = TruncatedMixture(np.full(10, 0.1), likely.Binomial(np.full(10, 0.5), np.full(10, 1)))
    assert mixture.quantile(0.5) == 0


def test_heavy_tails_have_no_mean():
    mixture = TruncatedMixture(np.ones(1), likely.StudentT([1.0]))
    with pytest.raises(likely.LikelyError, match="ask for a quantile instead"):
        mixture.mean  # noqa: B018
    assert mixture.quantile(0.75) == pytest.approx(1)
    h = mixture.expect(lambda x: -np.log(mixture.density(x)))
    assert h == pytest.approx(math.log(4 * math.pi), abs=1e-7)


@pytest.mark.parametrize("question", ['P(y=a | "club member"=Yes)', 'P("club member"=Yes)'])
def test_a_name_in_the_quotes_of_a_value_gets_the_right_hint(question):
    table = {"club member": ["Yes", "No", "Yes", "No"], "y": ["a", "b", "a", "a"]}
    model = likely.NaiveBayes().fit(table, "y")
    with pytest.raises(likely.LikelyError, match=r"backquotes \(`\), as in `club member` = Yes\.$"):
        model.ask(question)
    assert model.ask(question.replace('"', "`")) > 0
    with pytest.raises(likely.LikelyError, match="knows no variable 'Maybe'"):
        model.ask('P(y=a | "nobody"=Maybe)')
