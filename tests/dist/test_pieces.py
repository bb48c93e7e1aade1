"""Laws of the formulas that distributions have for other programs: the same evidence as their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dist_cases import GROUPED, Blocks, D, G
from numpy.testing import assert_allclose

from likely.dist.numeric.pieces import IMPOSSIBLE, Pieces
from likely.dist.quadratic_form import quadratic_forms
from likely.dist.univariate import Univariate

WITHOUT = ("kernel", "negative-binomial", "beta-geometric", "double-exponential")  # a short formula
every_block = pytest.mark.parametrize("case", GROUPED, ids=lambda case: case.name)


def relative(logs: Any) -> Any:
    """Logs (n, g) less the highest of each row, -inf where they are impossible; 0 where all are."""
    logs = np.where(logs < IMPOSSIBLE / 2, -np.inf, logs)
    best = logs.max(axis=1, keepdims=True)
    return np.where(np.isneginf(best), 0.0, logs - np.where(np.isneginf(best), 0.0, best))


@every_block
def test_pieces_are_the_evidence_of_the_distribution(case: Blocks) -> None:
    rng = np.random.default_rng(4)
    dist, rows = case.rows(rng, 300, 0.0)
    if not isinstance(dist, Univariate):
        assert dist.pieces(0) is None
        return
    if case.name.startswith(WITHOUT):
        assert dist.pieces(0) is None
        return
    for j in range(D):
        pieces = dist.pieces(j)
        assert pieces is not None
        assert pieces.n_groups == G
        edges = np.concatenate([np.nextafter(pieces.edges, side) for side in (-np.inf, 0.0, np.inf)])
        x = np.concatenate([rows[:, j], pieces.edges, edges])
        x = x[dist.inside(x) & (x > -1e299)]
        wide = np.full((len(x), D), np.nan)
        wide[:, j] = x
        expected = dist.group_log_prob(wide)
        for one in (pieces, pieces.relative().merged()):
            assert_allclose(relative(one(x)), relative(expected), rtol=1e-12, atol=1e-11, err_msg=str(j))


def test_alike_neighbours_are_taken_together() -> None:
    steps = Pieces.steps([0.0, 1.0, 2.0], [[1.0, 3.0], [2.0, 4.0], [2.0, 5.0], [IMPOSSIBLE, 7.0]])
    steps = steps.relative().merged()
    assert steps.edges.tolist() == [1.0, 2.0]
    assert steps.powers[..., 0].tolist() == [[0.0, 2.0], [0.0, 3.0], [IMPOSSIBLE, 0.0]]


def test_only_bars_some_groups_below_and_above() -> None:
    line = Pieces.line([0.0, 0.0], [1.0, 2.0]).only(above=0.0, up_to=1.0, groups=np.array([False, True]))
    assert line(np.array([0.0, 0.5, 1.0, 1.5])).tolist() == [
        [0.0, IMPOSSIBLE],
        [0.5, 1.0],
        [1.0, 2.0],
        [1.5, IMPOSSIBLE],
    ]


@pytest.mark.parametrize("name", ["multivariate-normal", "multivariate-t", "tied-normal"])
def test_quadratic_forms_are_the_evidence_of_joint_densities(name: str) -> None:
    rng = np.random.default_rng(6)
    dist, rows = next(case for case in GROUPED if case.name == name).rows(rng, 40, 0.0)
    forms = quadratic_forms(dist, 64)
    assert len(forms) == 2**D
    for form in forms:
        some = np.full_like(rows, np.nan)
        some[:, list(form.known)] = rows[:, list(form.known)]
        told = form(rows[:, list(form.known)])
        assert_allclose(relative(told), relative(dist.group_log_prob(some)), rtol=1e-10, atol=1e-9)


def test_as_many_gaps_are_covered_as_formulas_allow() -> None:
    dist, _ = next(case for case in GROUPED if case.name == "multivariate-normal").rows(
        np.random.default_rng(0)
    )
    lost = [D - len(form.known) for form in quadratic_forms(dist, 10)]
    assert lost == [0, *[1] * D]  # two gaps would take 15 more
