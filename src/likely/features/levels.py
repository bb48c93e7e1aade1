"""Levels -> fewer levels, levels in order, or one true or false for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.features.counted import Counted, is_levels, level_values
from likely.features.evidence_maps import evidence, level_shares
from likely.features.new_table import NewColumn, new_table
from likely.features.partition import CellMap, Partition
from likely.features.transformer import Transformer, one_of
from likely.format.words import different, shown
from likely.infer.chi_merge import chi_merge_any
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, Level, TableLike
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.frame import Frame

MOST_LEVELS = 300  # of which all pairs are compared
MOST_COLUMNS = 10_000  # that one column may become


class GroupLevels(Transformer):
    """Merge levels: rare ones together, or those whose classes look alike.

    Parameters
    ----------
    method : "rare" or "chi_merge"
        "rare" does not look at the target: levels below `least` become one. "chi_merge" joins the two
        levels, of all pairs, whose classes look most alike by chi-squared, until all differ at the level `p`.
    least : float
        Of "rare": how many rows a level must have; below 1, which share of them.
    p : float
        Of "chi_merge".
    groups : int or None
        Of "chi_merge": at most so many are left.
    other : str
        What rare levels are called together; levels that come later are rare, too.
    columns, kinds
        As in `Discretize`; without `columns`, all levels without an order.

    Examples
    --------
    >>> import likely
    >>> likely.GroupLevels(least=2).fit_transform({"town": ["a", "a", "b", "c"]})["town"].tolist()
    ['a', 'a', 'other', 'other']
    """

    def __init__(
        self,
        method: str = "rare",
        *,
        least: float = 0.01,
        p: float = 0.05,
        groups: int | None = None,
        other: str = "other",
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.method = method
        self.least = least
        self.p = p
        self.groups = groups
        self.other = other
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.method != "rare"

    def _check_options(self) -> None:
        one_of("method", self.method, ("rare", "chi_merge"))
        if not self.least >= 0:
            raise LikelyError(f"least={self.least!r}: give a number of rows, or a share of them.")
        if not 0 < self.p < 1:
            raise LikelyError(f"p={self.p!r}: give a level between 0 and 1.")

    def _applies(self, column: Column) -> bool:
        return column.kind is Kind.CATEGORICAL

    def _learn(self, record: Counted, j: int) -> CellMap:
        column, counts = record.schema.columns[j], record.level_counts(j)
        rows, names = counts.sum(axis=0), [shown(level) or "missing" for level in level_values(column)]
        rare = np.zeros(len(names), bool)
        if self.method == "rare":
            needed = self.least * rows.sum() if self.least < 1 else self.least
            rare = rows < needed
            group_of = _first_numbers(np.where(rare, -1, np.arange(len(names))))
            why = f"{int(rare.sum())} levels with fewer than {needed:.6g} rows together"
        else:
            group_of, why = self._alike(counts)
        labels = []
        for group in range(int(group_of.max(initial=-1)) + 1):
            mine = np.flatnonzero(group_of == group)
            labels.append(self.other if rare[mine].all() and len(mine) else _joined([names[i] for i in mine]))
        labels = different(labels) or ["all"]
        both = np.stack([counts[:, group_of == g].sum(axis=1) for g in range(len(labels))], axis=1)
        part = Partition(column, tuple(labels), both, cell_of=group_of, why=why)
        output = Column(column.name, Kind.CATEGORICAL, Type.CATEGORY, tuple(labels), listed=True)
        made = CellMap.of(part, [output], np.arange(len(labels), dtype=np.float64)[:, None])
        if self.method == "rare" and rare.any():
            unseen = np.array([float(group_of[np.argmax(rare)])])
            return CellMap(part, made.outputs, made.table, made.missing, unseen)
        return made

    def _alike(self, counts: Floats) -> tuple[Any, str]:
        from scipy.stats import chi2

        rows = counts.sum(axis=0)
        present = int((counts.sum(axis=1) > 0).sum())
        threshold = float(chi2.isf(self.p, max(present - 1, 1)))
        # The rarest of too many levels are one from the start; those without rows are alike to any.
        common = np.sort(np.argsort(-rows, kind="stable")[:MOST_LEVELS])
        pooled = np.full(len(rows), -1)
        pooled[common] = np.arange(len(common))
        start = _first_numbers(pooled)
        merged = np.stack(
            [counts[:, start == s].sum(axis=1) for s in range(int(start.max(initial=-1)) + 1)] or [rows[:0]],
            axis=-1,
        )
        kept = np.flatnonzero(merged.sum(axis=0) > 0)
        why = f"levels joined while chi-squared is below {threshold:.4f} (p={self.p:g})"
        if len(kept) < 2:
            return np.zeros(len(rows), np.intp), "only one level has rows" if len(kept) else "no known value"
        group = np.zeros(merged.shape[1], np.intp)
        group[kept] = chi_merge_any(merged[:, kept], threshold, self.groups)
        if len(common) < len(rows):
            why += f"; beyond the {MOST_LEVELS} most frequent they are one"
        return _first_numbers(group[start]), why


class Order(Transformer):
    """Put levels in order, or take the order of levels away.

    Parameters
    ----------
    by : "evidence", "frequency", "none" or mapping
        By what each level says about the second of two classes, from least to most; from the rarest to the
        most frequent; levels in order, by column; or "none": ordered levels become unordered ones.
    columns, kinds
        As in `Discretize`; without `columns`, all levels and truth values (with "none", ordered levels).

    Examples
    --------
    >>> import likely
    >>> days = {"sky": ["sun", "rain", "sun", "cloud", "rain"], "swim": [1, 0, 1, 1, 0]}
    >>> likely.Order().fit(days, "swim").orders_
    {'sky': ['rain', 'cloud', 'sun']}
    """

    def __init__(
        self,
        by: str | Mapping[str, Sequence[Level]] = "evidence",
        *,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.by = by
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.by == "evidence"

    @property
    def deductive(self) -> bool:  # type: ignore[override]
        """Whether nothing is chosen: unordering, and an order that is given."""
        return self.by == "none" or not isinstance(self.by, str)

    @property
    def orders_(self) -> dict[str, list[Any]]:
        """The levels of each column in their new order."""
        made = (m.outputs[0] for m in self._maps() if m is not None)
        return {column.name: list(column.levels or ()) for column in made}

    def inverse_transform(self, X: TableLike) -> Any:
        """Back to the levels as they were, in their own order, or none."""
        frame, schema = self._as_came_out(X), self._known().schema
        columns = []
        for name, column, change in zip(frame.names, schema.columns, self._maps(), strict=True):
            if change is None:
                columns.append(NewColumn(column.name, replace(column, name=name), None))
                continue
            assert change.partition.cell_of is not None
            codes, order = places_of(frame, name, change.outputs[0]), np.argsort(change.partition.cell_of)
            back = np.where(codes < 0, np.nan, np.append(order, 0)[np.maximum(codes, 0)])
            columns.append(NewColumn(column.name, column, back, back=True))
        return new_table(X, frame, columns, self)

    def _check_options(self) -> None:
        if isinstance(self.by, str):
            one_of("by", self.by, ("evidence", "frequency", "none"))

    def _applies(self, column: Column) -> bool:
        if self.by == "none":
            return column.kind is Kind.ORDINAL
        return is_levels(column) and (isinstance(self.by, str) or column.name in self.by)

    def _learn(self, record: Counted, j: int) -> CellMap:
        column, counts = record.schema.columns[j], record.level_counts(j)
        levels, rows = level_values(column), counts.sum(axis=0)
        if self.by == "evidence":
            if len(counts) > 2:
                raise LikelyError(
                    f"column {column.name!r}: an order by evidence is for two classes, and there are "
                    f"{len(counts)}. Use by='frequency', or by={{{column.name!r}: [the levels in order]}}."
                )
            base = counts.sum(axis=1) / rows.sum() if rows.sum() else record.totals / record.n
            shares, _, _ = level_shares(counts, base, "neutral")
            order = np.argsort(evidence(shares, base)[0], kind="stable")
            why = "from least to most evidence for the second class"
        elif self.by == "frequency":
            order, why = np.argsort(rows, kind="stable"), "from the rarest to the most frequent"
        elif self.by == "none":
            order, why = np.arange(len(levels)), "order taken away"
        else:
            assert isinstance(self.by, Mapping)
            order, why = _listed_order(column, self.by[column.name]), "as listed"
        place = np.empty(len(levels), np.intp)
        place[order] = np.arange(len(levels))
        names = tuple(shown(levels[i]) or "missing" for i in order)
        part = Partition(column, names, counts[:, order], cell_of=place, why=why)
        kind = Kind.CATEGORICAL if self.by == "none" else Kind.ORDINAL
        values = tuple(names[k] if levels[i] is None else levels[i] for k, i in enumerate(order))
        output = Column(column.name, kind, Type.CATEGORY, values, listed=True)
        return CellMap.of(part, [output], np.arange(len(levels), dtype=np.float64)[:, None])


class Binarize(Transformer):
    """One true or false for each level (one-hot encoding, dummy variables).

    Together the new columns forget that levels exclude each other: a model that takes columns to be
    independent counts them as so many pieces of evidence. A level never seen is none of them.

    Parameters
    ----------
    drop_first : bool
        Leave the first level out: a row that is none of the others is of it. Linear models need that.
    columns, kinds
        As in `Discretize`; without `columns`, all levels without an order.

    Examples
    --------
    >>> import likely
    >>> likely.Binarize().fit_transform({"sky": ["sun", "rain"]})
    {'sky=rain': array([False,  True]), 'sky=sun': array([ True, False])}
    """

    deductive = True

    def __init__(
        self, *, drop_first: bool = False, columns: Sequence[str] | None = None, kinds: Kinds = None
    ) -> None:
        self.drop_first = drop_first
        self.columns = columns
        self.kinds = kinds

    def inverse_transform(self, X: TableLike) -> Any:
        """Back to levels: the one that is true; where none is, the level left out, or nothing."""
        frame, schema = self._as_came_out(X), self._known().schema
        names = self._names(self._maps())
        columns, at = [], 0
        for j, (mine, change) in enumerate(zip(names, self._maps(), strict=True)):
            asked = frame.names[at : at + len(mine)]
            at += len(mine)
            if change is None:
                columns.append(
                    NewColumn(schema.columns[j].name, replace(schema.columns[j], name=asked[0]), None)
                )
                continue
            true = np.zeros((frame.n, len(asked) + 1))  # one column more: a table may have no levels at all
            for own, name in zip(true.T, asked, strict=False):
                own[:] = frame.raw(name).numbers()
            first = float(self.drop_first)
            none = 0.0 if first and change.partition.counts.any() else np.nan
            code = np.where((true == 1).any(axis=1), true.argmax(axis=1) + first, none)
            columns.append(
                NewColumn(
                    schema.columns[j].name,
                    schema.columns[j],
                    np.where(np.isnan(true).any(axis=1), np.nan, code),
                    back=True,
                )
            )
        return new_table(X, frame, columns, self)

    def _applies(self, column: Column) -> bool:
        asked = self.columns is not None and column.name in self.columns
        return column.kind is Kind.CATEGORICAL or (asked and column.kind is Kind.ORDINAL)

    def _learn(self, record: Counted, j: int) -> CellMap:
        column, counts = record.schema.columns[j], record.level_counts(j)
        part = Partition.of_levels(column, counts)
        names = part.labels
        if len(names) > MOST_COLUMNS:
            raise LikelyError(
                f"column {column.name!r} has {len(names):,} levels, and each would be a column: put rare "
                "ones together first (GroupLevels), take Evidence, or leave it out of `columns`."
            )
        skip = int(self.drop_first and len(names) > 0)
        outputs = [Column(f"{column.name}={name}", Kind.BOOLEAN, Type.BOOLEAN) for name in names[skip:]]
        table = np.eye(len(names))[:, skip:]
        nothing = np.full(len(outputs), np.nan)
        return CellMap(part, tuple(outputs), table, nothing, np.zeros(len(outputs)))


def places_of(frame: Frame, name: str, output: Column) -> Ints:
    """The place of each cell among the levels that came out, (n,); below 0 where it is none of them."""
    raw = frame.raw(name)
    codes = np.empty(len(raw.values), np.intp)
    if raw.type.numeric and not frame.named:  # a matrix holds places
        places = np.asarray(raw.numbers(), np.float64)
        codes[:] = np.where(np.isnan(places), -1, np.nan_to_num(places))
    else:
        output.coded(raw).rows(0, len(codes), codes)
    return codes


def _first_numbers(groups: Any) -> Any:
    """Groups numbered 0, 1, ... in the order in which they first occur."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.intp)
    place[np.argsort(first)] = np.arange(len(first))
    return place[inverse].astype(np.intp)


def _joined(names: Sequence[str]) -> str:
    few = " or ".join(names[:3])
    return few if len(names) <= 3 else f"{few} or {len(names) - 3} more"


def _listed_order(column: Column, asked: Sequence[Level]) -> Any:
    levels = level_values(column)
    strange = [level for level in levels if level not in asked and level is not None]
    if strange:
        raise LikelyError(
            f"column {column.name!r}: the order {list(asked)!r} lacks {strange[0]!r}: list every level."
        )
    place = {level: i for i, level in enumerate(asked)}
    return np.array(sorted(range(len(levels)), key=lambda i: place.get(levels[i], len(place))), np.intp)
