"""The scoring form as one query: every row of a table with its probabilities, its class, or its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from likely.dist.numeric.pieces import log_or_impossible
from likely.errors import LikelyError
from likely.export.form import UNLIKELIEST, ScoringForm, numbers_of
from likely.export.reference_class import relative_to_first
from likely.export.sql_layers import Layers, Source
from likely.export.sql_terms import TermSQL, sum_of, term_sql
from likely.export.sql_text import Dialect, dialect_of
from likely.export.sql_then import recalibrate

OUTPUTS = ("proba", "class", "evidence")
FROM_GROUPS = 3  # from which on products of all numbers are cheaper as those of two lists than one by one
MOST_JOINS = 30  # in one SELECT: some databases allow no more than 64 tables


def sql_of(
    form: ScoringForm,
    dialect: str = "duckdb",
    source: Source = "rows",
    keep: Sequence[str] = (),
    output: str | Sequence[str] = "proba",
    favoured: object = None,
    against: object = None,
) -> str:
    """The query that scores the rows of a source."""
    outputs = (output,) if isinstance(output, str) else tuple(output)
    for one in outputs:
        if one not in OUTPUTS:
            raise LikelyError(f"output={one!r}: use {', '.join(map(repr, OUTPUTS))}.")
    names = [keep] if isinstance(keep, str) else list(keep)
    if "evidence" not in outputs and not _impossible(form):
        form = relative_to_first(form)
    query = _Query(form, dialect_of(dialect), Layers(dialect_of(dialect), source), tuple(names))
    if "evidence" in outputs:
        answers = query.evidence(*_two_classes(form, favoured, against))
    else:
        answers = query.answers(outputs) if form.classes else query.number()
    doubled = [name for name in names if name in answers]
    if doubled:
        raise LikelyError(f"keep={names!r}: {doubled[0]!r} is the name of an answer. Rename that column.")
    own = {query.dialect.identifier(name): f"q.k{i}" for i, name in enumerate(names)}
    query.layers.add(own | {query.dialect.identifier(name): sql for name, sql in answers.items()})
    return query.layers.text


def _two_classes(form: ScoringForm, favoured: object, against: object) -> tuple[int, int]:
    if form.components is not None or form.then or len(form.classes) < 2:
        raise LikelyError(
            "output='evidence': what columns say adds up where each of two classes or more is one group, and "
            "nothing is done to the probabilities afterwards. Use output='proba'."
        )
    named = (
        (form.classes[-1] if favoured is None else favoured),
        (form.classes[0] if against is None else against),
    )
    for label in named:
        if label not in form.classes:
            raise LikelyError(f"{label!r} is none of the classes {list(form.classes)[:10]!r}.")
    return form.classes.index(named[0]), form.classes.index(named[1])


@dataclass
class _Query:
    """A query in the making."""

    form: ScoringForm
    dialect: Dialect
    layers: Layers
    keep: tuple[str, ...]

    @property
    def kept(self) -> list[str]:
        """The names under which columns of the source are handed on."""
        return [f"k{i}" for i in range(len(self.keep))]

    def number(self) -> dict[str, str]:
        """The number that is predicted."""
        self._scores()
        return {"predicted": "q.s0"}

    def answers(self, outputs: Sequence[str]) -> dict[str, str]:
        """Probabilities and class, of the scores of classes."""
        self._scores()
        scores = self._by_class()
        for step in self.form.then:
            scores = recalibrate(self.layers, step, scores, self.kept)
        out: dict[str, str] = {}
        best = self.dialect.highest([f"q.{name}" for name in scores])
        self.layers.add({"m": best}, [*self.kept, *scores])
        if "proba" in outputs:
            powers = {f"e{c}": self.dialect.power(f"q.{name} - q.m") for c, name in enumerate(scores)}
            self.layers.add(powers, [*self.kept, *([*scores, "m"] if "class" in outputs else ())])
            total = " + ".join(f"q.{name}" for name in powers)
            for c, label in enumerate(self.form.classes):
                out[f"p_{label}"] = f"q.e{c} / ({total})"
        if "class" in outputs:
            cases = [
                f"WHEN q.{name} >= q.m THEN {self.dialect.literal(label)}"
                for name, label in zip(scores, self.form.classes, strict=True)
            ]
            out["predicted"] = f"CASE {' '.join(cases)} END"
        return out

    def evidence(self, a: int, b: int) -> dict[str, str]:
        """What each column adds to the log-odds of class a against class b, and their sum."""
        form, real = self.form, self.dialect.real
        values, _ = self._weighed_values([a, b])
        by_column: dict[str, list[str]] = {}
        for term, own in zip(form.terms, values, strict=True):
            name = ", ".join(form.inputs[j].name for j in term.columns)
            by_column.setdefault(name, []).append(f"({own[a]}) - ({own[b]})")
        base = real(form.start[a] - form.start[b])
        columns = {f"e{i}": " + ".join(lines) for i, lines in enumerate(by_column.values())}
        self.layers.add({"base": base, **columns}, self.kept)
        names = {f"evidence of {name}": f"q.e{i}" for i, name in enumerate(by_column)}
        return {"base rate": "q.base", **names, "log-odds": " + ".join(["q.base", *names.values()])}

    # From cells to scores.

    def _scores(self) -> None:
        """Layers that end with the score of every group, s0, s1 and so on."""
        form, g = self.form, self.form.n_groups
        start = [self.dialect.real(value) for value in form.start]
        together = self.dialect.lists and g >= FROM_GROUPS
        if form.weighed:
            values, factors = self._weighed_values(range(g), together)
            both = [[start[c], *(own[c] for own in values), *self._dot(factors, c)] for c in range(g)]
            self.layers.add({f"s{c}": sum_of(self.dialect, both[c]) for c in range(g)}, self.kept)
            return
        sums = start
        for some, later in _chunks(self._read([term.weight for term in form.terms])):
            factors = {what: by for own in some for what, by in own.factors.items()} if together else {}
            added = [self._plain(own, range(g), together) for own in some]
            both = [[sums[c], *(own[c] for own in added), *self._dot(factors, c)] for c in range(g)]
            new = {f"s{c}": sum_of(self.dialect, both[c]) for c in range(g)}
            self.layers.add(new, [*self.kept, *_cells(later)], _joins(some))
            sums = [f"q.s{c}" for c in range(g)]

    def _plain(self, own: TermSQL, groups: Sequence[int], together: bool) -> dict[int, str]:
        """What a term adds to some groups, or, if its factors are left to `_dot`, the rest of it."""
        return {c: own.values[c] if together else own.value(self.dialect, c) for c in groups}

    def _dot(self, factors: Mapping[str, Sequence[float]], c: int) -> list[str]:
        """Expressions times the factors of a group, of all terms at once: they are listed once a row."""
        own = [by[c] for by in factors.values()]
        if not any(own):
            return []
        return [f"list_dot_product([{', '.join(factors)}], [{', '.join(map(self.dialect.real, own))}])"]

    def _weighed_values(
        self, groups: Sequence[int], together: bool = False
    ) -> tuple[list[dict[int, str]], dict[str, list[float]]]:
        """What every term adds to some groups, as far as it counts, as expressions over the last layer.

        Factors are apart, with the weights in their expressions, if those of all terms are taken together.
        """
        form, dialect = self.form, self.dialect
        free = [form.weighed and not term.steady and term.weight != 1.0 for term in form.terms]
        terms = self._read([1.0 if one else term.weight for one, term in zip(free, form.terms, strict=True)])
        held: list[str] = []
        told = "0"
        for some, later in _chunks(terms):
            new = {f"v{own.at}_{c}": own.values[c] for own in some if own.join is not None for c in groups}
            if form.weighed:
                conditions = [condition for own in some for condition in own.told]
                told = " + ".join([told, *map(dialect.one_if, conditions)])
                last = not later
                new["n"] = f"{dialect.greatest}({told} - 1, 0)" if last else told
            formulas = _cells([own for own in some if own.join is None])
            self.layers.add(new, [*self.kept, *held, *formulas, *_cells(later)], _joins(some))
            held += [*(name for name in new if name != "n"), *formulas]
            told = "q.n"
        weights = {
            f"w{own.at}": self._weight(term.weight)
            for own, term, one in zip(terms, form.terms, free, strict=True)
            if one
        }
        if weights:
            self.layers.add(weights, [*self.kept, *held])
        values, zero = [], dialect.real(0.0)
        factors: dict[str, list[float]] = {}
        for own, one in zip(terms, free, strict=True):
            plain = self._plain(own, groups, together)
            if own.join is not None:
                plain = {c: f"q.v{own.at}_{c}" for c in groups}
            weight = f"q.w{own.at}"
            values.append(
                {c: _times(weight, value) if one and value != zero else value for c, value in plain.items()}
            )
            if together:
                factors |= {_times(weight, what) if one else what: by for what, by in own.factors.items()}
        return values, factors

    def _weight(self, weight: float) -> str:
        """How much a column counts beside the others that are told, q.n of the d - 1 that there are."""
        others, real = max(len(self.form.inputs) - 1, 1), self.dialect.real
        if weight == 0:
            return f"CASE WHEN q.n = 0 THEN {real(1.0)} ELSE {real(0.0)} END"
        share = real(weight * others)
        return f"{share} / ({share} + {real(1.0 - weight)} * q.n)"

    def _read(self, factors: Sequence[float]) -> list[TermSQL]:
        """The first layer: cells as the terms read them."""
        form = self.form
        pairs = zip(form.terms, factors, strict=True)
        terms = [
            term_sql(self.dialect, at, term, form.inputs, factor) for at, (term, factor) in enumerate(pairs)
        ]
        cells = {name: sql for own in terms for name, sql in own.cells.items()}
        own = {f"k{i}": f"q.{self.dialect.identifier(name)}" for i, name in enumerate(self.keep)}
        self.layers.add(own | cells or {"one": "1"})
        return terms

    def _by_class(self) -> list[str]:
        """Layers from the scores of groups to those of classes; impossible rows have the base rate."""
        form, dialect = self.form, self.dialect
        scores = [f"s{c}" for c in range(form.n_groups)]
        if form.components is not None:
            ends = np.cumsum(form.components)
            own = [scores[end - k : end] for end, k in zip(ends.tolist(), form.components, strict=True)]
            best = {f"m{c}": dialect.highest([f"q.{name}" for name in some]) for c, some in enumerate(own)}
            self.layers.add(best, [*self.kept, *scores])
            sums = {
                f"z{c}": dialect.log_sum([f"q.{name}" for name in some], f"q.m{c}")
                for c, some in enumerate(own)
            }
            self.layers.add(sums, self.kept)
            scores = list(sums)
        if form.rates is None or not _impossible(form):
            return scores
        self.layers.add({"m": dialect.highest([f"q.{name}" for name in scores])}, [*self.kept, *scores])
        rates = [dialect.real(value) for value in log_or_impossible(form.rates)]
        gone = f"q.m < {dialect.real(UNLIKELIEST)}"
        new = {
            f"r{c}": f"CASE WHEN {gone} THEN {rate} ELSE q.{name} END"
            for c, (name, rate) in enumerate(zip(scores, rates, strict=True))
        }
        self.layers.add(new, self.kept)
        return list(new)


def _impossible(form: ScoringForm) -> bool:
    """Whether a cell can rule a group out."""
    arrays = [form.start, *(array for term in form.terms for array in numbers_of(term))]
    zeros = any((getattr(term, "shares", np.ones(1)) <= 0).any() for term in form.terms)
    return zeros or any((array < UNLIKELIEST).any() for array in arrays)


def _chunks(terms: list[TermSQL]) -> list[tuple[list[TermSQL], list[TermSQL]]]:
    """Terms of which no more are joined than one SELECT takes, each with those that come later."""
    chunks: list[list[TermSQL]] = [[]]
    for own in terms:
        if own.join is not None and sum(one.join is not None for one in chunks[-1]) == MOST_JOINS:
            chunks.append([])
        chunks[-1].append(own)
    return [(some, [own for more in chunks[i + 1 :] for own in more]) for i, some in enumerate(chunks)]


def _cells(terms: Sequence[TermSQL]) -> list[str]:
    return [name for own in terms for name in own.cells]


def _joins(terms: Sequence[TermSQL]) -> list[str]:
    return [own.join for own in terms if own.join is not None]


def _times(weight: str, value: str) -> str:
    return (
        f"{weight} * {value}"
        if value.replace(".", "").replace("_", "").isalnum()
        else f"{weight} * ({value})"
    )
