"""Which columns a model needs: forward selection and backward elimination, judged by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.calibrate.classifier_scores import fit_to, has_probabilities, log_probabilities
from likely.calibrate.wrapped import Labelled
from likely.compare.cross_validation import check_numbers, cross_validate
from likely.compare.scores import CrossValidation
from likely.dist.numeric.logs import log
from likely.draw.histogram import path
from likely.engine.memory import progress
from likely.errors import LikelyError, LikelyWarning, notice
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.record import Story
from likely.export.sql_text import sql_name
from likely.features.cell_table import CellTable
from likely.features.column_scores import ScoreTable
from likely.features.constructed import Constructed
from likely.features.new_table import NewColumn, side_by_side
from likely.features.transformer import one_of
from likely.models.naive_bayes.classifier import NaiveBayes
from likely.score.estimate import Score, mean_score
from likely.stats.groups import Floats, Ints
from likely.table.accepted import TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIRECTIONS = ("forward", "backward")
ROUNDING = 1e-12  # losses that differ by less are equal


@dataclass(frozen=True)
class SearchRecord:
    """The columns that stay, and the way there."""

    schema: Schema
    target: Column
    n: float
    chosen: Ints  # the places of the columns that stay, rising
    places: Ints  # (s,): the column that each step took in, or left out
    losses: Floats  # (s + 1,): the log loss before the first step, and after each
    errors: Floats  # (s + 1,): their standard errors
    gaps: Floats  # (s, 2): by how much each step made the loss less, and the standard error of that
    base: float  # the log loss of the base rate alone

    @property
    def target_name(self) -> str:
        """What the classes are called."""
        return self.target.name

    @property
    def n_parameters(self) -> int:
        """How many columns were chosen."""
        return len(self.chosen)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row."""
        names = [self.schema.names[j] for j in self.chosen[:5]]
        steps = ("Take a row.", f"Keep {len(self.chosen)} of its columns: {', '.join(names) or 'none'}.")
        return Story(model, steps, "new = the columns that stay.", "", "a row of fewer columns")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {"weight_of_rows": self.n, "columns": list(self.schema.names), "target": self.target_name}

    def check(self) -> None:
        """Refuse a record that no fit gives."""
        check_schema(self.schema)
        check_target(self.target)
        d, s = len(self.schema.columns), len(self.places)
        for places in (self.chosen, self.places):
            inside = bool(((places >= 0) & (places < d)).all()) and len(set(places.tolist())) == len(places)
            demand(inside, "it has chosen columns that are not there")
        sized = self.losses.shape == self.errors.shape == (s + 1,) and self.gaps.shape == (s, 2)
        demand(sized and not np.isnan(self.losses).any(), "its losses are no numbers")


