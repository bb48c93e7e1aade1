"""Every statistic against NumPy and SciPy, and the errors for those that a kind does not have."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from scipy import sparse, stats

import likely
from likely.errors import LikelyError
from likely.report.profile.units import STATISTICS

SAMPLES = {
    "normal": lambda rng: rng.normal(3, 2, 400),
    "positive": lambda rng: rng.lognormal(1, 0.8, 401),
    "whole": lambda rng: rng.integers(-5, 6, 300).astype(float),
    "repeats above zero": lambda rng: rng.integers(1, 4, 250).astype(float),
    "far from zero": lambda rng: 1e9 + rng.normal(0, 1e-3, 200).round(4),
    "tiny": lambda rng: rng.lognormal(0, 1, 100) * 1e-200,
    "two": lambda rng: np.array([1.0, 4.0]),
}


def expected(x):
    """By NumPy and SciPy alone."""
    values, counts = np.unique(x, return_counts=True)
    centred = (x - np.median(x)) / np.ptp(x)  # SciPy squares what would be out of range
    found = {
        "mode": values[np.argmax(counts)] if counts.max() > 1 else None,
        "min": x.min(),
        "max": x.max(),
        "median": np.median(x),
        "mean": x.mean(),
        "variance": (centred.std() * np.ptp(x)) ** 2,
        "sd": centred.std() * np.ptp(x),
        "range": np.ptp(x),
        "iqr": stats.iqr(x),
        "midrange": (x.min() + x.max()) / 2,
        "skewness": stats.skew(centred),
        "excess_kurtosis": stats.kurtosis(centred),
        "share_up_to_mean": (x <= x.mean() + 1e-12 * np.ptp(x)).mean(),
    }
    if x.min() > 0:
        found["geometric_mean"] = stats.gmean(x)
        found["harmonic_mean"] = stats.hmean(x / x.max()) * x.max()
        found["geometric_midrange"] = stats.gmean([x.min(), x.max()])
        found["ratio_range"] = x.max() / x.min()
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_statistics_agree_with_numpy_and_scipy(name, kind):
    rng = np.random.default_rng(0)
    x = SAMPLES[name](rng)
    with_gaps = rng.permutation(np.concatenate([x, np.full(37, np.nan)]))
    table = with_gaps[:, None] if kind == "dense" else sparse.csr_matrix(with_gaps[:, None])
    column = likely.profile(table).columns[0]
    assert column.missing == 37
    assert column.distinct == len(np.unique(x))
    wanted = expected(x)
    assert set(column.statistics) == set(wanted)
    for statistic, value in wanted.items():
        atol = 1e-9 if statistic in ("skewness", "excess_kurtosis") else 0  # which may be 0
        np.testing.assert_allclose(getattr(column, statistic), value, rtol=1e-9, atol=atol, err_msg=statistic)
        assert column.statistic(statistic) == getattr(column, statistic)
    np.testing.assert_allclose(column.percentiles, np.percentile(x, range(101)), rtol=1e-12)
    assert column.quantile(0.07) == column.percentiles[7]


def test_sparse_columns_are_the_dense_ones():
    rng = np.random.default_rng(1)
    dense = np.where(rng.random((200, 30)) < 0.2, rng.normal(size=(200, 30)), 0.0)
    dense[3, 4], dense[5, 6] = np.nan, np.inf
    dense[:, 7] = 0.0
    y = rng.integers(0, 3, 200)
    for column, other in zip(
        likely.profile(dense, y), likely.profile(sparse.csr_matrix(dense), y), strict=True
    ):
        mine, theirs = column.to_dict(), other.to_dict()
        (
            mine.pop("warnings"),
            theirs.pop("warnings"),
        )  # mostly zeros is nothing to warn of if they are not stored
        assert mine == theirs


def test_mean_and_median_are_within_one_standard_deviation():
    # Cantelli's inequality; drawn from a family that can be as skew as one likes.
    for seed in range(50):
        rng = np.random.default_rng(seed)
        column = likely.profile({"x": rng.lognormal(0, 3, rng.integers(2, 60))})["x"]
        assert abs(column.mean - column.median) <= column.sd * (1 + 1e-12)


def test_the_midrange_of_logarithms_is_the_geometric_mean_of_the_ends():
    x = np.random.default_rng(2).lognormal(0, 2, 99)
    logs = likely.profile({"x": np.log(x)})["x"]
    np.testing.assert_allclose(
        likely.profile({"x": x})["x"].geometric_midrange, np.exp(logs.midrange), rtol=1e-12
    )
    np.testing.assert_allclose(likely.profile({"x": x})["x"].geometric_mean, np.exp(logs.mean), rtol=1e-12)


def test_histogram_counts_what_numpy_counts():
    x = np.random.default_rng(3).normal(size=500)
    column = likely.profile({"x": [*x, None]})["x"]
    edges = [bar.low for bar in column.histogram] + [column.histogram[-1].high]
    assert [bar.count for bar in column.histogram] == np.histogram(x, edges)[0].tolist()
    assert edges[0] <= x.min() <= x.max() <= edges[-1]
    np.testing.assert_allclose(np.diff(edges), edges[1] - edges[0])
    whole = likely.profile({"x": [3, 5, 5, 6]})["x"]
    assert [(bar.low, bar.count) for bar in whole.histogram] == [(2.5, 1), (3.5, 0), (4.5, 2), (5.5, 1)]


def test_levels_are_counted_most_frequent_first():
    cells = ["b"] * 5 + ["a"] * 3 + ["c"] * 3 + [None] * 4
    column = likely.profile({"x": cells})["x"]
    assert [(level.value, level.count) for level in column.levels] == [("b", 5), ("a", 3), ("c", 3)]
    assert (column.n, column.missing, column.distinct, column.mode) == (15, 4, 3, "b")
    many = likely.profile({"x": [f"{i:03}" for i in range(500) for _ in range(1 + i % 7)]})["x"]
    assert [level.value for level in many.levels] == [f"{i:03}" for i in range(6, 76, 7)]


@pytest.mark.parametrize("share", [0, 0.01, 0.29, 0.5, 0.57, 0.99, 1])
def test_quantiles_of_levels_are_levels(share):
    levels = ["low", "middle", "high", "top"]
    codes = np.random.default_rng(4).choice([0, 1, 3], 100, p=[0.4, 0.35, 0.25])
    column = likely.profile({"x": [levels[code] for code in codes]}, kinds={"x": levels})["x"]
    wanted = levels[int(np.quantile(codes, share, method="inverted_cdf"))]
    assert column.quantile(share) == wanted
    if share == 0.5:
        assert column.median == wanted
    assert [level.value for level in column.levels] == levels
    assert [level.count for level in column.levels] == np.bincount(codes, minlength=4).tolist()


ALLOWED = {
    "boolean": {"mode"},
    "categorical": {"mode"},
    "text": {"mode"},
    "ordinal": {"mode", "min", "median", "max"},
    "quantitative": set(STATISTICS),
    "count": set(STATISTICS),
}
TABLES = {
    "boolean": ([True, False, True, None], None),
    "categorical": (["b", "a", "b", None], None),
    "text": (["a long text " * 6, "another one " * 6, "a long text " * 6], None),
    "ordinal": (["s", "l", "s", "m"], ["s", "m", "l"]),
    "quantitative": ([1.5, 1.5, 4.0, None], None),
    "count": ([1, 1, 4, 2], "count"),
}


@pytest.mark.parametrize("kind", ALLOWED)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_kind_has_its_statistics_and_no_others(kind, statistic):
    cells, declared = TABLES[kind]
    column = likely.profile({"it": cells}, kinds=None if declared is None else {"it": declared})["it"]
    assert column.kind == kind
    if statistic in ALLOWED[kind]:
        assert column.statistic(statistic) is not None
        return
    with pytest.raises(LikelyError, match=f"column 'it' is {kind}: .* so it has no .*; it has a mode"):
        column.statistic(statistic)
    with pytest.raises(LikelyError):
        getattr(column, statistic)
    assert statistic not in column.statistics
    assert statistic not in dir(column)


def test_quantiles_need_an_order():
    column = likely.profile({"sex": ["m", "f", "m"]})["sex"]
    for ask in (lambda: column.quantile(0.5), lambda: column.percentiles, column.plot_percentiles):
        with pytest.raises(LikelyError, match="levels have no order and no distance"):
            ask()
    with pytest.raises(LikelyError, match=r"kinds=\{'sex': \[\.\.\.\]\}"):
        column.quantile(0.5)
    codes = likely.profile({"code": [1, 2, 2]}, kinds="categorical")["code"]
    with pytest.raises(LikelyError, match=r"declare kinds=\{'code': 'quantitative'\}"):
        codes.mean  # noqa: B018


def refused(column, name):
    with pytest.raises(LikelyError) as error:
        column.statistic(name)
    return str(error.value)


def test_statistics_that_the_values_do_not_have():
    column = likely.profile({"x": [0.0, -3.0, 2.0]})["x"]
    assert "needs values above 0, and the smallest is -3" in refused(column, "geometric_mean")
    assert "needs values above 0" in refused(column, "harmonic_mean")
    assert "each value occurs once" in refused(column, "mode")
    constant = likely.profile({"x": [2.0, 2.0]})["x"]
    assert "all values are equal" in refused(constant, "skewness")
    assert (constant.sd, constant.variance, constant.iqr, constant.mode, constant.mean) == (0, 0, 0, 2, 2)
    empty = likely.profile({"x": np.full(3, np.nan)})["x"]
    assert "no cell holds a (finite) value" in refused(empty, "mean")
    assert empty.statistics == {}
    assert empty.percentiles == ()
    with pytest.raises(LikelyError, match="no cell holds"):
        empty.quantile(0.5)
    assert "did you mean 'median'?" in refused(column, "medain")
    assert "use one of mode, min" in refused(column, "zzz")
    with pytest.raises(AttributeError):
        column.nonsense  # noqa: B018
    for share in (-0.1, 1.1, 0.123, float("nan")):
        with pytest.raises(LikelyError, match=r"a profile keeps those of 0, 0\.01"):
            column.quantile(share)


def test_one_value_is_its_own_mode():
    assert likely.profile({"x": [7.0]})["x"].mode == 7


def test_dates_have_dates_and_durations():
    days = [dt.date(2024, 1, 1), dt.date(2024, 1, 3), dt.date(2024, 1, 3), None, dt.date(2024, 1, 5)]
    column = likely.profile({"day": days})["day"]
    assert column.kind == "quantitative"
    assert "days since 1970-01-01" in column.why
    assert column.mean == column.median == column.mode == column.midrange == dt.date(2024, 1, 3)
    assert (column.min, column.max) == (dt.date(2024, 1, 1), dt.date(2024, 1, 5))
    assert column.range == dt.timedelta(4)
    assert column.sd == dt.timedelta(days=2**0.5)
    assert column.variance == pytest.approx(2)
    assert column.percentiles[0] == dt.date(2024, 1, 1)
    assert "no natural zero" in refused(column, "geometric_mean")
    assert isinstance(column.histogram[0].low, dt.date)


def test_times_keep_their_zone_and_durations_are_ratios():
    zone = dt.UTC
    noon = dt.datetime(2024, 1, 1, 12, tzinfo=zone)
    table = {
        "at": [noon, noon + dt.timedelta(hours=2)],
        "for": [dt.timedelta(minutes=1), dt.timedelta(minutes=4)],
        "clock": [dt.time(8), dt.time(10)],
    }
    found = likely.profile(table)
    assert found["at"].mean == noon + dt.timedelta(hours=1)
    assert found["for"].mean == dt.timedelta(minutes=2.5)
    assert found["for"].geometric_mean.total_seconds() == pytest.approx(120)
    assert found["clock"].midrange == dt.time(9)
    assert "no natural zero" in refused(found["clock"], "harmonic_mean")


def test_time_zones_of_frames():
    import pandas as pd

    at = pd.Series(pd.to_datetime(["2020-07-01", "2020-07-03"])).dt.tz_localize("Europe/Berlin")
    column = likely.profile(pd.DataFrame({"at": at}))["at"]
    assert column.mean == pd.Timestamp("2020-07-02", tz="Europe/Berlin")
    assert column.mean.hour == 0  # as a clock in Berlin shows it


def test_several_modes_and_both_medians():
    numbers = likely.profile({"x": [3.0, 1.0, 4.0, 1.0, 4.0, 9.0]})["x"]
    assert numbers.modes == (1.0, 4.0)
    assert numbers.mode == 1.0
    assert (numbers.lower_median, numbers.median, numbers.upper_median) == (3.0, 3.5, 4.0)
    odd = likely.profile({"x": [3.0, 1.0, 4.0]})["x"]
    assert odd.lower_median == odd.upper_median == odd.median == 3.0
    assert odd.modes == ()
    sizes = likely.profile({"s": ["S", "L", "M", "M", "S", "L"]}, kinds={"s": ["S", "M", "L"]})["s"]
    assert (sizes.lower_median, sizes.upper_median, sizes.median) == ("M", "M", "M")
    two = likely.profile({"s": ["S", "L"]}, kinds={"s": ["S", "M", "L"]})["s"]
    assert (two.lower_median, two.upper_median, two.median) == ("S", "L", "S")
    assert two.modes == ("S", "L")
    colours = likely.profile({"c": ["red", "blue", "red", "blue", "green"]})["c"]
    assert colours.modes == ("blue", "red")
    with pytest.raises(likely.LikelyError, match="no median"):
        _ = colours.upper_median
    with pytest.raises(likely.LikelyError, match="no cell"):
        _ = likely.profile({"x": [np.nan]}, kinds="quantitative")["x"].lower_median
    days = likely.profile({"d": [dt.date(2024, 1, 1), dt.date(2024, 1, 9)]})["d"]
    assert (days.lower_median, days.upper_median) == (dt.date(2024, 1, 1), dt.date(2024, 1, 9))


@pytest.mark.parametrize("shift", [0.0, 1e8])
def test_moments_of_any_order(shift):
    x = np.random.default_rng(2).gamma(2.0, size=500) + shift
    column = likely.profile({"x": x})["x"]
    for order in range(17):
        wanted = np.mean((x - shift - (x - shift).mean()) ** order)
        atol = 1e-6 if order == 1 else 0  # which is 0
        np.testing.assert_allclose(column.central_moment(order), wanted, rtol=1e-6, atol=atol)
    assert column.central_moment(2) == pytest.approx(column.variance)
    constant = likely.profile({"x": [5.0, 5.0]})["x"]
    assert [constant.central_moment(k) for k in range(4)] == [1, 0, 0, 0]
    assert likely.profile({"x": [1e300, -1e300]})["x"].central_moment(4) == np.inf
    for wrong in (-1, 17, 2.5):
        with pytest.raises(likely.LikelyError, match="orders 0 to 16"):
            column.central_moment(wrong)
    with pytest.raises(likely.LikelyError, match="no central moment"):
        likely.profile({"c": ["a", "b"]})["c"].central_moment(2)
    with pytest.raises(likely.LikelyError, match="no cell"):
        likely.profile({"x": [np.nan]}, kinds="quantitative")["x"].central_moment(2)


def test_means_by_scale():
    speeds = likely.profile({"speed": [100 / 50, 100 / 70]})["speed"]  # 100 m in 50 s, and in 70 s
    assert speeds.harmonic_mean == pytest.approx(1.666667, abs=5e-7)
    assert speeds.mean == pytest.approx(1.714286, abs=5e-7)
    pitch = likely.profile({"f": [440.0, 4 * 440.0]})["f"]
    assert pitch.geometric_mean == pytest.approx(2 * 440)
    assert pitch.ratio_range == 4
    with pytest.raises(likely.LikelyError, match="above 0"):
        _ = likely.profile({"x": [0.0, 1.0]})["x"].ratio_range
    with pytest.raises(likely.LikelyError, match="natural zero"):
        _ = likely.profile({"d": [dt.date(2024, 1, 1), dt.date(2024, 1, 9)]})["d"].ratio_range


def test_percentiles_and_bins_say_their_convention():
    hundred = likely.profile({"x": np.arange(1.0, 101)})["x"]
    assert hundred.quantile(0.8) == pytest.approx(80.2)  # others: value number floor(n p / 100) + 1 = 81
    assert hundred.share_up_to_mean == 0.5
    assert hundred.bin_width == 5
    assert likely.profile({"x": [3.0, 3.0]})["x"].share_up_to_mean == 1
    skewed = likely.profile({"income": [1.0, 1.0, 1.0, 97.0]})["income"]
    assert skewed.share_up_to_mean == 0.75
    ax = skewed.plot_percentiles()
    assert "mean 25: 75% lie up to it" in [text.get_text() for text in ax.get_legend().get_texts()]
    assert skewed.plot().get_xlabel() == f"income (bars {skewed.bin_width:g} wide)"
    with pytest.raises(likely.LikelyError, match="no histogram"):
        _ = likely.profile({"c": ["a", "b"]})["c"].bin_width
