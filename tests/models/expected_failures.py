"""The only place where a check of scikit-learn may be excused, each with its reason."""

EXPECTED_FAILURES: dict[str, dict[str, str]] = {}
