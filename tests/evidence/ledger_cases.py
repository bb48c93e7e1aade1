"""A tiny set of ledgers that the tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.evidence import Ledgers, Status

VALUES = [["female", 1, None], ["male", 3, 22.5], ["<script>", 9, 40.0]]


def ledgers(**changes: Any) -> Ledgers:
    """Three rows, three features, one term of no feature; two classes."""
    base = np.array([-0.5, -0.5, 0.5])
    terms = np.array([[2.0, 1.0, 0.0], [-1.0, -0.25, 0.125], [0.0, 0.0, -1.5]])
    rest = np.array([[0.25], [0.0], [-0.25]])
    odds = np.exp(base + terms.sum(axis=1) + rest.sum(axis=1))  # for yes, but in the last row for no
    odds[2] = 1 / odds[2]
    fields: dict[str, Any] = {
        "classes": ("no", "yes"),
        "names": ("sex", "class", "age"),
        "favoured": np.array([1, 1, 0]),
        "against": np.array([0, 0, 1]),
        "base": base,
        "terms": terms,
        "rest": rest,
        "rest_names": ("together",),
        "status": np.array([[0, 0, Status.MISSING], [0, Status.UNUSED, 0], [Status.UNSEEN, 0, 0]], np.int8),
        "log_posterior": np.log(np.stack([1 / (1 + odds), odds / (1 + odds)], axis=1)),
        "value": lambda i, j: VALUES[i][j],
        "order": None,
        "library": "pandas",
    }
    return Ledgers(**fields | changes)
