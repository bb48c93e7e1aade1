"""What every fitted classifier has, ours or of scikit-learn's kind."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray


class AnyClassifier(Protocol):
    """A fitted classifier: it knows its classes. What else it can do is asked with `hasattr`."""

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, in order, (g,)."""
        ...

    def predict_proba(self, X: Any, /) -> NDArray[Any]:
        """P(class given row), (n, g)."""
        ...
