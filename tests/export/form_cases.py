"""The models that can be exported, each with the rows that it is asked about: one table for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import likely

N, ASKED = 300, 120
HOSTILE = "a \"b\" 'c'; DROP TABLE rows; --"  # a name of a column, and a level


def rows(seed: int, n: int, classes: int, gaps: bool) -> tuple[dict[str, Any], Any]:
    """A table of all kinds of columns, and classes that it tells something of."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    letters = np.array(["x", "y", "it's", HOSTILE, "ünï"], object)
    table: dict[str, Any] = {
        HOSTILE: letters[(y + rng.integers(0, 3, n)) % 5],
        "truth": rng.random(n) < 0.2 + 0.15 * y,
        "zero_one": rng.integers(0, 2, n),
        "grade": rng.integers(1, 5, n),
        "number": rng.normal(y, 1.0 + y),
        "offset": 1e9 + rng.normal(2.0 * y, 1.0, n),
        "waiting": rng.exponential(1.0 + y),
        "count": rng.poisson(1.0 + y) + 1.0,
        "apart": rng.normal(100.0 * y, 1.0),
    }
    if gaps:
        for name in ("number", "offset", "waiting", "count", "apart"):
            table[name] = np.where(rng.random(n) < 0.08, np.nan, table[name])
        table[HOSTILE] = np.where(rng.random(n) < 0.08, None, table[HOSTILE])
    return table, np.array(["no", "yes", "may be, \"or\" 'not'"])[y]


@dataclass(frozen=True)
class FormCase:
    """A model, how many classes it tells, and whether its rows have gaps."""

    name: str
    make: Callable[[], Any]
    classes: int = 3
    gaps: bool = True
    columns: tuple[str, ...] = ()  # all, if none is named
    open_gaps: bool = False  # rows may be left without a score

    @cache  # noqa: B019  # as long as the tests run
    def fitted(self) -> tuple[Any, dict[str, Any]]:
        """The model, and a table that it is asked about: with levels never seen, and rows far out."""
        table, y = rows(1, N, self.classes, self.gaps)
        asked, _ = rows(2, ASKED, self.classes, self.gaps)
        asked[HOSTILE][:10] = "never seen"
        asked["number"][10:14] = [-80.0, 300.0, 0.0, 1e6]
        asked["waiting"][12:14] = [500.0, 0.0]
        if self.columns:
            table, asked = ({name: one[name] for name in self.columns} for one in (table, asked))
        if self.gaps and not self.open_gaps:
            for column in asked.values():  # nothing told at all
                if column.dtype.kind in "fO":
                    column[-1] = np.nan if column.dtype.kind == "f" else None
        return self.make().fit(table, y), asked


NUMBERS = ("number", "offset", "waiting", "apart")
COUNTED = {"kinds": {"count": "count"}}
_FAMILIES = {
    "default": {},
    "classical": {"families": "classical"},
    "unweighed": {"evidence_weights": None},
    "missing-level": {"missing": "level"},
    "ml": {"prior": None},
    "ml-classical": {"families": "classical", "estimate": "ml", **COUNTED},
    "uniform-rates": {"base_rate": "uniform"},
    "histogram": {"families": dict.fromkeys(NUMBERS, "histogram")},
    "exponential": {"families": {"waiting": "exponential", "number": "uniform"}},
    "poisson": COUNTED,
    "geometric": {"families": {"count": "geometric"}},
    "binomial": {"families": {"count": "binomial"}},
    "predictive": {
        "estimate": "predictive",
        "families": {**dict.fromkeys(NUMBERS, "normal"), "waiting": "exponential", "count": "binomial"},
    },
    "predictive-uniform": {"estimate": "predictive", "families": {"number": "uniform"}},
    "discretize": {"families": dict.fromkeys(NUMBERS, "discretize")},
    "joint": {"families": dict.fromkeys(NUMBERS, "multivariate_normal")},
    "auto": {"families": "auto"},
    "multinomial": {"families": dict.fromkeys(("count", "grade"), "multinomial")},
    "multinomial-ml": {"families": dict.fromkeys(("count", "grade"), "multinomial"), "prior": None},
}
FORMS = [
    *(
        FormCase(
            f"nb-{name}-{classes}-{'gaps' if gaps else 'whole'}",
            lambda how=how: likely.NaiveBayes(**how),
            classes,
            gaps,
        )
        for name, how in _FAMILIES.items()
        for classes in (2, 3)
        for gaps in (False, True)
    ),
    *(
        FormCase(
            f"gaussian-{shape}-{how}",
            lambda shape=shape, how=how: likely.GaussianClassifier(shape, estimate=how),
        )
        for shape in ("full", "tied", "diagonal", "tied_diagonal", "spherical", "identity")
        for how in ("mean", "predictive")
        if (shape, how) != ("identity", "predictive")
    ),
    FormCase("mixture", lambda: likely.Mixture(3, random_state=0), gaps=False),
    FormCase("mixture-classifier", lambda: likely.MixtureClassifier(2, random_state=0)),
    FormCase("one-class", likely.NaiveBayes, 1),
    FormCase("logistic-2", likely.LogisticRegression, 2),
    FormCase("logistic-3", likely.LogisticRegression),
    FormCase("logistic-ml", lambda: likely.LogisticRegression(prior=None), columns=NUMBERS),
    FormCase("logistic-average", lambda: likely.LogisticRegression(missing="average"), 2, open_gaps=True),
    FormCase("additive-2", lambda: likely.Classifier("additive"), 2),
    FormCase("additive-3", lambda: likely.Classifier("additive")),
    FormCase("additive-whole", lambda: likely.Classifier("additive"), gaps=False),
    *(
        FormCase(
            f"calibrated-{method}-{classes}",
            lambda method=method: likely.Calibrated(likely.NaiveBayes(), method=method),
            classes,
        )
        for method in ("none", "logistic", "beta", "isotonic", "means", "bins", "temperature")
        for classes in (2, 3)
    ),
    FormCase(
        "calibrated-rates",
        lambda: likely.Calibrated(likely.LogisticRegression(), method="isotonic", base_rate="uniform"),
    ),
]
