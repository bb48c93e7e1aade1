"""Default priors of hidden groups: their scale is that within groups, however these lie; and EM's laws."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from seeds import rarely, seeds, sizes

import likely
from likely.errors import LikelyWarning
from likely.models.mixture.em_estimator import Tried

rng = np.random.default_rng


def separated(far: float, sd: float = 0.1, n: int = 100) -> dict[str, Any]:
    return {"x": np.concatenate([rng(1).normal(0, sd, n), rng(2).normal(far, sd, n)])}


@pytest.mark.parametrize("far", [5.0, 100.0, 2000.0])
@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
def test_a_hidden_group_is_as_wide_as_its_rows(far: float, covariance: str) -> None:
    table = separated(far)
    model = likely.Mixture(2, covariance=covariance, random_state=0).fit(table)
    own = np.sort([table["x"][:100].std(), table["x"][100:].std()])
    part = model.record_.core.parts[0].distribution
    found = np.sort(np.ravel(part.sd))
    assert_allclose(found, own.mean() if covariance == "tied" else own, rtol=0.03)
    assert_allclose(float(model.ask("P(-1<x<1)")), 0.5, atol=1e-6)


def test_states_are_as_wide_as_their_rows() -> None:
    order = np.repeat(rng(0).permutation(40), 5) % 2
    x = rng(3).normal(100.0 * order, 0.1)
    model = likely.HiddenMarkov(2, random_state=0).fit({"x": x})
    part = model.record_.states.parts[0].distribution
    assert_allclose(np.ravel(part.sd), 0.1, rtol=0.15)


def test_groups_of_two_scales_of_distance_are_found() -> None:
    x = np.concatenate([rng(k).normal(middle, 1, 60) for k, middle in enumerate((0, 10, 1000))])
    assert likely.Mixture("auto", random_state=0).fit({"x": x}).curve_.best == 3


def test_a_narrow_group_beside_a_wide_one_keeps_its_width() -> None:
    x = np.concatenate([rng(0).normal(0, 0.1, 100), rng(1).normal(8, 2, 100)])
    model = likely.Mixture("auto", random_state=0).fit({"x": x})
    assert model.curve_.best == 2
    part = model.record_.core.parts[0].distribution
    assert_allclose(np.sort(np.ravel(part.sd)), [x[:100].std(), x[100:].std()], rtol=0.2)


def together(seed: int) -> Any:
    """Five measurements of 200 animals of four kinds, correlations above .9."""
    r = rng(seed)
    middle = np.array([15, 13, 32, 36, 14.0])
    shift = np.array(
        [[0, 0, 0, 0, 0], [0.3, 0.9, -0.3, -0.3, 0.1], [0.9, -0.2, 0.2, -0.6, 0.8], [1.2, 0.9, 0, -0.8, 1]]
    )
    size = np.exp(r.normal(0, 0.22, 200))[:, None] * (1 + r.normal(0, 0.012, (200, 5)))
    return (middle + np.repeat(shift, 50, axis=0)) * size


@pytest.mark.parametrize("seed", range(3))
def test_columns_that_go_together_cost_next_to_nothing(seed: int) -> None:
    """One group costs a nat at most of maximum likelihood's 1,200; each group more fits better."""
    rows = together(seed)
    assert np.corrcoef(rows.T).min() > 0.9
    free = stats.multivariate_normal(rows.mean(axis=0), np.cov(rows.T, bias=True)).logpdf(rows).sum()
    logs = [likely.Mixture(k, random_state=0).fit(rows).log_prob(rows).sum() for k in (1, 2, 3, 4)]
    assert 0 <= free - logs[0] < 1
    assert np.diff(logs).min() > 5


