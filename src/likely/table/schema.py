"""What a table must look like: learnt once, enforced on every table that comes after."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError, notice
from likely.table.column.as_raw import as_raw
from likely.table.column.block import Codes, Missing, Numbers, Rows
from likely.table.column.column import Column
from likely.table.column.contiguous import MOST_COPIED
from likely.table.column.kinds import WANTED, Kind, are_numbers, misfits
from likely.table.column.levels import Coded, number_codes, parts, whole_levels
from likely.table.column.raw import Raw
from likely.table.column.words import Bags
from likely.table.frame import AsTuple, Frame, Places
from likely.table.names import columns_absent, names_differ

_CELLS = 1 << 15  # looked at together, so that they stay in the cache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Alike(AsTuple[Column]):
    """Columns that differ only in their names; otherwise a tuple of them.

    >>> from likely.table.column.kinds import Kind
    >>> from likely.table.column.kinds import Type
    >>> columns = Alike(Column("", Kind.COUNT, Type.INTEGER), ("a", "b"))
    >>> columns[1].name, columns == (columns[0], columns[1])
    ('b', True)
    """

    pattern: Column  # its name does not matter
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Column: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Column, ...]: ...
    def __getitem__(self, place: int | slice) -> Column | tuple[Column, ...]:
        chosen = self.names[place]
        if isinstance(chosen, str):
            return _named(self.pattern, chosen)
        return tuple(_named(self.pattern, name) for name in chosen)

    def _same(self, other: Alike) -> bool:
        theirs = replace(other.pattern, name=self.pattern.name)
        return self.names == other.names and self.pattern == theirs


@lru_cache(1 << 10)
def _named(pattern: Column, name: str) -> Column:
    """The same column by a name; steps ask for the columns of a matrix again and again."""
    return replace(pattern, name=name)


@dataclass(frozen=True, slots=True)
class Everywhere(Mapping[str, Any]):
    """The same declared of every column of a matrix without names.

    >>> Everywhere(Places(2), "count")["x1"]
    'count'
    """

    names: Places
    value: Any

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return self.value

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def each_value(declared: Mapping[str, Any], meant: Callable[[Any, str], Any]) -> Mapping[str, Any]:
    """What is meant by each value, given the value and the name of its column; asked once where all are one.

    >>> each_value({"a": 1, "b": 2}, lambda value, name: f"{name}{value}")
    {'a': 'a1', 'b': 'b2'}
    """
    if isinstance(declared, Everywhere) and len(declared):
        return Everywhere(declared.names, meant(declared.value, declared.names[0]))
    return {name: meant(value, name) for name, value in declared.items()}


def runs(
    columns: Sequence[Column], chosen: Sequence[int], *declared: Mapping[str, Any]
) -> Iterator[tuple[Column, Sequence[int]]]:
    """The chosen columns, with their places: one for all of which the same is known and declared."""
    one = isinstance(columns, Alike) and len(chosen) > 0
    if one and all(isinstance(what, Everywhere) or not what for what in declared):
        yield columns[chosen[0]], chosen
        return
    for j in chosen:
        yield columns[j], (j,)


def learn_matrix(frame: Frame, declared: Mapping[str, Any], missing_level: bool) -> Sequence[Column]:
    """The columns of a matrix: all have its type, so their kinds differ only where declared."""
    plain = Column.learn(_like(frame))
    word = declared.value if isinstance(declared, Everywhere) else None
    kind = Kind.of(word, next(iter(frame.names), None)) if isinstance(word, str) else plain.kind
    alike = not declared or (isinstance(declared, Everywhere) and (word is None or isinstance(word, str)))
    if alike and not kind.coded and kind is not Kind.TEXT:
        same = Alike(Column("", kind, plain.type), frame.names)
        refuse_misfits(frame, same, range(len(same)))
        return same
    columns = [Column(name, plain.kind, plain.type) for name in frame.names]
    coded: list[int] = []
    for name, asked in declared.items():
        j = frame.position[name]
        if asked is None:
            continue
        if not isinstance(asked, str) or (kind := Kind.of(asked, name)) is Kind.TEXT:
            columns[j] = Column.learn(frame.raw(name), asked, missing_level)
        else:
            columns[j] = Column(name, kind, plain.type)
            coded += [j] if kind.coded else []
    refuse_misfits(frame, columns, range(len(columns)))
    for j, levels in zip(sorted(coded), _levels(frame, sorted(coded)), strict=True):
        raw = replace(_like(frame), name=columns[j].name)
        columns[j] = Column.with_levels(raw, columns[j].kind, levels, missing_level)
    return tuple(columns)


def refuse_misfits(frame: Frame, columns: Sequence[Column], chosen: Sequence[int]) -> None:
    """Refuse a matrix with numbers that one of these columns cannot hold."""
    made_of = _like(frame).type
    of_kind: dict[Kind, list[int]] = {kind: [] for kind in WANTED}
    for column, places in runs(columns, chosen):
        if not column.fits(made_of):
            column.check(frame.raw(column.name))
        if column.kind in of_kind:
            of_kind[column.kind] += places
    for kind, places in of_kind.items():
        if kind in frame.found_fit or not places:
            continue
        if (worst := _first_misfit(frame.matrix, np.array(places, np.intp), kind)) is not None:
            columns[worst].numbers(frame.raw(columns[worst].name))  # says which row it is
        if len(places) == len(frame.names):
            frame.found_fit.add(kind)


def matrix_codes(frame: Frame, columns: Sequence[Column]) -> Coded | None:
    """Codes of all these columns at once; None if they must be made one by one."""
    matrix = neighbours(frame.matrix, [frame.position[column.name] for column in columns])
    made_of = _like(frame).type
    at_once = all(column.fits(made_of) and are_numbers(column.known) for column in columns)
    if matrix is None or not at_once or not _by_rows(matrix):
        return None
    return number_codes(matrix, [c.known for c in columns], [c.missing_code for c in columns])


def neighbours(matrix: Rows, chosen: Sequence[int]) -> Rows | None:
    """Columns that stand side by side as a matrix of their own, a view; None if they do not."""
    if len(chosen) == matrix.shape[1] and all(a == b for a, b in enumerate(chosen)):
        return matrix
    if not len(chosen) or list(chosen) != list(range(chosen[0], chosen[0] + len(chosen))):
        return None
    return matrix[:, chosen[0] : chosen[-1] + 1]


def _like(frame: Frame) -> Raw:
    """A column as any of the matrix."""
    return as_raw("x", np.zeros(1, frame.matrix.dtype))


def _by_rows(matrix: Rows) -> bool:
    """Whether the cells of a row are stored side by side, so that going down a column is slow."""
    return not isinstance(matrix, np.ndarray) or abs(matrix.strides[0]) >= abs(matrix.strides[1])


def _levels(frame: Frame, coded: Sequence[int]) -> list[list[Any]]:
    matrix = neighbours(frame.matrix, coded)
    by_column = whole_levels(matrix) if matrix is not None and _by_rows(matrix) else None
    if by_column is None:
        return [list(Column.learn(frame.raw(frame.names[j]), Kind.CATEGORICAL).known) for j in coded]
    like = _like(frame)
    return [[like.type.typed(level) for level in levels] for levels in by_column]


def _first_misfit(matrix: Rows, places: NDArray[np.intp], kind: Kind) -> int | None:
    """The column of the first number that is not of the kind it should be."""
    some = matrix if len(places) == matrix.shape[1] else matrix[:, places]
    if not isinstance(some, np.ndarray):
        for start in range(0, len(some.data), _CELLS):
            wrong = misfits(some.data[start : start + _CELLS], kind)  # what is not stored is 0, which fits
            if wrong is not None and wrong.any():
                return int(places[some.indices[start + np.argmax(wrong)]])
        return None
    for _, part in parts(some, 0, len(some)):
        wrong = misfits(part, kind)
        if wrong is not None and wrong.any():
            return int(places[np.argwhere(wrong)[0, 1]])
    return None


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table, in order.

    >>> schema = Schema.learn(Frame.of({"age": [31, 4], "sex": ["m", "f"]}))
    >>> [str(column.kind) for column in schema.columns]
    ['quantitative', 'categorical']
    """

    columns: Sequence[Column]  # a tuple, or Alike
    named: bool
    library: str

    @classmethod
    def learn(cls, frame: Frame, kinds: Any = None, missing_level: bool = False) -> Schema:
        """Learn the kind of every column; `kinds` is one kind for all, or a mapping by name."""
        declared = declared_by_name(frame.names, kinds, "kinds")
        if frame.matrix is not None:
            return cls(learn_matrix(frame, declared, missing_level), frame.named, frame.library)
        columns = (Column.learn(frame.raw(name), declared.get(name), missing_level) for name in frame.names)
        return cls(tuple(columns), frame.named, frame.library)

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        if isinstance(self.columns, Alike):
            return self.columns.names
        return tuple(column.name for column in self.columns)

    @property
    def declarations(self) -> Mapping[str, Any]:
        """What to declare of each column so that more of the same table is learnt alike."""
        if isinstance(self.columns, Alike) and isinstance(self.names, Places):
            return Everywhere(self.names, self.columns.pattern.declaration)
        return {column.name: column.declaration for column in self.columns}

    def runs(self, *declared: Mapping[str, Any]) -> Iterator[tuple[Column, Sequence[int]]]:
        """The columns with their places: one for all of which the same is known and declared."""
        return runs(self.columns, range(len(self.columns)), *declared)

    def without_spans(self) -> Schema:
        """The same without a word on which numbers its columns may hold."""
        if isinstance(self.columns, Alike):
            return self
        return replace(self, columns=tuple(replace(column, span=None) for column in self.columns))

    def declare(self, places: Sequence[int], what: Any) -> Mapping[str, Any]:
        """The same declared of the columns at these places."""
        if len(places) == len(self.columns) and isinstance(self.names, Places):
            return Everywhere(self.names, what)
        return {self.columns[j].name: what for j in places}

    def align(self, frame: Frame, who: str) -> Frame:
        """The same table under the names of the schema, or an error that says what does not fit.

        The wording of what scikit-learn also checks is scikit-learn's.
        """
        if frame.named and self.named:
            return self._by_name(frame)
        if frame.named != self.named:
            had = "X has feature names, but {} was fitted without feature names"
            lacks = "X does not have valid feature names, but {} was fitted with feature names"
            _warn((had if frame.named else lacks).format(who))
        if len(frame.names) != len(self.columns):
            raise LikelyError(
                f"X has {len(frame.names)} features, but {who} is expecting {len(self.columns)} features as "
                f"input: {', '.join(map(repr, self.names[:8]))}{', ...' if len(self.columns) > 8 else ''}."
            )
        return frame.renamed(self.names)

    def _by_name(self, frame: Frame) -> Frame:
        wanted, known = self.names, set(self.names)
        extra = [name for name in frame.names if name not in known]
        missing = [name for name in wanted if name not in frame.position]
        loose = frame.library == "dict"  # records: no order, and what they do not tell is not known
        if missing and (not loose or len(missing) == len(wanted)):
            raise LikelyError(names_differ(extra, missing))
        if missing:
            notice(columns_absent(missing, extra))
            frame = frame.with_gaps(missing)
        if extra:
            notice(
                f"column{'s' if len(extra) > 1 else ''} {', '.join(map(repr, extra[:5]))}"
                f"{', ...' if len(extra) > 5 else ''} not seen when the model was fitted: ignored.",
            )
        if loose:
            return frame if frame.names == wanted else frame.only(wanted)
        if [name for name in frame.names if name in known] != list(wanted):
            raise LikelyError(
                "The feature names should match those that were passed during fit.\n"
                "Feature names must be in the same order as they were in fit.\n"
                f"Give them as {list(wanted)!r}, for example X[model.feature_names_in_]."
            )
        return frame.only(wanted) if extra else frame

    def places(self, names: Sequence[str]) -> list[int | None]:
        """Where each column stands among these names, None if nowhere; in order if it has no names."""
        if not self.named:
            if len(names) != len(self.columns):
                raise LikelyError(
                    f"the table has {len(names)} columns, and the model was fitted on {len(self.columns)} "
                    "columns without names: give exactly those, in the same order."
                )
            return list(range(len(names)))
        place = {name: j for j, name in enumerate(names)}
        if not any(name in place for name in self.names):
            raise LikelyError(names_differ(names, self.names))
        return [place.get(name) for name in self.names]

    def numbers(self, frame: Frame, chosen: Sequence[int]) -> Numbers:
        """Some columns as a block of numbers."""
        if frame.matrix is None:
            columns = [self.columns[j] for j in chosen]
            numbers = tuple(column.numbers(frame.raw(column.name)) for column in columns)
            names = tuple(column.name for column in columns)
            if frame.n < len(columns) <= MOST_COPIED // max(frame.n, 1):
                # Wide and short: to put columns side by side anew for every block takes longer than the work.
                return Numbers(names, np.array(numbers, np.float64).T)
            return Numbers(names, columns=numbers)
        refuse_misfits(frame, self.columns, chosen)
        if len(chosen) == len(self.columns) and self.names == frame.names and _in_order(chosen):
            return Numbers(frame.names, frame.matrix)
        names = tuple(self.columns[j].name for j in chosen)
        places = [frame.position[name] for name in names]
        beside = neighbours(frame.matrix, places)
        if beside is not None:
            return Numbers(names, beside)
        return Numbers(names, frame.matrix, np.array(places, np.intp))

    def codes(self, frame: Frame, chosen: Sequence[int]) -> Codes:
        """Some columns as a block of codes of levels."""
        columns = [self.columns[j] for j in chosen]
        together = matrix_codes(frame, columns) if frame.matrix is not None and columns else None
        if together is not None:
            return Codes(together=together)
        return Codes(tuple(column.coded(frame.raw(column.name)) for column in columns))

    def bags(self, frame: Frame, j: int) -> Bags:
        """A column of texts as bags of words."""
        return self.columns[j].bags(frame.raw(self.columns[j].name))

    def missing(self, frame: Frame, chosen: Sequence[int]) -> Missing:
        """Some columns as a block that says which cells are missing."""
        return Missing(self.numbers(frame, chosen))

    def widened(self, other: Schema) -> Schema:
        """The schema with the levels of both; the columns must be the same."""
        if self.columns == other.columns:
            return self
        if self.names != other.names:
            mine, theirs = dict.fromkeys(self.names), dict.fromkeys(other.names)
            raise LikelyError(
                names_differ([n for n in theirs if n not in mine], [n for n in mine if n not in theirs])
            )
        pairs = zip(self.columns, other.columns, strict=True)
        return replace(self, columns=tuple(mine.widened(theirs) for mine, theirs in pairs))


def declared_by_name(names: Sequence[str], declared: object, option: str) -> Mapping[str, Any]:
    """What an option such as `kinds` says of each column: one word for all, or a mapping by name."""
    if declared is None:
        return {}
    if isinstance(declared, Everywhere):
        return declared
    if not isinstance(declared, Mapping):
        return Everywhere(names, declared) if isinstance(names, Places) else dict.fromkeys(names, declared)
    known = set(names)
    by_name = {str(name): what for name, what in declared.items()}
    for name in by_name:
        if name not in known:
            near = get_close_matches(str(name), [str(n) for n in names], 1)
            hint = f"did you mean {near[0]!r}?" if near else f"the columns are {list(names)[:10]!r}."
            raise LikelyError(f"{option} names column {name!r}, which the table does not have: {hint}")
    return by_name


def _in_order(places: Sequence[int]) -> bool:
    return tuple(places) == tuple(range(len(places)))


def _warn(message: str) -> None:
    # A plain UserWarning: scikit-learn's own check looks for exactly this one.
    warnings.warn(message, UserWarning, stacklevel=5)
