"""Odd tables: each has a defined answer."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import likely
from likely import LikelyError, LikelyWarning, NaiveBayes

RNG = np.random.default_rng(20)
N = 200
Y = RNG.integers(0, 3, N)
X = RNG.normal(size=(N, 4)) + Y[:, None]


def mixed(n: int = N) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, n)
    return pd.DataFrame(
        {
            "flag": rng.random(n) < 0.2 + 0.2 * y,
            "word": np.array(["a", "b", "c", "d"])[(rng.integers(0, 3, n) + y) % 4],
            "visits": rng.poisson(1 + y),
            "size": rng.normal(size=n) + y,
            "y": np.array(["low", "mid", "top"])[y],
        }
    )


KINDS = {"visits": "count"}


class TestDegenerate:
    def test_constant_columns_add_nothing(self):
        wide = np.column_stack([X, np.full(N, 0.1), np.zeros(N), np.full(N, 1e12)])
        plain, padded = (
            NaiveBayes(families="classical", evidence_weights=None).fit(X, Y),
            NaiveBayes(families="classical", evidence_weights=None).fit(wide, Y),
        )
        assert padded.predict_proba(wide) == pytest.approx(plain.predict_proba(X), abs=1e-12)
        assert (padded.explain(wide).terms[:, 4:] == 0).all()

    @pytest.mark.parametrize("prior", ["default", None, 0.5])
    def test_constant_column_other_value_at_prediction(self, prior):
        table, y = np.column_stack([X, np.full(N, 7.0)]), Y
        model = NaiveBayes(prior=prior, families="classical", evidence_weights=None).fit(table, y)
        moved = table.copy()
        moved[:, 4] = 9.0
        assert model.predict_proba(moved) == pytest.approx(model.predict_proba(table), abs=1e-12)

    def test_one_class(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(X, np.zeros(N, int))
        assert (model.predict_proba(X) == 1).all()
        assert model.predict(X[:2]).tolist() == [0, 0]
        with pytest.raises(LikelyError, match="only the class 0"):
            model.explain(X)

    @pytest.mark.parametrize("estimate", ["ml", "map", "mean", "predictive"])
    def test_one_row(self, estimate):
        row = {"a": [1.5], "b": ["x"], "c": [True], "d": [2]}
        model = NaiveBayes(
            estimate=estimate, kinds={"d": "count"}, families="classical", evidence_weights=None
        ).fit(row, ["yes"])
        assert model.predict_proba(row).tolist() == [[1.0]]
        assert np.isfinite(model.log_prob(row)).all()

    @pytest.mark.parametrize("estimate", ["ml", "map", "mean", "predictive"])
    def test_one_row_a_class(self, estimate):
        table = {"a": [1.0, 2.0], "b": ["x", "y"], "c": [True, False], "d": [0, 3]}
        model = NaiveBayes(
            estimate=estimate, kinds={"d": "count"}, families="classical", evidence_weights=None
        ).fit(table, ["p", "q"])
        found = model.predict_proba(table)
        assert np.isfinite(found).all()
        assert model.predict(table).tolist() == ["p", "q"]

    def test_empty_frame(self):
        with pytest.raises(LikelyError, match="0 sample"):
            NaiveBayes(families="classical", evidence_weights=None).fit(X[:0], Y[:0])
        with pytest.raises(LikelyError, match="0 feature"):
            NaiveBayes(families="classical", evidence_weights=None).fit(X[:, :0], Y)
        with pytest.raises(LikelyError, match="0 sample"):
            NaiveBayes(families="classical", evidence_weights=None).fit(X, Y).predict(X[:0])

    @pytest.mark.parametrize("value", [np.inf, -np.inf, 1e151, -1e200])
    def test_extreme_values_are_refused_by_name(self, value):
        table = pd.DataFrame(X, columns=list("abcd"))
        bad = table.copy()
        bad.loc[17, "c"] = value
        with pytest.raises(LikelyError, match=r"column 'c', row 17"):
            NaiveBayes(families="classical", evidence_weights=None).fit(bad, Y)
        with pytest.raises(LikelyError, match=r"column 'c', row 17"):
            NaiveBayes(families="classical", evidence_weights=None).fit(table, Y).predict(bad)

    def test_largest_values_allowed(self):
        big = X * 1e149
        assert NaiveBayes(families="classical", evidence_weights=None).fit(big, Y).predict_proba(
            big
        ) == pytest.approx(
            NaiveBayes(families="classical", evidence_weights=None).fit(X, Y).predict_proba(X), abs=1e-9
        )

    def test_all_missing_columns(self):
        table = pd.DataFrame(X, columns=list("abcd"))
        gaps = table.assign(e=np.nan, f=pd.Series([None] * N, dtype=object))
        model, plain = (
            NaiveBayes(families="classical", evidence_weights=None).fit(gaps, Y),
            NaiveBayes(families="classical", evidence_weights=None).fit(table, Y),
        )
        assert model.predict_proba(gaps) == pytest.approx(plain.predict_proba(table), abs=1e-14)
        filled = gaps.assign(e=1.0, f="surprise")
        assert model.predict_proba(filled) == pytest.approx(plain.predict_proba(table), abs=1e-12)
        assert (model.explain(filled).terms[:, 4:] == 0).all()
        assert model.sample(5, random_state=0)["f"].isna().all()
        assert len(model.nomogram(0, 1).axes) == 6

    def test_all_cells_missing_gives_the_base_rate(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit(X, Y)
        expected = (np.bincount(Y) + 1) / (N + 3)
        assert model.predict_proba(np.full((1, 4), np.nan))[0] == pytest.approx(expected, abs=1e-14)

    def test_many_levels(self):
        n = 120_000
        names = np.array([f"level {i}" for i in range(100_000)])
        codes = np.concatenate([np.arange(100_000), RNG.integers(0, 100_000, n - 100_000)])
        table = pl.DataFrame({"id": names[codes]})
        y = codes % 2
        model = NaiveBayes(families="classical", evidence_weights=None).fit(table, y)
        assert (model.predict(table) == y).mean() == 1.0
        assert model.predict_proba(pl.DataFrame({"id": ["never"]}))[0] == pytest.approx([0.5, 0.5], abs=0.01)

    def test_many_classes(self):
        y = np.repeat(np.arange(1000), 3)
        x = np.column_stack([y + RNG.normal(scale=0.01, size=3000), y % 7])
        model = NaiveBayes(families="classical", evidence_weights=None).fit(x, y)
        found = model.predict_proba(x)
        assert found.shape == (3000, 1000)
        assert (model.predict(x) == y).all()
        assert found.sum(axis=1) == pytest.approx(1, abs=1e-12)

    def test_duplicate_names(self):
        table = pd.DataFrame(X[:, :2], columns=["a", "a"])
        with pytest.raises(LikelyError, match="'a' occurs 2 times"):
            NaiveBayes(families="classical", evidence_weights=None).fit(table, Y)

    def test_duplicated_and_collinear_columns(self):
        table = np.column_stack([X, X, X[:, :1] * 2])
        found = NaiveBayes(families="classical", evidence_weights=None).fit(table, Y).predict_proba(table)
        assert np.isfinite(found).all()

    def test_perfectly_separated_constant_within_classes(self):
        x = np.repeat([[1.0], [2.0]], 10, axis=0)
        y = np.repeat([0, 1], 10)
        for prior in ("default", None):
            found = (
                NaiveBayes(prior=prior, families="classical", evidence_weights=None)
                .fit(x, y)
                .predict_proba(x)
            )
            assert found[np.arange(20), y] == pytest.approx(1, abs=1e-9)

    @pytest.mark.parametrize(
        ("prior", "estimate", "remedy"),
        [
            (None, "mean", "give a prior (prior='default')"),
            (None, "map", "give a prior (prior='default') and take estimate='mean'"),
            (None, "ml", "give a prior (prior='default') and take estimate='mean'"),
            ("default", "map", "take estimate='mean'"),
            ("default", "ml", "take estimate='mean'"),
            (
                {"a": likely.MEstimate(1, [0, 1, 0]), "b": likely.MEstimate(1, [1, 0])},
                "mean",
                "give a prior that leaves no level out",
            ),
        ],
    )
    def test_zeros_of_levels_and_their_remedy(self, prior, estimate, remedy):
        """Zeros come of no prior, and of the default one's mode; what the notice advises takes them away."""
        table = {"a": ["x", "x", "z", "y", "y"], "b": ["u", "u", "u", "v", "v"]}
        y = ["p", "p", "p", "q", "q"]
        rows = {"a": ["x", "z", "x"], "b": ["v", "u", "u"]}
        model = NaiveBayes(prior=prior, estimate=estimate, families="classical", evidence_weights=None).fit(
            table, y
        )
        assert np.isneginf(model.log_prob(rows)).tolist() == [True, False, False]
        with pytest.warns(LikelyWarning, match="1 row has probability 0 in every class") as said:
            p = model.predict_proba(rows)
        assert len(said) == 1
        assert f": {remedy} to smooth" in str(said[0].message)
        rates = model.predict_proba({"a": [None], "b": [None]})[0]  # 3/5 and 2/5, or smoothed
        assert rates == pytest.approx([3 / 5, 2 / 5], abs=0.03)
        assert p == pytest.approx(np.array([rates, [1, 0], [1, 0]]))
        change = dict(re.findall(r"(\w+)='(\w+)'", remedy))
        change = change or {"prior": "default"}
        mended = NaiveBayes(
            **(
                {
                    "families": "classical",
                    "evidence_weights": None,
                    **{"prior": prior, "estimate": estimate} | change,
                }
            )
        ).fit(table, y)
        assert np.isfinite(mended.log_prob(rows)).all()

    @pytest.mark.parametrize("estimate", ["mean", "predictive"])
    def test_the_default_has_no_zeros_of_levels(self, estimate):
        rng = np.random.default_rng(0)
        table = {name: rng.choice(list("abcdef"), 30) for name in "uvw"}
        new = {name: rng.choice(list("abcdef"), 200) for name in "uvw"}
        model = NaiveBayes(estimate=estimate, families="classical", evidence_weights=None).fit(
            table, rng.choice(["p", "q", "r"], 30)
        )
        assert np.isfinite(model.log_prob(new)).all()

    @pytest.mark.parametrize(
        ("families", "prior", "outside"),
        [
            ("uniform", "default", 99.0),
            ("geometric", "default", 0.0),
            ("binomial", {"x": likely.BinomialBeta(1, 1, trials=10)}, 11.0),
        ],
    )
    def test_values_that_a_family_rules_out_under_any_prior(self, families, prior, outside):
        model = NaiveBayes(families={"x": families}, prior=prior, evidence_weights=None)
        model.fit({"x": [1.0, 2.0, 3.0, 5.0, 4.0], "b": [True, True, False, False, False]}, list("ppqqq"))
        row = {"x": [outside], "b": [True]}
        assert np.isneginf(model.log_prob(row)).all()
        with pytest.warns(LikelyWarning, match=rf"column 'x' \({families}\) .* name another family"):
            p = model.predict_proba(row)
        rates = model.predict_proba({"x": [None], "b": [None]})
        assert p == pytest.approx(rates)  # whatever b says
        assert not np.allclose(model.predict_proba({"x": [None], "b": [True]}), rates)

    def test_impossible_in_every_class(self):
        table = {"a": ["x", "y", "x", "y"], "b": ["p", "p", "q", "q"]}
        y = ["u", "u", "v", "v"]
        model = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
            {"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"], "c": [1.0, 2.0, 3.0, 4.0]},
            ["u", "u", "u", "v"],
        )
        del table, y
        row = {"a": ["x"], "b": ["q"], "c": [np.nan]}
        assert model.predict_proba(row).tolist() == [[1.0, 0.0]]
        both = NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(
            {"a": ["x", "y"], "b": ["p", "q"]}, ["u", "v"]
        )
        with pytest.warns(LikelyWarning, match="1 row has probability 0 in every class") as said:
            found = both.with_base_rate({"u": 0.25, "v": 0.75}).predict_proba({"a": ["x"], "b": ["q"]})
        assert found == pytest.approx(np.array([[0.25, 0.75]]), rel=1e-14)
        assert len(said) == 1


