"""The table of models: one row each. Public names, files, the command line and the docs are derived from it.

A row names modules and does not import them: a model may live in any room of the house, and only what is used
is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from likely.errors import LikelyError
from likely.estimator.model_rows import ROWS, Model

MODELS: dict[str, Model] = {row.name: row for row in ROWS}


@contextmanager
def registered(row: Model) -> Iterator[None]:
    """A model that is known for a while, as one that a test, or another package, brings.

    >>> from likely.estimator.model_rows import Learnt
    >>> with registered(Model("Toy", "toy", Learnt("toy:Record", "toy:check"), "play", "toy.md")):
    ...     "Toy" in MODELS
    True
    >>> "Toy" in MODELS
    False
    """
    if row.name in MODELS:
        raise LikelyError(f"a model {row.name!r} is known already: give another name.")
    MODELS[row.name] = row
    loaded.cache_clear()
    try:
        yield
    finally:
        del MODELS[row.name]
        loaded.cache_clear()


def commands() -> dict[str, Model]:
    """The models that `likely learn` can make, by the names they have there."""
    return {row.command.name: row for row in MODELS.values() if row.command is not None}


@cache
def loaded(where: str) -> Any:
    """What "module:name" stands for."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def estimator_class(name: object) -> type:
    """An estimator of this library by its name."""
    if type(name) is not str or name not in MODELS:
        raise LikelyError(f"{name!r} is no model that this version of likely knows")
    cls: type = loaded(f"{MODELS[name].module}:{name}")
    return cls


def is_estimator(value: object) -> bool:
    """Whether a value is an estimator of this library; those made of one by others are not."""
    name = type(value).__name__
    return name in MODELS and type(value) is estimator_class(name)


def check_record(estimator: str, record: Any) -> None:
    """Refuse a record that is not the estimator's, or of which no model could have been fitted."""
    row = MODELS[estimator]
    main = type(record) is loaded(row.learnt.record)
    if not main and type(record) not in map(loaded, row.learnt.others):
        raise LikelyError(f"it holds no record of a {estimator}")
    if row.learnt.check is None or not main:
        record.check()
    else:
        loaded(row.learnt.check)(record)


def models_table() -> str:
    """The models as a table of the docs, in Markdown."""
    lines = ["| model | for | on the command line |", "|---|---|---|"]
    for row in MODELS.values():
        command = f"`likely learn --model {row.command.name}`" if row.command else ""
        lines.append(f"| [`{row.name}`]({row.page}) | {row.purpose} | {command} |")
    return "\n".join(lines) + "\n"
