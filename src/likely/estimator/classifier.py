"""What every fitted classifier has; and all that is predicted where log P(class given row) is known."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.table.accepted import TableLike

Floats = NDArray[np.float64]


class AnyClassifier(Protocol):
    """A fitted classifier: it knows its classes. What else it can do is asked with `hasattr`."""

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, in order, (g,)."""
        ...

    def predict_proba(self, X: Any, /) -> NDArray[Any]:
        """P(class given row), (n, g)."""
        ...


class ByProbability:
    """A classifier that predicts the most probable of its `classes_`."""

    classes_: NDArray[Any]

    @abstractmethod
    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""

    def predict_proba(self, X: TableLike) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])
