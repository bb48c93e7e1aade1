"""Conditional tables -> the joint table that is their product, and back: the chain rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.joint.conditional import Conditional
from likely.models.joint.variables import Columns, refuse_size
from likely.table.column.column import Column
from likely.table.schema import Schema

Floats = NDArray[np.float64]


def product(tables: Sequence[Conditional]) -> tuple[Columns, Floats]:
    """The variables in the order of the tables that are of them, and the product of all tables."""
    own = _defined(tables)
    columns = tuple(own.values())
    refuse_size(columns)
    names: list[str] = []  # of the axes so far
    probs = np.ones(())
    for table in _in_order(tables):
        factor = _aligned(table, own, names)
        probs = probs.reshape(probs.shape + (1,) * len(table.of))
        undefined = np.isnan(factor)
        if ((probs > 0) & undefined).any():
            raise LikelyError(
                f"{table.title} is undefined where the other tables give "
                "probabilities above 0: give the rows that it lacks."
            )
        # What cannot happen stays impossible, though nothing is said of what would come of it.
        probs = probs * (np.where(undefined, 0.0, factor) if undefined.any() else factor)
        names += table.of
    order = [names.index(name) for name in own]
    return columns, np.ascontiguousarray(probs.transpose(order))


def _defined(tables: Sequence[Conditional]) -> dict[str, Column]:
    """Each variable as the table that is of it has it."""
    own: dict[str, Column] = {}
    for table in tables:
        for column in table.columns[table.n_given :]:
            if column.name in own:
                raise LikelyError(f"two tables are of {column.name!r}: give one for each variable.")
            own[column.name] = column
    if not own:
        raise LikelyError("there is no table to multiply: give one Conditional at least.")
    for table in tables:
        for column in table.columns[: table.n_given]:
            name = column.name
            if name not in own:
                raise LikelyError(
                    f"{table.title} needs a table that is of {name!r}: add Conditional({name!r}, ...)."
                )
            if set(column.levels or ()) != set(own[name].levels or ()):
                raise LikelyError(
                    f"variable {name!r} has the levels {list(own[name].levels or ())[:10]!r} in its own "
                    f"table and {list(column.levels or ())[:10]!r} in {table.title}: use the same levels."
                )
    return own


def _in_order(tables: Sequence[Conditional]) -> list[Conditional]:
    """The tables, each after those of the variables it needs."""
    waiting, done, known = list(tables), [], set[str]()
    while waiting:
        ready = next((table for table in waiting if known.issuperset(table.given)), None)
        if ready is None:
            circle = ", ".join(name for table in waiting for name in table.of)
            raise LikelyError(f"the tables of {circle} need each other in a circle: break it at one of them.")
        waiting.remove(ready)
        done.append(ready)
        known.update(ready.of)
    return done


def _aligned(table: Conditional, own: dict[str, Column], names: Sequence[str]) -> Floats:
    """The table with axes for all variables so far, then its own; levels as in the variables' own tables."""
    probs = table.probs
    for axis, column in enumerate(table.columns[: table.n_given]):
        at = {level: i for i, level in enumerate(column.levels or ())}
        order = [at[level] for level in own[column.name].levels or ()]
        probs = probs.take(order, axis=axis)
    kept = [name for name in names if name in table.given]
    axes = [table.given.index(name) for name in kept] + list(range(table.n_given, probs.ndim))
    shape = [len(own[name].levels or ()) if name in table.given else 1 for name in names]
    return probs.transpose(axes).reshape(*shape, *probs.shape[table.n_given :])


@runtime_checkable
class GivenClass(Protocol):
    """A record of columns that are independent given a class: it has a table of levels for each."""

    @property
    def target(self) -> Column:
        """The class."""

    @property
    def schema(self) -> Schema:
        """The columns."""

    @property
    def rates(self) -> Floats:
        """P(class), (c,)."""

    def level_tables(self) -> list[tuple[Column, Floats]]:
        """Each column with its levels, and P(level | class), (c, k)."""


def tables_of(model: object) -> list[Conditional]:
    """P(column | target) for every column in the order of the table, and P(target)."""
    record = getattr(model, "record_", None)
    if not isinstance(record, GivenClass):
        raise LikelyError(f"{model!r} is no fitted model of columns given a class: fit a NaiveBayes first.")
    target, library = record.target, record.schema.library
    tables = [
        Conditional.made((target, column), 1, probs, library) for column, probs in record.level_tables()
    ]
    return [*tables, Conditional.made((target,), 0, record.rates, library)]
