"""The columns of a table as columns of numbers, for models that multiply them: the design matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.scan.large import LargeTable
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, demand
from likely.infer.standard import Matrix, Scaling, Standard
from likely.models.groups.check import check_finite
from likely.stats import Groups, Moments
from likely.table.accepted import Kinds
from likely.table.column.block import LIMIT, Codes, Numbers, scratch
from likely.table.column.kinds import Kind
from likely.table.column.words import Bags
from likely.table.frame import Frame
from likely.table.schema import Alike, Schema, runs

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

WIDE = 500  # columns of levels beyond so many are kept sparse
SILENT = 100_000  # columns of one level: nothing but their number shows how many there are


@dataclass(frozen=True)
class OneHot:
    """Columns of codes as 0 and 1 for each level."""

    first: int  # the first code that has a column: 1 if the first level is what others are compared with
    offset: Ints  # where the levels of each column begin
    n: int  # of all columns

    @property
    def wide(self) -> bool:
        """Whether they are so many that they are kept sparse."""
        return self.n > WIDE

    def write(self, codes: Ints, out: Floats) -> None:
        """The 0 and 1 of codes (b, d) into (b, n)."""
        out[:] = 0.0
        out[self._places(codes)] = 1.0

    def sparse(self, codes: Ints) -> Matrix:
        """The same as a sparse matrix."""
        from scipy.sparse import csr_array

        row, place = self._places(codes)
        return csr_array((np.ones(len(row)), (row, place)), shape=(len(codes), self.n))

    def _places(self, codes: Ints) -> tuple[Ints, Ints]:
        at = codes - self.first
        row, column = np.nonzero(at >= 0)
        return row, (at + self.offset)[row, column]


@dataclass(frozen=True)
class DesignRows:
    """Numbers, levels, what is missing and words, side by side; called with (start, stop) of the rows."""

    numbers: Numbers
    codes: Codes
    bags: tuple[Bags, ...]
    levels: OneHot
    mean: Floats  # (m,) what missing numbers are taken for
    gaps_of_numbers: list[int]  # which numbers have a column that says they were missing
    gaps_of_codes: list[int]  # which columns of levels
    whole: bool = False  # it is known that no number is missing or infinite

    @property
    def sparse(self) -> bool:
        """Whether the rows are sparse."""
        matrix = self.numbers.matrix
        of_numbers = matrix is not None and not isinstance(matrix, np.ndarray)
        return bool(self.bags) or self.levels.wide or of_numbers

    @property
    def _only_numbers(self) -> bool:
        others = (
            len(self.bags) + len(self.levels.offset) + len(self.gaps_of_numbers) + len(self.gaps_of_codes)
        )
        return not others

    def __call__(self, start: int, stop: int) -> Matrix:
        """Rows start to stop, (b, p), dense or sparse, without missing cells."""
        cells = _view(self.numbers, start, stop)
        if not isinstance(cells, np.ndarray):
            if self.whole and self._only_numbers:
                return cells
            filled = _filled(cells, self.mean, self.gaps_of_numbers)
            return filled[0] if self._only_numbers else _beside(list(filled))
        with np.errstate(over="ignore", invalid="ignore"):
            whole = self.whole or bool(np.isfinite(cells.sum()))
        if whole and self._only_numbers:
            return cells
        holes = np.isnan(cells)
        if not whole:
            self._refuse_infinity(cells, start, stop)
        if self._only_numbers and not holes.any():
            return cells
        return self._joined(cells, holes, start, stop)

    def _joined(self, cells: Floats, holes: NDArray[np.bool_], start: int, stop: int) -> Matrix:
        m, between = cells.shape[1], 0 if self.levels.wide else self.levels.n
        gaps = len(self.gaps_of_numbers) + len(self.gaps_of_codes)
        out = scratch("design", (stop - start, m + between + gaps))
        out[:, :m] = cells
        np.copyto(out[:, :m], self.mean, where=holes)
        at = m + between
        out[:, at : at + len(self.gaps_of_numbers)] = holes[:, self.gaps_of_numbers]
        parts: list[Matrix] = [out]
        if len(self.levels.offset):
            codes = self.codes.rows(start, stop)
            out[:, at + len(self.gaps_of_numbers) :] = codes[:, self.gaps_of_codes] == -1
            if self.levels.wide:
                parts = [out[:, :m], self.levels.sparse(codes), out[:, m:]]
            else:
                self.levels.write(codes, out[:, m:at])
        parts += [bag.rows(start, stop).counts for bag in self.bags]
        return out if len(parts) == 1 else _beside(parts)

    def holes(self, start: int, stop: int) -> NDArray[np.bool_] | None:
        """Which numbers, and then which levels, are missing, (b, columns); None if all are told."""
        cells = _view(self.numbers, start, stop)
        dense = isinstance(cells, np.ndarray)
        with np.errstate(over="ignore", invalid="ignore"):
            whole = self.whole or not np.isnan((cells if dense else cells.data).sum())
        codes = self.codes.rows(start, stop) if len(self.levels.offset) else np.zeros((stop - start, 0))
        if whole and not (codes == -1).any():
            return None
        lost = np.isnan(cells if dense else cells.toarray())
        return np.concatenate([lost, codes == -1], axis=1)

    def _refuse_infinity(self, cells: Floats, start: int, stop: int) -> None:
        if np.isinf(cells).any():
            self.numbers.refuse_extremes(start, stop)


def _view(numbers: Numbers, start: int, stop: int) -> Matrix:
    """Rows of numbers; of a sparse matrix without a copy of its cells."""
    matrix = numbers.matrix
    if matrix is None or isinstance(matrix, np.ndarray) or numbers.places is not None:
        return numbers.rows(start, stop)
    from scipy.sparse import csr_array

    first, last = matrix.indptr[start], matrix.indptr[stop]
    parts = matrix.data[first:last], matrix.indices[first:last], matrix.indptr[start : stop + 1] - first
    return csr_array(parts, shape=(stop - start, matrix.shape[1]))


def _filled(cells: Matrix, mean: Floats, gaps: list[int]) -> tuple[Matrix, Matrix]:
    """Sparse cells with the mean where they are missing, and 1 where that was, of the columns `gaps`."""
    from scipy.sparse import csr_array

    if np.isfinite(cells.data.sum()):
        return cells, csr_array((cells.shape[0], len(gaps)))
    if np.isinf(cells.data).any():
        raise LikelyError("Input X contains infinity: correct it, or mark it as missing.")
    lost = np.isnan(cells.data)
    holes = csr_array((lost.astype(np.float64), cells.indices, cells.indptr), shape=cells.shape)
    filled = np.where(lost, mean[cells.indices], cells.data)
    return csr_array((filled, cells.indices, cells.indptr), shape=cells.shape), holes[:, gaps]


def _beside(parts: list[Matrix]) -> Matrix:
    from scipy.sparse import csr_array, hstack

    return hstack([csr_array(part) for part in parts], format="csr")


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
        plan = cls(Schema.learn(frame, kinds), reference, (), np.zeros(0), np.zeros(0))
        columns = plan.columns_of(frame, weight)
        with np.errstate(over="ignore", invalid="ignore"):
            overview = engine.reduce(Chunk(columns, frame.n, frame.width), _Look(bool(plan.coded)))
        if not overview.moments.in_range():
            columns.numbers.refuse_extremes(0, frame.n)
        total = frame.n if weight is None else float(weight.sum())
        return plan.seen(overview.moments, overview.holes, total)

    @classmethod
    def learn_large(cls, table: LargeTable, kinds: Kinds, reference: bool) -> Design:
        """The same from a table that is not in memory."""
        plan = cls(Schema.learn(table.frame, kinds), reference, (), np.zeros(0), np.zeros(0))
        with np.errstate(over="ignore", invalid="ignore"):
            overview = table.reduce(plan.schema, plan.columns_of, _Look(bool(plan.coded)))
        for j, (mean, scatter) in enumerate(
            zip(overview.moments.mean[0], overview.moments.scatter[0], strict=True)
        ):
            if not (np.isfinite(mean) and np.isfinite(scatter) and abs(mean) < LIMIT):
                name = plan.schema.columns[plan.counted[j]].name
                raise LikelyError(
                    f"Input X contains infinity, or a number too large to be squared: column {name!r}. "
                    "Correct it, mark it as missing, or rescale the column."
                )
        return plan.seen(overview.moments, overview.holes, table.n)

    def columns_of(self, frame: Frame, weight: Floats | None = None) -> _Columns:
        """The columns that a design is learnt from."""
        return _Columns(self._numbers(frame), self._codes(frame), weight)

    def seen(self, moments: Moments, holes: NDArray[np.bool_], total: float) -> Design:
        """The design whose numbers look so, and whose levels have holes, in rows of so much weight."""
        missing = moments.n[0] < total * (1 - 1e-12)
        gaps = [j for j, gap in zip(self.counted, missing, strict=True) if gap]
        gaps += [j for j, gap in zip(self.coded, holes, strict=True) if gap]
        sd = np.sqrt(np.maximum(moments.variance[0], 0))
        return replace(self, gaps=tuple(gaps), mean=moments.mean[0], sd=sd)

    @cached_property
    def _kinds(self) -> list[Kind]:
        """What each column of the table is read as; thousands that are alike are looked at once."""
        columns = self.schema.columns
        kinds = [Kind.QUANTITATIVE] * len(columns)
        for column, places in runs(columns, range(len(columns))):
            for j in places:
                kinds[j] = Kind.CATEGORICAL if column.has_levels else column.kind
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

    def check(self, width: int) -> None:
        """Refuse a design that has not `width` columns, or that no table can have given."""
        columns = self.schema.columns
        if isinstance(columns, Alike):  # as long as it says: compared before it is looked at
            demand(len(columns) <= max(SILENT, width), "it has more columns than it has numbers for")
        check_schema(self.schema)
        m, d = len(self.counted), len(columns)
        check_finite("the means of its columns", self.mean, (m,))
        check_finite("the deviations of its columns", self.sd, (m,))
        demand(bool((self.sd >= 0).all()), "the deviation of a column is below 0")
        holes = set(self.gaps)
        demand(len(holes) == len(self.gaps) and holes <= set(range(d)), "its gaps are in no column")
        demand(holes.isdisjoint(self.texts), "its gaps are in texts")
        order = [*self.counted, *self.coded]
        places = [order.index(j) for j in self.gaps] if holes else []
        demand(places == sorted(places), "its gaps are not in the order of the columns")
        demand(len(self.names) == width, "its coefficients are not those of its columns")


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
