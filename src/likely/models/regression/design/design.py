"""The columns of a table as columns of numbers, for models that multiply them: the design matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.infer.standard import Scaling, Standard
from likely.models.regression.design.rows import DesignRows, OneHot
from likely.stats import Groups, Moments
from likely.table.accepted import Kinds
from likely.table.block import Codes, Numbers
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, runs

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Design:
    """Which columns of numbers a table becomes.

    A number stays one. A column of levels becomes a column of 0 and 1 for each level (`reference`: for each
    but the first); a level never seen is 0 in all of them. A missing number is taken for the mean, and a
    column of its own says that it was missing, if that was ever seen ("mean plus indicator"); a missing level
    is one more level, if it was ever seen. Texts become the counts of their words.
    """

    schema: Schema
    reference: bool
    gaps: tuple[int, ...]  # columns of the table that were seen to be missing
    mean: Floats  # (numbers,) of the known cells
    sd: Floats  # (numbers,), 0 of constants

    @classmethod
    def learn(
        cls, frame: Frame, kinds: Kinds, reference: bool, weight: Floats | None, engine: Engine
    ) -> Design:
        """From a table: kinds, levels, means, and which cells may be missing."""
        schema = Schema.learn(frame, kinds)
        plan = cls(schema, reference, (), np.zeros(0), np.zeros(0))
        columns = _Columns(plan._numbers(frame), plan._codes(frame), weight)
        with np.errstate(over="ignore", invalid="ignore"):
            overview = engine.reduce(Chunk(columns, frame.n, frame.width), _Look(bool(plan.coded)))
        moments = overview.moments
        if not moments.in_range():
            columns.numbers.refuse_extremes(0, frame.n)
        total = frame.n if weight is None else float(weight.sum())
        missing = moments.n[0] < total * (1 - 1e-12)
        gaps = [j for j, gap in zip(plan.counted, missing, strict=True) if gap]
        gaps += [j for j, gap in zip(plan.coded, overview.holes, strict=True) if gap]
        sd = np.sqrt(np.maximum(moments.variance[0], 0))
        return replace(plan, gaps=tuple(gaps), mean=moments.mean[0], sd=sd)

    @cached_property
    def _kinds(self) -> list[Kind]:
        """The kind of each column of the table; thousands that are alike are looked at once."""
        columns = self.schema.columns
        kinds = [Kind.QUANTITATIVE] * len(columns)
        for column, places in runs(columns, range(len(columns))):
            for j in places:
                kinds[j] = column.kind
        return kinds

    @cached_property
    def counted(self) -> list[int]:
        """The columns of the table that are numbers."""
        return [j for j, kind in enumerate(self._kinds) if not kind.coded and kind is not Kind.TEXT]

    @cached_property
    def coded(self) -> list[int]:
        """The columns of the table that are levels."""
        return [j for j, kind in enumerate(self._kinds) if kind.coded]

    @cached_property
    def texts(self) -> list[int]:
        """The columns of the table that are texts."""
        return [j for j, kind in enumerate(self._kinds) if kind is Kind.TEXT]

    @cached_property
    def source(self) -> Ints:
        """The column of the table that each column of the design comes from, (p,)."""
        return np.array([j for j, _ in self._named], np.intp)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """As "age", "sex=female", "age missing", "subject: offer"."""
        return tuple(name for _, name in self._named)

    @cached_property
    def _named(self) -> list[tuple[int, str]]:
        """Numbers, then levels, then what is missing, then words."""
        columns, names = self.schema.columns, tuple(self.schema.names)
        named = [(j, names[j]) for j in self.counted]
        for j in self.coded:
            named += [(j, f"{names[j]}={level}") for level in columns[j].known[self._first :]]
        named += [(j, f"{names[j]} missing") for j in self.gaps]
        for j in self.texts:
            named += [(j, f"{names[j]}: {word}") for word in columns[j].known]
        return named

    @property
    def _first(self) -> int:
        return 1 if self.reference else 0

    @cached_property
    def unit(self) -> Floats:
        """What a standardised column is measured in, (p,): its sd if it is a number, else 1."""
        out = np.ones(len(self.names))
        measured = self._measured
        out[measured] = np.where(self.sd[measured] > 0, self.sd[measured], 1.0)
        return out

    @cached_property
    def centre(self) -> Floats:
        """Where a column is measured from, (p,): its mean if it is a number, else 0."""
        out = np.zeros(len(self.names))
        out[self._measured] = self.mean[self._measured]
        return out

    @cached_property
    def _measured(self) -> Ints:
        """Which columns are numbers on a scale, not 0 and 1."""
        numbers = enumerate(self.counted)
        return np.array([i for i, j in numbers if self._kinds[j] is not Kind.BOOLEAN], np.intp)

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Which columns hold one number only, (p,), as far as numbers go."""
        out = np.zeros(len(self.names), bool)
        out[: len(self.sd)] = self.sd == 0
        return out

    def cells(self, frame: Frame, engine: Engine, whole: bool = False) -> Standard:
        """The design of a table, block by block, standardised, for an engine to work on."""
        return Standard(self.chunk(frame, whole), Scaling(self.centre, self.unit), engine)

    def chunk(self, frame: Frame, whole: bool = False) -> Chunk[DesignRows]:
        """The design of a table, as a source.

        `whole` says that the design was learnt from every row of this table, so that it need not be looked
        through for missing cells once more.
        """
        rows = replace(self.rows_of(frame), whole=whole and not set(self.gaps) & set(self.counted))
        width = frame.width if rows.sparse else len(self.names)
        return Chunk(rows, frame.n, max(width, 1))

    def rows_of(self, frame: Frame) -> DesignRows:
        """The design of a table, block by block."""
        widths = [max(len(self.schema.columns[j].known) - self._first, 0) for j in self.coded]
        ends = np.concatenate([[0], np.cumsum(widths)]).astype(np.intp)
        place = {j: i for i, j in enumerate(self.counted)}
        of_codes = {j: i for i, j in enumerate(self.coded)}
        return DesignRows(
            self._numbers(frame),
            self._codes(frame),
            tuple(self.schema.bags(frame, j) for j in self.texts),
            OneHot(self._first, ends[:-1], int(ends[-1])),
            self.mean,
            [place[j] for j in self.gaps if j in place],
            [of_codes[j] for j in self.gaps if j in of_codes],
        )

    def _numbers(self, frame: Frame) -> Numbers:
        return self.schema.numbers(frame, self.counted)

    def _codes(self, frame: Frame) -> Codes:
        return self.schema.codes(frame, self.coded)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a table that a design is learnt from, and the weights of its rows."""

    numbers: Numbers
    codes: Codes
    weight: Floats | None  # (n,)


@dataclass(frozen=True, slots=True)
class _Overview:
    """Moments of the numbers, and which columns of levels have a missing cell."""

    moments: Moments
    holes: NDArray[np.bool_]

    def __add__(self, other: _Overview) -> _Overview:
        return _Overview(self.moments + other.moments, self.holes | other.holes)


@dataclass(frozen=True, slots=True)
class _Look(ReduceTask[_Columns, _Overview]):
    """Look through a table once, to learn a design."""

    coded: bool  # whether there are columns of levels

    def step(self, data: _Columns, start: int, stop: int) -> _Overview:
        groups = Groups.one(stop - start, None if data.weight is None else data.weight[start:stop])
        holes = (data.codes.rows(start, stop) == -1).any(axis=0) if self.coded else np.zeros(0, bool)
        return _Overview(Moments.collect(data.numbers.rows(start, stop), groups), holes)
