"""The only place where a check of scikit-learn may be excused, each with its reason."""

_CLASSIFIERS_ONLY = (
    "the check asks the tags of a classifier how many columns predict_proba has, and a mixture is none"
)

EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "Mixture": dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), _CLASSIFIERS_ONLY
    )
}