class TestMovedAndScaled:
    @pytest.mark.parametrize("shift", [2.0**20, -(2.0**26), 2.0**30])
    @pytest.mark.parametrize("families", [None, "multivariate_normal"])
    @pytest.mark.parametrize("estimate", ["mean", "ml", "map", "predictive"])
    def test_exact_shift(self, shift, families, estimate):
        x = np.round(X * 2**12) / 2**12  # so that the shifted numbers are represented exactly
        assert ((x + shift) - shift == x).all()
        make = {"families": families, "estimate": estimate}
        moved = (
            NaiveBayes(**{"families": "classical", "evidence_weights": None, **make})
            .fit(x + shift, Y)
            .predict_proba(x + shift)
        )
        assert moved == pytest.approx(
            NaiveBayes(**{"families": "classical", "evidence_weights": None, **make})
            .fit(x, Y)
            .predict_proba(x),
            abs=1e-9,
        )

    @pytest.mark.parametrize("shift", [1e3, 1e6, 1e9])
    def test_inexact_shift(self, shift):
        eps, sd = (
            np.finfo(float).eps,
            np.sqrt(
                NaiveBayes(families="classical", evidence_weights=None)
                .fit(X, Y)
                .record_.core.parts[0]
                .distribution.variance.min()
            ),
        )
        moved = (
            NaiveBayes(families="classical", evidence_weights=None).fit(X + shift, Y).predict_proba(X + shift)
        )
        assert moved == pytest.approx(
            NaiveBayes(families="classical", evidence_weights=None).fit(X, Y).predict_proba(X),
            abs=10 * eps * shift / sd,
        )

    @pytest.mark.parametrize("power", [-40, -3, 1, 10, 60])
    @pytest.mark.parametrize("estimate", ["mean", "ml", "map", "predictive"])
    def test_scaling_by_powers_of_two_changes_nothing(self, power, estimate):
        scaled = X * 2.0**power
        found = (
            NaiveBayes(estimate=estimate, families="classical", evidence_weights=None)
            .fit(scaled, Y)
            .predict_proba(scaled)
        )
        expected = (
            NaiveBayes(estimate=estimate, families="classical", evidence_weights=None)
            .fit(X, Y)
            .predict_proba(X)
        )
        if estimate != "predictive":
            assert (found == expected).all()
        # Of Student's t the logarithms of the scales, larger or smaller by the power, lose their last bits.
        assert found == pytest.approx(expected, abs=1e-13)