class Search(Constructed):
    """Keep the columns that a model predicts best with (wrapper; sequential feature selection).

    Forward selection begins with no column and takes in, one after another, the one that lowers the
    cross-validated log loss most, as long as one does. Backward elimination begins with all and leaves out
    the one that is missed least, as long as the loss does not rise. Both are greedy and never reconsider:
    columns that tell something only together are found backwards, and by models that can use them together.

    The loss of what was chosen is the least of many, so it flatters. In a pipeline that is cross-validated as
    a whole the search is inside the folds, and `evaluate` does just that.

    Parameters
    ----------
    model : classifier or None
        The model whose loss counts: one of `likely`, or of scikit-learn's kind. None: naive Bayes.
    direction : "forward" or "backward"
    keep : int or None
        Go on until so many columns are in, or left, whatever the loss. None: until the loss stops falling.
    least : float
        By how many nats a column must lower the loss to stay.
    folds, seed : int
        Of the cross-validation; all sets of columns are judged on the same folds.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> search = likely.Search(likely.NaiveBayes()).fit(people, "survived")
    >>> search.get_feature_names_out().tolist()
    ['class', 'sex', 'age']
    """

    record_: SearchRecord

    def __init__(
        self,
        model: Any = None,
        direction: str = "forward",
        *,
        keep: int | None = None,
        least: float = 0.0,
        folds: int = 5,
        seed: int = 0,
    ) -> None:
        self.model = model
        self.direction = direction
        self.keep = keep
        self.least = least
        self.folds = folds
        self.seed = seed

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return True

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Search among the columns of a table; y are the classes, or the name of their column."""
        self._check_options()
        rows = Labelled.of(X, y, sample_weight, type(self).__name__)
        frame = Frame.of(rows.X)
        schema = Schema.learn(frame)
        self._take(_searched(self, rows, frame, schema))
        record = self.record_
        if not len(record.chosen):
            notice(
                "no column by itself makes the predictions better than the base rate: none is kept. Columns "
                "may tell something together: try direction='backward' with a model that can use them so."
            )
        elif record.losses[-1] > record.base + ROUNDING:
            notice(
                f"with the columns that are kept the log loss is {record.losses[-1]:.4f}, and by the base "
                f"rate alone {record.base:.4f}: try direction='forward', or another model."
            )
        return self

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Which columns are kept, (d,): true or false, or their places."""
        record = self._known()
        if indices:
            return record.chosen
        return np.isin(np.arange(len(record.schema.columns)), record.chosen)

    def evaluate(self, X: TableLike, y: Target, sample_weight: Weights = None) -> CrossValidation:
        """How good search and model are together on rows that neither has seen: a search in every fold."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LikelyWarning)
            whole = SearchedClassifier(self)
            return cross_validate(whole, X, y, folds=self.folds, seed=self.seed, weight=sample_weight)

    def table(self) -> CellTable:
        """The steps: the column taken in or left out, the log loss after it, and by how much it fell."""
        record = self._known()
        names, forward = record.schema.names, self.direction == "forward"
        start = {"column": "no column" if forward else "all columns", "log loss": float(record.losses[0])}
        lines: list[dict[str, Any]] = [start | {"standard error": float(record.errors[0])}]
        for i, j in enumerate(record.places):
            line: dict[str, Any] = {"column": f"{'+' if forward else '-'} {names[j]}"}
            line |= {"log loss": float(record.losses[i + 1]), "standard error": float(record.errors[i + 1])}
            fell, error = record.gaps[i].tolist()
            lines.append(line | {"fell by": fell, "error of that": error})
        kept = ", ".join(names[j] for j in record.chosen) or "none"
        flatters = "the least loss of many sets flatters: evaluate() searches inside the folds"
        return ScoreTable(self._says(), tuple(lines), (f"kept: {kept}", flatters))

    def plot(self, column: str | None = None, X: TableLike | None = None, ax: Axes | None = None) -> Axes:
        """The log loss after each step; a single column has no picture here."""
        if column is not None:
            raise LikelyError(f"column={column!r}: a search draws its steps; columns are drawn by Evidence.")
        title = f"{self.direction}: log loss by steps"
        losses = self._known().losses.tolist()
        return path(range(len(losses)), losses, title=title, xlabel="steps", ylabel="log loss (nats)", ax=ax)

    def describe(self) -> str:
        """What it is, and its steps."""
        return str(self.table())

    def to_sql(self, table: str = "rows") -> str:
        """A SELECT of the columns that stay."""
        record = self._known()
        names = [sql_name(record.schema.names[j]) for j in record.chosen] or ["NULL"]
        return f"SELECT {', '.join(names)} FROM {sql_name(table)}"

    def _check_options(self) -> None:
        one_of("direction", self.direction, DIRECTIONS)
        check_numbers(self.folds, 1)
        whole = isinstance(self.keep, int | np.integer) and not isinstance(self.keep, bool)
        if self.keep is not None and not (whole and self.keep >= 1):
            raise LikelyError(f"keep={self.keep!r}: give a number of columns from 1, or None.")
        if not has_probabilities(model_of(self)):
            raise LikelyError(
                f"{type(self.model).__name__} has no predict_proba: columns are judged by probabilities. "
                "Give a classifier that has them, or wrap it: Calibrated(model)."
            )

    def _known(self) -> SearchRecord:
        record: SearchRecord = super()._known()
        return record

    def _kept(self) -> Sequence[int]:
        return [int(j) for j in self._known().chosen]

    def _new_columns(self) -> Sequence[Column]:
        return ()

    def _new_values(self, frame: Frame) -> Floats:
        return np.zeros((frame.n, 0))


class SearchedClassifier(ClassifierMixin, BaseEstimator):
    """A search, and its model on the columns that it chose."""

    def __init__(self, search: Any = None) -> None:
        self.search = search

    def fit(self, X: TableLike, y: Any, sample_weight: Any = None) -> Self:
        """Search, and fit the model to what was chosen."""
        self.search_ = clone(self.search).fit(X, y, sample_weight)
        model, table = self._inside(X)
        self.model_ = fit_to(clone(model), table, y, sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g)."""
        return log_probabilities(self.model_, self._inside(X)[1], self.classes_)

    def predict_proba(self, X: TableLike) -> Floats:
        """P(class given row), (n, g)."""
        return np.exp(self.predict_log_proba(X))

    def _inside(self, X: TableLike) -> tuple[Any, Any]:
        return model_with(self.search_, X, Frame.of(X), self.search_._kept())


