"""Subgroups: conjunctions of conditions as true or false, found by a beam search or given as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likely.draw.bars import bars
from likely.draw.forest import Estimate, forest
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.fitted import (
    class_codes,
    counted_rows,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.record import Story
from likely.features.constructed import Constructed, of_truths
from likely.features.row_truth import candidates, negated, read, sql_of, truth_of
from likely.features.transformer import one_of
from likely.format.html_table import html_table
from likely.format.words import shown, table
from likely.language import Condition, Statement
from likely.language.query import all_of
from likely.stats.groups import Floats, Ints
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURES = ("wracc", "gain")
LEVEL = 0.9  # of the intervals
MOST_TRUTHS = 1 << 28  # conditions times rows, that are held at once: 2 GB


@dataclass(frozen=True)
class SubgroupRecord:
    """The columns, the classes, and the subgroups with how much of each class they hold."""

    schema: Schema
    target: Column | None
    totals: Floats  # (g,)
    texts: tuple[str, ...]  # (s,)
    counts: Floats  # (s, g)
    places: Ints  # (s,): the class that each speaks for

    @property
    def n(self) -> float:
        """The weight of the rows that were learnt from."""
        return float(self.totals.sum())

    @property
    def target_name(self) -> str:
        """What the classes are called."""
        return "" if self.target is None else self.target.name

    @property
    def n_parameters(self) -> int:
        """The conditions."""
        return len(self.texts)

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        steps = ("Take a row.", f"Ask it {len(self.texts)} questions: {'; '.join(self.texts[:5])}.")
        return Story(model, steps, "Each answer is a column, true or false.", "", "a row of truths")

    def trained_on(self) -> dict[str, Any]:
        """What it was trained on, in plain words."""
        return {"weight_of_rows": self.n, "columns": list(self.schema.names), "target": self.target_name}

    def check(self) -> None:
        """Refuse a record of which no transformer could have been fitted."""
        check_schema(self.schema)
        if self.target is not None:
            check_target(self.target)
        g, s = len(self.totals), len(self.texts)
        demand(g == (1 if self.target is None else len(self.target.levels or ())), "its classes are others")
        demand(self.counts.shape == (s, g) and self.places.shape == (s,), "its subgroups are not counted")
        demand(bool(((self.places >= 0) & (self.places < g)).all()), "a subgroup is of no class")
        demand(bool(np.isfinite(self.counts).all()) and bool((self.totals >= 0).all()), "its counts are none")
        for text in self.texts:
            read(text, self.schema)


class Subgroups(Constructed):
    """New columns of true and false: a row is in a subgroup where all its conditions hold.

    The negation of a conjunction is a disjunction, which no single split of a tree expresses. Subgroups are
    found by a beam search for conditions that a class is more frequent under, or given as text. A row with
    missing cells is in a subgroup or not if the known ones decide, and else has a missing cell there.

    Parameters
    ----------
    given : sequence of str, optional
        Conditions in the language of `ask`, such as "3 <= length <= 5 and gills = no": no search, and no
        target is needed. `hypotheses.Concept` has its condition as `text`.
    count : int
        How many subgroups are kept.
    depth : int
        The most conditions of one.
    measure : "wracc" or "gain"
        What is searched for: weighted relative accuracy P(group) (P(class | group) - P(class)), of any class,
        or the information that the group has about the classes.
    beam : int
        How many conjunctions are carried on from each depth to the next.
    least : int or float
        The least rows of a subgroup; below 1, their share.
    cuts : int
        At how many quantiles numbers are cut.
    columns : sequence of str, optional
        Of which columns conditions are made. Default: all but texts.
    kinds : mapping, optional
        Kinds of columns, where their types do not tell.

    Attributes
    ----------
    texts_ : list of str
        The conditions.
    negations_ : list of str
        What holds where they do not, as disjunctions.

    Examples
    --------
    >>> import likely
    >>> fish = {"length": [3, 4, 5, 3, 7, 4], "gills": ["no", "no", "no", "yes", "no", "yes"]}
    >>> dolphins = likely.Subgroups(["3 <= length <= 5 and gills = no"]).fit(fish)
    >>> list(dolphins.transform(fish).values())[-1].tolist()
    [True, True, True, False, False, False]
    >>> dolphins.negations_
    ['length < 3 or length > 5 or gills != no']
    """

    record_: SubgroupRecord

    def __init__(
        self,
        given: Sequence[str] | None = None,
        count: int = 10,
        depth: int = 3,
        measure: str = "wracc",
        beam: int = 20,
        least: float = 5,
        cuts: int = 8,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.given = given
        self.count = count
        self.depth = depth
        self.measure = measure
        self.beam = beam
        self.least = least
        self.cuts = cuts
        self.columns = columns
        self.kinds = kinds

    @property
    def supervised(self) -> bool:
        """Whether it looks at the target."""
        return self.given is None

    @property
    def deductive(self) -> bool:
        """Whether nothing is chosen."""
        return self.given is not None

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Find the subgroups, or count those given; y are the classes, or the name of their column."""
        one_of("measure", self.measure, MEASURES)
        for option in ("count", "depth", "beam", "cuts"):
            if not isinstance(getattr(self, option), int | np.integer) or getattr(self, option) < 1:
                raise LikelyError(f"{option}={getattr(self, option)!r}: give a whole number from 1.")
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = (Frame.of(X), None)
        if y is not None or self.supervised:
            frame, raw = split_target(X, y, "Subgroups")
        refuse_empty(frame)
        declared_by_name(frame.names, dict.fromkeys(self.columns or ()), "columns")
        schema = Schema.learn(frame, self.kinds)
        target = None if raw is None else target_column(raw)
        codes = np.zeros(frame.n, np.intp) if raw is None or target is None else class_codes(target, raw)
        g = 1 if target is None else len(target.levels or ())
        weight = row_weights(sample_weight, frame.n)
        shares = np.eye(g)[codes] * (np.ones(frame.n) if weight is None else weight)[:, None]
        statements = (
            self._search(schema, frame, shares)
            if self.given is None
            else [read(text, schema) for text in self.given]
        )
        self._take(_counted(schema, target, frame, shares, statements))
        return self

    def _search(self, schema: Schema, frame: Frame, shares: Floats) -> list[Statement]:
        """The best conjunctions, best first: a level of the beam after another."""
        asked = None if self.columns is None else set(self.columns)
        chosen = [
            j
            for j, c in enumerate(schema.columns)
            if c.kind is not Kind.TEXT and (asked is None or c.name in asked)
        ]
        told = np.flatnonzero(shares.any(axis=1))
        frame, shares = frame.at(told), shares[told]
        least = max(self.least * shares.sum() if self.least < 1 else float(self.least), 1e-300)
        conditions = list(candidates(schema, frame, chosen, self.cuts, shares.sum(axis=1), least))
        if not conditions:
            return []
        _refuse_too_many(conditions, len(told))
        holds = np.stack([truth_of(one, schema, frame) == 1 for one in conditions]).astype(np.float64)
        beam: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        best: dict[bytes, tuple[float, tuple[int, ...]]] = {}
        for _ in range(self.depth):
            wider: dict[bytes, tuple[float, tuple[int, ...]]] = {}
            for above, parts in beam:
                rows = holds[list(parts)].prod(axis=0)
                inside = (holds * rows) @ shares  # (m, g)
                scores = _scores(inside, shares.sum(axis=0), self.measure)
                scores[inside.sum(axis=1) < least] = -np.inf
                for i in np.argsort(-scores, kind="stable")[: self.beam + len(parts)]:
                    if scores[i] > above + 1e-12 and i not in parts:
                        members = np.packbits((holds[i] * rows) > 0).tobytes()
                        wider.setdefault(members, (float(scores[i]), (*parts, int(i))))
            for key, one in wider.items():
                best.setdefault(key, one)  # of those with the same rows the shortest
            beam = sorted(wider.values(), key=lambda one: -one[0])[: self.beam]
        chosen_ones = sorted(best.values(), key=lambda one: -one[0])[: self.count]
        return [_conjunction([conditions[i] for i in parts], schema) for _, parts in chosen_ones]

    def _known(self) -> SubgroupRecord:
        record: SubgroupRecord = super()._known()
        return record

    def _take(self, record: SubgroupRecord, estimate: bool = True) -> None:
        """Be the transformer of this record."""
        super()._take(record, estimate)
        self.texts_ = list(record.texts)
        self.negations_ = [str(negated(read(text, record.schema))) for text in record.texts]

    def _new_columns(self) -> Sequence[Column]:
        return [of_truths(text) for text in self._known().texts]

    def _new_values(self, frame: Frame) -> Floats:
        record = self._known()
        truths = [truth_of(read(text, record.schema), record.schema, frame) for text in record.texts]
        return np.stack(truths, axis=1) if truths else np.zeros((frame.n, 0))

    def _sql(self) -> list[str]:
        record = self._known()
        return [sql_of(read(text, record.schema), record.schema) for text in record.texts]

    def table(self, X: TableLike | None = None, y: Target | None = None) -> SubgroupTable:
        """Rows, rate and lift of each subgroup with a 90 % interval: of the rows learnt from, or of others.

        The best of many look better than they are: lifts of subgroups that were searched for are to be
        believed on rows that were not searched.
        """
        record = self._known()
        if X is None:
            return SubgroupTable(record)
        if record.target is None:
            raise LikelyError("Subgroups was fitted without a target: fit it with one to see rates.")
        frame, raw = split_target(X, record.target_name if y is None else y, "Subgroups")
        frame = record.schema.align(frame, "Subgroups")
        shares = np.eye(len(record.totals))[class_codes(record.target, raw)]
        statements = [read(text, record.schema) for text in record.texts]
        return SubgroupTable(_counted(record.schema, record.target, frame, shares, statements, record.places))

    def plot(self, column: str | None = None, X: TableLike | None = None, ax: Axes | None = None) -> Axes:
        """The lift of each subgroup with its 90 % interval (without a target its rows); or those of X."""
        if X is not None:
            return super().plot(column, X, ax)
        lines = [one for one in self.table().lines if column is None or one["subgroup"] == column]
        if not lines or "lift" in lines[0]:
            rows = [Estimate(one["subgroup"], one["lift"], one["low"], one["high"]) for one in lines]
            said = "lift: how much more frequent the class is, with 90 % intervals"
            return forest(rows, title="subgroups", xlabel=said, zero=1.0, ax=ax)
        amounts = [one["rows"] for one in lines]
        labels, words = [one["subgroup"] for one in lines], [f"{amount:g}" for amount in amounts]
        return bars(labels, amounts, words, title="subgroups", xlabel="rows", ax=ax)

    def describe(self) -> str:
        """What it is, and its subgroups."""
        return f"{self._says()}\n{self.table()}"


