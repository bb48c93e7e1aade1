"""Missing cells filled in by what the model of the table expects of them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone

from likely.errors import LikelyError, notice
from likely.estimator.fitted import FittedModel, generator
from likely.models.groups.describe import Summary
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.mixture.imputation import drawn_parameters, guesses
from likely.models.mixture.mixture import Mixture
from likely.table.accepted import Kinds, RandomState, TableLike
from likely.table.fill import fill
from likely.table.frame import Frame

FILLS = ("expected", "drawn")


class Impute(FittedModel, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Fill in missing cells, as EM under a model of the whole table guesses them from the rest of the row.

    Numbers are filled with what is expected of them; levels, true/false and counts with what is most
    probable. Known cells stay as they are, to the last bit, and so do texts, the order of columns and rows,
    the types and the library of the table.

    Parameters
    ----------
    model : "mixture", "gaussian" or Mixture
        A mixture for columns of all kinds, with as many `components`; or one joint normal distribution of all
        quantitative columns, other columns each on its own; or a mixture with options of its own.
    components : int or "auto"
        How many groups the mixture has; "auto" takes as many as BIC finds worth their parameters.
    fill : "expected" or "drawn"
        Whether `transform` fills in the best guess, or a draw, which keeps the spread of the columns.
    kinds, n_jobs
        As in `NaiveBayes`.
    random_state : int or None
        The seed of the mixture's start, and of draws.

    Examples
    --------
    >>> import likely
    >>> table = {"height": [150.0, 160.0, 170.0, None], "weight": [50.0, 60.0, 70.0, 65.0]}
    >>> likely.Impute().fit_transform(table)["height"][3] > 160
    True
    """

    record_: GroupRecord
    _hidden = True

    def __init__(
        self,
        model: object = "mixture",
        *,
        components: int | str = "auto",
        fill: str = "expected",
        kinds: Kinds = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.components = components
        self.fill = fill
        self.kinds = kinds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: object = None) -> Self:
        """Learn the model of a table that has gaps; y is not looked at."""
        if self.fill not in FILLS:
            raise LikelyError(f"fill={self.fill!r} is unknown: use one of {', '.join(FILLS)}.")
        self._take(self._mixture().fit(X).record_)
        return self

    def _take(self, record: GroupRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        if estimate:
            record.core  # noqa: B018  # what cannot be estimated is refused here, not at the first gap
        super()._take(record, estimate)

    def describe(self) -> Summary:
        """The model in words: the family and the parameters of each column."""
        return Summary(type(self).__name__, self._known())

    def _mixture(self) -> Mixture:
        if isinstance(self.model, Mixture):
            model: Mixture = clone(self.model)
            if model.missing != "ignore":
                raise LikelyError("missing='level' takes a gap for a value: use a Mixture with 'ignore'.")
            return model
        if not isinstance(self.model, str) or self.model not in ("gaussian", "mixture"):
            raise LikelyError(f"model={self.model!r}: use 'gaussian', 'mixture', or give a Mixture.")
        components = 1 if self.model == "gaussian" else self.components
        return Mixture(components, kinds=self.kinds, random_state=self.random_state, n_jobs=self.n_jobs)

    def transform(self, X: TableLike) -> Any:
        """The table with its gaps filled, in the library that it came in."""
        return self._filled(X, generator(1, self.random_state) if self.fill == "drawn" else None)

    def sample(self, X: TableLike, n: int = 1, random_state: RandomState = None) -> list[Any]:
        """The table n times, its gaps filled by independent draws each time: multiple imputation.

        Parameters are drawn first, each time anew, so that tables differ by all that is not known, and
        Rubin's rules give honest intervals. For the table that the model was fitted on, gaps and parameters
        are drawn in turn (data augmentation); for another, parameters are drawn as the fitted table, its
        own gaps filled, tells them. A model fitted with `prior=None` has nothing to draw them from: they are
        taken as known, and a notice says so.
        """
        rng = generator(n, random_state)
        cores = drawn_parameters(self.record_, self._frame(X), rng, n, self._engine)
        return [self._filled(X, rng, core) for core in cores]

    def _filled(self, X: TableLike, rng: np.random.Generator | None, core: Independent | None = None) -> Any:
        seen = Frame.of(X)
        frame = self._frame(seen)
        guessed = guesses(self.record_, frame, rng, frame.library, self._engine, core=core)
        columns = self.record_.schema.columns
        empty = [columns[j].name for j, one in sorted(guessed.items()) if one is None]
        if empty:
            several = len(empty) > 1
            named = f"column{'s' if several else ''} {', '.join(map(repr, empty))}"
            gaps = "their gaps stay" if several else "its gaps stay"
            notice(f"{named} had no known value when the model was fitted: {gaps}.", stacklevel=4)
        places = {j: seen.position[columns[j].name] if frame.named else j for j in guessed}
        return fill(X, seen, {places[j]: one for j, one in guessed.items() if one is not None})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
