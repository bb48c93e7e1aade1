"""Newton's method and its relatives: the gradient is 0 where they stop, whatever the penalty."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.engine import Chunk, engine_for
from likely.infer.lbfgs import lbfgs
from likely.infer.logistic import Logistic, log_loss_two, squares
from likely.infer.newton import Local, Penalty, lasso, newton, solve
from likely.infer.standard import Scaling, Standard, dependent

RNG = np.random.default_rng(11)
N, D = 400, 4
ROWS = RNG.normal(size=(N, D)) * [1, 3, 0.2, 1] + [0, 5, 1, -2]
CENTRE, SCALE = ROWS.mean(axis=0), ROWS.std(axis=0)
CODES = RNG.integers(0, 3, N)
WEIGHT = RNG.gamma(2, 1, N)


def standard(rows, centre, scale, n_jobs=None) -> Standard:
    return Standard(Chunk(lambda a, b: rows[a:b], *rows.shape), Scaling(centre, scale), engine_for(n_jobs))


def problem(n_classes: int, rows=ROWS, weight=WEIGHT, n_jobs=None) -> Logistic:
    z = standard(rows, CENTRE, SCALE, n_jobs)
    return Logistic(z, CODES % n_classes, n_classes, weight)


def penalty(parts: int, rate: float) -> Penalty:
    q = parts * (D + 1)
    free = np.arange(q) % (D + 1) == 0
    return Penalty(
        np.full(q, 0.1),
        np.where(free, 0.0 if parts == 1 else 1e-3, 0.5),
        np.where(free, 0.0, rate),
        np.zeros(q),
    )


def whole(problem: Logistic, prior: Penalty, theta) -> float:
    return problem(theta, False).value + prior.smooth(theta).value + prior.sharp(theta)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_value_gradient_and_hessian_belong_together(n_classes, weighted):
    f = problem(n_classes, weight=WEIGHT if weighted else None)
    p = f.n_parts * (D + 1)
    theta = RNG.normal(size=p) / 3
    here = f(theta, True)
    z = np.column_stack([np.ones(N), (ROWS - CENTRE) / SCALE])
    scores = z @ theta.reshape(f.n_parts, -1).T
    scores = np.column_stack([np.zeros(N), scores]) if n_classes == 2 else scores
    logs = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
    weight = WEIGHT if weighted else np.ones(N)
    assert here.value == pytest.approx(-(weight * logs[np.arange(N), CODES % n_classes]).sum(), rel=1e-12)
    for j, step in enumerate(1e-5 * np.eye(p)):
        up, down = f(theta + step, True), f(theta - step, True)
        assert here.gradient[j] == pytest.approx((up.value - down.value) / 2e-5, abs=1e-5)
        assert_allclose(here.hessian[j], (up.gradient - down.gradient) / 2e-5, atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_rows_columns_in_memory_and_threads_do_not_matter(n_classes):
    from scipy.sparse import csr_array

    p = (1 if n_classes == 2 else 3) * (D + 1)
    theta = RNG.normal(size=p) / 3
    here = problem(n_classes)(theta, True)
    for other in (
        problem(n_classes, csr_array(ROWS)),
        problem(n_classes, np.asfortranarray(ROWS)),
        problem(n_classes, n_jobs=2),
    ):
        there = other(theta, True)
        assert there.value == pytest.approx(here.value, rel=1e-12)
        assert_allclose(there.gradient, here.gradient, atol=1e-9)
        assert_allclose(there.hessian, here.hessian, atol=1e-9)


@pytest.mark.parametrize("rate", [0.0, 8.0], ids=["smooth", "l1"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_gradient_is_zero_and_nothing_is_better(n_classes, rate):
    f, prior = problem(n_classes), penalty(1 if n_classes == 2 else 3, rate)
    start = np.zeros(len(prior.mean))
    run = newton(f, start, prior, tol=1e-9)
    assert run.converged
    assert np.abs(run.gradient).max() <= 1e-9
    assert (rate > 0) == (run.at == 0).any()
    best = whole(f, prior, run.at)
    assert run.value == pytest.approx(best, rel=1e-13)
    for step in RNG.normal(size=(50, len(start))) * 1e-3:
        assert whole(f, prior, run.at + step) > best
    assert_allclose(lbfgs(f, start, prior, tol=1e-6, max_iter=5000).at, run.at, atol=1e-6)


def test_a_curvature_of_other_rows_leads_to_the_same_end():
    f, prior = problem(2), penalty(1, 0.0)
    run = newton(f, np.zeros(D + 1), prior, tol=1e-9)
    rough = 3 * np.diag(np.diagonal(run.hessian))
    again = newton(f, np.full(D + 1, 0.5), prior, tol=1e-9, hessian=rough)
    assert_allclose(again.at, run.at, atol=1e-10)
    assert_allclose(again.hessian, run.hessian, rtol=1e-9)


def test_steps_that_are_too_long_are_halved():
    def steep(x, hessian):  # Newton's whole step from 2 overshoots, and goes ever farther
        return Local(float(np.log(np.cosh(x)).sum()), np.tanh(x), np.diag(1 / np.cosh(x) ** 2))

    assert_allclose(newton(steep, np.array([2.0]), Penalty.none(1), tol=1e-12).at, [0.0], atol=1e-12)


def test_a_run_that_is_cut_short_says_so():
    run = newton(problem(2), np.zeros(D + 1), Penalty.none(D + 1), tol=1e-12, max_iter=1)
    assert not run.converged
    assert run.n_iter == 1


@pytest.mark.parametrize("seed", range(20))
def test_lasso_meets_its_conditions(seed):
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 30))
    half = rng.normal(size=(p + 2, p))
    matrix, linear = half.T @ half, rng.normal(size=p) * 5
    rate = rng.gamma(1, 3, p) * rng.integers(0, 2, p)
    x = lasso(matrix, linear, rate, rng.normal(size=p))
    slope = matrix @ x - linear
    size = 1e-9 * (1 + np.abs(linear).max())
    assert (np.abs(slope[x == 0]) <= rate[x == 0] + size).all()
    assert_allclose(slope[x != 0], -(rate * np.sign(x))[x != 0], atol=size)


def test_the_centre_may_lie_far_away():
    far = ROWS + 1e9
    z = standard(far, far.mean(axis=0), far.std(axis=0))
    assert z.scale.shifted
    theta = RNG.normal(size=(1, D + 1))
    near = standard(ROWS, CENTRE, SCALE).predict(theta)
    assert_allclose(z.predict(theta), near, atol=1e-5)  # the shift itself cost the columns eight digits


def test_dependent_columns_are_found():
    a = RNG.normal(size=(50, 3))
    gram = np.column_stack([np.ones(50), a, a[:, 0] - 2 * a[:, 2] + 1, a[:, 1] + 1e-4 * RNG.normal(size=50)])
    assert dependent(gram.T @ gram).tolist() == [False, False, False, False, True, False]
    assert dependent(np.zeros((2, 2))).all()


def test_solve_does_not_depend_on_units():
    half = RNG.normal(size=(9, 5))
    matrix, right = half.T @ half, RNG.normal(size=5)
    units = 10.0 ** np.array([-150, -10, 0, 20, 100])
    scaled = solve(matrix * units * units[:, None], right * units)
    assert_allclose(scaled * units, np.linalg.solve(matrix, right), rtol=1e-10)


def test_log_loss_of_extremes():
    value, p = log_loss_two(np.array([-800.0, 800.0, 0.0]), np.array([False, True, True]))
    assert value.tolist() == [0.0, 0.0, pytest.approx(np.log(2))]
    assert p.tolist() == [0.0, 1.0, 0.5]


def test_squares_of_one_row():
    assert_allclose(squares(np.array([[2.0, 3.0]]), np.array([[4.0]]))[0], 4 * np.outer([1, 2, 3], [1, 2, 3]))


@pytest.mark.parametrize("g", [2, 3, 5])
@pytest.mark.parametrize("sd", [0.3, 1.0, 2.5, 10.0, 100.0])
def test_no_search_gives_up(g, sd):
    """Few rows, many classes, wild columns: what is convex has one minimum, and every search ends there."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, p = int(rng.integers(g + 2, 60)), int(rng.integers(1, 8))
        rows = rng.standard_t(1.5, (n, p)) * (rng.random((n, p)) < 0.7)
        codes = np.concatenate([np.arange(g), (rows[g:] @ rng.normal(size=(p, g))).argmax(axis=1)])
        spread = rows.std(axis=0) + 1e-3
        z = standard(rows, rows.mean(axis=0), spread, None)
        f = Logistic(z, codes, g, None)
        q = f.n_parts * (p + 1)
        weak = np.where(np.arange(q) % (p + 1) == 0, 1e-2, sd**-2)
        found = newton(f, np.zeros(q), Penalty(np.zeros(q), weak, np.zeros(q), np.zeros(q)), tol=1e-8 * n)
        assert found.converged, (seed, found.n_iter)
        assert np.abs(f(found.at, False).gradient + weak * found.at).max() <= 1e-8 * n
