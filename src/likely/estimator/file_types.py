"""What a file may hold: nothing is ever written, or made again from a file, that has no name here."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any

from likely.dist import stored_class
from likely.estimator.registry import MODELS, loaded

# What any record may hold, besides what the rows of the table of models name; priors are in that of families.
_SHARED = (
    "likely.table.schema:Schema",
    "likely.table.column.column:Column",
    "likely.table.column.uniform_columns:Alike",
    "likely.table.column.default_names:Places",
    "likely.table.column.words:Words",
    "likely.table.column.span:Span",
    "likely.table.column.kinds:Kind",
    "likely.table.column.raw:Type",
    "likely.dist.numeric.column_variance:Spread",
    *(
        f"likely.stats:{name}"
        for name in (
            *("Cells", "Counts", "CountSums", "Fourth", "GapSums", "Moments", "Scatter", "Sums", "Within"),
        )
    ),
)
# Sequences that are as long as they say: only where their length is compared with what there is.
ONLY_IN = {"Alike": "Schema", "Places": "Alike"}


def record_class(name: str) -> Any:
    """A record's class by its name; None if there is none of that name.

    >>> record_class("Settings").__module__, record_class("Popen")
    ('likely.models.groups.base_rate', None)
    """
    cls = _class(name)
    return None if cls is None or issubclass(cls, Enum) else cls


def choice_class(name: str) -> Any:
    """An enumeration by its name; None if there is none of that name."""
    cls = _class(name)
    return cls if cls is not None and issubclass(cls, Enum) else None


def form_of(cls: type) -> Any:
    """The class that a file holds in place of a record of this class; None if it holds the record itself."""
    for row in MODELS.values():
        if row.learnt.form is not None and row.learnt.record.endswith(f":{cls.__name__}"):
            return loaded(row.learnt.form)
    return None


def _class(name: str) -> Any:
    where = _homes(tuple(MODELS)).get(name)
    return stored_class(name) if where is None else loaded(where)


@cache
def _homes(models: tuple[str, ...]) -> dict[str, str]:
    """Where each class is, by its name."""
    rows = [MODELS[name] for name in models]
    places = (
        *_SHARED,
        *(place for row in rows for place in (row.learnt.form or row.learnt.record, *row.learnt.holds)),
    )
    return {place.partition(":")[2]: place for place in places}