class TestPieces:
    @pytest.mark.parametrize("estimate", ["mean", "ml", "map", "predictive"])
    def test_pieces_equal_the_whole(self, estimate):
        table = mixed()
        make = NaiveBayes(kinds=KINDS, estimate=estimate, families="classical", evidence_weights=None)
        whole = make.fit(table, "y").predict_proba(table.drop(columns="y"))
        parts = NaiveBayes(kinds=KINDS, estimate=estimate, families="classical", evidence_weights=None)
        for start in range(0, N, 37):
            parts.partial_fit(table[start : start + 37], "y")
        assert parts.predict_proba(table.drop(columns="y")) == pytest.approx(whole, abs=1e-10)
        a = NaiveBayes(kinds=KINDS, estimate=estimate, families="classical", evidence_weights=None).fit(
            table[:80], "y"
        )
        b = NaiveBayes(kinds=KINDS, estimate=estimate, families="classical", evidence_weights=None).fit(
            table[80:], "y"
        )
        assert (a + b).predict_proba(table.drop(columns="y")) == pytest.approx(whole, abs=1e-10)

    def test_taking_out_what_was_added(self):
        table = mixed()
        a, b = (
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(part, "y")
            for part in (table[:120], table[120:])
        )
        back = (a + b) - b
        assert (back.record_.tally.groups == a.record_.tally.groups).all()
        for mine, theirs in back.record_.tally.beside(a.record_.tally):
            for name in ("table", "total", "n"):
                if hasattr(mine.statistic, name):
                    assert (getattr(mine.statistic, name) == getattr(theirs.statistic, name)).all()
        x = table.drop(columns="y")
        assert back.predict_proba(x) == pytest.approx(a.predict_proba(x), abs=1e-10)
        with pytest.raises(LikelyError, match="only rows that a model was fitted on"):
            b - (a + b)

    def test_levels_and_classes_go_with_their_rows(self):
        a = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"c": ["x", "y"] * 5, "t": [1.0, 2.0] * 5}, [0, 1] * 5
        )
        b = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"c": ["x", "new"], "t": [0.0, 5.0]}, [2, 2]
        )
        back = (a + b) - b
        assert back.classes_.tolist() == [0, 1]
        assert back.record_.schema.columns[0].levels == ("x", "y")
        rows = {"c": ["x", "y", "new"], "t": [1.0, np.nan, 2.0]}
        assert back.predict_proba(rows) == pytest.approx(a.predict_proba(rows), abs=1e-12)

    def test_only_what_was_fitted_can_be_taken_out(self):
        a = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"n": [1.0, 2, 3, 4, 5, 6], "c": list("xyxyxz")}, ["n", "p"] * 3
        )
        with pytest.raises(LikelyError, match="column 'c' would be left with less than nothing"):
            a - NaiveBayes(families="classical", evidence_weights=None).fit(
                {"n": [1.0, 2.0], "c": ["q", "y"]}, ["n", "p"]
            )
        with pytest.raises(LikelyError, match="class 'p' would be left with less than nothing"):
            a - NaiveBayes(families="classical", evidence_weights=None).fit(
                {"n": [1.0] * 5, "c": ["y"] * 5}, ["n"] + ["p"] * 4
            )
        gaps = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"n": [1.0, None, 3, None], "c": list("xyxy")}, ["n", "p"] * 2
        )
        with pytest.raises(LikelyError, match="column 'n' would be left"):
            gaps - NaiveBayes(families="classical", evidence_weights=None).fit(
                {"n": [1.0, 2.0], "c": ["x", "y"]}, ["n", "p"]
            )

    @pytest.mark.parametrize("prior", ["default", None])
    def test_weighted_rows_leave_no_dust(self, prior):
        rng = np.random.default_rng(6)
        for _ in range(20):
            w = rng.random(30) / 3
            table = {"c": rng.choice(list("xyz"), 30), "f": rng.random(30) < 0.5, "n": rng.normal(size=30)}
            y = np.repeat([0, 1, 2], 10)
            cut = {name: cells[:20] for name, cells in table.items()}
            rest = {name: cells[20:] for name, cells in table.items()}
            whole = NaiveBayes(prior=prior, families="classical", evidence_weights=None).fit(
                table, y, sample_weight=w
            )
            left = whole - NaiveBayes(prior=prior, families="classical", evidence_weights=None).fit(
                rest, y[20:], sample_weight=w[20:]
            )
            alone = NaiveBayes(prior=prior, families="classical", evidence_weights=None).fit(
                cut, y[:20], sample_weight=w[:20]
            )
            assert left.classes_.tolist() == [0, 1]
            assert left.predict_proba(cut) == pytest.approx(alone.predict_proba(cut), abs=1e-9)

    def test_faded_models_still_subtract(self):
        table = mixed()
        x = table.drop(columns="y")
        model = (
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(table, "y").decay(1e-12)
        )
        assert ((model + model) - model).predict_proba(x) == pytest.approx(model.predict_proba(x), abs=1e-9)
        with pytest.raises(LikelyError, match="nothing would be left"):
            model - model

    def test_a_true_that_was_never_there(self):
        a = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"f": [False, False, True]}, [0, 0, 1]
        )
        with pytest.raises(LikelyError, match="column 'f' would be left"):
            a - NaiveBayes(families="classical", evidence_weights=None).fit({"f": [True]}, [0])

    def test_listed_classes_stay(self):
        model = NaiveBayes(families="classical", evidence_weights=None).partial_fit(
            {"a": [1.0, 2.0]}, ["x", "y"], classes=["x", "y", "z"]
        )
        more = NaiveBayes(families="classical", evidence_weights=None).fit({"a": [3.0]}, ["y"])
        assert ((model + more) - more).classes_.tolist() == ["x", "y", "z"]

    def test_an_extra_column_in_a_later_piece(self):
        model = NaiveBayes(families="classical", evidence_weights=None).fit({"a": [1.0, 2.0]}, [0, 1])
        with pytest.warns(LikelyWarning, match="'extra' not seen"):
            model.partial_fit({"a": [3.0], "extra": [1]}, [0])
        assert model.record_.tally.groups.tolist() == [2.0, 1.0]

    def test_unlike_models_do_not_add(self):
        a = NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(
            {"a": [1.0, 2.0]}, [0, 1]
        )
        with pytest.raises(LikelyError, match="in different ways"):
            a + NaiveBayes(families="classical", evidence_weights=None).fit({"a": [1.0, 2.0]}, [0, 1])

    def test_models_can_be_summed(self):
        table = mixed()
        parts = [
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(table[i : i + 50], "y")
            for i in range(0, N, 50)
        ]
        x = table.drop(columns="y")
        whole = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(table, "y")
        assert sum(parts).predict_proba(x) == pytest.approx(whole.predict_proba(x), abs=1e-12)

    def test_listed_levels_stay_listed(self):
        model = NaiveBayes(kinds={"s": ["low", "high"]}, families="classical", evidence_weights=None)
        model.partial_fit({"s": ["low", "high"]}, [0, 1])
        with pytest.raises(LikelyError, match="'odd', which is not among the levels"):
            model.partial_fit({"s": ["odd"]}, [0])

    def test_new_levels_and_classes_are_taken_in(self):
        a = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"w": ["x", "y"], "v": [1.0, 2.0]}, ["p", "q"]
        )
        b = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"w": ["z", "x"], "v": [5.0, 1.5]}, ["r", "p"]
        )
        whole = NaiveBayes(families="classical", evidence_weights=None).fit(
            {"w": ["x", "y", "z", "x"], "v": [1.0, 2.0, 5.0, 1.5]}, ["p", "q", "r", "p"]
        )
        rows = {"w": ["x", "y", "z", None], "v": [1.0, 2.0, 4.0, 3.0]}
        assert (a + b).classes_.tolist() == ["p", "q", "r"]
        assert (a + b).predict_proba(rows) == pytest.approx(whole.predict_proba(rows), abs=1e-12)

    def test_decay(self):
        table = mixed()
        model = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(table, "y")
        weighted = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(
            table, "y", sample_weight=np.full(N, 0.25)
        )
        x = table.drop(columns="y")
        assert model.decay(0.25).predict_proba(x) == pytest.approx(weighted.predict_proba(x), abs=1e-12)
        for keep in (0, 1.5, -1):
            with pytest.raises(LikelyError, match="keep="):
                model.decay(keep)

    def test_rows_without_weight_are_absent(self):
        table = {"c": ["x", "y", "x", "odd"], "t": ["a b", "c", "a", "strange"]}
        kinds = {"t": "text"}
        a = NaiveBayes(kinds=kinds, families="classical", evidence_weights=None).fit(
            table, ["p", "q", "p", "r"], sample_weight=[1, 1, 1, 0]
        )
        b = NaiveBayes(kinds=kinds, families="classical", evidence_weights=None).fit(
            {name: cells[:3] for name, cells in table.items()}, ["p", "q", "p"]
        )
        assert a.classes_.tolist() == ["p", "q"]
        assert (a.predict_proba(table) == b.predict_proba(table)).all()

    def test_the_originals_stay(self):
        table = mixed()
        a, b = (
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(part, "y")
            for part in (table[:120], table[120:])
        )
        x = table.drop(columns="y")
        before = a.predict_proba(x)
        a + b, a.decay(0.5), a.with_base_rate("uniform")
        assert (a.predict_proba(x) == before).all()

    def test_weights_repeat_rows(self):
        table = mixed()
        weight = np.random.default_rng(1).integers(0, 4, N)
        repeated = table.loc[table.index.repeat(weight)]
        x = table.drop(columns="y")
        a = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(
            table, "y", sample_weight=weight
        )
        b = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(repeated, "y")
        assert a.predict_proba(x) == pytest.approx(b.predict_proba(x), abs=1e-12)


