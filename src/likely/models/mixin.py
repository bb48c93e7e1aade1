"""What people do with a fitted model, whatever it is: one set of methods over its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError, notice
from likely.evidence import Importance, Ledgers, LinearForm, Nomogram, importance
from likely.models import arithmetic
from likely.models.explain import explain
from likely.models.graphs import linear_form, nomogram
from likely.models.record import Record, class_place
from likely.models.sampling import sample
from likely.models.target import class_codes, split_target
from likely.table.frame import Frame

Floats = NDArray[np.float64]


class RecordMixin:
    """Predicting, explaining, sampling, merging: forwarded to functions over `record_`."""

    record_: Record
    classes_: NDArray[Any]
    n_jobs: int | None

    def _known(self) -> Record:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.record_

    def _frame(self, X: Any) -> Frame:
        frame = self._known().schema.align(Frame.of(X), type(self).__name__)
        if frame.n == 0:
            raise LikelyError(
                f"Found array with 0 sample(s) (shape=(0, {len(frame.names)})): nothing to answer."
            )
        return frame

    def _with_record(self, record: Record) -> Self:
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        return self._posterior(X, log=True)

    def predict_proba(self, X: Any) -> Floats:
        """P(class given row), (n, g), in the order of `classes_`."""
        return self._posterior(X, log=False)

    def _posterior(self, X: Any, log: bool) -> Floats:
        frame = self._frame(X)
        answer, impossible = self.record_.posterior(frame, self.n_jobs, log=log)
        if impossible:
            notice(
                f"{impossible} row{'s have' if impossible > 1 else ' has'} probability 0 in every class: the "
                "base rate is returned. Give a prior (prior='default') to smooth the zeros away.",
                stacklevel=4,
            )
        return answer

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self._posterior(X, log=True).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def log_prob(self, X: Any, y: Any = None) -> Floats:
        """Log P(row), summed over the classes, (n,); with y given, log P(row, class)."""
        record = self._known()
        raw = None
        if y is not None:
            X, raw = split_target(X, y, type(self).__name__)
        frame = self._frame(X)
        out = np.empty(frame.n)
        codes = None if raw is None else class_codes(record.target, raw)

        def step(start: int, stop: int, log_posterior: Floats, log_evidence: Floats) -> None:
            out[start:stop] = log_evidence
            if codes is not None:
                chosen = log_posterior[np.arange(stop - start), codes[start:stop]]
                out[start:stop] += np.where(np.isneginf(log_evidence), 0.0, chosen)

        record.each(frame, step, self.n_jobs)
        return out

    def explain(
        self,
        X: Any,
        favoured: Any = None,
        against: Any = None,
        *,
        others: bool = False,
        order: Sequence[str] | None = None,
    ) -> Ledgers:
        """The evidence ledger of every row: base rate, then what each feature adds to the log-odds.

        By default the most probable class against the runner-up; `favoured` and `against` name any
        pair. `others=True` weighs the favoured class against all others together. That is not a sum over
        features, so they are added one after another in a stated order (`order`, or that of the table).
        """
        return explain(self._known(), self._frame(X), favoured, against, others, order, self.n_jobs)

    def importance(self, X: Any) -> Importance:
        """The mean absolute evidence of each feature over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def nomogram(self, favoured: Any = None, against: Any = None) -> Nomogram:
        """The whole model as a picture: what each value of each feature adds to the log-odds."""
        record = self._known()
        a, b = self._two(favoured, against)
        return nomogram(record, a, b)

    def linear_form(self, favoured: Any = None, against: Any = None) -> LinearForm:
        """Weights and bias of the log-odds, for a model whose features are all true or false."""
        record = self._known()
        a, b = self._two(favoured, against)
        return linear_form(record, a, b)

    def sample(self, n: int = 1, random_state: Any = None) -> Any:
        """Draw n rows with their target, as a table of the library the model was fitted with."""
        return sample(self._known(), n, random_state)

    def with_base_rate(self, base_rate: Mapping[Any, float] | str) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        record = self._known()
        new = self._with_record(replace(record, settings=replace(record.settings, base_rate=base_rate)))
        new.set_params(base_rate=base_rate)  # type: ignore[attr-defined]
        return new

    def decay(self, keep: float) -> Self:
        """The model whose past counts `keep` times as much."""
        return self._with_record(arithmetic.decay(self._known(), keep))

    def __add__(self, other: Any) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._with_record(arithmetic.add(self._known(), other._known()))

    def __radd__(self, other: Any) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __sub__(self, other: Any) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._with_record(arithmetic.subtract(self._known(), other._known()))

    def _two(self, favoured: Any, against: Any) -> tuple[int, int]:
        """The places of two classes: the last against the first, unless named."""
        classes = self.record_.classes
        if len(classes) < 2:
            raise LikelyError(
                f"the model knows only the class {classes[0]!r}: there is nothing to weigh it against."
            )
        b = None if against is None else class_place(classes, against)
        if favoured is None:
            a = len(classes) - 1 if b != len(classes) - 1 else 0
        else:
            a = class_place(classes, favoured)
        b = (0 if a != 0 else 1) if b is None else b
        if a == b:
            raise LikelyError(f"class {classes[a]!r} is weighed against itself: name two different classes.")
        return a, b
