"""What a table must look like: learnt once, enforced on every table that comes after."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from likely.errors import LikelyError, notice
from likely.table.block import Codes, Missing, Numbers
from likely.table.column.column import Column
from likely.table.column.default_names import Places
from likely.table.column.matrix import learn_matrix, matrix_codes, neighbours, refuse_misfits
from likely.table.column.uniform_columns import Alike, Everywhere, runs
from likely.table.column.words import Bags
from likely.table.frame import Frame


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
        if missing:
            raise LikelyError(_names_differ(extra, missing))
        if extra:
            notice(
                f"column{'s' if len(extra) > 1 else ''} {', '.join(map(repr, extra[:5]))}"
                f"{', ...' if len(extra) > 5 else ''} not seen when the model was fitted: ignored.",
                stacklevel=6,
            )
        if [name for name in frame.names if name in known] != list(wanted):
            raise LikelyError(
                "The feature names should match those that were passed during fit.\n"
                "Feature names must be in the same order as they were in fit.\n"
                f"Give them as {list(wanted)!r}, for example X[model.feature_names_in_]."
            )
        return frame.only(wanted) if extra else frame

    def places(self, names: Sequence[str]) -> list[int]:
        """Where the columns of the schema stand among these names, or in order if it has none of its own."""
        if not self.named:
            if len(names) != len(self.columns):
                raise LikelyError(
                    f"the table has {len(names)} columns, and the model was fitted on {len(self.columns)} "
                    "columns without names: give exactly those, in the same order."
                )
            return list(range(len(names)))
        place = {name: j for j, name in enumerate(names)}
        missing = [name for name in self.names if name not in place]
        if missing:
            known = set(self.names)
            raise LikelyError(_names_differ([name for name in names if name not in known], missing))
        return [place[name] for name in self.names]

    def numbers(self, frame: Frame, chosen: Sequence[int]) -> Numbers:
        """Some columns as a block of numbers."""
        if frame.matrix is None:
            columns = [self.columns[j] for j in chosen]
            numbers = tuple(column.numbers(frame.raw(column.name)) for column in columns)
            return Numbers(tuple(column.name for column in columns), columns=numbers)
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
                _names_differ([n for n in theirs if n not in mine], [n for n in mine if n not in theirs])
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


def _names_differ(extra: Sequence[str], missing: Sequence[str]) -> str:
    said = ["The feature names should match those that were passed during fit."]
    for title, names in (
        ("Feature names unseen at fit time:", extra),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if names:
            said += [title, *(f"- {name}" for name in sorted(names)[:5])]
            said += ["- ..."] if len(names) > 5 else []
    near = [(m, get_close_matches(m, extra, 1)) for m in missing[:3]]
    hints = [f"is {close[0]!r} the column {name!r}? Rename it." for name, close in near if close]
    return "\n".join(said + (hints or ["Add the missing columns (with missing values, if need be)."])) + "\n"


def _warn(message: str) -> None:
    # A plain UserWarning: scikit-learn's own check looks for exactly this one.
    warnings.warn(message, UserWarning, stacklevel=5)
