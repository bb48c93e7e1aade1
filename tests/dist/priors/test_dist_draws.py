"""Parameters drawn from posteriors: of densities without a formula, and at the edges of priors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from likely.dist import (
    Bernoulli,
    Beta,
    BilateralPareto,
    Categorical,
    Dirichlet,
    Gamma,
    Geometric,
    GeometricBeta,
    Histogram,
    Kernel,
    Normal,
    NormalInverseGamma,
    Poisson,
    Uniform,
)
from likely.stats import Cells, Groups

ROWS = np.column_stack([np.random.default_rng(0).normal(size=60), np.full(60, 3.0)])
GROUPS = Groups.hard(np.arange(60) % 2, 3)  # the third group has no rows


def test_drawn_histograms_average_to_the_estimate() -> None:
    stat = Cells.collect(ROWS, GROUPS)
    drawn: Any = Histogram.drawn(stat, "default", np.random.default_rng(1), 1000)
    assert drawn.batch == (3000, 2)
    x = np.array([-9.0, -1.0, 0.2, 1.1])
    found = drawn.prob(x[:, None, None])[:, :, 0].reshape(4, 1000, 3)
    # Six standard errors: two false alarms in 10^9 comparisons, if the seed were changed.
    error = found.std(axis=1) / np.sqrt(1000)
    expected = Histogram.estimate(stat).prob(x[:, None, None])[:, :, 0]
    assert (np.abs(found.mean(axis=1) - expected) <= 6 * error).all()
    # A bar's share is Beta(rows in it, others).
    bars: Any = Histogram.estimate(stat).take((0, 0)).parts.item()
    shares = Beta(bars.rows * bars.probs, bars.rows * (1 - bars.probs))
    own = np.array([part.probs for part in drawn.parts[::3, 0]])
    assert_allclose(own.std(axis=0), shares.sd, rtol=0.2)
    assert bars.rows == 30 + len(bars.probs) + 1


def test_a_constant_column_is_never_evidence_at_any_draw() -> None:
    stat = Cells.collect(ROWS, GROUPS)
    drawn: Any = Histogram.drawn(stat, 2.0, np.random.default_rng(2), 50)
    found = drawn.log_prob(np.array([[[0.0, 3.0]]]))[0, :, 1].reshape(50, 3)
    assert (found == found[:, :1]).all()
    assert len(np.unique(found[:, 0])) == 50


def test_a_kernel_is_taken_as_known() -> None:
    stat = Cells.collect(ROWS, GROUPS)
    drawn: Any = Kernel.drawn(stat, "default", np.random.default_rng(3), 7)
    once = Kernel.estimate(stat).group_log_prob(ROWS)
    assert_array_equal(drawn.group_log_prob(ROWS), np.tile(once, (1, 7)))


@pytest.mark.parametrize("family", [Histogram, Kernel])
@pytest.mark.parametrize("prior", [None, 0])
def test_maximum_likelihood_has_no_posterior_to_draw_from(family: Any, prior: Any) -> None:
    rng = np.random.default_rng(0)
    assert family.drawn(Cells.collect(ROWS, GROUPS), prior, rng, 5) is None
    assert Normal.drawn(Normal.collect(ROWS, GROUPS), prior, rng, 5) is None
    assert Normal.posterior(Normal.collect(ROWS, GROUPS), prior) is None


def test_priors_that_know_next_to_nothing_still_draw() -> None:
    rng = np.random.default_rng(4)
    ends: Any = Categorical.at_draws(Dirichlet(np.full((4, 3), 1e-200)), rng, 50)
    assert_allclose(ends.probs.max(axis=-1), 1)
    assert set(ends.probs.argmax(axis=-1)) == {0, 1, 2}
    none: Any = Categorical.at_draws(Dirichlet([[0.0, 2.0, 1.0]]), rng, 50)
    assert (none.probs[:, 0] == 0).all()
    wide: Any = Normal.at_draws(NormalInverseGamma([[0.0]], 1.0, 1e-3, 1.0), rng, 400)
    assert np.isfinite(wide.sd).all()
    assert np.isfinite(wide.mean).all()
    far: Any = Uniform.at_draws(BilateralPareto([[0.0]], [[1.0]], 1e-3), rng, 400)
    assert (far.high > far.low).all()
    few: Any = Geometric.at_draws(GeometricBeta([[1e-4]], [[1.0]]), rng, 400)
    assert (few.p > 0).all()
    assert (Poisson.at_draws(Gamma([[1e-4]], 1.0), rng, 400).mean >= 0).all()


def test_a_beta_of_one_kind_only_draws_what_is_sure() -> None:
    drawn: Any = Bernoulli.at_draws(Beta([[3.0, 0.0, 1.0]], [[0.0, 2.0, 1.0]]), np.random.default_rng(5), 9)
    assert isinstance(drawn, Bernoulli)
    assert (drawn.p[:, 0] == 1).all()
    assert (drawn.p[:, 1] == 0).all()
    assert len(np.unique(drawn.p[:, 2])) == 9
