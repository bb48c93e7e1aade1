"""What a column tells about the target: the formulas by brute force, and what gives a target away."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from scipy import sparse

import likely
from likely.report.profile.association import bins_for
from likely.score import entropy_of, mutual_information_of
from likely.stats.bins import bin_codes, equal_frequency_starts


def told_one_by_one(x, y):
    """Bits saved a row, and their share, each row told from all the others."""
    n, classes = len(x), sorted(set(y))
    needed = left = 0.0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        base = (sum(y[j] == y[i] for j in others) + 1) / (n - 1 + len(classes))
        same = [j for j in others if x[j] == x[i]]
        p = (sum(y[j] == y[i] for j in same) + base) / (len(same) + 1)
        needed, left = needed - log2(base) / n, left - log2(p) / n
    saved = max(needed - left, 0.0)
    return saved, saved / needed


@pytest.mark.parametrize("seed", range(6))
def test_bits_are_those_of_each_row_told_by_the_others(seed):
    rng = np.random.default_rng(seed)
    n = 80
    y = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    x = np.where(rng.random(n) < 0.2 * seed, y, rng.choice(["a", "b", "d", "e"], n))
    found = likely.profile({"x": x, "y": y}, "y")
    told = found["x"].association
    bits, share = told_one_by_one(x.tolist(), y.tolist())
    assert told.bits == pytest.approx(bits, abs=1e-12)
    assert told.share == pytest.approx(share, abs=1e-12)
    plug_in = mutual_information_of(x, y)
    assert told.mutual_information == pytest.approx(float(plug_in), abs=1e-12)
    assert (told.mutual_information.bias, told.mutual_information.n) == (
        pytest.approx(plug_in.bias),
        plug_in.n,
    )
    assert found.entropy == pytest.approx(float(entropy_of(y)))


def test_missing_cells_are_left_out_and_weighed_on_their_own():
    rng = np.random.default_rng(7)
    y = rng.choice(["a", "b"], 200)
    x = rng.choice(["u", "v", "w"], 200).astype(object)
    x[(y == "a") & (rng.random(200) < 0.5)] = None
    both = y.astype(object)
    both[:9] = None
    told = likely.profile({"x": x, "y": both}, "y")["x"].association
    kept = [(a, b) for a, b in zip(x, both, strict=True) if a is not None and b is not None]
    bits, _ = told_one_by_one(*map(list, zip(*kept, strict=True)))
    assert told.n == len(kept)
    assert told.bits == pytest.approx(bits, abs=1e-12)
    gaps = [(a is None, b) for a, b in zip(x, both, strict=True) if b is not None]
    assert told.missing_share == pytest.approx(
        told_one_by_one(*map(list, zip(*gaps, strict=True)))[1], abs=1e-12
    )


def test_numbers_are_told_by_their_bins():
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=500), rng.integers(0, 2, 500)
    x = x + y
    last = np.array([63, 125, 188, 250, 312, 375, 437])  # rows up to each edge: from both ends the same
    bins = np.searchsorted(np.sort(x)[last - 1], x, "left")
    for table in (x[:, None], sparse.csr_matrix(x[:, None])):
        told = likely.profile(table, y).columns[0].association
        assert told.bits == pytest.approx(told_one_by_one(bins.tolist(), y.tolist())[0], abs=1e-12)


def test_bins_hold_about_as_many_rows_and_equal_values_together():
    rng = np.random.default_rng(9)
    for values in (
        rng.normal(size=999),
        rng.integers(0, 40, 999),
        np.where(rng.random(999) < 0.6, 0, rng.random(999)),
    ):
        distinct, counts = np.unique(values, return_counts=True)
        codes = bin_codes(distinct[equal_frequency_starts(counts, 8)], values)
        sizes = np.bincount(codes)
        often = {v for v in set(values.tolist()) if (values == v).sum() * 8 >= 999}
        for code, size in enumerate(sizes):
            inside = set(values[codes == code].tolist())
            assert size <= 2 * 999 / 8 + 1 or inside <= often
            assert len(inside) == 1 or not inside & often
    assert [bins_for(n) for n in (1, 8, 64, 512, 4096, 10**9)] == [2, 2, 4, 8, 16, 32]


def test_an_identifier_tells_nothing_however_well_it_fits():
    rng = np.random.default_rng(10)
    y = rng.integers(0, 2, 300)
    ids = likely.profile({"id": [f"P{i}" for i in range(300)], "y": y}, "y")["id"]
    assert ids.association.mutual_information == pytest.approx(float(entropy_of(y)))
    assert (ids.association.bits, ids.association.share) == (0, 0)
    assert [c.what for c in ids.warnings] == ["identifier"]


def giveaways(table, y):
    return [c.column for c in likely.profile(table, y).warnings if c.what == "gives the target away"]


def test_what_gives_the_target_away():
    rng = np.random.default_rng(11)
    n = 400
    y = rng.choice(["no", "yes"], n, p=[0.7, 0.3])
    wrong = rng.random(n) < 0.01
    after = np.where(y == "yes", rng.choice(["a", "b", "c"], n), None)
    table = {
        "copy": np.where(wrong, "no", y),
        "half": np.where(rng.random(n) < 0.5, y, rng.choice(["no", "yes"], n)),
        "noise": rng.choice(["u", "v"], n),
        "number": np.where(y == "yes", 10, 0) + rng.normal(size=n),
        "only after": after,
        "now and then": np.where((y == "yes") & (rng.random(n) < 0.4), rng.random(n), np.nan),
        "gaps anywhere": np.where(rng.random(n) < 0.5, rng.random(n), np.nan),
        "gaps as well": np.where(rng.random(n) < 0.9, rng.random(n), np.nan),
    }
    assert giveaways(table, y) == ["copy", "number", "only after", "now and then"]
    messages = {c.column: c.message for c in likely.profile(table, y).warnings if c.what.startswith("gives")}
    assert "Learnt from the other rows" in messages["copy"]
    assert "Whether it is missing" in messages["only after"]
    assert "rows where it is known, 'y' is the same" in messages["now and then"]


@pytest.mark.parametrize("seed", range(5))
def test_noise_gives_nothing_away_in_small_tables(seed):
    # 200 columns a table. A false alarm needs a column of noise that tells 80% in 30 rows or more:
    # for two levels at most 1 of 30 rows may differ, 31 * 2 / 2^30 for each column, so 1e-5 a table.
    rng = np.random.default_rng(seed)
    n = 40
    table = {f"c{i}": rng.integers(0, 2 + i % 6, n).astype(str) for i in range(100)}
    table |= {f"n{i}": rng.normal(size=n) for i in range(100)}
    assert giveaways(table, rng.integers(0, 2, n)) == []


def test_a_few_rows_prove_nothing():
    y = ["a", "b"] * 10
    assert giveaways({"copy": y}, y) == []
    assert giveaways({"copy": y * 2}, y * 2) == ["copy"]


def test_a_target_of_numbers():
    rng = np.random.default_rng(12)
    y = rng.lognormal(0, 1, 2000)
    table = {
        "scaled": -3 * y + 2,
        "noise": rng.normal(size=2000),
        "near": y * rng.lognormal(0, 0.3, 2000),
        "y": y,
    }
    found = likely.profile(table, "y")
    assert float(found.entropy) == pytest.approx(3, abs=1e-3)  # eighths
    shares = {c.name: c.association.share for c in found if c.association}
    assert shares["scaled"] > 0.97
    assert 0.2 < shares["near"] < 0.7
    assert shares["noise"] == 0
    assert giveaways(table, "y") == ["scaled"]
    grades = likely.profile({"x": y, "grade": rng.integers(1, 6, 2000)}, "grade")
    assert float(grades.entropy) == pytest.approx(np.log2(5), abs=0.01)  # classes


def test_many_levels_beside_many_classes():
    rng = np.random.default_rng(13)
    x, y = rng.integers(0, 900, 3000).astype(str), rng.integers(0, 400, 3000).astype(str)
    told = likely.profile({"x": x, "y": y}, "y")["x"].association
    assert told.mutual_information == pytest.approx(float(mutual_information_of(x, y)), abs=1e-9)
    assert told.bits == 0


def test_text_has_no_association():
    texts = [f"a rather long text, number {i}, that says nothing much at all" for i in range(9)]
    found = likely.profile({"t": texts, "x": [1.0] * 9}, [0, 1, 0] * 3)
    assert found["t"].association is None
    assert found.target.name == "y"
    assert len(found) == 3