@pytest.mark.parametrize("seed", seeds(1, 6))
@pytest.mark.parametrize("prior", [None, "default"])
@pytest.mark.parametrize("kind", ["levels", "numbers"])
def test_more_starts_never_end_lower(seed: int, prior: Any, kind: str) -> None:
    r = rng(seed)
    group = r.integers(0, 2, 150)
    if kind == "levels":
        chances = r.dirichlet(np.full(3, 0.7), (2, 5))
        table = {f"c{j}": np.array([r.choice(list("abc"), p=chances[k, j]) for k in group]) for j in range(5)}
    else:
        table = {"x": r.normal(2.0 * group, 1), "y": r.standard_t(3, 150)}
    ends = []
    for restarts in (1, 8):
        model = likely.Mixture(3, prior=prior, restarts=restarts, random_state=0, max_iter=1000).fit(table)
        ends.append(model.log_prob(table).sum() if prior is None else model.history_[-1])
    # The prior's scale is settled anew by each search: it may differ a little.
    assert ends[1] > ends[0] - (1e-6 if prior is None else 0.5)


@pytest.mark.parametrize("seed", seeds(1, 8))
def test_zeros_of_a_start_do_not_stay(seed: int) -> None:
    """Without a prior, EM from K-means comes to where EM from ten random starts does."""
    r = rng(seed)
    group = r.integers(0, 2, 300)
    chances = r.dirichlet(np.full(3, 0.7), (2, 5))
    table = {f"c{j}": np.array([r.choice(list("abc"), p=chances[k, j]) for k in group]) for j in range(5)}
    found = likely.Mixture(2, prior=None, random_state=0, max_iter=2000, tol=1e-9).fit(table)
    best = likely.Mixture(2, prior=None, init="random", restarts=10, random_state=1, max_iter=2000, tol=1e-9)
    assert_allclose(found.log_prob(table).sum(), best.fit(table).log_prob(table).sum(), atol=0.01)


@pytest.mark.parametrize("seed", seeds(2, 10))
def test_small_groups_with_gaps_keep_the_law_of_em(seed: int) -> None:
    """Heavy tails, missing cells, no prior: the objective never falls, so no fit is given up."""
    r = rng(seed)
    rows = r.standard_t(2, (30, 2))
    rows[r.random(rows.shape) < 0.2] = np.nan
    for k, covariance in itertools.product((2, 3), ("full", "tied", "diagonal")):
        model = likely.Mixture(k, prior=None, covariance=covariance, random_state=0).fit(rows)
        assert np.diff(model.history_).min(initial=0.0) > -1e-7
        assert np.isfinite(model.log_prob(rows)).all()
    states = likely.HiddenMarkov(3, prior=None, random_state=0).fit(r.standard_cauchy((60, 2)))
    assert np.diff(states.history_).min(initial=0.0) > -1e-7


COVARIANCE_NUMBERS = {  # of d columns and k groups
    "full": lambda d, k: k * d * (d + 1) // 2,
    "tied": lambda d, k: d * (d + 1) // 2,
    "diagonal": lambda d, k: k * d,
    "tied_diagonal": lambda d, k: d,
    "spherical": lambda d, k: k,
    "tied_spherical": lambda d, k: 1,
    "identity": lambda d, k: 0,
}


@pytest.mark.parametrize("covariance", COVARIANCE_NUMBERS)
@pytest.mark.parametrize("d", [3, *rarely(1, 6)])
def test_numbers_of_parameters(covariance: str, d: int) -> None:
    rows = rng(d).normal(size=(60, d))
    for k in (1, 2, 3):
        model = likely.Mixture(k, covariance=covariance, random_state=0, max_iter=2).fit(rows)
        own, shared = model.record_.free_parameters()
        assert own * k + shared == k * d + COVARIANCE_NUMBERS[covariance](d, k)
    auto = likely.Mixture("auto", covariance=covariance, random_state=0, max_iter=5).fit(rows)
    expected = [
        k * d + COVARIANCE_NUMBERS[covariance](d, k) + k - 1 for k in range(1, 1 + len(auto.curve_.tried))
    ]
    assert [one.parameters for one in auto.curve_.tried] == expected
    chain = likely.HiddenMarkov("auto", covariance=covariance, random_state=0, max_iter=3).fit(rows)
    for one in chain.curve_.tried:
        k = one.components
        assert one.parameters == k * d + COVARIANCE_NUMBERS[covariance](d, k) + (k + 1) * (k - 1)


def test_shares_that_are_given_are_no_parameters() -> None:
    rows = rng(0).normal(size=(40, 2))
    model = likely.Mixture("auto", covariance="identity", base_rate="uniform", random_state=0).fit(rows)
    assert [one.parameters for one in model.curve_.tried][:3] == [2, 4, 6]