class TestAnyTable:
    @pytest.mark.filterwarnings("ignore:a lazy table of")
    def test_same_answer_from_every_library(self):
        import pyarrow as pa

        table = mixed()
        y = table.pop("y").to_numpy()
        expected = (
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None)
            .fit(table, y)
            .predict_proba(table)
        )
        polars = pl.from_pandas(table)
        forms = {
            "polars": polars,
            "lazy": polars.lazy(),
            "arrow": pa.Table.from_pandas(table),
            "dict": {name: table[name].tolist() for name in table},
            "nullable": table.convert_dtypes(),
            "categories": table.assign(word=table["word"].astype("category")),
        }
        for name, form in forms.items():
            found = (
                NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None)
                .fit(form, y)
                .predict_proba(form)
            )
            assert found == pytest.approx(expected, abs=1e-12), name

    def test_sparse_equals_dense(self):
        dense = RNG.poisson(0.3, (N, 30)).astype(float)
        for form in (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix):
            for options in ({}, {"kinds": "count"}, {"families": "multinomial"}):
                a = NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(
                    form(dense), Y
                )
                b = NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(dense, Y)
                assert a.predict_proba(form(dense)) == pytest.approx(b.predict_proba(dense), abs=1e-10)

    def test_threads_do_not_change_a_bit(self):
        big = np.tile(X, (300, 1)) + np.arange(60_000)[:, None] * 1e-6
        y = np.tile(Y, 300)
        answers = [
            NaiveBayes(n_jobs=k, families="classical", evidence_weights=None).fit(big, y).predict_proba(big)
            for k in (1, 2, 5)
        ]
        assert (answers[0] == answers[1]).all()
        assert (answers[0] == answers[2]).all()

    def test_target_missing_is_refused(self):
        table = mixed()
        table.loc[11, "y"] = None
        with pytest.raises(LikelyError, match=r"target 'y' is missing in row 11\. Leave such rows out"):
            NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(table, "y")

    @pytest.mark.parametrize("gap", [np.nan, None, pd.NA])
    @pytest.mark.parametrize("form", [list, tuple, pd.Series, lambda v: np.array(v, object)])
    def test_target_missing_in_a_list(self, gap, form):
        with pytest.raises(LikelyError, match="is missing in row 1"):
            NaiveBayes(families="classical", evidence_weights=None).fit(
                {"a": [1.0, 2, 3, 4]}, form(["a", gap, "b", "a"])
            )

    def test_target_of_several_types_is_refused(self):
        with pytest.raises(LikelyError, match=r"target 'y' .* give classes of one type"):
            NaiveBayes(families="classical", evidence_weights=None).fit({"a": [1.0, 2, 3]}, ["a", 1, "a"])

    def test_columns_named_by_numbers(self):
        frame = pd.DataFrame({3: X[:, 0], 7: RNG.poisson(2, N), 9: Y})
        model = NaiveBayes(kinds={7: "count"}, families="classical", evidence_weights=None).fit(frame, 9)
        assert [str(c.kind) for c in model.record_.schema.columns] == ["quantitative", "count"]
        with pytest.raises(LikelyError, match="same order"):
            model.predict(frame[[7, 3]])

    def test_target_name_unknown(self):
        with pytest.raises(LikelyError, match="did you mean 'visits'"):
            NaiveBayes(families="classical", evidence_weights=None).fit(mixed(), "visit")

    def test_extra_column_is_ignored_with_one_notice(self):
        model = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(mixed(), "y")
        x = mixed().drop(columns="y")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = model.predict_proba(x.assign(extra=1))
        assert [str(w.message) for w in said] == [
            "column 'extra' not seen when the model was fitted: ignored."
        ]
        assert (found == model.predict_proba(x)).all()

    def test_wrong_type_at_prediction(self):
        model = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(mixed(), "y")
        x = mixed().drop(columns="y")
        with pytest.raises(LikelyError, match=r"column 'size' held numbers .* now holds text"):
            model.predict(x.assign(size="large"))
        with pytest.raises(LikelyError, match=r"column 'word' held text .* now holds"):
            model.predict(x.assign(word=1))

    def test_family_asked_for_decides_the_kind(self):
        table = mixed()
        model = NaiveBayes(families={"visits": "poisson"}, evidence_weights=None).fit(table, "y")
        assert [str(c.kind) for c in model.record_.schema.columns][2] == "count"
        with pytest.raises(LikelyError, match=r"family 'poison' for column 'visits' is unknown"):
            NaiveBayes(families={"visits": "poison"}, evidence_weights=None).fit(table, "y")
        with pytest.raises(LikelyError, match=r"column 'word' should hold"):
            NaiveBayes(families={"word": "poisson"}, evidence_weights=None).fit(table, "y")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"estimate": "best"}, "estimate='best' is unknown"),
            ({"missing": "drop"}, "missing='drop'"),
            ({"prior": "flat"}, "prior='flat'"),
            ({"prior": -1.0}, "prior=-1.0"),
            ({"kinds": {"size": "number"}}, "kind 'number' for column 'size'"),
            ({"kinds": {"sise": "count"}}, "did you mean 'size'"),
            ({"base_rate": {"low": 1.0}}, "no probability for class 'mid'"),
            ({"base_rate": {"low": 0.5, "mid": 0.5, "tip": 0.0}}, "did you mean 'top'"),
            ({"base_rate": {"low": 0.5, "mid": 0.5, "top": 0.5}}, "adds up to 1.5"),
            ({"base_rate": "even"}, "base_rate='even'"),
            ({"n_jobs": 0}, "n_jobs=0"),
        ],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(LikelyError, match=message):
            NaiveBayes(**{"families": "classical", "evidence_weights": None, **options}).fit(mixed(), "y")


