"""The only place where a check of scikit-learn may be excused, each with its reason."""

_CLASSIFIERS_ONLY = (
    "the check asks the tags of a classifier how many columns predict_proba has, and a mixture is none"
)

_IN_ORDER = "the rows of a table are one sequence: what is said of a row depends on those around it"

_BY_CHANCE = "rows are dealt into folds and drawn one by one: a row twice is two chances, not one of weight 2"

EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "Classifier": dict.fromkeys(
        (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ),
        _BY_CHANCE,
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
