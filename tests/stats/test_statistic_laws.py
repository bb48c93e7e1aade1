"""The law table: every statistic, hard or soft, dense or sparse, weighted or not, complete or not."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from law_cases import (
    CASES,
    CENTRED,
    EPS,
    HARD,
    MANY_GROUPS,
    Case,
    Sample,
    arrays,
    law,
    reference,
    same,
    same_bits,
)

from likely.stats import Counts, CountSums, Fourth, Groups, Moments, Scatter, Within
from likely.stats.products import CANCELLATION

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_hard = pytest.mark.parametrize("case", HARD, ids=str)
every_centred = pytest.mark.parametrize("case", CENTRED, ids=str)


def test_the_table_is_complete():
    assert len(CASES) == 8 + 8 * 16 == len(set(map(str, CASES)))


@every_case
@law(7)
def test_parts_added_are_the_whole(case, lot):
    sample, rng = Sample.draw(case, lot), lot.rng(1)
    n_pieces = int(rng.integers(1, 6))
    owner = rng.integers(0, n_pieces, lot.n)  # any split, some pieces empty
    pieces = [sample.collect(np.flatnonzero(owner == piece)) for piece in rng.permutation(n_pieces)]
    whole = sample.collect()
    same(reduce(add, pieces), whole, sample.reach)
    same(reduce(add, pieces, sample.empty()), whole, sample.reach)
    same(reduce(lambda right, left: left + right, pieces), whole, sample.reach)


@every_case
@law(6)
def test_adding_nothing_changes_no_bit(case, lot):
    sample = Sample.draw(case, lot, exact=False)
    whole = sample.collect()
    same_bits(sample.empty() + whole, whole)
    same_bits(whole + sample.empty(), whole)
    same_bits(whole - sample.empty(), whole)
    same_bits(sample.collect([]), sample.empty())


@every_case
@law(7)
def test_a_weight_is_a_number_of_copies(case, lot):
    sample = Sample.draw(case, lot)
    copies = lot.rng(1).integers(0, 4, lot.n)  # 0: the row is absent, 2: it is there twice
    repeated = np.repeat(np.arange(lot.n), copies)
    same(sample.collect(factor=copies.astype(float)), sample.collect(repeated), sample.reach)


@every_case
@law(7)
def test_the_order_of_rows_is_irrelevant(case, lot):
    sample = Sample.draw(case, lot)
    same(sample.collect(lot.rng(1).permutation(lot.n)), sample.collect(), sample.reach)


@every_case
@law(7)
def test_subtraction_gives_back_the_rest(case, lot):
    sample = Sample.draw(case, lot)
    taken = lot.rng(1).random(lot.n) < 0.5
    whole, part = sample.collect(), sample.collect(np.flatnonzero(taken))
    rest = sample.collect(np.flatnonzero(~taken))
    loss = 1.0
    if case in CENTRED:
        # A mean of the rest is whole mean + (whole mean - part mean) n_part / n_rest.
        loss = 1 + part.n / np.where(rest.n > 0, rest.n, np.inf)
        loss = loss if case.statistic is Moments else loss[:, None]
    same(whole - part, rest, sample.reach, whole=whole, loss=loss)
    same_bits(whole - whole, sample.empty() if case in CENTRED else whole * 0.0)


@pytest.mark.parametrize("statistic", [Moments, Scatter, Within, Fourth])
@pytest.mark.parametrize("ratio", [1e0, 1e2, 1e4, 1e6])
def test_subtraction_costs_eps_times_whole_scatter_over_rest(statistic, ratio):
    """The constant is that of a sum: relative error <= sqrt(n) eps x whole scatter / remaining scatter."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(3000, 2))
    rows[1000:] *= np.sqrt(ratio)
    whole = statistic.collect(rows, Groups.one(3000))
    left = whole - statistic.collect(rows[1000:], Groups.one(2000))
    rest = statistic.collect(rows[:1000], Groups.one(1000))
    assert (left.n == 1000).all()
    own, large, have = (_variances(s) for s in (rest, whole, left))
    assert (np.abs(have / own - 1) <= np.sqrt(3000) * EPS * large / own).all()
    # The mean of the rest is as good as the spread of what was taken out allows.
    assert (np.abs(left.mean - rest.mean) <= 4 * EPS * np.abs(rows).max()).all()


@every_centred
@law(7)
def test_a_shift_moves_the_mean_only(case, lot):
    """Exactly representable, so nothing may be lost but roundings of the centred data."""
    sample = Sample.draw(case, lot)
    shift = 2.0**30
    found, expected = sample.altered(rows=sample.rows + shift).collect(), sample.collect()
    np.testing.assert_array_equal(found.n, expected.n)
    n = expected.n if case.statistic is Moments else expected.n[:, None]
    moved = np.where(n > 0, expected.mean + shift, 0.0)
    assert (np.abs(found.mean - moved) <= 2 * EPS * shift).all()
    # Squares around a common centre may exceed a group's own by the factor CANCELLATION.
    own = _variances(expected)
    assert (np.abs(_variances(found) - own) <= 4 * CANCELLATION * EPS * own).all()