def _refuse_too_many(conditions: Sequence[Condition], rows: int) -> None:
    """Refuse more conditions than are looked at side by side; most are of one column, as a rule."""
    if len(conditions) * rows <= MOST_TRUTHS:
        return
    name, times = Counter(one.variable for one in conditions).most_common(1)[0]
    raise LikelyError(
        f"column {name!r} makes {times:,} of {len(conditions):,} conditions to try on {rows:,} rows, which "
        "is too many: put rare levels together first (GroupLevels), leave it out of `columns`, or raise "
        "`least`."
    )


@dataclass(frozen=True, repr=False)
class SubgroupTable:
    """Subgroups and what they hold; prints itself."""

    record: SubgroupRecord

    @property
    def lines(self) -> list[dict[str, Any]]:
        """One for each subgroup."""
        from scipy.special import betaincinv

        record, out = self.record, []
        labels = () if record.target is None else record.target.levels or ()
        for text, counts, place in zip(record.texts, record.counts, record.places, strict=True):
            rows, hits = float(counts.sum()), float(counts[place])
            line: dict[str, Any] = {"subgroup": text, "rows": rows}
            if record.target is not None:
                base = float(record.totals[place] / record.n)
                low, high = (
                    float(betaincinv(hits + 0.5, rows - hits + 0.5, q)) / base if base else np.nan
                    for q in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
                )
                rate = hits / rows if rows else np.nan
                line |= {"class": labels[place], "rate": rate, "lift": rate / base if base else np.nan}
                line |= {"low": low, "high": high}
            out.append(line)
        return out

    def __str__(self) -> str:
        lines = self.lines
        if not lines:
            return "no subgroup: nothing that was tried makes a class more frequent in enough rows"
        if "lift" not in lines[0]:
            cells = [["subgroup", "rows"], *([line["subgroup"], f"{line['rows']:g}"] for line in lines)]
            return table(cells, "<>")
        rows = [["subgroup", "rows", "class", "rate", "lift", "90 % interval"]]
        for line in lines:
            numbers = [f"{line['rows']:g}", str(line["class"]), f"{line['rate']:.3f}", f"{line['lift']:.2f}"]
            rows.append([line["subgroup"], *numbers, f"{line['low']:.2f} to {line['high']:.2f}"])
        return table(rows, "<><>><")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = self.lines
        heads = tuple(lines[0]) if lines else ("subgroup",)
        body = [[shown(line[head]) for head in heads] for line in lines]
        align = "".join("<" if head in ("subgroup", "class") else ">" for head in heads)
        return str(html_table("subgroups", heads, body, (), align))