class TestPriors:
    def test_missing_as_a_level_without_a_prior(self):
        model = NaiveBayes(missing="level", prior=None, families="classical", evidence_weights=None).fit(
            {"a": [1.0, 2, 3, 4, 5, None]}, [0, 1] * 3
        )
        assert model.predict_proba({"a": [None]}).tolist() == [[0.0, 1.0]]

    def test_a_prior_by_column(self):
        table = {"w": ["x", "x", "y", "y"], "v": ["p", "q", "p", "p"]}
        model = NaiveBayes(prior={"w": likely.Laplace(50)}, families="classical", evidence_weights=None).fit(
            table, [0, 0, 1, 1]
        )
        weak = NaiveBayes(prior={"w": None}, families="classical", evidence_weights=None).fit(
            table, [0, 0, 1, 1]
        )
        row = {"w": ["x"], "v": [None]}
        assert model.predict_proba(row)[0, 0] == pytest.approx(52 / (52 + 50), rel=1e-12)
        assert weak.predict_proba(row)[0, 0] == 1
        with pytest.raises(LikelyError, match=r"prior=.*Beta.* does not suit the normal family"):
            NaiveBayes(prior={"n": likely.Beta(5, 5)}, families="classical", evidence_weights=None).fit(
                {"n": [1.0, 2.0]}, [0, 1]
            )

    def test_equal_priors_are_one(self):
        x = {"x": X[:, 0], "y": X[:, 1]}
        make = {"families": "multivariate_normal", "base_rate": "uniform"}
        one = NaiveBayes(prior=0.5, **{"families": "classical", "evidence_weights": None, **make}).fit(x, Y)
        two = NaiveBayes(
            prior={"x": 0.5, "y": float("0.5")}, **{"families": "classical", "evidence_weights": None, **make}
        ).fit(x, Y)
        assert (one.predict_proba(x) == two.predict_proba(x)).all()

    def test_small_weights_do_not_widen(self):
        x = {"x": X[:, 0]}
        a = NaiveBayes(families="classical", evidence_weights=None).fit(
            x, Y, sample_weight=np.full(N, 0.0199)
        )
        b = NaiveBayes(families="classical", evidence_weights=None).fit(x, Y, sample_weight=np.full(N, 0.021))
        assert a.record_.core.parts[0].distribution.sd == pytest.approx(
            b.record_.core.parts[0].distribution.sd, rel=0.02
        )

    def test_one_row_a_class_is_not_certain(self):
        found = (
            NaiveBayes(families="classical", evidence_weights=None)
            .fit({"c": [0.5, 0.6]}, [0, 1])
            .predict_proba({"c": [0.53]})
        )
        assert 0.5 < found[0, 0] < 0.9


