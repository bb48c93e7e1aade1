"""Whether the parts of a linear regression fit together: what a file says is not believed before."""

from __future__ import annotations

from math import isfinite

from likely.dist import Gamma
from likely.estimator.check_column import demand
from likely.models.groups.check_statistic import check_finite, check_scatter
from likely.models.regression.design.check import check_design
from likely.models.regression.linear.record import LARGEST, LinearRecord
from likely.models.regression.linear.solve import Line


def check_linear(record: LinearRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
    demand(record.line_ is not None, "it has no coefficients")
    assert record.line_ is not None
    demand(record.line_.w.ndim == 1, "its coefficients are no list")
    p = len(record.line_.w)
    demand(p <= LARGEST, f"it has more than {LARGEST} coefficients")
    check_design(record.design, p)
    check_scatter(record.scatter, 1, p + 1)
    demand(record.n > 0, "it has seen no rows")
    demand(record.noise is None or isinstance(record.noise, Gamma), "the prior of its noise is none")
    _check_line(record.line_, p)


def _check_line(line: Line, p: int) -> None:
    check_finite("its coefficients", line.w, (p,))
    if line.covariance is not None:
        check_finite("the covariances of its coefficients", line.covariance, (p, p))
    numbers = (line.rss, line.rate, line.shape)
    demand(all(map(isfinite, numbers)) and line.rss >= 0 <= line.rate, "its noise is no number")
    demand(set(line.unknown) <= set(range(p)), "coefficients that are not there are unknown")