def _counted(
    schema: Schema,
    target: Column | None,
    frame: Frame,
    shares: Floats,
    statements: Sequence[Statement],
    places: Ints | None = None,
) -> SubgroupRecord:
    """The record of subgroups: how much of each class is in them, and for which each speaks most."""
    totals = shares.sum(axis=0)
    inside = [(truth_of(one, schema, frame) == 1) @ shares for one in statements]
    counts = np.stack(inside) if inside else np.zeros((0, len(totals)))
    if places is None:
        rates = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        places = np.argmax(rates - totals / totals.sum(), axis=1)
    return SubgroupRecord(schema, target, totals, tuple(map(str, statements)), counts, places)


def _scores(inside: Floats, totals: Floats, measure: str) -> Floats:
    """How good groups with so much of each class are, (m,)."""
    n = totals.sum()
    if measure == "wracc":
        return np.asarray((inside - inside.sum(axis=1, keepdims=True) * totals / n).max(axis=1) / n)
    parts = (inside, totals - inside)
    left = sum(part.sum(axis=1) / n * _entropy(part) for part in parts)
    return np.asarray(_entropy(totals[None])[0] - left)


def _entropy(counts: Floats) -> Floats:
    """The entropy of each row of counts, (m,), in bits."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    bits = np.where(share > 0, share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
    return np.asarray(-bits.sum(axis=1))


def _conjunction(conditions: Sequence[Condition], schema: Schema) -> Statement:
    """The conditions in the order of the columns."""
    place = {name: j for j, name in enumerate(schema.names)}
    keyed = sorted((place[one.variable], one.relation[0] != ">", i) for i, one in enumerate(conditions))
    return all_of([conditions[i] for *_, i in keyed])
