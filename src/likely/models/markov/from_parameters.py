"""A hidden Markov model whose parameters are known: a record as if it had been learnt from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist import FAMILIES, Categorical, Family, public_names
from likely.dist.distribution import numbers
from likely.errors import LikelyError
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally, Settings
from likely.models.markov.record import ChainRecord
from likely.models.parts.plan import learn_schema, plan
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame, free_name


def known_chain(initial: ArrayLike, transitions: ArrayLike, emissions: Mapping[Any, Any]) -> ChainRecord:
    """The record whose maximum-likelihood estimate these parameters are.

    What it has seen is one row's worth of each state, with the moments of its distributions.
    """
    first, moves = numbers("initial", initial), numbers("transitions", transitions)
    s = first.size
    if first.shape != (s,) or moves.shape != (s, s) or s == 0:
        raise LikelyError(
            f"initial of shape {first.shape} and transitions of shape {moves.shape} do not fit: give a "
            "chance for each state, and a row of chances for what follows each."
        )
    for what, rows in (("initial", first[None]), ("transitions", moves)):
        if not (rows >= 0).all() or not np.allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-9):
            raise LikelyError(f"{what}: chances must be 0 or more, and add up to 1 in every row.")
    if not emissions:
        raise LikelyError("emissions: give the distribution of at least one column in every state.")
    examples: dict[str, list[Any]] = {}
    for columns, given in emissions.items():
        for name, values in zip(_names(columns), _examples(given, s), strict=True):
            examples[str(name)] = values
    longest = max(map(len, examples.values()))
    table = {name: (values * longest)[:longest] for name, values in examples.items()}
    families = {str(n): type(d) for columns, d in emissions.items() for n in _names(columns)}
    frame, kinds = Frame.of(table), _kinds(emissions)
    schema = learn_schema(frame, kinds, "ignore").without_spans()  # of examples, which are no data
    by_column = {str(name): given for columns, given in emissions.items() for name in _names(columns)}
    parts = []
    for part in plan(schema, frame, kinds, families, None, "ignore", "ml"):
        own = [by_column[part.column(place).name] for place in range(len(part.columns))]
        parts.append(part.with_statistic(_seen(own)))
    target = Column.of_groups(free_name("state", schema.names), range(s))
    states = GroupRecord(target, GroupTally(np.ones(s), tuple(parts)), Settings("ml", None))
    allowed = np.concatenate([first[None], moves]) > 0
    return ChainRecord(states, first, moves, allowed)


def _names(columns: object) -> tuple[Any, ...]:
    return columns if isinstance(columns, tuple) else (columns,)


def _kinds(emissions: Mapping[Any, Any]) -> dict[str, str]:
    return {str(n): str(given.kinds[0]) for columns, given in emissions.items() for n in _names(columns)}


def _examples(given: object, s: int) -> list[list[Any]]:
    """Values of each column that a distribution describes, so that its kind and levels can be seen."""
    if not isinstance(given, Family) or type(given).as_seen is Family.as_seen:
        raise LikelyError(
            f"emissions: {type(given).__name__} cannot be given: use one of {', '.join(_giveable())}, or "
            "MultivariateNormal for a tuple of columns."
        )
    if given.batch != (s,):
        raise LikelyError(f"emissions: {given!r} is not one distribution for each of the {s} states.")
    if isinstance(given, Categorical):
        return [list(range(given.probs.shape[-1]) if given.levels is None else given.levels)]
    values: dict[Kind, list[Any]] = {Kind.BOOLEAN: [False, True], Kind.COUNT: [1, 2]}
    columns = given.mean.shape[-1] if given.joint else 1
    return [values.get(given.kinds[0], [0.5, 1.5]) for _ in range(columns)]


def _giveable() -> list[str]:
    """The families of single columns whose parameters can be given."""
    known = (family for family in FAMILIES.values() if family.as_seen is not Family.as_seen)
    return [family.__name__ for family in known if family.__name__ in public_names() and not family.joint]


def _seen(given: list[Any]) -> Any:
    """One row's worth of each state, of columns side by side."""
    if given[0].joint:
        return given[0].as_seen()
    columns = [
        (_by_level(one) if isinstance(one, Categorical) else one.as_column()).as_seen() for one in given
    ]
    whole = {f.name: [getattr(column, f.name) for column in columns] for f in fields(columns[0])}
    sizes = {name: sum(own, ()) for name, own in whole.items() if isinstance(own[0], tuple)}
    arrays = {name: np.concatenate(own, axis=1) for name, own in whole.items() if name not in sizes}
    return replace(columns[0], **arrays, **sizes)


def _by_level(given: Categorical) -> Categorical:
    """The probabilities in the order of a column's levels, which is sorted."""
    if given.levels is None:
        return given
    order = sorted(range(len(given.levels)), key=lambda i: given.levels[i])  # type: ignore[index]
    return Categorical(given.probs[:, order])
