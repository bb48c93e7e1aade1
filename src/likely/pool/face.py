"""What pools of classes and of numbers show alike."""

from __future__ import annotations

from typing import Any

from likely.estimator.fitted import FittedModel
from likely.estimator.paged import Paged
from likely.pool.summary import PoolSummary


class PoolFace(FittedModel, Paged):
    """A fitted pool: what its members are worth."""

    record_: Any

    @property
    def weights_(self) -> dict[str, float]:
        """What each member counts for."""
        record = self._known()
        return dict(zip(record.names, record.weights.tolist(), strict=True))

    @property
    def left_out_(self) -> tuple[str, ...]:
        """Members that could not be had, and why."""
        return tuple(self._known().left_out)

    @property
    def losses_(self) -> dict[str, float]:
        """The loss of each member, and of the pool, on rows that the members had not seen."""
        record = self._known()
        return dict(zip(record.names, record.losses.tolist(), strict=True)) | {"pool": record.loss}

    def describe(self) -> PoolSummary:
        """The pool in words: its members, what each is worth, and what the lines of columns carry."""
        record = self._known()
        return PoolSummary.of(record, type(self).__name__, self.losses_)
