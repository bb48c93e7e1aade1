"""Rows under a product of tables, each by a plan of its own.

One plan for all rows holds what is missing in any of them. Where that is dear, but each row knows most of its
variables, a row alone is cheap: what it knows is cut out of its tables, and what is left falls into small
pieces. Families that a row knows whole are looked up for all rows at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.infer.contraction import Run, plan_contraction
from likely.infer.log_contraction import LogRun

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Shape = tuple[int, ...]
Index = tuple[Any, ...]

_ALL = slice(None)


@dataclass(frozen=True, slots=True)
class RowTables:
    """What is multiplied in every row.

    The tables come first, then the certainty of each variable that rows may know, then likelihoods by row.
    """

    tables: tuple[Floats, ...]
    scopes: tuple[Shape, ...]  # of the tables, the last variable of each being its own
    told: Shape  # variables that rows may know
    likelihoods: tuple[Shape, ...]  # the variables of each
    sizes: Shape
    memory: float  # bytes that a row may take


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is left of one row: the tables that it does not know whole, by place, and where they are cut."""

    run: Run | LogRun
    place: dict[int, int]  # of a table or likelihood in the run
    cut: dict[int, Index]


class RowsApart:
    """The sum of each row's product, and what it says of the variables.

    Parameters
    ----------
    given : RowTables
    levels : array (d, b)
        The level of each variable in each row, -1 where it is not known; read of variables told.
    log_likelihoods : sequence of array (..., b)
    logs_only : bool
        Whether only the sums are asked for: what lies below all that is known need not be looked at.
    in_logs : bool
        Whether tables are multiplied as logs, so that nothing gets too small: much slower.
    """

    def __init__(
        self,
        given: RowTables,
        levels: Ints,
        log_likelihoods: Sequence[Floats],
        logs_only: bool = False,
        in_logs: bool = False,
    ) -> None:
        self.given, self.log_likelihoods, self.in_logs = given, log_likelihoods, in_logs
        self.n_rows = levels.shape[1]
        self.levels = np.full_like(levels, -1)
        self.levels[list(given.told)] = levels[list(given.told)]
        self.whole = np.array([(self.levels[list(s)] >= 0).all(axis=0) for s in given.scopes])
        self.flat = [self._places(scope) for scope in given.scopes]
        self.needed = self._needed() if logs_only else np.ones_like(self.whole)
        self.pieces = [self._piece(row) for row in range(self.n_rows)]

    @cached_property
    def log_total(self) -> Floats:
        """The log of the sum of each row, (b,); -inf if it is 0."""
        total = np.array([float(piece.run.log_total) for piece in self.pieces])
        with np.errstate(divide="ignore"):
            for table, whole, flat in zip(self.given.tables, self.whole, self.flat, strict=True):
                total[whole] += np.log(table.ravel()[flat[whole]])
        return total

    def joints(self, wanted: Sequence[int], weight: Floats | float = 1.0) -> list[Floats]:
        """The table at each place times its derivative: shares by row, or added up over rows by weight."""
        given, m, t = self.given, len(self.given.tables), len(self.given.told)
        weights = np.where(np.isneginf(self.log_total), 0.0, weight)
        own = {scope[-1]: at for at, scope in enumerate(given.scopes)}
        shapes = [given.tables[p].shape if p < m else self._shape(p - m) for p in wanted]
        out = [np.zeros(shape) for shape in shapes]
        source = [p if p < m or p >= m + t else own[given.told[p - m]] for p in wanted]
        for joint, place in zip(out, wanted, strict=True):
            self._add_known(joint, place, weights)
        for row in np.flatnonzero(weights).tolist():
            piece = self.pieces[row]
            inside = [(i, s) for i, s in enumerate(source) if s in piece.place and self._open(wanted[i], row)]
            places = sorted({piece.place[s] for _, s in inside})
            shares = dict(zip(places, piece.run.joints(places), strict=True))
            for i, s in inside:
                share = weights[row] * shares[piece.place[s]]
                if wanted[i] < m:
                    out[i][piece.cut[s]] += share
                elif wanted[i] >= m + t:
                    out[i][(*piece.cut[s], row)] = share
                else:
                    out[i][:, row] = share.reshape(-1, share.shape[-1]).sum(axis=0)
        return out

    def _open(self, place: int, row: int) -> bool:
        """Whether a place tells of what a row does not know."""
        at = place - len(self.given.tables)
        return not 0 <= at < len(self.given.told) or bool(self.levels[self.given.told[at], row] < 0)

    def _shape(self, at: int) -> Shape:
        """Of what a row tells: certainty of a variable, or a likelihood."""
        told = self.given.told
        scope = (told[at],) if at < len(told) else self.given.likelihoods[at - len(told)]
        return (*[self.given.sizes[v] for v in scope], self.n_rows)

    def _add_known(self, joint: Floats, place: int, weights: Floats) -> None:
        """What rows know whole of a table, or of a variable."""
        m, told = len(self.given.tables), self.given.told
        if place < m:
            whole = self.whole[place]
            joint += np.bincount(self.flat[place][whole], weights[whole], joint.size).reshape(joint.shape)
        elif place < m + len(told):
            codes = self.levels[told[place - m]]
            rows = np.flatnonzero(codes >= 0)
            joint[codes[rows], rows] = weights[rows]

    def _places(self, scope: Shape) -> Ints:
        """The cell of a table in each row; of no meaning where a variable is not known."""
        place = np.zeros(self.n_rows, np.intp)
        for v in scope:
            place = place * self.given.sizes[v] + self.levels[v]
        return place

    def _needed(self) -> NDArray[np.bool_]:
        """Which tables say something of what is known: their own variable, or one below it, is known."""
        given = self.given
        known = self.levels >= 0
        for scope in given.likelihoods:
            known[list(scope)] = True
        at = {scope[-1]: i for i, scope in enumerate(given.scopes)}
        below = {scope[-1]: set(scope[:-1]) for scope in given.scopes}
        while below:  # children first
            above = {p for parents in below.values() for p in parents}
            for v in [v for v in below if v not in above]:
                for p in below.pop(v):
                    known[p] |= known[v]
        return np.array([known[scope[-1]] for scope in given.scopes]).reshape(len(at), self.n_rows)

    def _piece(self, row: int) -> _Piece:
        given, levels = self.given, self.levels[:, row].tolist()
        arrays: list[Floats] = []
        scopes, place, cut = [], {}, {}
        likelihoods = range(len(given.tables) + len(given.told), self._n_places)
        open_tables = np.flatnonzero(self.needed[:, row] & ~self.whole[:, row]).tolist()
        for own in (*open_tables, *likelihoods):
            first = own - likelihoods.start
            scope = given.scopes[own] if first < 0 else given.likelihoods[first]
            table = given.tables[own] if first < 0 else self.log_likelihoods[first][..., row]
            cut[own] = tuple([_ALL if levels[v] < 0 else levels[v] for v in scope])
            place[own] = len(arrays)
            array = np.asarray(table[cut[own]])
            if self.in_logs and first < 0:
                array = log(array)
            elif not self.in_logs and first >= 0:
                array = np.exp(array)
            arrays.append(array)
            scopes.append([v for v in scope if levels[v] < 0])
        plan = plan_contraction(scopes, given.sizes)
        if plan.bytes(0) > given.memory:
            raise LikelyError(
                f"a row of this network takes {plan.bytes(0) / 2**30:.3g} GiB, more than the "
                f"{given.memory / 2**30:.3g} that are taken at most: ask about it alone, marginals(row), "
                "where the work is cut into cases or estimated from samples."
            )
        return _Piece(LogRun(plan, arrays) if self.in_logs else plan.run(arrays), place, cut)

    @property
    def _n_places(self) -> int:
        return len(self.given.tables) + len(self.given.told) + len(self.given.likelihoods)


class RowsAgain:
    """Rows under one plan, some of which are taken again in logs, as what counts in them was too small.

    Parameters
    ----------
    run : Run or RowsApart
        Of all rows, (b,).
    again : RowsApart
        Of some rows.
    rows : array of int
        Which they are.
    """

    def __init__(self, run: Run | RowsApart, again: RowsApart, rows: Ints) -> None:
        self.run, self.again, self.rows = run, again, rows
        self.log_total = np.array(run.log_total)
        self.log_total[rows] = again.log_total

    def joints(self, wanted: Sequence[int], weight: Floats | float = 1.0) -> list[Floats]:
        """The table at each place times its derivative: shares by row, or added up over rows by weight."""
        weights = np.array(np.broadcast_to(weight, self.log_total.shape))
        own, weights[self.rows] = weights[self.rows], 0.0
        joints = self.run.joints(wanted, weights)
        n_tables = len(self.again.given.tables)
        for place, joint, other in zip(wanted, joints, self.again.joints(wanted, own), strict=True):
            if place < n_tables:
                joint += other
            else:
                joint[..., self.rows] = other
        return joints
