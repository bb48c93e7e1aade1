"""Estimators that a file can hold."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from typing import Any


class Kept:
    """An estimator whose answers depend on its parameters and on one record, `record_`, alone.

    It joins those that a file may hold by a few lines in `known`.
    """

    record_: Any

    def _known(self) -> Any:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.record_

    @abstractmethod
    def _take(self, record: Any, estimate: bool = True) -> None:
        """Be the model of this record; `estimate` makes of it at once what is else made when it is asked."""

    @abstractmethod
    def _trained_on(self) -> dict[str, Any]:
        """What the model was trained on, in plain words, for people who look into its file."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `likely.load` reads: safe, whole or not at all, for people to read.

        Any name will do; `.likely` is the usual ending.
        """
        from likely.estimator.saving import save

        save(self, path)