def model_of(search: Search) -> Any:
    """The model whose loss counts."""
    return NaiveBayes() if search.model is None else search.model


def model_with(search: Search, X: TableLike, frame: Frame, places: Sequence[int]) -> tuple[Any, Any]:
    """The model, and the table of the columns at these places; of none, what knows the base rate alone."""
    if not places:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="prior"), np.zeros((frame.n, 1))
    names = [frame.names[j] for j in places]
    columns = [NewColumn(name, Column.of_numbers(name), None) for name in names]
    return model_of(search), side_by_side(X, frame, columns)


class JudgedSet(NamedTuple):
    """A set of columns: its loss on average, of each row, and the weight of these rows."""

    loss: Score
    rows: Floats
    weight: Floats


def _tried(search: Search, rows: Labelled, frame: Frame, folds: int, places: Sequence[int]) -> JudgedSet:
    """Judge a set of columns by cross-validation; the folds are always the same."""
    model, table = model_with(search, rows.X, frame, places)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LikelyWarning)
        told = cross_validate(model, table, rows.labels, folds=folds, seed=search.seed, weight=rows.weight)
    each = -log(told.probabilities[np.arange(len(told.rows)), rows.codes[told.rows]])
    return JudgedSet(told.scores["log loss"], each, rows.counts[told.rows])


def _searched(search: Search, rows: Labelled, frame: Frame, schema: Schema) -> SearchRecord:
    """Step by step, one column at a time."""
    d, forward = len(schema.columns), search.direction == "forward"
    able = np.bincount(rows.codes[rows.counts > 0])
    folds = min(search.folds, int(able[able > 1].sum()))
    if folds < 2:
        raise LikelyError(
            f"n_samples={frame.n}: columns are judged on rows that the model has not seen, and 1 sample of a "
            "class is not enough for that. Give more rows."
        )
    chosen: list[int] = [] if forward else list(range(d))
    now = _tried(search, rows, frame, folds, chosen)
    base = float(now.loss if forward else _tried(search, rows, frame, folds, []).loss)
    steps: list[tuple[int, Score, Score]] = []
    judged, first = 0, now.loss
    with progress("searching", d * (d + 1) / 2) as tell:
        while len(chosen) != search.keep:
            options = [j for j in range(d) if j not in chosen] if forward else chosen
            tries: dict[int, JudgedSet] = {}
            for j in options:
                places = sorted({*chosen} ^ {j})
                tries[j] = _tried(search, rows, frame, folds, places)
                judged += 1
                tell(judged, f"{len(places)} columns")
            if not tries:
                break
            best = min(tries, key=lambda j: float(tries[j].loss))
            fell = float(now.loss) - float(tries[best].loss)
            better = fell > search.least + ROUNDING if forward else fell >= -search.least - ROUNDING
            if search.keep is None and not better:
                break
            steps.append((best, tries[best].loss, _fall(now, tries[best])))
            chosen, now = sorted({*chosen} ^ {best}), tries[best]
    losses = [first, *(loss for _, loss, _ in steps)]
    return SearchRecord(
        schema,
        rows.target,
        float(rows.counts.sum()),
        np.array(chosen, np.intp),
        np.array([place for place, _, _ in steps], np.intp),
        np.array(losses, np.float64),
        np.array([loss.standard_error for loss in losses]),
        np.array([(float(fall), fall.standard_error) for _, _, fall in steps]).reshape(-1, 2),
        base,
    )


def _fall(before: JudgedSet, after: JudgedSet) -> Score:
    """By how much the loss fell, row by row."""
    with np.errstate(invalid="ignore"):
        fell = before.rows - after.rows
    return mean_score(np.where(np.isnan(fell), 0.0, fell), before.weight)  # both may be infinite
