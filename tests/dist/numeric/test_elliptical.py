"""How columns vary together: what no float can hold is refused."""

from __future__ import annotations

import numpy as np
import pytest

from likely.dist.elliptical import between_over_within
from likely.errors import LikelyError
from likely.stats.scatter import Scatter


@pytest.mark.parametrize("far", [1e200, np.inf])
def test_groups_further_apart_than_floats_hold_are_refused(far):
    """A file may say so; the eigenvalues of such a matrix would not be found."""
    stat = Scatter(np.array([5.0, 5.0]), np.array([[0.0, 0.0], [far, 1.0]]), np.stack([np.eye(2)] * 2))
    with pytest.raises(LikelyError, match="floats can hold"), np.errstate(all="ignore"):
        between_over_within(stat, np.eye(2))
