"""What estimators that look for hidden groups share: how they search, and what a search leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.estimator.fitted import FittedModel
from likely.infer import EM
from likely.models.groups.estimator import GroupModel
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import Settings
from likely.models.mixture.em_search import PlannedTable, Search
from likely.models.parts.plan import Families
from likely.table.frame import Frame


class Searching(FittedModel):
    """How an estimator looks for hidden groups, and what it takes for a table."""

    kinds: Any
    families: Any
    covariance: str
    prior: Any
    missing: str
    max_iter: int
    tol: float
    restarts: int
    init: Any
    random_state: Any
    base_rate: Mapping[Any, float] | str | None = None

    def _planned(self, frame: Frame, weight: NDArray[np.float64] | None) -> PlannedTable:
        """The table with its columns planned."""
        if isinstance(self.families, str) and self.families == "auto":
            raise LikelyError(
                "families='auto' weighs families within classes that are told, and here groups are hidden: "
                "name the family of a column, as families={'income': 'poisson'}, or leave them to the kinds."
            )
        settings = Settings("ml" if self.prior is None else "mean", self.prior, self.base_rate)
        return PlannedTable.of(
            frame,
            weight,
            settings,
            kinds=self.kinds,
            families=self.families,
            covariance=self.covariance,
            missing=self.missing,
            engine=self._engine,
        )

    def _how(self, hard: bool = False) -> Search:
        init = getattr(self.init, "record_", self.init)
        if hasattr(init, "fit"):
            raise LikelyError(
                f"init={init!r} is not fitted: fit it first, or give the `record_` of one that is."
            )
        return Search(self.max_iter, self.tol, self.restarts, init, hard, self.random_state, self._engine)


class ByEM(Searching, GroupModel):
    """An estimator whose groups are found by EM."""

    def _keep(self, run: EM[GroupRecord]) -> None:
        """Be the model that a search came to."""
        self.history_, self.n_iter_, self.converged_ = run.history, run.n_iter, run.converged
        self._take(run.parameters)

    @property
    def families_(self) -> Families:
        """The family of every column."""
        return Families.of(self._known())


def whole_number(components: object, what: str = "components") -> int:
    """A number of groups."""
    if not isinstance(components, int | np.integer) or isinstance(components, bool) or components < 1:
        raise LikelyError(f"{what}={components!r}: give the number of groups, from 1, or 'auto'.")
    return int(components)
