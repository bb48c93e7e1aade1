"""Densities of groups that lie apart: the fast sums are the careful ones, and rows are taken again seldom."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from seeds import first

from likely.dist import MultivariateNormal, MultivariateT, Normal
from likely.dist.elliptical import Factor
from likely.dist.numeric.distances import Apart, Quadratic

EPS = float(np.finfo(float).eps)
APART = (0.0, 4.0, 30.0, 1e3, 1e6, 1e12)  # sds between the centres


def near_and_far(rng: np.random.Generator, centres: Any, scale: Any) -> Any:
    """Rows at the centres, around them, between them, and far from all, (n, d)."""
    g = len(centres)
    own = centres[rng.integers(0, g, 60)]
    return np.concatenate(
        [
            centres,
            own + rng.normal(size=own.shape) * scale,
            own + rng.normal(size=own.shape) * scale * 1e-6,
            (own + own[::-1]) / 2,
            own + rng.normal(size=own.shape) * scale * 10.0 ** rng.uniform(0, 9, (60, 1)),
        ]
    )


def exact_distances(rows: Any, centre: Any, rest: Any, whiten: Any) -> tuple[Any, Any]:
    """Squared distances (b, g) with 64-bit mantissas, and the size of what is added up in them."""
    own = (rows.astype(np.longdouble)[:, None] - centre) - rest  # (b, g, d)
    white = np.einsum("gij,bgj->bgi", whiten.astype(np.longdouble), own)
    terms = np.einsum("gij,bgj->bgi", np.abs(whiten), np.abs(own).astype(float))
    return (white**2).sum(axis=-1), (terms**2).sum(axis=-1)


@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize("near_singular", [False, True])
@pytest.mark.parametrize("scale", first(1, [1.0, 1e-80, 1e60]))
def test_distances_are_exact_wherever_the_groups_lie(apart: float, near_singular: bool, scale: float) -> None:
    """12 digits, of the distance or of an sd; what terms of near-singular matrices lose, all ways lose."""
    for (d, g), order, line in product(((1, 3), (3, 16), (6, 5), (20, 5), (30, 3)), "CF", (True, False)):
        rng = np.random.default_rng([d, g])
        mixing = np.eye(d) + 0.3 * rng.normal(size=(g, d, d)) / np.sqrt(d)
        if near_singular and d > 1:
            mixing[:, :, 0] = mixing[:, :, 1] + 1e-5 * mixing[:, :, 0]
        covariance = np.swapaxes(mixing, 1, 2) @ mixing * scale**2
        centre = rng.normal(size=(g, d)) + apart * (
            np.arange(g)[:, None] if line else rng.normal(size=(g, d))
        )
        centre = centre * scale + 3 * apart * scale
        rest = rng.uniform(-0.5, 0.5, (g, d)) * np.spacing(centre)
        whiten = Factor.of(covariance).whiten
        found = Quadratic(centre, rest, whiten, np.einsum("gii->gi", covariance))
        rows = np.asarray(near_and_far(rng, centre, scale), order=order)
        expected, terms = exact_distances(rows, centre, rest, whiten)
        allowed = 1e-12 * np.maximum(expected, d) + 8 * d * EPS * terms
        off = np.abs(found(rows) - expected)
        assert (off <= allowed).all(), (d, g, order, line, float((off / allowed).max()))


@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize("scale", [1e-140, 1e-80, 1.0, 1e60])
def test_independent_columns_are_exact_wherever_the_groups_lie(apart: float, scale: float) -> None:
    for (d, g), order in product(((1, 2), (4, 12), (20, 5), (120, 3)), "CF"):
        rng = np.random.default_rng([d, g])
        sd = scale * np.exp(rng.normal(size=(g, d)))
        mean = scale * (rng.normal(size=(g, d)) + apart * np.arange(g)[:, None] + 3 * apart)
        rest = rng.uniform(-0.5, 0.5, (g, d)) * np.spacing(mean)
        rows = np.asarray(near_and_far(rng, mean, scale), order=order)
        z = ((rows.astype(np.longdouble)[:, None] - mean) - rest) / sd
        expected = (z**2).sum(axis=-1)
        middle = mean.min(axis=0) / 2 + mean.max(axis=0) / 2
        for missing in (None, rng.random(rows.shape) < 0.2):
            known = expected if missing is None else ((z * ~missing[:, None]) ** 2).sum(axis=-1)
            found = Apart(mean, rest, sd, middle)(rows, missing).T
            off = np.abs(found - known) / (1e-12 * np.maximum(known, d))
            assert (off <= 1).all(), (d, g, order, float(off.max()))
        logs = expected * -0.5 - (np.log(sd) + 0.5 * np.log(2 * np.pi)).sum(axis=1)
        np.testing.assert_allclose(
            Normal(mean, sd, rest).group_log_prob(rows), logs.astype(float), rtol=2e-12, atol=2e-12 * d
        )


@pytest.mark.parametrize("family", ["normal", "t"])
def test_missing_and_infinite_cells_among_groups_apart(family: str) -> None:
    """Each row on its own, which has no block to be fast in, says the same."""
    rng = np.random.default_rng(3)
    mean = 1e4 * np.arange(5)[:, None] * np.ones(4)
    covariance = np.tile(np.eye(4) + 0.5, (5, 1, 1))
    covariance[1] *= 4
    dist: Any = MultivariateNormal(mean, covariance)
    if family == "t":
        dist = MultivariateT(np.full(5, 4.0), mean, covariance)
    rows = mean[rng.integers(0, 5, 80)] + rng.normal(size=(80, 4))
    rows[rng.random(rows.shape) < 0.2] = np.nan
    rows[7, 1] = np.inf
    together = dist.group_log_prob(rows)
    alone = np.concatenate([dist.group_log_prob(row[None]) for row in rows])
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    one_by_one = np.stack([dist.take([group]).group_log_prob(rows)[:, 0] for group in range(5)], axis=1)
    np.testing.assert_allclose(together, one_by_one, rtol=1e-12)
    assert np.isneginf(together[7]).all()


@pytest.mark.parametrize(("apart", "most"), [(4.0, 0.0), (50.0, 0.0), (1e4, 1.0), (1e9, 1.0)])
@pytest.mark.parametrize(("d", "g"), [(16, 10), (64, 5)])
def test_a_row_is_taken_again_from_its_own_group_at_most(
    apart: float, most: float, d: int, g: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    centre = apart * rng.normal(size=(g, d))
    covariance = np.tile(np.eye(d), (g, 1, 1))
    rows = centre[rng.integers(0, g, 500)] + rng.normal(size=(500, d))
    found = Quadratic(centre, np.zeros((g, d)), covariance, np.ones((g, d)))
    assert np.isfinite(found._sure).all()  # before it is counted, for that takes distances, too
    taken: list[int] = []

    def counted(self: Quadratic, group: int, cells: Any) -> Any:
        taken.append(len(cells))
        return alone(self, group, cells)

    alone = Quadratic._from_centre
    monkeypatch.setattr(Quadratic, "_from_centre", counted)
    found(rows)
    assert sum(taken) == most * 500


@pytest.mark.parametrize("d", first(5, [1, 10, 20, 22, 41, 2, 9, 11, 19, 21, 23, 37]))
@pytest.mark.parametrize("far", [0.0, 40.0, 1e5])  # from 0, in sds
def test_matrices_triangular_or_not_in_pieces_of_any_width(d: int, far: float) -> None:
    """Triangular matrices are multiplied in pieces, and give what the whole matrices give."""
    rng = np.random.default_rng([d, int(far)])
    for g, n, turned in product((2, 3), (1, 2500), (False, True)):
        mixing = np.eye(d) + 0.3 * rng.normal(size=(g, d, d)) / np.sqrt(d)
        covariance = np.swapaxes(mixing, 1, 2) @ mixing
        centre, rest = far + 3 * rng.normal(size=(g, d)), np.zeros((g, d))
        whiten = Factor.of(covariance).whiten
        assert not np.triu(whiten, 1).any()
        if turned:  # the same distances by matrices that are no triangles
            whiten = np.linalg.qr(rng.normal(size=(d, d)))[0] @ whiten
        rows = centre[rng.integers(0, g, n)] + rng.normal(size=(n, d))
        expected, terms = exact_distances(rows, centre, rest, whiten)
        distances = Quadratic(centre, rest, whiten, np.einsum("gii->gi", covariance))(rows)
        allowed = 1e-12 * np.maximum(expected, d) + 8 * d * EPS * terms
        assert (np.abs(distances - expected) <= allowed).all()
