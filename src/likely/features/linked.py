"""Linked tables: what the rows of another table say about each row (propositionalisation), by DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, demand
from likely.estimator.fitted import refuse_empty, row_weights, split_target
from likely.estimator.record import Story
from likely.estimator.saving import save
from likely.export.sql_text import sql_name
from likely.features.constructed import Constructed, of_truths
from likely.features.counted import codes_of, is_numbers
from likely.features.row_truth import read, sql_of
from likely.language import Condition, Word
from likely.stats.groups import Floats
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type
from likely.table.duck_view import make_view
from likely.table.frame import Frame
from likely.table.read.duck import connected
from likely.table.schema import Schema

AGGREGATES = ("min", "max", "mean", "sum")
WHERE = {"min": "min", "max": "max", "mean": "avg", "sum": "sum"}  # in SQL
Feature = tuple[str, str, str]  # aggregate, column of the children or "", condition of them or ""


@dataclass(frozen=True)
class LinkedRecord:
    """The columns of both tables, and the features of the children that are kept."""

    schema: Schema
    child: Schema
    key: str
    n: float
    features: tuple[tuple[str, str, str], ...]
    tried: int  # features, before any was dropped
    nested: Any = None  # a fitted Linked that is run on the children first
    target_name: str = ""  # of the column that was left out

    @property
    def n_parameters(self) -> int:
        """The features."""
        return len(self.features)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        steps = (f"Take the rows of the other table with the same {self.key!r}.", "Count and average them.")
        return Story(model, steps, "Each answer is a column.", "", "a row with what its children say")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {
            "weight_of_rows": self.n,
            "columns": list(self.schema.names),
            "children": list(self.child.names),
        }

    def check(self) -> None:
        """Refuse a record of which no transformer could have been fitted."""
        check_schema(self.schema)
        check_schema(self.child)
        demand(self.key in self.schema.names and self.key in self.child.names, "its key is in no table")
        for aggregate, column, condition in self.features:
            demand(aggregate in (*AGGREGATES, "exists", "count"), "it counts in no known way")
            demand(column == "" or column in self.child.names, "it counts columns that are not there")
            if condition:
                read(condition, self.child)
        demand(self.nested is None or isinstance(self.nested, Linked), "its nested table is no table")


class Linked(Constructed):
    """New columns from the rows of another table with the same key: how many there are, and what they hold.

    Whether a row has children (exists), and how many (count), with a condition or without; of their numbers
    min, max, mean and sum. These are existential and counting queries, as in SQL, and DuckDB answers them.
    General ones stand before special ones: a child with a property is a child.

    Parameters
    ----------
    key : str
        The column that both tables have.
    children : table
        The other table. For new rows with children of their own: `model.set_params(children=new)`.
    conditions : sequence of str
        Conditions of children in the language of `ask`, beside those that a level is (kind = fin).
    depth : 1 or 2
        2 takes min, max, mean and sum also of the children that a condition holds for.
    nested : Linked, optional
        What is linked to the children first, so that rows are told of their children's children.
    max_features : int
        How many new columns are kept, general ones first.
    least : int or float
        In how many rows a new column must say something (not missing, 0 or false); below 1, their share.
    levels : int
        How many levels of a column of the children conditions are made of, the most frequent ones.
    kinds : mapping, optional
        Kinds of the columns of the children, where their types do not tell.

    Attributes
    ----------
    features_ : list of str
        The new columns. One that is equal to one before it in all rows, or the same in all rows, is dropped.

    Examples
    --------
    >>> import likely
    >>> fish = {"fish": ["a", "b", "c"]}
    >>> parts = {"fish": ["a", "a", "b"], "part": ["fin", "tail", "fin"], "size": [2.0, 4.0, 1.0]}
    >>> out = likely.Linked("fish", parts).fit_transform(fish)
    >>> out["exists"].tolist(), out["count"].tolist(), out["exists(part = tail)"].tolist()
    ([True, True, False], [2, 1, 0], [True, False, False])
    """

    record_: LinkedRecord

    def __init__(
        self,
        key: str = "id",
        children: Any = None,
        conditions: Sequence[str] = (),
        depth: int = 1,
        nested: Any = None,
        max_features: int = 100,
        least: float = 1,
        levels: int = 20,
        kinds: Kinds = None,
    ) -> None:
        self.key = key
        self.children = children
        self.conditions = conditions
        self.depth = depth
        self.nested = nested
        self.max_features = max_features
        self.least = least
        self.levels = levels
        self.kinds = kinds

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Choose the features: those that enough rows have, and no two alike."""
        for option, least in (("depth", 1), ("max_features", 1), ("levels", 0)):
            value = getattr(self, option)
            if not isinstance(value, int | np.integer) or value < least:
                raise LikelyError(f"{option}={value!r}: give a whole number from {least}.")
        if self.children is None:
            raise LikelyError("Linked has no other table: give it as `children`.")
        frame = split_target(X, y, "Linked")[0] if isinstance(y, str) else Frame.of(X)
        refuse_empty(frame)
        schema = Schema.learn(frame)
        nested = None if self.nested is None else clone(self.nested).fit(self.children)
        children = Frame.of(self.children if nested is None else nested.transform(self.children))
        for names, where in ((frame.names, "table"), (children.names, "other table (`children`)")):
            if self.key not in names:
                raise LikelyError(
                    f"the {where} has no column {self.key!r} (`key`): it has {list(names)[:8]!r}."
                )
        child = Schema.learn(children, self.kinds)
        weight = row_weights(sample_weight, frame.n)
        weight = np.ones(frame.n) if weight is None else weight
        tried = list(self._tried(child, children))
        values = _answers(self.key, child, tried, frame, children)
        kept = _different(values, weight, self.least)[: self.max_features]
        features = tuple(tried[i] for i in kept)
        target = y if isinstance(y, str) else ""
        n = float(weight.sum())
        self._take(LinkedRecord(schema, child, self.key, n, features, len(tried), nested, target))
        return self

    def _tried(self, child: Schema, children: Frame) -> Iterator[Feature]:
        """All features, general ones first."""
        conditions = [str(read(text, child)) for text in self.conditions]
        keys = (self.key, None if self.nested is None else self.nested.key)
        for j, column in enumerate(child.columns):
            if column.name not in keys:
                conditions += [str(one) for one in _equalities(child, children, j, self.levels)]
        numbers = [
            c.name
            for c in child.columns
            if c.name not in keys and is_numbers(c) and c.kind is not Kind.BOOLEAN and c.type not in UNITS
        ]
        for aggregate in ("exists", "count"):
            yield aggregate, "", ""
        yield from ((aggregate, name, "") for name in numbers for aggregate in AGGREGATES)
        yield from (
            (aggregate, "", condition) for condition in conditions for aggregate in ("exists", "count")
        )
        if self.depth > 1:
            yield from ((a, name, c) for c in conditions for name in numbers for a in AGGREGATES)

    def _known(self) -> LinkedRecord:
        record: LinkedRecord = super()._known()
        return record

    def _take(self, record: LinkedRecord, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        super()._take(record, estimate)
        self.features_ = [_named(feature) for feature in record.features]

    def _new_columns(self) -> Sequence[Column]:
        return [_column(feature) for feature in self._known().features]

    def _new_values(self, frame: Frame) -> Floats:
        record = self._known()
        given = self.children if record.nested is None else record.nested.transform(self.children)
        children = record.child.align(Frame.of(given), "Linked")
        return _answers(record.key, record.child, record.features, frame, children)

    def to_sql(self, table: str = "rows", children: str = "children") -> str:
        """The table with its new columns as a query of both tables; nested tables have their own."""
        record = self._known()
        old = [f"p.{sql_name(name)}" for name in record.schema.names]
        query = _query(record.key, record.child, record.features, sql_name(children))
        key = f"p.{sql_name(record.key)}"
        pairs = enumerate(zip(record.features, self._new_names(), strict=True))
        new = [f"{_filled(feature, i, key)} AS {sql_name(name)}" for i, (feature, name) in pairs]
        rows = f"{sql_name(table)} p LEFT JOIN ({query}) k ON {key} = k.parent"
        return f"SELECT {', '.join([*old, *new])} FROM {rows}"

    def describe(self) -> str:
        """What it is, and its features."""
        record = self._known()
        dropped = record.tried - len(record.features)
        said = f"{len(record.features)} features of {record.tried} that were tried"
        why = (
            "; the others are alike, the same in all rows, too rare, or beyond max_features"
            if dropped
            else ""
        )
        return "\n".join([self._says(), f"{said}{why}:", *(f"  {name}" for name in self.features_)])

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """Without the rows of the other table."""
        said = ("key", "depth", "max_features", "least")
        return f"Linked({', '.join(f'{name}={getattr(self, name)!r}' for name in said)})"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the transformer and its children to a file that `likely.load` reads."""
        save(self._plain(), path)

    def _plain(self) -> Linked:
        """The same with children that are columns by name, as a file holds them."""
        record, frame = self._known(), Frame.of(self.children)
        columns = {name: frame.raw(name).items() for name in frame.names}
        made: Linked = clone(self).set_params(children=columns)
        nested = None if record.nested is None else record.nested._plain()
        if nested is not None:
            made.set_params(nested=clone(nested))
        made._take(LinkedRecord(**{**vars(record), "nested": nested}))
        return made


def _named(feature: Feature) -> str:
    """What a feature is called.

    >>> _named(("count", "", "part = fin")), _named(("mean", "size", "part = fin"))
    ('count(part = fin)', 'mean(size where part = fin)')
    """
    aggregate, column, condition = feature
    inside = " where ".join(one for one in (column, condition) if one)
    return f"{aggregate}({inside})" if inside else aggregate


def _column(feature: Feature) -> Column:
    """The new column that a feature is."""
    if feature[0] == "exists":
        return of_truths(_named(feature))
    if feature[0] == "count":
        return Column(_named(feature), Kind.COUNT, Type.INTEGER)
    return Column.of_numbers(_named(feature))


def _equalities(child: Schema, children: Frame, j: int, most: int) -> Iterator[Condition]:
    """That a column of the children has one of its most frequent levels; that it is true."""
    column = child.columns[j]
    if column.kind is Kind.BOOLEAN and column.levels is None:
        yield Condition(column.name, "=", (Word("true"),))
    elif column.has_levels and column.type not in UNITS:
        codes = codes_of(child, children, j).astype(np.intp)
        counts = np.bincount(codes[codes >= 0], minlength=len(column.known))
        for i in np.argsort(-counts, kind="stable")[:most]:
            if i < len(column.known):
                yield Condition(column.name, "=", (Word(str(column.known[i])),))


def _query(key: str, child: Schema, features: Sequence[Feature], children: str) -> str:
    """The features of each key that there are children of."""
    parent = sql_name(key)
    lines = [f"{parent} AS parent"]
    for i, (aggregate, column, condition) in enumerate(features):
        where = f" FILTER (WHERE {sql_of(read(condition, child), child)})" if condition else ""
        value = f"{WHERE[aggregate]}({sql_name(column)})" if column else "count(*)"
        lines.append(f"{value}{where} AS f{i}")
        if aggregate == "sum":  # of no children it is 0, of missing numbers it is missing
            lines[-1] = (
                f"CASE WHEN count(*){where} = 0 THEN 0 ELSE sum({sql_name(column)}){where} END AS f{i}"
            )
    return f"SELECT {', '.join(lines)} FROM {children} WHERE {parent} IS NOT NULL GROUP BY {parent}"


def _filled(feature: Feature, i: int, key: str) -> str:
    """A feature of a row, which may have no children, or no known key."""
    value = f"k.f{i}"
    if feature[0] in ("exists", "count"):
        value = f"coalesce(k.f{i}, 0)" + (" > 0" if feature[0] == "exists" else "")
    elif feature[0] == "sum":
        value = f"CASE WHEN k.parent IS NULL THEN 0 ELSE k.f{i} END"
    return f"CASE WHEN {key} IS NOT NULL THEN {value} END"


def _answers(key: str, child: Schema, features: Sequence[Feature], frame: Frame, children: Frame) -> Floats:
    """The features of the rows of a table, (n, m); missing where the key is."""
    import duckdb

    if not features:
        return np.zeros((frame.n, 0))
    with connected() as connection:
        names = make_view(
            connection, "child_columns", {name: children.values(name) for name in children.names}
        )
        listed = ", ".join(f"c{i} AS {sql_name(name)}" for i, name in enumerate(names))
        connection.execute(f"CREATE TEMP VIEW children AS SELECT {listed} FROM child_columns")
        make_view(connection, "parents", {"key": frame.values(key), "row": np.arange(frame.n)})
        wanted = ", ".join(f"CAST({_filled(f, i, 'p.c0')} AS DOUBLE) AS f{i}" for i, f in enumerate(features))
        query = _query(key, child, features, "children")
        try:
            got: Mapping[str, Any] = connection.execute(
                f"SELECT {wanted} FROM parents p LEFT JOIN ({query}) k ON p.c0 = k.parent ORDER BY p.c1"
            ).fetchnumpy()
        except duckdb.Error as cause:
            raise LikelyError(
                f"the column {key!r} of both tables cannot be compared, {str(cause).splitlines()[0]}: give "
                "both the same type."
            ) from cause
    cells = [np.ma.filled(np.ma.asarray(got[f"f{i}"], np.float64), np.nan) for i in range(len(features))]
    return np.stack(cells, axis=1)


def _different(values: Floats, weight: Floats, least: float) -> list[int]:
    """The features that enough rows have, that vary, and that differ from those before them."""
    told, needed = weight > 0, least * weight.sum() if least < 1 else least
    seen: set[bytes] = set()
    kept = []
    for i, column in enumerate(values.T):
        cells = np.where(np.isnan(column), np.inf, column + 0.0)[told]
        says = float(weight @ (np.nan_to_num(column) != 0))
        if says >= needed and np.ptp(np.nan_to_num(cells, posinf=-1e308)) > 0 and cells.tobytes() not in seen:
            seen.add(cells.tobytes())
            kept.append(i)
    return kept