class TestSample:
    def test_comes_back_in_the_library_that_came_in(self):
        table = mixed()
        for form, kind in ((table, pd.DataFrame), (pl.from_pandas(table), pl.DataFrame)):
            drawn = (
                NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None)
                .fit(form, "y")
                .sample(50, random_state=0)
            )
            assert isinstance(drawn, kind)
            assert list(drawn.columns) == list(table.columns)
            assert len(drawn) == 50

    def test_learnt_again_from_its_own_sample(self):
        """Frequencies within 5 standard errors: a false alarm in about 1 of 100,000 runs of each check."""
        model = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(mixed(2000), "y")
        drawn = model.sample(40_000, random_state=1)
        again = NaiveBayes(kinds=KINDS, families="classical", evidence_weights=None).fit(drawn, "y")
        rates = np.exp(model.record_.core.log_weights)
        found = np.exp(again.record_.core.log_weights)
        assert np.abs(found - rates).max() < 5 * np.sqrt(0.25 / 40_000)
        for one, other in model.record_.tally.beside(again.record_.tally):
            mine, theirs = one.distribution, other.distribution
            assert np.allclose(mine.mean, theirs.mean, rtol=0, atol=5 * np.sqrt(mine.variance.max() / 10_000))

    def test_seed(self):
        model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(mixed(), "y")
        a, b = (model.sample(20, random_state=7) for _ in range(2))
        assert a.equals(b)
