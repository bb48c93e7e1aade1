"""A table and a structure -> the record of a network: by counting, or by EM where something is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical
from likely.dist.family import Priors
from likely.engine import Chunk, Engine
from likely.errors import LikelyError
from likely.estimator.fitted import refuse_empty, row_weights, target_column, told_codes
from likely.infer import EM, em
from likely.models.mixture.init import RowPoints, Start
from likely.models.network.e_step import Count, NodeTally
from likely.models.network.merge import add, join, widened
from likely.models.network.nodes import is_discrete, with_counts
from likely.models.network.record import NetworkRecord, Parents
from likely.models.network.rows import NodeRows
from likely.models.parts.cells import LevelsPart
from likely.models.parts.part import Part
from likely.models.parts.plan import FamilyWords, learn_schema, plan
from likely.table.accepted import Kinds, Weights
from likely.table.column.as_raw import as_raw
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class NodeSettings:
    """How the nodes of a table are described."""

    kinds: Kinds = None
    families: FamilyWords = None
    prior: Priors = "default"
    estimate: str = "mean"
    missing: str = "ignore"


@dataclass(frozen=True)
class Planned:
    """The nodes of a table, each with its part, before anything is counted."""

    nodes: Schema
    parts: tuple[Part, ...]
    given: Mapping[int, Ints]  # the codes of a target that came beside the table
    target: int | None
    n_hidden: int

    def record(self, parents: Parents) -> NetworkRecord:
        """The network of these nodes and arcs, of which nothing was seen."""
        _refuse_parents(self.nodes, parents)
        return NetworkRecord(self.nodes, parents, self.parts, 0.0, self.target, self.n_hidden)


def rows_that_count(
    frame: Frame, raw: Raw | None, weight: Floats | None
) -> tuple[Frame, Raw | None, Floats | None]:
    """The table without its rows of weight 0: what only such rows hold is not known."""
    if weight is None or weight.all():
        return frame, raw, weight
    rows = np.flatnonzero(weight)
    if raw is not None:
        values = raw.values[rows]
        if raw.found is None:
            raw = replace(raw, values=values, read={})
        else:
            used, codes = np.unique(values[values >= 0], return_inverse=True)
            again = np.full(len(values), -1, np.intp)
            again[values >= 0] = codes
            raw = replace(raw, values=again, found=[raw.found[i] for i in used], read={})
    return frame.at(rows), raw, weight[rows]


def plan_nodes(
    frame: Frame, raw: Raw | None, hidden: Mapping[str, Any] | None, settings: NodeSettings
) -> Planned:
    """Every column as a node, then the target, then nodes that nobody sees."""
    schema = learn_schema(frame, settings.kinds, settings.missing)
    planned = plan(
        schema, frame, settings.kinds, settings.families, settings.prior, settings.missing, settings.estimate
    )
    own: dict[int, Part] = {}
    for part in planned:
        if not part.describes_cells or part.family.joint:
            raise LikelyError(_refusal(part))
        for j in part.columns:
            own[j] = replace(part, columns=(j,))
    columns = list((planned[0].schema if planned else schema).columns)
    given: dict[int, Ints] = {}
    target = None
    if raw is not None:
        target = len(columns)
        columns.append(target_column(raw))
        given[target] = told_codes(columns[target], raw)
    n_visible = len(columns)
    for name, levels in (hidden or {}).items():
        columns.append(_hidden(name, levels, columns))
    nodes = replace(schema, columns=tuple(columns))
    prior = settings.prior
    for j in range(len(own), len(columns)):
        word = prior.get(columns[j].name, "default") if isinstance(prior, Mapping) else prior
        own[j] = LevelsPart(nodes, Categorical, (j,), word, settings.estimate, asked=word)
    parts = tuple(replace(own[j], schema=nodes) for j in range(len(columns)))
    return Planned(nodes, parts, given, target, len(columns) - n_visible)


def _refusal(part: Part) -> str:
    if not part.describes_cells:
        return (
            f"column {part.first.name!r} is {part.first.kind}, which has no level to spare for missing "
            "cells: use missing='ignore', or put it into bins first."
        )
    return (
        f"the {part.family.name} family describes several columns together, such as {part.first.name!r}: a "
        "node of a network is one column. Use 'normal'."
    )


def _hidden(name: str, levels: Any, columns: Sequence[Column]) -> Column:
    if any(column.name == name for column in columns):
        raise LikelyError(f"hidden={{{name!r}: ...}} is a column of the table: give a name of its own.")
    if (
        isinstance(levels, bool)
        or (isinstance(levels, int) and levels < 1)
        or isinstance(levels, str | float)
    ):
        raise LikelyError(
            f"hidden={{{name!r}: {levels!r}}}: give the number of its levels, or a list of them."
        )
    return Column.of_groups(name, range(levels) if isinstance(levels, int) else list(levels))


def _refuse_parents(nodes: Schema, parents: Parents) -> None:
    for i, above in enumerate(parents):
        for p in above:
            column = nodes.columns[p]
            if not is_discrete(column):
                raise LikelyError(
                    f"column {column.name!r} is {column.kind} and cannot be a parent (of "
                    f"{nodes.columns[i].name!r}): put it into bins first, for example with "
                    "likely.Discretize(), or take each value as a level: "
                    f"kinds={{{column.name!r}: 'ordinal'}}."
                )
            if column.kind is not Kind.BOOLEAN and not column.levels:
                raise LikelyError(f"column {column.name!r} has no value in any row: it cannot be a parent.")


def counted(record: NetworkRecord, tally: NodeTally) -> NetworkRecord:
    """The network that has seen this."""
    parts = (
        tally.leaves[i].with_statistic(tally.leaves[i].statistic.settled())
        if i in tally.leaves
        else with_counts(part, tally.counts[i])
        for i, part in enumerate(record.parts)
    )
    return record.with_parts(parts, tally.n)


@dataclass(frozen=True)
class ClimbSettings:
    """How EM goes about it."""

    max_iter: int = 200
    tol: float = 1e-6
    init: Any = None
    seed: int = 0


def learn_tables(
    record: NetworkRecord,
    frame: Frame,
    given: Mapping[int, Ints],
    weight: Floats | None,
    how: ClimbSettings,
    engine: Engine,
) -> tuple[NetworkRecord, EM[NetworkRecord] | None]:
    """The network with its tables learnt from rows; and the run of EM, where there was one."""
    rows = NodeRows.of(record, frame, given, weight)
    source = Chunk(rows, frame.n, frame.width)
    first = engine.reduce(source, Count(record, rows.seen, expect=False))
    if not first.left:
        return counted(record, first), None
    start = _start(record, rows, frame, how, engine)
    total = float(frame.n if weight is None else weight.sum())
    run = climb(start, lambda task: engine.reduce(source, task), rows.seen, total, how)
    return run.parameters, run


def climb(
    start: NetworkRecord,
    over_rows: Callable[[Count], NodeTally],
    seen: tuple[int, ...],
    total: float,
    how: ClimbSettings,
) -> EM[NetworkRecord]:
    """EM from a network whose priors stay; `over_rows` adds up a count over all rows, of this weight."""

    def e_step(model: NetworkRecord) -> tuple[NodeTally, float]:
        tally = over_rows(Count(model, seen, expect=True))
        return tally, tally.log_prob + sum(part.log_prior() for part in model.parts)

    def m_step(tally: NodeTally) -> NetworkRecord:
        return counted(start, tally)

    # By the weight of the rows, not their number: a row of weight 2 is that row twice.
    return em(e_step, m_step, start=start, max_iter=how.max_iter, tol=how.tol * total)


def _start(
    record: NetworkRecord, rows: NodeRows, frame: Frame, how: ClimbSettings, engine: Engine
) -> NetworkRecord:
    """Where EM begins, with priors that stay while it runs.

    Complete rows are counted, with one more of every level, so that nothing is ruled out; hidden nodes are
    the clusters of what is seen of their children. What that expects of the other rows is added.
    """
    init = getattr(how.init, "record_", how.init)
    if isinstance(init, NetworkRecord):
        if init.names != record.names or init.parents != record.parents or init.sizes != record.sizes:
            raise LikelyError(
                "init is a network of other nodes, levels or arcs: give one of the same structure."
            )
        begun = record.with_parts(
            part.with_statistic(init.parts[i].statistic) for i, part in enumerate(record.parts)
        )
    else:
        told = _told(record, rows, frame, init or {}, how, engine)
        labelled = replace(rows, given={**rows.given, **told})
        source = Chunk(labelled, frame.n, frame.width)
        tally = engine.reduce(source, Count(record, labelled.seen, expect=False))
        begun = counted(record, tally if init and not tally.left else opened(tally))
        if tally.left:
            begun = counted(record, engine.reduce(source, Count(begun, labelled.seen, expect=True)))
    return begun.with_parts(part.with_prior(part.prior) for part in begun.parts)


def opened(tally: NodeTally) -> NodeTally:
    """With one more of every level, so that nothing is ruled out."""
    return replace(tally, counts={i: own + 1.0 for i, own in tally.counts.items()})


def _told(
    record: NetworkRecord, rows: NodeRows, frame: Frame, init: Any, how: ClimbSettings, engine: Engine
) -> dict[int, Ints]:
    """The level of every hidden node in each row to begin with, as the user says it or by clusters."""
    if not isinstance(init, Mapping):
        raise LikelyError(
            f"init={init!r}: give a fitted network of the same structure, or for hidden nodes the level of "
            "each row, {'class': [...]}."
        )
    d = len(record.parts)
    unseen = range(d - record.n_hidden, d)
    for name in init:
        if record.place.get(str(name), -1) not in unseen:
            raise LikelyError(f"init names {name!r}, which is no hidden node: name one of `hidden`.")
    told = {}
    rng = np.random.default_rng(how.seed)
    for i in unseen:
        if record.names[i] in init:
            told[i] = told_codes(record.nodes.columns[i], as_raw(record.names[i], init[record.names[i]]))
            continue
        below = [j for j in rows.seen if i in record.parents[j]] or [
            j for j in rows.seen if j not in rows.given
        ]
        parts = tuple(record.parts[j] for j in below if j not in rows.given)
        weight = np.ones(frame.n) if rows.weight is None else rows.weight
        clusters = Start("kmeans", 1, how.seed, RowPoints(parts, frame, engine), weight)
        groups = clusters.groups(record.sizes[i], weight, rng)
        told[i] = np.asarray(groups.matrix.argmax(axis=1)) if groups.codes is None else groups.codes
    return told


def more_rows(
    record: NetworkRecord,
    frame: Frame,
    raw: Raw | None,
    sample_weight: Weights,
    settings: NodeSettings,
    engine: Engine,
) -> NetworkRecord:
    """A network that has seen more rows: counted where nothing is missing, else as it expects them."""
    if (raw is None) is not (record.target is None):
        raise LikelyError("the network was fitted with a target or without: give more rows in the same way.")
    refuse_empty(frame)
    weight = row_weights(sample_weight, frame.n)
    if not record.n:
        raise LikelyError(
            "a network of given tables has seen no rows: fit one of the same structure instead."
        )
    frame = record.schema.align(frame, "Network")
    settings = replace(settings, kinds=record.schema.declarations)
    planned = plan_nodes(frame, raw, None, settings)
    hidden = record.nodes.columns[len(planned.nodes.columns) :]
    nodes = replace(planned.nodes, columns=(*planned.nodes.columns, *hidden))
    fresh = replace(
        record,
        nodes=nodes,
        parts=tuple(replace(part, schema=nodes, statistic=None) for part in record.parts),
        n=0.0,
    )
    rows = NodeRows.of(fresh, frame, planned.given, weight)
    source = Chunk(rows, frame.n, frame.width)
    first = engine.reduce(source, Count(fresh, rows.seen, expect=False))
    if first.left:
        known = widened(record, nodes)
        rows = NodeRows.of(known, frame, _recoded(planned, known), weight)
        source = Chunk(rows, frame.n, frame.width)
        more = engine.reduce(source, Count(known, rows.seen, expect=True))
        return join(known, counted(known, more))
    return add(record, counted(fresh, first))


def _recoded(planned: Planned, known: NetworkRecord) -> dict[int, Ints]:
    """The codes of the target among all levels of it."""
    codes = {}
    for i, own in planned.given.items():
        place = {level: at for at, level in enumerate(known.levels(i))}
        index = np.array([*(place[level] for level in planned.nodes.columns[i].levels or ()), -1], np.intp)
        codes[i] = index[own]
    return codes
