"""How columns vary together within all groups: what a default prior expects of the covariance of each."""

from __future__ import annotations

import numpy as np

from likely.dist.numeric.column_variance import Spread
from likely.dist.numeric.matrices import Factor, conditioned
from likely.stats.groups import Floats
from likely.stats.kurtosis import Fourth
from likely.stats.pooled_scatter import Within
from likely.stats.scatter import Scatter

LOOSE = 1e-3  # the least share by which correlations are drawn towards none: a few rows may agree by chance

SecondMoments = Scatter | Within | Fourth  # of joint normals, whatever else a family needs of them


def common_covariance(stat: SecondMoments, column: Spread) -> Floats:
    """The covariance within the groups, (d, d), its correlations drawn towards none where rows are few.

    They keep all but d^2 / (d^2 + f^2) of themselves, where f rows are left once each group has its mean: all
    but a thousandth where rows are many, nothing of what fewer rows than columns say. A direction in which
    columns that go together hardly vary stays one, which a diagonal would outweigh.
    """
    d, n = stat.mean.shape[1], float(stat.n.sum())
    free = max(n - float((stat.n > 0).sum()), 0.0)
    share = max(d * d / (d * d + free * free), LOOSE) if d else 1.0
    scatter = np.asarray(stat.scatter.sum(axis=0))
    sds = np.sqrt(np.diagonal(scatter))
    units = np.where(sds > 0, np.sqrt(column.within[0]) / np.where(sds > 0, sds, 1.0), 0.0)
    matrix = scatter * ((1 - share) * units[:, None] * units)
    matrix[np.diag_indices(d)] = column.within[0]
    return conditioned(matrix)


def between_over_within(stat: SecondMoments, within: Floats) -> float:
    """How many times as much as within its groups a table varies in all, where it is most: 1 or more.

    >>> from likely.stats.scatter import Scatter
    >>> stat = Scatter(np.array([5.0, 5.0]), np.array([[0.0], [20.0]]), np.array([[[5.0]], [[5.0]]]))
    >>> between_over_within(stat, np.eye(1))
    101.0
    """
    if not stat.n.any():
        return 1.0
    white = Factor.of(within).whiten
    apart = white @ stat.pooled().covariance[0] @ white.T
    return max(float(np.linalg.eigvalsh(apart).max(initial=1.0)), 1.0)
