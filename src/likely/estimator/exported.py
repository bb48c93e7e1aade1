"""Fitted models that other programs can score rows with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.export.form import ScoringForm
from likely.export.plain import to_json

if TYPE_CHECKING:
    from collections.abc import Callable


class Exportable:
    """A model whose record has a scoring form: stands before `FittedModel`."""

    if TYPE_CHECKING:
        _known: Callable[[], Any]

    def scoring_form(self) -> ScoringForm:
        """How rows are scored, as plain records: what every export writes out."""
        form: ScoringForm = self._known().scoring_form()
        return form

    def to_json(self) -> str:
        """How rows are scored, as JSON that any language can work out."""
        return to_json(self.scoring_form())
