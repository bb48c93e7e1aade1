"""Rows of a table as a network reads them, and what they count for where nothing is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.models.groups.independent import Held, hold
from likely.models.parts.part import Part
from likely.table.column.block import Block, Codes, Numbers
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
MISSING = -1


@dataclass(frozen=True, slots=True)
class NodeRows:
    """The cells of every node that a table has, or that are given besides."""

    n_nodes: int
    coded: tuple[int, ...]  # nodes of levels
    codes: Codes
    boolean: tuple[int, ...]  # nodes that are false or true
    truths: Numbers
    leaves: tuple[int, ...]  # nodes of numbers and texts
    blocks: tuple[Block, ...]
    given: Mapping[
        int, Ints
    ]  # codes of nodes that the table does not have, or that take the place of its own
    weight: Floats | None = None

    @classmethod
    def of(
        cls,
        record: NetworkRecord,
        frame: Frame,
        given: Mapping[int, Ints] | None = None,
        weight: Floats | None = None,
    ) -> NodeRows:
        """Of a table whose columns are nodes, by their names."""
        nodes, given = record.nodes, given or {}
        here = [i for i, name in enumerate(nodes.names) if name in frame.position and i not in given]
        boolean = tuple(i for i in here if nodes.columns[i].kind is Kind.BOOLEAN)
        leaves = tuple(i for i in here if i in record.leaves)
        coded = tuple(i for i in here if i not in boolean and i not in leaves)
        return cls(
            len(nodes.columns),
            coded,
            nodes.codes(frame, coded),
            boolean,
            nodes.numbers(frame, boolean),
            leaves,
            tuple(record.parts[i].block(frame) for i in leaves),
            given,
            weight,
        )

    @property
    def seen(self) -> tuple[int, ...]:
        """The nodes that may be known in a row."""
        return tuple(sorted({*self.coded, *self.boolean, *self.leaves, *self.given}))

    def only(self, nodes: Sequence[int]) -> NodeRows:
        """The same rows with the levels of these nodes alone, where columns can be read one by one."""
        if self.codes.together is not None:
            return self
        pairs = [(i, own) for i, own in zip(self.coded, self.codes.columns, strict=True) if i in nodes]
        codes = Codes(tuple(own for _, own in pairs))
        return replace(self, coded=tuple(i for i, _ in pairs), codes=codes)

    def levels(self, start: int, stop: int) -> Ints:
        """The level of every node in rows start to stop, (d, b); -1 where it is not known."""
        cells = np.full((self.n_nodes, stop - start), MISSING, np.intp)
        if self.coded:
            cells[list(self.coded)] = self.codes.rows(start, stop).T
        if self.boolean:
            truths = self.truths.rows(start, stop)
            truths = truths if isinstance(truths, np.ndarray) else truths.toarray()
            cells[list(self.boolean)] = np.where(np.isnan(truths), MISSING, truths).T
        for node, codes in self.given.items():
            cells[node] = codes[start:stop]
        return np.maximum(cells, MISSING, out=cells)  # a level never seen before tells nothing

    def numbers(self, start: int, stop: int) -> dict[int, Held]:
        """The cells of the nodes that are numbers or texts; numbers that no model takes are refused."""
        for block in self.blocks:
            if isinstance(block, Numbers):
                block.refuse_extremes(start, stop)
        held = hold(self.blocks, start, stop, beside=bool(self.boolean))
        return dict(zip(self.leaves, held, strict=True))

    def weights(self, start: int, stop: int) -> Floats:
        """Of rows start to stop, (b,)."""
        return np.ones(stop - start) if self.weight is None else self.weight[start:stop]


def configurations(record: NetworkRecord, node: int, levels: Ints) -> Ints:
    """Which combination of its parents' levels a node has in each row, (b,); all of them must be known."""
    place = np.zeros(levels.shape[1], np.intp)
    for parent in record.parents[node]:
        place *= record.sizes[parent]
        place += levels[parent]
    return place


def known(record: NetworkRecord, node: int, levels: Ints) -> NDArray[np.bool_]:
    """In which rows a node's parents are all known, and the node itself if it has levels, (b,)."""
    family = [*record.parents[node], *([] if node in record.leaves else [node])]
    return np.asarray((levels[family] >= 0).all(axis=0))


def leaf_logs(part: Part, cells: Held) -> Floats:
    """log P(cell given each combination of the parents' levels), (b, q); 0 where it is missing."""
    return np.asarray(part.distribution.group_log_prob(cells.rows(0, 0)))


def some_cells(cells: Mapping[int, Held], chosen: NDArray[np.bool_]) -> dict[int, Held]:
    """The cells of some rows."""
    if chosen.all():
        return dict(cells)
    return {i: Held(held.rows(0, 0)[chosen]) for i, held in cells.items()}