def test_two_tied_groups_of_six_columns_are_found() -> None:
    r = rng(0)
    rows = r.normal(size=(200, 6)) + 1.6 * np.repeat([[0.0], [1.0]], 100, axis=0)
    model = likely.Mixture("auto", covariance="tied", restarts=5, random_state=0).fit(rows)
    assert model.curve_.best == 2
    two = model.curve_.tried[1]
    assert two.parameters == 6 * 2 + 21 + 1 == 34
    weights = np.exp(model.record_.core.log_weights)
    part = model.record_.core.parts[0].distribution
    dense = sum(
        w * stats.multivariate_normal(m, part.covariance[0]).pdf(rows)
        for w, m in zip(weights, part.mean, strict=True)
    )
    assert_allclose(two.bits, (-np.log2(dense)).sum() + 17 * np.log2(200), rtol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_no_group_is_narrower_than_its_column_is_written(scale: float) -> None:
    """A group on each value of a grid would fit without bound, and say nothing of new rows."""
    x = rng(3).integers(0, 4, (200, 2)) * scale
    model = likely.Mixture("auto", random_state=0).fit(x)
    assert (model.record_.parts[0].distribution.sd > scale / np.sqrt(12)).all()
    assert any(np.isinf(one.bits) for one in model.curve_.tried)
    classes = np.repeat(["a", "b"], 100)
    sure = likely.MixtureClassifier("auto", random_state=0).fit(x, classes).predict_log_proba(x)
    assert sure.min() > -20


def test_as_many_groups_as_are_told_where_no_number_describes_the_rows() -> None:
    x = rng(0).normal(size=(8, 3))
    model = likely.Mixture("auto", random_state=0).fit(x, ["a", "b", "c"] + [None] * 5)
    assert all(np.isinf(one.bits) for one in model.curve_.tried)
    assert len(model.weights_) == 3


def test_labels_are_part_of_what_is_described() -> None:
    """The curve begins with the classes that are told, and counts P(row and label)."""
    r = rng(4)
    group = np.repeat([0, 1, 2], 40)
    x = r.normal(6.0 * group, 1)
    labels = np.where(r.random(120) < 0.3, np.array(["a", "b", "?"])[group], "?")
    told = [None if label == "?" else label for label in labels]
    model = likely.Mixture("auto", random_state=0).fit({"x": x}, told)
    tried: tuple[Tried, ...] = model.curve_.tried
    assert [one.components for one in tried] == list(range(2, 2 + len(tried)))
    assert model.curve_.best == 3
    best = tried[model.curve_.best - 2]
    part = model.record_.core.parts[0].distribution
    joint = np.exp(model.record_.core.log_weights) * stats.norm(part.mean[:, 0], part.sd[:, 0]).pdf(
        x[:, None]
    )
    known = {label: place for place, label in enumerate(model.record_.classes)}
    each = [joint[i, known[t]] if t is not None else joint[i].sum() for i, t in enumerate(told)]
    assert_allclose(best.log_likelihood, np.log(each).sum(), rtol=1e-9)


class TestImputations:
    @pytest.mark.parametrize("n", sizes(100, 400))
    def test_parameters_are_drawn_too(self, n: int) -> None:
        """20 known and 20 missing cells of one column: the mean of what is drawn varies as it should.

        Given the known ones it has variance s2/20 for the draws and s2/20 * 19/17 for the mean's own
        posterior (normal, flat prior); of 400 sets the ratio has sd .07, of 100 it has .14: 4 of them.
        """
        y = rng(0).normal(size=40)
        y[20:] = np.nan
        model = likely.Impute("gaussian").fit({"y": y})
        means = [np.mean(t["y"][20:]) for t in model.sample({"y": y}, n, random_state=0)]
        s2 = np.nanvar(y, ddof=1)
        assert abs(np.var(means, ddof=1) / (s2 / 20 + s2 / 20 * 19 / 17) - 1) < 4 * np.sqrt(2 / n)

    def test_of_another_table_they_are_as_the_fitted_one_tells(self) -> None:
        """One row with a gap: the predictive distribution of a normal is Student's t (p above 1e-4)."""
        y = rng(1).normal(size=12)
        model = likely.Impute("gaussian").fit({"y": y})
        tables = model.sample({"y": [np.nan]}, 500, random_state=0)
        drawn = np.array([t["y"][0] for t in tables], float)
        student = stats.t(12 + 2, y.mean(), np.sqrt(13 * y.var() / 14 * (1 + 1 / 12)))
        assert stats.kstest(drawn, student.cdf).pvalue > 1e-4

    @pytest.mark.long
    def test_rubin_intervals_cover(self) -> None:
        """95 % intervals of a mean whose column is missing by another: 400 tables, 4 sds are 4.4 %."""
        covered = sum(_covers(seed) for seed in range(400))
        assert abs(covered / 400 - 0.95) < 0.044

    def test_without_a_prior_they_are_taken_as_known(self) -> None:
        table = {"x": [1.0, 2.0, 3.0, np.nan], "y": [1.1, 1.9, np.nan, 4.0]}
        model = likely.Impute(likely.Mixture(1, prior=None)).fit(table)
        with pytest.warns(LikelyWarning, match="taken as known"):
            assert len(model.sample(table, 2, random_state=0)) == 2

    def test_levels_groups_and_numbers_together(self) -> None:
        """Known cells stay; drawn levels are levels; every table differs from the next."""
        r = rng(2)
        group = r.integers(0, 2, 80)
        colour = np.where(group == 1, "red", "blue").astype(object)
        table = {"x": r.normal(4.0 * group, 1), "colour": colour, "n": r.poisson(3 + 5 * group)}
        gaps = r.random(80) < 0.3
        table["x"][gaps], table["colour"][np.roll(gaps, 7)] = np.nan, None
        model = likely.Impute("mixture", components=2, random_state=0).fit(table)
        first, second = model.sample(table, 2, random_state=5)
        for filled in (first, second):
            assert_allclose(np.asarray(filled["x"], float)[~gaps], table["x"][~gaps], rtol=0)
            assert set(filled["colour"]) == {"red", "blue"}
        assert not np.array_equal(first["x"], second["x"])
        again = model.sample(table, 2, random_state=5)
        assert_allclose(np.asarray(again[1]["x"], float), np.asarray(second["x"], float), rtol=0)


def _covers(seed: int, n: int = 60, m: int = 10) -> bool:
    r = rng(seed)
    x = r.normal(size=n)
    y = 0.8 * x + 0.6 * r.normal(size=n)
    y[r.random(n) < 0.8 / (1 + np.exp(-x))] = np.nan
    tables = likely.Impute("gaussian").fit({"x": x, "y": y}).sample({"x": x, "y": y}, m, random_state=seed)
    means = np.array([np.mean(t["y"]) for t in tables])
    within, between = np.mean([np.var(t["y"], ddof=1) / n for t in tables]), means.var(ddof=1)
    total = within + (1 + 1 / m) * between
    lost = (1 + 1 / m) * between / total
    own, seen = (m - 1) / lost**2, n / (n + 2) * (n - 1) * (1 - lost)  # Barnard and Rubin 1999
    df = 1 / (1 / own + 1 / seen)
    return bool(abs(means.mean()) <= stats.t.ppf(0.975, df) * np.sqrt(total))


@pytest.mark.parametrize("times", [2, *rarely(1, 5)])
def test_a_group_for_every_row_describes_nothing(times):
    """Groups of one point each fit endlessly well; of few rows, or rows that come back, none is chosen."""
    table = {"x": [1.0, 2.0, 3.0, None] * times, "y": [2.0, 4.0, 6.0, 8.0] * times}
    model = likely.Mixture("auto", random_state=0).fit(table)
    cells = 2 * 4 * times
    chosen = next(one for one in model.curve_.tried if one.components == model.curve_.best)
    assert chosen.parameters <= cells
    too_many = [one for one in model.curve_.tried if one.parameters > cells and one.components > 1]
    assert np.isinf([one.bits for one in too_many]).all()
    chain = likely.HiddenMarkov("auto", random_state=0).fit({"x": table["y"]})
    too_many = [one for one in chain.curve_.tried if one.parameters > 4 * times and one.components > 1]
    assert np.isinf([one.bits for one in too_many]).all()
