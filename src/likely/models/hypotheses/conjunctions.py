"""All conjunctive concepts over some attributes, and a belief over every one of them, by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import x_log_y
from likely.errors import LikelyError
from likely.models.hypotheses.belief import Belief, Floats, HypothesisPrior, log_prior_of
from likely.models.hypotheses.evolution import Evolution, evolution
from likely.models.hypotheses.rules import noise_rate
from likely.models.hypotheses.version_space import (
    ANY,
    Concept,
    VersionSpace,
    candidate_elimination,
    most_specific,
)
from likely.table.accepted import RandomState, TableLike, Target
from likely.table.column.as_raw import as_raw
from likely.table.column.kinds import Type
from likely.table.column.raw import Raw
from likely.table.frame import Frame

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

MOST = 20_000_000  # concepts that are gone through one by one
CELLS = 1 << 22  # of concepts and rows at a time: 4 MB


@dataclass(frozen=True, eq=False)
class Conjunctions(Sequence[Concept]):
    """Every concept that asks each attribute for one value or for none in particular, and the empty one.

    `find_s` is Find-S, `version_space` is Candidate-Elimination, and `belief` shows that such consistent
    learners find a most probable concept.

    Parameters
    ----------
    attributes : mapping
        The values that each attribute may have.

    Examples
    --------
    >>> sport = Conjunctions({"sky": ["sunny", "cloudy", "rainy"], "air": ["warm", "cold"]})
    >>> sport.size, sport.syntactic_size
    (13, 20)
    >>> days = {"sky": ["sunny", "rainy", "sunny"], "air": ["warm", "cold", "cold"]}
    >>> sport.find_s(days, [True, False, True])
    <sunny, ?>
    """

    attributes: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        for name, values in self.attributes.items():
            if isinstance(values, str) or not len(values) or len(set(values)) != len(values):
                raise LikelyError(
                    f"attribute {name!r} has the values {values!r}: give a list of different ones."
                )
        if not self.attributes:
            raise LikelyError("attributes: there are none; give the values of at least one.")

    @classmethod
    def of(cls, X: TableLike) -> Conjunctions:
        """The concepts over the columns of a table, with the values that occur."""
        frame = Frame.of(X)
        return cls({name: _values(frame.raw(name)) for name in frame.names})

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes."""
        return tuple(self.attributes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each attribute has."""
        return tuple(len(values) for values in self.attributes.values())

    @property
    def size(self) -> int:
        """How many concepts there are that differ in meaning: 1 + the product of (values + 1)."""
        return 1 + prod(k + 1 for k in self.sizes)

    @property
    def syntactic_size(self) -> int:
        """How many can be written, if an attribute may also ask for no value at all: those mean nothing."""
        return prod(k + 2 for k in self.sizes)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: int | slice) -> Any:
        """The concept at a place; the empty one is last."""
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        at = range(self.size)[place]
        return self.concept(None if at == self.size - 1 else self.codes(at, at + 1)[0])

    def index(self, concept: object, *_: object) -> int:
        """The place of a concept."""
        codes = self.constraints(concept)
        if codes is None:
            return self.size - 1
        place = 0
        for code, k in zip(codes.tolist(), self.sizes, strict=True):
            place = place * (k + 1) + code
        return place

    def constraints(self, concept: object) -> Ints | None:
        """The constraints of a concept, (d,): a value's place, or k for any; None of the empty one."""
        if not isinstance(concept, Concept) or concept.attributes != self.names:
            raise ValueError(f"{concept!r} is no concept over {self.names!r}")
        if concept.values is None:
            return None
        pairs = zip(concept.values, self.attributes.values(), strict=True)
        return np.array([len(known) if value is ANY else list(known).index(value) for value, known in pairs])

    def __contains__(self, concept: object) -> bool:
        try:
            return self.index(concept) >= 0
        except ValueError:
            return False

    def codes(self, start: int, stop: int) -> Ints:
        """The constraints of the concepts from start to stop, (b, d): a value's place, or k for any."""
        return np.stack(np.unravel_index(np.arange(start, stop), tuple(k + 1 for k in self.sizes)), axis=1)

    def refuse_too_many(self) -> None:
        """Refuse to go through more concepts than there is time for."""
        if self.size > MOST:
            raise LikelyError(
                f"there are {self.size} concepts, too many to go through: version_space() finds those that "
                "agree with the data without that."
            )

    def blocks(self, rows: int) -> Iterator[Ints]:
        """The constraints of all concepts but the empty one, so many at a time."""
        self.refuse_too_many()
        for start in range(0, self.size - 1, rows):
            yield self.codes(start, min(start + rows, self.size - 1))

    def concept(self, codes: Sequence[int] | Ints | None) -> Concept:
        """The concept of these constraints; None is the empty one."""
        if codes is None:
            return Concept(self.names, None)
        levels = self.attributes.values()
        values = (ANY if c == len(v) else v[c] for c, v in zip(codes, levels, strict=True))
        return Concept(self.names, tuple(values))

    def read(self, X: TableLike) -> Ints:
        """The rows of a table as places of their values, (n, d)."""
        frame = Frame.of(X)
        if not frame.named and len(frame.names) == len(self.names):
            frame = frame.renamed(self.names)
        out = np.empty((frame.n, len(self.names)), np.intp)
        for j, (name, known) in enumerate(self.attributes.items()):
            if name not in frame.position:
                raise LikelyError(f"the table has no column {name!r}; its columns are {list(frame.names)!r}.")
            codes, distinct = frame.raw(name).distinct()
            if len(codes) and codes.min() < 0:
                raise LikelyError(f"column {name!r} is missing in row {int(np.argmin(codes))}: leave it out.")
            strangers = [value for value in distinct if value not in known]
            if strangers:
                raise LikelyError(f"column {name!r}: {strangers[0]!r} is none of its values {list(known)!r}.")
            out[:, j] = np.array([list(known).index(value) for value in distinct], np.intp)[codes]
        return out

    def find_s(self, X: TableLike, y: Target) -> Concept:
        """The most specific concept that covers all positive rows; negative ones are not looked at."""
        rows, positive = self.read(X), truths(y, X)
        return self.concept(most_specific(rows[positive], self.sizes))

    def version_space(self, X: TableLike, y: Target) -> VersionSpace:
        """All concepts that agree with the rows, by their boundaries (Candidate-Elimination)."""
        return candidate_elimination(self, self.read(X), truths(y, X))

    def belief(self, prior: HypothesisPrior | None = None, *, noise: float = 0.0) -> Concepts:
        """A belief over all concepts, by brute force: uniform, or with any prior and rate of noise."""
        return Concepts.over(self, prior, noise)


def truths(y: Target, X: TableLike) -> Bools:
    """Which rows are positive."""
    raw = Frame.of(X).raw(y) if isinstance(y, str) else as_raw("y", y)
    if raw.type is not Type.BOOLEAN:
        raise LikelyError(
            f"target {raw.name!r} holds {raw.type.value}: give True and False, as in y == 'yes'."
        )
    labels = raw.numbers()
    if np.isnan(labels).any():
        raise LikelyError(
            f"target {raw.name!r} is missing in row {int(np.argmax(np.isnan(labels)))}: leave it out."
        )
    if len(labels) != Frame.of(X).n:
        raise LikelyError(f"there are {Frame.of(X).n} rows and {len(labels)} labels: give one for each.")
    return np.asarray(labels == 1)


def _values(raw: Raw) -> tuple[Any, ...]:
    distinct = raw.distinct()[1]
    return tuple(sorted(distinct, key=lambda value: (str(type(value)), value)))


@dataclass(frozen=True, eq=False, repr=False)
class Concepts(Belief):
    """How probable each concept is; made by `Conjunctions.belief`.

    >>> sport = Conjunctions({"sky": ["sunny", "cloudy", "rainy"], "air": ["warm", "cold"]})
    >>> days = {"sky": ["sunny", "rainy"], "air": ["warm", "cold"]}
    >>> found = sport.belief().update(days, [True, False])
    >>> found.consistent, round(found.prob(found.map), 3)
    ([<sunny, warm>, <sunny, ?>, <?, warm>], 0.333)
    >>> round(found.vote({"sky": "sunny", "air": "cold"}), 3)
    0.333
    """

    noise: float = field(kw_only=True)

    @classmethod
    def over(cls, conjunctions: Conjunctions, prior: HypothesisPrior, noise: float) -> Concepts:
        """All concepts, before any data."""
        conjunctions.refuse_too_many()
        log_prior = log_prior_of(conjunctions, prior)
        zeros = np.zeros(len(conjunctions))
        return cls(conjunctions, log_prior, log_likelihood=zeros, noise=noise_rate(noise))

    def update(self, X: TableLike, y: Target) -> Self:
        """The belief once some rows and their labels (True or False) are seen."""
        space: Any = self.hypotheses
        return self._learn(space.read(X), truths(y, X))

    def history(self, X: TableLike, y: Target) -> Evolution:
        """The posteriors before the first row and after each of them."""
        space: Any = self.hypotheses
        rows, positive = space.read(X), truths(y, X)
        pairs = [(rows[i : i + 1], positive[i : i + 1]) for i in range(len(rows))]
        return evolution(self, pairs, lambda belief, pair: belief._learn(*pair))

    def _learn(self, rows: Ints, positive: Bools) -> Self:
        different, place = np.unique(rows, axis=0, return_inverse=True)
        signs = np.where(positive, 1.0, -1.0)
        amounts = np.bincount(place.reshape(-1), signs, len(different)).astype(np.float64)
        right = self._covered(different, amounts)
        return self._seen(_log_prob(positive.sum() - right, len(rows), self.noise), len(rows))

    def vote(self, thing: Mapping[str, Any] | Sequence[Any]) -> float:
        """P(positive) of a thing, each concept voting with its posterior."""
        return float(self.posterior @ self._covered(self._row(thing), np.ones(1)))

    def classify(self, thing: Mapping[str, Any] | Sequence[Any]) -> bool:
        """The Bayes optimal label: that of most votes (positive, of as many on both sides)."""
        self._best(self.log_posterior)
        return bool(self.vote(thing) >= 0.5)

    def gibbs(self, thing: Mapping[str, Any] | Sequence[Any], random_state: RandomState = None) -> bool:
        """The label by one concept drawn from the posterior: at worst it errs twice as often."""
        self._best(self.log_posterior)
        rng = np.random.default_rng(random_state)
        return bool(self.hypotheses[int(rng.choice(len(self), p=self.posterior))].covers(thing))

    def _row(self, thing: Mapping[str, Any] | Sequence[Any]) -> Ints:
        space: Any = self.hypotheses
        given = [thing[name] for name in space.names] if isinstance(thing, Mapping) else thing
        return np.asarray(space.read({name: [v] for name, v in zip(space.names, given, strict=True)}))

    def _covered(self, rows: Ints, amounts: Floats) -> Floats:
        """The amounts of the rows that each concept covers, added up, (h,); the last, empty, covers none."""
        space: Any = self.hypotheses
        out, start = np.zeros(len(space)), 0
        for codes in space.blocks(max(CELLS // max(len(rows), 1), 1)):
            covered = np.ones((len(codes), len(rows)), bool)
            for j, k in enumerate(space.sizes):
                meets = np.vstack([rows[:, j] == np.arange(k)[:, None], np.ones((1, len(rows)), bool)])
                covered &= meets[codes[:, j]]
            out[start : start + len(codes)] = covered @ amounts
            start += len(codes)
        return out


def _log_prob(wrong: Floats, n: int, noise: float) -> Floats:
    """The log-probability of n labels of which so many are wrong."""
    return np.asarray(x_log_y(wrong, noise) + x_log_y(n - wrong, 1 - noise), np.float64)
