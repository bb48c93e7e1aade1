"""What a fitted model shows of its record, under the names of the field: nobody changes the model by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import likely
from likely.estimator.registry import MODELS

RNG = np.random.default_rng(7)
CODES = np.repeat([0, 1, 2], 20)
CLASSES = np.array(["a", "b", "c"])[CODES]
TWO = CLASSES == "a"
NUMBERS = {name: RNG.normal(size=60) + CODES for name in "xzw"}
LEVELS = {
    "c": np.array(["u", "v"])[(RNG.random(60) < 0.3 + 0.2 * CODES).astype(int)],
    "d": np.array(["p", "q", "r"])[RNG.integers(0, 3, 60)],
}
MIXED = NUMBERS | LEVELS
OUTCOME = 2 * NUMBERS["x"] + RNG.normal(size=60)
GAPS = {name: np.where(RNG.random(60) < 0.2, np.nan, cells) for name, cells in NUMBERS.items()}
BILLS = {"key": np.arange(120) // 2, "cost": RNG.normal(size=120)}

FITS: dict[str, Callable[[], Any]] = {
    "Classifier": lambda: likely.Classifier().fit(MIXED, CLASSES),
    "Regressor": lambda: likely.Regressor().fit(NUMBERS, OUTCOME),
    "NaiveBayes": lambda: likely.NaiveBayes(families="classical").fit(NUMBERS, CLASSES),
    "TreeAugmentedNaiveBayes": lambda: likely.TreeAugmentedNaiveBayes().fit(LEVELS, CLASSES),
    "AODE": lambda: likely.AODE().fit(LEVELS, CLASSES),
    "GaussianClassifier": lambda: likely.GaussianClassifier().fit(NUMBERS, CLASSES),
    "MixtureClassifier": lambda: likely.MixtureClassifier(2, random_state=0).fit(NUMBERS, CLASSES),
    "CompressionClassifier": lambda: likely.CompressionClassifier().fit({"t": CLASSES}, CLASSES),
    "LogisticRegression": lambda: likely.LogisticRegression().fit(MIXED, CLASSES),
    "LinearRegression": lambda: likely.LinearRegression().fit(MIXED, OUTCOME),
    "LeastSquaresClassifier": lambda: likely.LeastSquaresClassifier().fit(NUMBERS, TWO),
    "BasicLinearClassifier": lambda: likely.BasicLinearClassifier().fit(NUMBERS, TWO),
    "Mixture": lambda: likely.Mixture(2, random_state=0).fit(NUMBERS),
    "HiddenMarkov": lambda: likely.HiddenMarkov(2, random_state=0).fit(NUMBERS),
    "Network": lambda: likely.Network().fit(LEVELS),
    "Impute": lambda: likely.Impute().fit(GAPS),
    "Calibrated": lambda: likely.Calibrated(likely.NaiveBayes(), method="auto").fit(NUMBERS, TWO),
    "Decompose": lambda: likely.Decompose().fit(NUMBERS),
    "Discretize": lambda: likely.Discretize().fit(NUMBERS, CLASSES),
    "Evidence": lambda: likely.Evidence().fit(MIXED, TWO),
    "GroupLevels": lambda: likely.GroupLevels().fit(LEVELS),
    "Order": lambda: likely.Order().fit(LEVELS, TWO),
    "Binarize": lambda: likely.Binarize().fit(LEVELS),
    "MissingLevel": lambda: likely.MissingLevel().fit(LEVELS),
    "Normalize": lambda: likely.Normalize().fit(NUMBERS),
    "Select": lambda: likely.Select().fit(NUMBERS, CLASSES),
    "Search": lambda: likely.Search(likely.NaiveBayes()).fit(NUMBERS, CLASSES),
    "Subgroups": lambda: likely.Subgroups().fit(MIXED, TWO),
    "Linked": lambda: likely.Linked("key", BILLS).fit({"key": np.arange(60), **NUMBERS}),
    "Structured": lambda: likely.Structured().fit({"t": np.array(["1.2", "3.4"] * 30)}),
    "Cross": lambda: likely.Cross().fit(LEVELS, TWO),
    "Polynomial": lambda: likely.Polynomial().fit(NUMBERS),
    "Threshold": lambda: likely.Threshold().fit(NUMBERS, TWO),
    "Whiten": lambda: likely.Whiten().fit(NUMBERS),
}

# What people of the field look for on a fitted model, under the names of scikit-learn and hmmlearn.
EXPECTED = {
    "NaiveBayes": {"classes_", "base_rate_", "weights_", "means_", "theta_", "var_", "covariances_"},
    "GaussianClassifier": {"classes_", "base_rate_", "means_", "theta_", "var_", "covariances_"},
    "TreeAugmentedNaiveBayes": {"classes_", "base_rate_", "tree_"},
    "AODE": {"classes_", "base_rate_"},
    "MixtureClassifier": {"classes_", "base_rate_", "weights_", "means_", "covariances_", "n_iter_"},
    "CompressionClassifier": {"classes_", "base_rate_"},
    "Classifier": {"classes_", "base_rate_", "weights_"},
    "Calibrated": {"classes_", "base_rate_"},
    "LogisticRegression": {"classes_", "coef_", "intercept_", "covariance_", "standard_errors_", "n_iter_"},
    "LinearRegression": {"coef_", "intercept_", "noise_variance_", "standard_errors_"},
    "LeastSquaresClassifier": {"classes_", "coef_", "intercept_"},
    "BasicLinearClassifier": {"classes_", "coef_", "intercept_"},
    "Mixture": {"weights_", "means_", "covariances_", "converged_", "n_iter_"},
    "HiddenMarkov": {"startprob_", "transmat_", "means_", "covariances_", "converged_", "n_iter_"},
    "Decompose": {"components_", "mean_", "singular_values_", "noise_variance_"},
    "Whiten": {"mean_", "covariance_"},
    "Select": {"scores_", "pvalues_"},
}


@cache
def fitted(name: str) -> Any:
    return FITS[name]()


def shown(model: Any) -> Iterator[tuple[str, Any]]:
    """The fitted attributes that Tab offers, but for the record itself."""
    for name in dir(model):
        if name.endswith("_") and not name.startswith("_") and name != "record_" and hasattr(model, name):
            yield name, getattr(model, name)


def arrays(value: Any) -> list[np.ndarray]:
    """An array, or those in a dict or a list."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return [each for each in inside if isinstance(each, np.ndarray)]


def test_every_model_is_here() -> None:
    assert FITS.keys() == MODELS.keys()
    assert EXPECTED.keys() <= FITS.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_names_that_users_expect(name: str) -> None:
    assert EXPECTED[name] <= {attribute for attribute, _ in shown(fitted(name))}


@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
@pytest.mark.parametrize("name", FITS)
def test_arrays_are_read_only(name: str) -> None:
    model = fitted(name)
    for attribute, value in shown(model):
        for array in arrays(value):
            assert not array.flags.writeable, attribute
            with pytest.raises(ValueError, match="read-only"):
                array[...] = array


@pytest.mark.parametrize("name", FITS)
def test_dicts_are_copies(name: str) -> None:
    """Who empties one changes no model."""
    model = fitted(name)
    properties = {a for a in dir(type(model)) if isinstance(getattr(type(model), a), property)}
    for attribute, value in shown(model):
        if attribute in properties and isinstance(value, dict | list):
            before = len(value)
            value.clear()
            assert len(getattr(model, attribute)) == before, attribute