@pytest.mark.parametrize("statistic", [Moments, Scatter, Within, Fourth])
@pytest.mark.parametrize("n_groups", [1, 3, MANY_GROUPS])
def test_a_shift_costs_no_more_than_the_roundings_of_a_sum(statistic, n_groups):
    rng = np.random.default_rng(6)
    rows = np.round(rng.normal(size=(4000, 2)) * 2**22) / 2**22  # the finest grid that 2**30 leaves
    groups = Groups.hard(rng.integers(0, n_groups, 4000), n_groups)
    found, expected = statistic.collect(rows + 2.0**30, groups), statistic.collect(rows, groups)
    tolerance = 2 * np.sqrt(4000) * EPS
    np.testing.assert_allclose(_variances(found), _variances(expected), rtol=tolerance, atol=0)
    n = 4000 if statistic is Within else 4000 / n_groups
    np.testing.assert_allclose(found.scatter, expected.scatter, rtol=0, atol=tolerance * n)
    np.testing.assert_array_equal(found.n, expected.n)
    assert (np.abs(found.mean - (expected.mean + 2.0**30)) <= EPS * 2.0**30).all()


@every_centred
@law(6)
def test_a_billion_standard_deviations_off_zero(case, lot):
    """The data that were rounded at the shift are the data: of those no digit is lost."""
    sample = Sample.draw(case, lot, exact=False)
    sample = sample.altered(rows=sample.rows + 1e9)
    found, expected = sample.collect(), reference(sample)
    assert (np.abs(found.mean - expected["mean"]) <= 2 * EPS * 1.1e9).all()
    np.testing.assert_allclose(_variances(found), _scales(expected["scatter"]), rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("statistic", "tolerance"), [(Moments, 200 * EPS), (Scatter, 0.1 * EPS * 1e9), (Within, 0.1 * EPS * 1e9)]
)
def test_parts_a_billion_standard_deviations_off_zero(statistic, tolerance):
    """Moments keep what rounding takes from a mean; Scatter loses, per part, what its mean rounds off."""
    rows = np.random.default_rng(7).normal(size=(30_000, 1)) + 1e9
    pieces = [statistic.collect(rows[a : a + 100], Groups.one(100)) for a in range(0, 30_000, 100)]
    found, expected = reduce(add, pieces), statistic.collect(rows, Groups.one(30_000))
    np.testing.assert_allclose(found.scatter, expected.scatter, rtol=tolerance)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=4 * EPS)
    left = found - statistic.collect(rows[:29_900], Groups.one(29_900))
    np.testing.assert_allclose(
        left.scatter, pieces[-1].scatter, rtol=300 * tolerance if statistic is Moments else 1e-3
    )


@every_case
@law(6)
def test_a_power_of_two_scales_every_bit(case, lot):
    if case.statistic in (Counts, CountSums):
        return
    sample = Sample.draw(case, lot, exact=False)
    plain = sample.collect()
    for scale in (2.0**-40, 2.0, 2.0**60):
        scaled = sample.altered(rows=sample.rows * scale).collect()
        powers = {"n": 1.0, "mean": scale, "mean_rest": scale, "total": scale, "scatter": scale**2}
        powers |= {"cubes": scale**3, "fourths": scale**4}
        powers |= {"place": scale, "power": 1.0, "where": 1.0, "weight": 1.0, "beyond": scale}
        powers |= {"words": scale, "gaps": 1, "ends": 1}
        for name, array in arrays(plain).items():
            np.testing.assert_array_equal(getattr(scaled, name), array * powers[name], err_msg=name)


@every_hard
@law(7)
def test_hard_groups_are_soft_groups_of_zeros_and_ones(case, lot):
    sample = Sample.draw(case, lot)
    same(sample.collect(groups=Groups.softly(sample.matrix())), sample.collect(), sample.reach)


@pytest.mark.parametrize("case", [case for case in CASES if case.sparse], ids=str)
@law(7)
def test_sparse_is_dense(case, lot):
    sample = Sample.draw(case, lot)
    dense = sample.altered(case=Case(case.statistic, case.soft, False, case.weighted, case.missing))
    assert isinstance(dense.laid_out(dense.rows), np.ndarray)
    assert not isinstance(sample.laid_out(sample.rows), np.ndarray)
    same(sample.collect(), dense.collect(), sample.reach)


@every_hard
@law(7)
def test_few_groups_are_many_groups(case, lot):
    """The product with the membership matrix, and one bincount a column."""
    few = Sample.draw(case, lot)
    few = few.altered(n_groups=3, codes=few.codes % 3)
    found, expected = few.altered(n_groups=MANY_GROUPS).collect(), few.collect()
    same(found, expected.regroup(np.arange(3), MANY_GROUPS), few.reach)
    same(found.regroup(np.r_[0:3, [3] * (MANY_GROUPS - 3)], 4), expected.regroup(np.arange(3), 4), few.reach)


