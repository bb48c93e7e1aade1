"""The checks of scikit-learn, of one setting of an estimator at every change, and at length of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from expected_failures import excused
from sklearn.utils.estimator_checks import parametrize_with_checks

# Checks whose twin runs: sparse arrays and sparse matrices are read by the same lines.
TWICE = {"check_estimator_sparse_matrix"}
Excuses = Callable[[object], dict[str, str]]


def estimator_checks(
    *often: object, rarely: Iterable[object] = (), excuses: Excuses = excused
) -> pytest.MarkDecorator:
    """Parametrise a test by `estimator` and `check`; those of `rarely` are marked as long.

    Most checks are about the code that all settings of an estimator share (its tags, its parameters, what it
    refuses), and there are fifty of them: a class has one setting or two among `often`.
    """
    checks = parametrize_with_checks(list(often), expected_failed_checks=excuses)
    names, cases = checks.mark.args
    more = parametrize_with_checks(list(rarely), expected_failed_checks=excuses)
    mine = [_long(case) if _called(case) in TWICE else case for case in cases]
    every = [*mine, *(_long(case) for case in more.mark.args[1])]
    return pytest.mark.parametrize(names, every, **checks.mark.kwargs)


def _called(case: Any) -> str:
    check = (case.values if hasattr(case, "marks") else case)[1]
    return str(getattr(check, "func", check).__name__)


def _long(case: Any) -> Any:
    values, marks = (case.values, case.marks) if hasattr(case, "marks") else (case, ())
    return pytest.param(*values, marks=[*marks, pytest.mark.long])
