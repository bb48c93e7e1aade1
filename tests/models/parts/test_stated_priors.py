"""What is stated of the parameters is used, or refused; and a shrinkage shrinks, in whatever units."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from likely import GaussianClassifier, LikelyError, Mixture, NaiveBayes
from likely.dist import (
    Bernoulli,
    Beta,
    BinomialBeta,
    Dirichlet,
    Gamma,
    GeometricBeta,
    KnownVariance,
    Laplace,
    MEstimate,
    MultivariateNormal,
    NormalInverseGamma,
    NormalInverseWishart,
    SharedCovariance,
    SharedVariance,
    Shrinkage,
    TiedNormal,
)

RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=(40, 2)) @ [[1, 0.6], [0, 1]], np.arange(40) % 2
FAR = [5.0, 5.0]
STATED: dict[str, Any] = {
    "niw": NormalInverseWishart(FAR, 50, 40, np.eye(2) * 100),
    "shared covariance": SharedCovariance(FAR, 50, 40, np.eye(2) * 100),
    "nig": NormalInverseGamma(5, 50, 20, 1000),
    "shared variance": SharedVariance(FAR, [50, 50], 20, 1000),
    "known variance": KnownVariance(7, 5, 50),
    "beta": Beta(500, 1),
    "gamma": Gamma(500, 1),
    "dirichlet": Dirichlet([500, 1]),
    "laplace": Laplace(50),
    "m-estimate": MEstimate(50, 0.9),
    "shrinkage": Shrinkage(0.9),
}
OF_SHAPE = {
    "full": {"niw", "shared covariance", "shrinkage"},
    "tied": {"niw", "shared covariance", "shrinkage"},
    "diagonal": {"nig"},
    "spherical": {"shared variance"},
    "identity": {"known variance"},
}
MAKE: list[Any] = [
    lambda shape, prior: GaussianClassifier(shape, prior=prior).fit(X, Y),
    lambda shape, prior: Mixture(2, covariance=shape, prior=prior, random_state=0).fit(X),
]


@pytest.mark.parametrize(("shape", "name"), list(product(OF_SHAPE, STATED)))
@pytest.mark.parametrize("make", MAKE, ids=["classifier", "mixture"])
def test_a_prior_for_all_columns_is_used_or_refused(make: Any, shape: str, name: str) -> None:
    if name not in OF_SHAPE[shape]:
        with pytest.raises(LikelyError, match=r"prior=.* does not suit the .* family of column 'x0': give "):
            make(shape, STATED[name])
        return
    plain, found = (
        make(shape, "default").record_.parts[0].distribution,
        make(shape, STATED[name]).record_.parts[0].distribution,
    )
    ours = getattr(found, "covariance", found.variance)
    assert np.abs(ours - getattr(plain, "covariance", plain.variance)).max() > 0.1


def test_a_tied_covariance_takes_a_normal_inverse_wishart_as_that_of_the_one() -> None:
    """The scale, what is within the classes, and what lies between their means and the location."""
    prior, d = STATED["niw"], 2
    found = GaussianClassifier("tied", prior=prior).fit(X, Y).record_.parts[0].distribution
    scale = prior.scale.copy()
    for group in range(2):
        own = X[group == Y]
        off = own.mean(axis=0) - FAR
        scale += np.cov(own.T, bias=True) * len(own) + np.outer(off, off) * 50 * len(own) / (50 + len(own))
    np.testing.assert_allclose(found.covariance[0], scale / (40 + len(X) - d - 1), rtol=1e-12)
    again = TiedNormal.fit(X, prior=STATED["shared covariance"]).covariance
    np.testing.assert_allclose(TiedNormal.fit(X, prior=prior).covariance, again, rtol=1e-15)
    full = MultivariateNormal.fit(X, prior=prior).covariance
    np.testing.assert_array_equal(
        MultivariateNormal.fit(X, prior=STATED["shared covariance"]).covariance, full
    )
    with pytest.raises(LikelyError, match="of 2 groups: tied_normal has one covariance"):
        TiedNormal.fit(X, prior=NormalInverseWishart([FAR, FAR], 50, 40, np.eye(2)))


def test_a_beta_of_others_is_a_beta_of_true_and_false() -> None:
    values = [True, False, True]
    for other in (BinomialBeta(2, 3, trials=10), GeometricBeta(2, 3)):
        found = Bernoulli.fit(values, prior=other)
        assert type(found) is Bernoulli
        assert found.p == Bernoulli.fit(values, prior=Beta(2, 3)).p


@pytest.mark.parametrize(
    ("prior", "shape"),
    [
        (NormalInverseWishart([0, 0, 0], 1, 5, np.eye(3)), "full"),
        (NormalInverseWishart([0, 0, 0], 1, 5, np.eye(3)), "tied"),
        (NormalInverseGamma([0, 1, 2], 1, 5, 1), "diagonal"),
        (SharedVariance([0, 1, 2], 1, 5, 1), "spherical"),
        (KnownVariance(1, [0, 1, 2], 1), "identity"),
    ],
)
def test_a_prior_of_other_columns_is_refused(prior: Any, shape: str) -> None:
    with pytest.raises(LikelyError, match="is of 3 columns, and the data have 2: give one of as many"):
        GaussianClassifier(shape, prior=prior).fit(X, Y)


MIXED = {"wet": X[:, 0] > 0, "height": X[:, 1]}


def test_a_conjugate_prior_of_some_columns_is_given_by_their_names() -> None:
    with pytest.raises(LikelyError, match=r"Beta.* does not suit the normal family of column 'height'"):
        NaiveBayes(prior=Beta(500, 1)).fit(MIXED, Y)
    named = NaiveBayes(prior={"wet": Beta(500, 1)}).fit(MIXED, Y)
    assert float(named.ask("P(wet=True)")) > 0.9
    with pytest.raises(LikelyError, match=r"'height': Beta.* does not suit the normal family of that column"):
        NaiveBayes(prior={"height": Beta(500, 1)}).fit(MIXED, Y)


def test_a_smoothing_is_that_of_levels_and_leaves_numbers_alone() -> None:
    found, plain = (NaiveBayes(prior=prior).fit(MIXED, Y).record_ for prior in (Laplace(50), "default"))
    levels, numbers = (part.distribution for part in found.parts)
    wet = np.array([MIXED["wet"][group == Y].sum() for group in (0, 1)])
    np.testing.assert_allclose(levels.p[:, 0], (wet + 50) / 120, rtol=1e-15)
    np.testing.assert_array_equal(numbers.sd, plain.parts[1].distribution.sd)


def test_whether_cells_are_missing_is_no_matter_of_a_conjugate_prior() -> None:
    table = {"height": np.where(np.arange(40) % 5, X[:, 0], np.nan)}
    stated = NaiveBayes(prior=NormalInverseGamma(0, 1, 3, 3), missing="level").fit(table, Y)
    plain = NaiveBayes(missing="level").fit(table, Y)
    np.testing.assert_array_equal(
        stated.record_.parts[-1].distribution.p, plain.record_.parts[-1].distribution.p
    )


# --- the base rate ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prior", "added"),
    [
        ("default", 1.0),
        (None, 0.0),
        (3.0, 3.0),
        (Laplace(10), 10.0),
        (MEstimate(30), 10.0),  # three classes share thirty rows
        (MEstimate(30, 0.5), 1.0),
        ({"wet": Laplace(10)}, 1.0),
    ],
    ids=str,
)
def test_what_says_the_same_of_any_levels_smooths_the_base_rate_too(prior: Any, added: float) -> None:
    y = np.repeat(["a", "b", "c"], [25, 10, 5])
    model = NaiveBayes(prior=prior).fit({"wet": MIXED["wet"]}, y)
    np.testing.assert_allclose(
        model.record_.rates, (np.array([25, 10, 5]) + added) / (40 + 3 * added), rtol=1e-14
    )


# --- shrinkage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["full", "tied"])
@pytest.mark.parametrize("shrinkage", [0.3, "ledoit_wolf"])
def test_a_shrinkage_takes_the_place_of_any_prior(shape: str, shrinkage: Any) -> None:
    expected = (
        GaussianClassifier(shape, shrinkage=shrinkage).fit(X, Y).record_.parts[0].distribution.covariance
    )
    plain = GaussianClassifier(shape, prior=None).fit(X, Y).record_
    assert np.abs(expected - plain.parts[0].distribution.covariance).max() > 1e-3
    for prior in (None, 5.0, "default"):
        found = GaussianClassifier(shape, shrinkage=shrinkage, prior=prior).fit(X, Y).record_
        np.testing.assert_array_equal(found.parts[0].distribution.covariance, expected)
    only = GaussianClassifier(shape, shrinkage=shrinkage, prior=None).fit(X[:39], Y[:39]).record_
    np.testing.assert_allclose(only.rates, [20 / 39, 19 / 39], rtol=1e-15)  # all else is as stated


@pytest.mark.parametrize("shrinkage", [0.3, "ledoit_wolf"])
def test_a_shrinkage_and_a_prior_of_the_same_are_refused(shrinkage: Any) -> None:
    for prior in (STATED["niw"], Shrinkage(0.5), {"x0": STATED["niw"], "x1": STATED["niw"]}):
        with pytest.raises(LikelyError, match=r"takes the place of prior=.*give one of them"):
            GaussianClassifier(shrinkage=shrinkage, prior=prior).fit(X, Y)
    with pytest.raises(LikelyError, match="estimate='ml' takes none: use estimate='mean'"):
        GaussianClassifier(shrinkage=shrinkage, estimate="ml").fit(X, Y)


@pytest.mark.parametrize("shape", ["full", "tied"])
@pytest.mark.parametrize("shrinkage", [0.3, "ledoit_wolf"])
def test_units_are_no_matter(shape: str, shrinkage: Any) -> None:
    """Powers of two up to 1e140 and down to 1e-140: the same digits, in one piece or in several."""
    one = GaussianClassifier(shape, shrinkage=shrinkage).fit(X, Y)
    expected = one.record_.parts[0].distribution.covariance
    for powers in (
        [0, 0],
        [332, 332],
        [-332, -332],
        [465, 465],
        [-465, -465],
        [332, -332],
        [465, 100],
        [0, -400],
    ):
        scale = 2.0 ** np.array(powers)
        table = X * scale
        whole = GaussianClassifier(shape, shrinkage=shrinkage).fit(table, Y)
        pieces = GaussianClassifier(shape, shrinkage=shrinkage).fit(table[:13], Y[:13])
        pieces.partial_fit(table[13:], Y[13:])
        more = GaussianClassifier(shape, shrinkage=shrinkage).fit(table[:13], Y[:13])
        for model in (whole, pieces, whole + more - more):
            found = model.record_.parts[0].distribution.covariance / scale[:, None] / scale
            np.testing.assert_allclose(found, expected, rtol=1e-9, err_msg=str(powers))
            np.testing.assert_allclose(
                model.predict_log_proba(table), one.predict_log_proba(X), rtol=1e-8, atol=1e-10
            )


def test_units_of_any_scale() -> None:
    for scale in (1e100, 1e-100, 1e120, 1e-120):
        found = (
            GaussianClassifier(shrinkage="ledoit_wolf")
            .fit(X * scale, Y)
            .record_.parts[0]
            .distribution.covariance
        )
        expected = (
            GaussianClassifier(shrinkage="ledoit_wolf").fit(X, Y).record_.parts[0].distribution.covariance
        )
        np.testing.assert_allclose(found / scale / scale, expected, rtol=1e-9)
