"""Description lengths: worked figures, and the same bits by another route."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import likely
from likely import LikelyError, code_length

Y = [2.30, 0.25, 0.10, 0.35, -0.20, 0.35, 2.50, 3.65, 6.20, 8.15, 12.40, 15.45]
CURVE = {"x": np.arange(12.0), "y": Y}
# Of degrees 0 to 5, by the closed form from the sums of squares.
RSS = (301.5242, 83.3058, 1.7783, 1.7713, 1.7634, 1.6327)
TOTALS = (135.7834, 126.4412, 94.9348, 96.6931, 98.4465, 99.5725)


def polynomial(degree):
    line = likely.LinearRegression(prior=None)
    return line if degree == 1 else make_pipeline(likely.Polynomial(degree=degree), line)


@pytest.mark.parametrize("degree", range(1, 6))
def test_polynomials(degree):
    table = pd.DataFrame(CURVE)
    model = polynomial(degree).fit(table[["x"]], table["y"])
    length = code_length(model, table, "y", step=0.01)
    assert length.total == pytest.approx(TOTALS[degree], abs=1e-4)
    assert length.model_bits == pytest.approx((degree + 2) / 2 * np.log2(12))
    assert length.parameters == degree + 2
    data = 6 * np.log2(2 * np.pi * np.e * RSS[degree] / 12) - 12 * np.log2(0.01)
    assert length.data_bits == pytest.approx(data, abs=1e-3)


def test_a_constant_is_degree_zero():
    model = likely.Mixture(1, prior=None).fit({"y": Y})
    length = code_length(model, {"y": Y}, step=0.01)
    assert length.total == pytest.approx(TOTALS[0], abs=1e-4)


def test_rows_by_networks_are_bic_in_bits():
    days = likely.read("play_tennis", into="dict")
    for structure, log_likelihood, free in ([], -58.802503, 7), ("tree", -49.998016, 16):
        network = likely.Network(structure=structure, prior=None).fit(days)
        length = code_length(network, days)
        assert length.data_bits == pytest.approx(-log_likelihood / np.log(2), abs=1e-5)
        assert length.model_bits == pytest.approx(free / 2 * np.log2(14))


def test_classes_three_ways():
    days = likely.read("play_tennis", into="dict")
    model = likely.NaiveBayes(evidence_weights=None).fit(days, "play")
    wrong = int((model.predict(days) != np.array(days["play"], object)).sum())
    assert code_length(model, days, "play", errors="count").data_bits == wrong
    which = code_length(model, days, "play", errors="which").data_bits
    assert which == pytest.approx(likely.score.error_bits(wrong, 14))
    p = model.predict_proba(days)[np.arange(14), [model.classes_.tolist().index(v) for v in days["play"]]]
    assert code_length(model, days, "play").data_bits == pytest.approx(-np.log2(p).sum())


def test_a_mixture_has_the_bits_of_its_own_criterion():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(place, 1, 60) for place in (0, 6, 12)]).round(2)
    for by in ("mdl", "bic"):
        model = likely.Mixture("auto", criterion=by, random_state=0).fit({"x": x})
        own = min(one.bits for one in model.curve_.tried)
        length = code_length(model, {"x": x}, by=by)
        assert length.total == pytest.approx(own - 180 * np.log2(0.01), abs=1e-6)


def test_joint_rows():
    days = likely.read("play_tennis", into="dict")
    joint = likely.Joint.from_data(days, prior=None)
    length = code_length(joint, days)
    assert length.data_bits == pytest.approx(14 * np.log2(14))  # all rows are different
    assert length.parameters == joint.probs.size - 1
    with pytest.raises(LikelyError, match="column 'windy' has gaps"):
        code_length(joint, {**days, "windy": [None] * 14})


def test_the_step_adds_alike():
    rng = np.random.default_rng(1)
    table = {"a": rng.normal(0, 1, 50).round(1), "b": rng.poisson(3, 50)}
    models = [likely.Mixture(k, random_state=0).fit(table) for k in (1, 2)]
    coarse, fine = ([code_length(m, table, step=s).data_bits for m in models] for s in (0.1, 0.01))
    assert np.subtract(fine, coarse) == pytest.approx([100 * np.log2(10)] * 2)  # two columns of densities


def test_missing_cells_are_no_rows():
    table = {"a": [1.0, 2.0, np.nan, 4.0], "c": ["x", None, "y", "x"]}
    model = likely.Mixture(1).fit(table)
    expected = -model.log_prob(table).sum() / np.log(2)  # the step is 1
    assert code_length(model, table).data_bits == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"errors": "guess"}, "errors='guess'"),
        ({"by": "aic"}, "by='aic'"),
        ({"step": -1.0}, "step=-1.0 of column 'x'"),
    ],
)
def test_refused(options, said):
    model = likely.Mixture(1).fit({"x": [1.0, 2.0]})
    with pytest.raises(LikelyError, match=said):
        code_length(model, {"x": [1.0, 2.0]}, **options)


def test_others_have_no_parameters():
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]})
    peer = GaussianNB().fit(table[["x"]].to_numpy(), table["y"])
    with pytest.raises(LikelyError, match="does not say how many parameters"):
        code_length(peer, table, "y", errors="which")
    length = code_length(likely.Mixture(1).fit({"x": [1.0, 2.0]}), {"x": [1.0, 2.0]})
    assert "bits" in repr(length)
    assert "total" in length._repr_html_()
    assert float(length) == sum(length)
