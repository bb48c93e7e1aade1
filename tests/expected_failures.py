"""The only place where a check of scikit-learn may be excused, each with its reason.

An excused check must fail: one that passes is an error (`xfail_strict` in pyproject.toml).
"""

from __future__ import annotations

from typing import Any

import sklearn

_DENSE = "check_sample_weight_equivalence_on_dense_data"
_SPARSE = "check_sample_weight_equivalence_on_sparse_data"

_CLASSIFIERS_ONLY = (
    "the check asks the tags of a classifier how many columns predict_proba has, and a mixture is none"
)

_IN_ORDER = "the rows of a table are one sequence: what is said of a row depends on those around it"

_BY_CHANCE = "rows are dealt into folds and drawn one by one: a row twice is two chances, not one of weight 2"

_CUT = "weights come from cross-validation: a row of weight 2 is in one fold, two rows may be in two"

_LOCAL = "where it starts depends on the rows, and where it ends, the best of some starts, on that"

_OUT_OF_FOLD = "rows that are learnt from are changed by what other folds say, not as new rows are"

_NO_MAXIMUM = "the rows of this check can be told apart, so that there is no maximum to agree on"

_ONE_BY_ONE = "examples are taken one by one, in an order that depends on how many there are"

EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "Classifier": dict.fromkeys((_DENSE, _SPARSE), _BY_CHANCE),
    "Regressor": dict.fromkeys((_DENSE, _SPARSE), _BY_CHANCE),
    "Evidence": dict.fromkeys(
        ("check_transformer_general", "check_transformer_data_not_an_array"), _OUT_OF_FOLD
    ),
    "HiddenMarkov": dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), _CLASSIFIERS_ONLY
    )
    | dict.fromkeys(("check_methods_subset_invariance", "check_methods_sample_order_invariance"), _IN_ORDER),
    "Network": dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), _CLASSIFIERS_ONLY
    ),
    "Mixture": dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), _CLASSIFIERS_ONLY
    ),
}

# Where it depends on how an estimator is set up: its parameter and the value.
EXPECTED_OF: dict[tuple[str, str, Any], dict[str, str]] = {
    ("Average", "weights", "log_score"): {_SPARSE: _CUT},  # on the dense rows the folds come out even
    ("Average", "weights", "stack"): dict.fromkeys((_DENSE, _SPARSE), _CUT),
    ("Decompose", "method", "nmf"): dict.fromkeys((_DENSE, _SPARSE), _LOCAL),
    ("Decompose", "method", "binary"): dict.fromkeys((_DENSE, _SPARSE), _LOCAL),
    ("LogisticRegression", "solver", "online"): dict.fromkeys((_DENSE, _SPARSE), _ONE_BY_ONE),
    ("LogisticRegression", "prior", None): dict.fromkeys((_DENSE, _SPARSE), _NO_MAXIMUM),
}


# Of the first release of scikit-learn that has it: it takes the mean from whole numbers in place.
OLDEST = {"Decompose": {"check_positive_only_tag_during_fit": "the check itself fails for whole numbers"}}


def excused(estimator: object) -> dict[str, str]:
    """The checks that an estimator is known to fail, each with the reason."""
    name = type(estimator).__name__
    checks = dict(EXPECTED_FAILURES.get(name, {}))
    if sklearn.__version__ == "1.6.0":
        checks |= OLDEST.get(name, {})
    for (model, parameter, value), more in EXPECTED_OF.items():
        if model == name and getattr(estimator, parameter) == value:
            checks |= more
    return checks