@every_case
@law(7)
def test_the_definition(case, lot):
    """Against exact fractions, one group and one column at a time, to 1e-12."""
    sample = Sample.draw(case, lot, exact=False)
    found, expected = sample.collect(), reference(sample)
    own = set(arrays(found)) - {"mean_rest"} - ({"power"} if case.statistic is Fourth else set())
    assert own == set(expected)
    assert found.n_groups == sample.n_groups
    weight = sample.matrix().sum(axis=0)[:, None]
    for name, array in expected.items():
        # Means and totals have the accuracy of the cells that enter; all else its own.
        scale = {"mean": sample.reach, "total": weight * sample.reach, "n": np.zeros(1)}.get(name)
        if name == "n" and case.sparse and case.missing:
            # weight of all less of the missing
            scale = weight[:, 0] if case.statistic in (Scatter, Within, Fourth) else weight
        if name in ("cubes", "fourths"):
            scale = weight[:, :, None] * (2 * sample.reach.max(initial=0.0)) ** (3 if name == "cubes" else 4)
        if name == "scatter" and case.statistic in (Scatter, Within, Fourth):
            root = np.sqrt(np.einsum("gii->gi", array))
            scale = root[:, :, None] * root[:, None, :]
        error = np.abs(getattr(found, name) - array)
        assert (
            error <= 1e-12 * (np.abs(array) if scale is None else np.maximum(np.abs(array), scale))
        ).all(), name


@pytest.mark.parametrize("gap", [1e2, 1e6, 1e9])
@pytest.mark.parametrize("kind", ["hard", "soft", "many"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("statistic", [Moments, Scatter, Within, Fourth])
def test_groups_far_apart_keep_their_digits(gap, kind, missing, statistic):
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 3, 300)
    rows = rng.normal(size=(300, 2)) + gap * codes[:, None]
    rows[:, 1] *= -1
    if missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    case = Case(statistic, soft=kind == "soft", missing=missing)
    sample = Sample(case, rows, MANY_GROUPS if kind == "many" else 3, codes)
    if kind == "soft":
        sample = sample.altered(codes=None, soft=np.eye(3)[codes])
    found, expected = sample.collect(), reference(sample)
    np.testing.assert_allclose(_variances(found), _scales(expected["scatter"]), rtol=1e-12, atol=0)
    np.testing.assert_allclose(found.mean, expected["mean"], rtol=4 * EPS, atol=4 * EPS)


@every_case
@law(7)
def test_scaling_is_scaling_every_weight(case, lot):
    sample = Sample.draw(case, lot)
    whole = sample.collect()
    for factor in (0.0, 0.25, 1.0, 3.0):
        same(whole * factor, sample.collect(factor=np.full(lot.n, factor)), sample.reach)
    same_bits(whole * 1.0, whole)


@every_case
@law(7)
def test_regroup_is_naming_the_groups_anew(case, lot):
    sample, rng = Sample.draw(case, lot), lot.rng(1)
    wider = sample.n_groups + 2
    index = rng.permutation(wider)[: sample.n_groups]
    if case.soft:
        soft = np.zeros((lot.n, wider))
        soft[:, index] = sample.soft
        anew = sample.altered(soft=soft, n_groups=wider)
    else:
        anew = sample.altered(codes=index[sample.codes], n_groups=wider)
    found = sample.collect().regroup(index, wider)
    assert found.n_groups == wider
    same(found, anew.collect(), sample.reach)


@every_case
@law(7)
def test_pooled_is_all_rows_in_one_group(case, lot):
    sample = Sample.draw(case, lot)
    expected = sample.collect(groups=Groups.one(lot.n, sample.matrix().sum(axis=1)))
    same(sample.collect().pooled(), expected, sample.reach)


@pytest.mark.parametrize("case", [case for case in CASES if case.statistic is Counts], ids=str)
@law(20)
def test_relevel_is_naming_the_levels_anew(case, lot):
    sample, rng = Sample.draw(case, lot), lot.rng(1)
    sizes = tuple(size + int(rng.integers(0, 3)) for size in sample.sizes)
    places = [rng.permutation(size)[:old] for size, old in zip(sizes, sample.sizes, strict=True)]
    rows = sample.rows.copy()
    for j, place in enumerate(places):
        rows[:, j] = np.where(rows[:, j] < 0, -1, place[rows[:, j]])
    same_bits(sample.collect().relevel(places, sizes), sample.altered(rows=rows, sizes=sizes).collect())


def _scales(scatter):
    """The scatter of each column, (g, d): all of it, or the diagonal of a matrix."""
    return scatter if scatter.ndim == 2 else np.einsum("gii->gi", scatter)


def _variances(statistic):
    return _scales(statistic.scatter)
