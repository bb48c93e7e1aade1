"""Missing cells filled in by what the model of the table expects of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from likely.errors import LikelyError, notice
from likely.estimator.fitted import FittedModel, counted_rows, generator, row_weights
from likely.estimator.registry import is_estimator
from likely.features.cell_table import CellTable
from likely.features.constructed import of_truths
from likely.features.fill_by_class import ClassFill, check_statistic
from likely.features.fill_by_model import ModelFill
from likely.features.new_table import NewColumn, new_table
from likely.features.pictures import draw_values
from likely.models.groups.describe import Summary
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.mixture.imputation import drawn_parameters, guesses
from likely.models.mixture.mixture import Mixture
from likely.stats.groups import Floats
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.fill import Fill, check_fill, fill
from likely.table.frame import Frame, free_name
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MODELS = ("mixture", "gaussian", "class", "model")


class Impute(FittedModel, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Fill in missing cells by what the rest of the row, or its class, says of them.

    Numbers are filled with what is expected of them; levels, true/false and counts with what is most
    probable. Known cells stay as they are, to the last bit, and so do texts, the order of columns and rows,
    the types and the library of the table.

    Parameters
    ----------
    model : "mixture", "gaussian", "class", "model" or Mixture
        By EM under a model of the whole table: a mixture for columns of all kinds, with as many `components`;
        or one joint normal distribution of all quantitative columns, other columns each on its own; or a
        mixture with options of its own. "class": by the mean or median of the numbers of the class, and its
        most frequent level; the target is needed at `fit` alone. "model": by a model of each column from all
        others, in rounds until nothing changes (chained equations).
    components : int or "auto"
        How many groups the mixture has; "auto" takes as many as BIC finds worth their parameters.
    fill : "expected" or "drawn"
        Whether `transform` fills in the best guess, or a draw, which keeps the spread of the columns (of
        mixtures and normals).
    statistic : "mean" or "median"
        Of "class": what numbers are filled with.
    classifier, regressor : estimators of this library, or None
        Of "model": what tells levels, and what tells numbers; None is `LogisticRegression()` and
        `LinearRegression("default")`.
    indicator : bool
        Whether a column of true and false stands beside, for each that had gaps when it was fitted: whether
        its cell was missing. `profile` tests whether that tells about a target.
    kinds, n_jobs
        As in `NaiveBayes`.
    random_state : int or None
        The seed of the mixture's start, and of draws.

    Notes
    -----
    With "class", `fit_transform` fills each row by its own class. `transform` does not know the class, and
    fills with the average over the classes by their probability, which naive Bayes tells from the known
    cells of the row. (To fill new rows by their true class would give the answer away.) A learner behind it
    that is trained on rows filled by their own class believes filled cells more than it should: train it on
    `fit(X, y).transform(X)`.

    With `sample_weight` a row of weight 2 teaches as the row twice does, and one of weight 0 nothing: it is
    filled as a new row is.

    Examples
    --------
    >>> import likely
    >>> table = {"height": [150.0, 160.0, 170.0, None], "weight": [50.0, 60.0, 70.0, 65.0]}
    >>> likely.Impute().fit_transform(table)["height"][3] > 160
    True
    >>> likely.Impute("class").fit_transform({"x": [60, 70, None, 100, 110, 130, None]}, list("---++++"))
    {'x': [60, 70, 65, 100, 110, 130, 113]}
    """

    record_: GroupRecord | ClassFill | ModelFill
    _hidden = True
    deductive = False

    def __init__(
        self,
        model: object = "mixture",
        *,
        components: int | str = "auto",
        fill: str = "expected",
        statistic: str = "mean",
        classifier: object = None,
        regressor: object = None,
        indicator: bool = False,
        kinds: Kinds = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.components = components
        self.fill = fill
        self.statistic = statistic
        self.classifier = classifier
        self.regressor = regressor
        self.indicator = indicator
        self.kinds = kinds
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self._is("class")

    def _is(self, *models: str) -> bool:
        return isinstance(self.model, str) and self.model in models

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from a table that has gaps; y, the classes or the name of their column, is for "class"."""
        check_fill(self.fill)
        check_statistic(self.statistic)
        if self.fill == "drawn" and self._is("class", "model"):
            raise LikelyError(f"model={self.model!r} draws nothing: use fill='expected', or model='mixture'.")
        X, y, weight = counted_rows(X, y, sample_weight)
        if self._is("class"):
            self._take(ClassFill.learn(X, y, self.kinds, self.statistic, weight))
        elif self._is("model"):
            self._check_models(weight is not None)
            frame = Frame.of(X)
            weights = row_weights(weight, frame.n)
            self._take(ModelFill.learn(frame, self.kinds, self.classifier, self.regressor, weights))
        else:
            self._take(self._mixture().fit(X, sample_weight=weight).record_)
        if self.indicator:
            frame = self._frame(X)
            self.gaps_ = [name for name in frame.names if frame.raw(name).missing().any()]
        return self

    def _check_models(self, weighed: bool) -> None:
        """Refuse what cannot tell a column, or takes no weights where there are some."""
        for option in ("classifier", "regressor"):
            given = getattr(self, option)
            if given is None:
                continue
            if not (is_estimator(given) and hasattr(given, "predict")):
                raise LikelyError(f"{option}={given!r}: give a model of this library that predicts.")
            if weighed and not has_fit_parameter(given, "sample_weight"):
                raise LikelyError(f"{option}={given!r} takes no weights: give another, or no sample_weight.")

    def fit_transform(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Any:
        """Learn from a table, and fill its gaps; with "class", each row that has weight by its own class."""
        self.fit(X, y, sample_weight)
        record = self._known()
        if isinstance(record, ClassFill):
            own = record.own_classes(X, y, sample_weight)
            return self._filled(X, self._fills(self._frame(X), own))
        return self.transform(X)

    def _take(self, record: GroupRecord | ClassFill | ModelFill, estimate: bool = True) -> None:
        """Be the model of this record."""
        if estimate and isinstance(record, GroupRecord):
            record.core  # noqa: B018  # what cannot be estimated is refused here, not at the first gap
        super()._take(record, estimate)

    def describe(self) -> Summary | str:
        """The model in words: the family and the parameters of each column, or what fills it."""
        record = self._known()
        if isinstance(record, GroupRecord):
            return Summary(type(self).__name__, record)
        looks = "looks at the target" if self.supervised else "does not look at the target"
        said = f"{self!r}: learns from the rows, and {looks}; from {record.n:g} rows."
        return "\n".join([said, *record.described()])

    @available_if(lambda self: self.supervised)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows ("class"). The other models have no sum over rows.

        What each class has is what it has of the whole. How probable classes are is as naive Bayes adds:
        how much evidence counts was learnt from the first rows.
        """
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        record = self._known()
        self._take(record.grown(*counted_rows(X, y, sample_weight)))
        return self

    def __add__(self, other: Self) -> Self:
        """What was learnt from the rows of both ("class")."""
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise LikelyError(f"only two transformers made alike can be added: {self!r}, {other!r}.")
        if not self.supervised:
            raise LikelyError(f"model={self.model!r} has no sum over rows: fit all of them at once.")
        return self._with_record(self._known() + other._known())

    def table(self, columns: Sequence[str] | str | None = None) -> CellTable:
        """A line for each column: what fills a cell of a row of which nothing is known, and what tells it.

        With "class" there is also what fills it in each class, with "model" which model does.
        """
        record, wanted = self._known(), [columns] if isinstance(columns, str) else columns
        schema: Schema = record.schema
        declared_by_name(schema.names, dict.fromkeys(wanted or ()), "columns")
        gaps = (
            {name: [None] for name in schema.names}
            if schema.named
            else np.full((1, len(schema.names)), np.nan)
        )
        fills = self._fills(self._frame(gaps), library="dict")
        lines = []
        for j, column in enumerate(schema.columns):
            if wanted is not None and column.name not in wanted:
                continue
            one = fills.get(j)
            alone = None if one is None else np.asarray(one.values)[0]
            told = {} if isinstance(record, GroupRecord) else record.told(column.name)
            lines.append({"column": column.name, "kind": str(column.kind), "alone": alone, **told})
        return CellTable(f"{self!r}, from {record.n:g} rows", tuple(lines))

    def plot(self, X: TableLike, column: str | None = None, ax: Axes | None = None) -> Axes:
        """What goes into the gaps that a column has in a table: how often each level, or a histogram."""
        frame, schema = self._frame(X), self._known().schema
        made = self._fills(frame, library="dict").items()
        fills = {schema.names[j]: (j, one) for j, one in made if one is not None and len(one.rows)}
        if column is None and len(fills) == 1:
            column = next(iter(fills))
        if column is None or column not in fills:
            raise LikelyError(f"column={column!r}: choose one that has gaps here: {list(fills)[:10]!r}.")
        j, one = fills[column]
        title = f"{column}: what fills {len(one.rows)} of {frame.n} rows"
        own, raw = schema.columns[j], Frame.of({column: one.values}).raw(column)
        return draw_values(own, title, own.numbers(raw) if own.levels is None else own.codes(raw), ax)

    def explain(self, X: TableLike, row: int = 0) -> CellTable:
        """The cells of one row: what is known, and what goes into its gaps."""
        frame = self._frame(X)
        if not -frame.n <= row < frame.n:
            raise LikelyError(f"row={row}: the table has {frame.n} rows.")
        one = frame.at(np.array([row % frame.n]))
        fills = self._fills(one, library="dict")
        lines = []
        for j, column in enumerate(self._known().schema.columns):
            filled = fills.get(j)
            line = {"column": column.name, "known": one.raw(column.name).item(0)}
            some = filled is not None and len(filled.rows) > 0
            lines.append(line | ({"filled": np.asarray(filled.values)[0]} if filled and some else {}))
        return CellTable(f"row {row}", tuple(lines))

    def _mixture(self) -> Mixture:
        if isinstance(self.model, Mixture):
            model: Mixture = clone(self.model)
            if model.missing != "ignore":
                raise LikelyError("missing='level' takes a gap for a value: use a Mixture with 'ignore'.")
            return model
        if not self._is("gaussian", "mixture"):
            raise LikelyError(f"model={self.model!r}: use one of {', '.join(MODELS)}, or give a Mixture.")
        components = 1 if self.model == "gaussian" else self.components
        return Mixture(components, kinds=self.kinds, random_state=self.random_state, n_jobs=self.n_jobs)

    def transform(self, X: TableLike) -> Any:
        """The table with its gaps filled, in the library that it came in."""
        rng = generator(1, self.random_state) if self.fill == "drawn" else None
        return self._filled(X, self._fills(self._frame(X), rng=rng))

    def sample(self, X: TableLike, n: int = 1, random_state: RandomState = None) -> list[Any]:
        """The table n times, its gaps filled by independent draws each time: multiple imputation.

        Parameters are drawn first, each time anew, so that tables differ by all that is not known, and
        Rubin's rules give honest intervals. For the table that the model was fitted on, gaps and parameters
        are drawn in turn (data augmentation); for another, parameters are drawn as the fitted table, its
        own gaps filled, tells them. A model fitted with `prior=None` has nothing to draw them from: they are
        taken as known, and a notice says so.
        """
        rng, record = generator(n, random_state), self._known()
        if not isinstance(record, GroupRecord):
            raise LikelyError(f"model={self.model!r} draws nothing: use model='mixture' or 'gaussian'.")
        cores = drawn_parameters(record, self._frame(X), rng, n, self._engine)
        return [self._filled(X, self._fills(self._frame(X), rng=rng, core=core)) for core in cores]

    def _fills(
        self,
        frame: Frame,
        given: Floats | None = None,
        *,
        rng: np.random.Generator | None = None,
        core: Independent | None = None,
        library: str | None = None,
    ) -> Mapping[int, Fill | None]:
        """What goes into the gaps of each column, by its place; None where no value was ever known."""
        record, library = self._known(), frame.library if library is None else library
        if isinstance(record, ClassFill):
            return record.guesses(frame, library, given)
        if isinstance(record, ModelFill):
            return record.guesses(frame, library)
        return guesses(record, frame, rng, library, self._engine, core=core)

    def _filled(self, X: TableLike, fills: Mapping[int, Fill | None]) -> Any:
        seen = Frame.of(X)
        columns = self._known().schema.columns
        empty = [columns[j].name for j, one in sorted(fills.items()) if one is None]
        if empty:
            several = len(empty) > 1
            named = f"column{'s' if several else ''} {', '.join(map(repr, empty))}"
            gaps = "their gaps stay" if several else "its gaps stay"
            notice(f"{named} had no known value when the model was fitted: {gaps}.")
        places = {j: seen.position[columns[j].name] if seen.named else j for j in fills}
        whole = fill(X, seen, {places[j]: one for j, one in fills.items() if one is not None})
        return self._with_indicators(whole, seen) if self.indicator else whole

    def _with_indicators(self, whole: Any, seen: Frame) -> Any:
        """The filled table, and beside it which cells were missing."""
        frame = Frame.of(whole)
        own = {column.name: j for j, column in enumerate(self._known().schema.columns)}
        old = [NewColumn(name, Column.of_numbers(name), None) for name in frame.names]
        new = []
        for name, said in zip(self.gaps_, self._indicators(frame.names), strict=True):
            missing = seen.raw(name if seen.named else seen.names[own[name]]).missing()
            new.append(NewColumn(said, of_truths(said), np.asarray(missing, np.float64)))
        return new_table(whole, frame, [*old, *new], self)

    def _indicators(self, taken: Any) -> list[str]:
        names, known = [], set(taken)
        for name in self.gaps_:
            names.append(free_name(f"{name} is missing", known))
            known.add(names[-1])
        return names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns that come out."""
        names: NDArray[Any] = super().get_feature_names_out(input_features)
        return np.asarray([*names, *self._indicators(names)], object) if self.indicator else names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = [] if self.indicator else ["float64", "float32"]
        tags.target_tags.required = self.supervised
        return tags
