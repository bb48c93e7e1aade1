"""What pools of classes and of numbers have in common: their settings, and what they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from threadpoolctl import threadpool_limits

from likely.engine import one_blas_thread, threads
from likely.estimator.fitted import FittedModel
from likely.estimator.paged import Paged
from likely.pool.learn import PoolSettings
from likely.pool.summary import PoolSummary
from likely.table.accepted import Kinds


class PoolFace(FittedModel, Paged):
    """A pool: how it is set up, and what its members are worth once they are fitted."""

    record_: Any

    def __init__(
        self,
        budget: str | float = "default",
        *,
        members: Sequence[str] | None = None,
        kinds: Kinds = None,
        random_state: int | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.budget = budget
        self.members = members
        self.kinds = kinds
        self.random_state = random_state
        self.n_jobs = n_jobs

    @contextmanager
    def _learning(self) -> Iterator[PoolSettings]:
        """The settings that members are fitted with, and as many threads as they may have."""
        with one_blas_thread, threadpool_limits(threads(self.n_jobs), user_api="openmp"):
            yield PoolSettings(self.budget, self.members, self.kinds, self.random_state, self._engine)

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
