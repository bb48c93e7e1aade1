"""The distribution of texts: over the words that are used often enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import StraightLine
from likely.dist.numeric.counting import CountVector
from likely.stats import Sums
from likely.table.column.column import Column
from likely.table.column.words import Bag

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WordDistribution:
    """The distribution of the words in each group. A missing text adds no evidence."""

    n_groups: int
    words: Any  # a distribution over (g, kept words); None if there are none
    kept: NDArray[np.intp]  # which of the vocabulary
    vocabulary: tuple[str, ...]
    rest_name = None

    @classmethod
    def of(cls, make: Callable[[Sums], Any], seen: Sums, n_groups: int, column: Column) -> WordDistribution:
        """Of what is made of the words' statistic.

        The vocabulary is cut here, from all that was seen, so that pieces equal the whole.
        """
        assert column.words is not None
        vocabulary = column.levels or ()
        if column.listed:
            kept = np.arange(len(vocabulary))
        else:
            kept = column.words.kept(seen.total.sum(axis=0), vocabulary)
        words = make(seen.only_levels([kept])) if len(kept) else None
        return cls(n_groups, words, kept, vocabulary)

    @property
    def names(self) -> list[str]:
        """The words that are kept."""
        return [self.vocabulary[j] for j in self.kept]

    @property
    def rates(self) -> Floats:
        """How often a text of each group has each word that is kept, (g, kept)."""
        return np.zeros((self.n_groups, 0)) if self.words is None else np.asarray(self.words.mean)

    def linear_odds(self, a: int, b: int) -> StraightLine | None:
        """What tells group a from group b, if it is linear in the counts of the kept words."""
        if self.words is None:
            return StraightLine(np.zeros(0), np.zeros(0), 0.0)
        line: StraightLine | None = self.words.linear_odds(a, b)
        return line

    @property
    def n_numbers(self) -> int:
        """How many numbers the parameters of the distribution are."""
        return 0 if self.words is None else int(self.words.n_numbers)

    def group_log_prob(self, bag: Bag) -> Floats:
        """Log P(text given group), (b, g)."""
        if self.words is None:
            return np.zeros((len(bag.known), self.n_groups))
        counts = bag.counts if len(self.kept) == len(self.vocabulary) else bag.counts[:, self.kept]
        out: Floats = self.words.group_log_prob(counts)
        if not bag.known.all():
            out[~bag.known] = 0.0
        return out

    def relative(self, bag: Bag, evidence: bool = True) -> tuple[Floats, float]:
        """What tells groups apart, and what they share: nothing is taken out."""
        return self.group_log_prob(bag), 0.0

    def relative_terms(self, bag: Bag) -> Floats:
        """The same, as the one column that a text is, (b, g, 1)."""
        return self.group_log_prob(bag)[:, :, None]

    def word_terms(self, bag: Bag) -> tuple[Floats, Floats, Floats | None]:
        """Of one text: how often each kept word occurs, (w,), what it adds in each group, (g, w), and a rest.

        The rest, (g,), is what the number of words adds; None if that tells nothing.
        """
        counts = bag.counts[:, self.kept]
        tells = isinstance(self.words, CountVector) and self.words.total_tells
        rest = self.words.rest(counts)[0] if tells else None
        return counts.toarray()[0], self.words.relative_terms(counts)[0], rest

    def sample_rows(self, groups: NDArray[np.intp], rng: np.random.Generator) -> NDArray[Any]:
        """Texts of words drawn from each group, (n, 1)."""
        names = np.array(self.names, object)
        texts = np.empty((len(groups), 1), object)
        for row, group in enumerate(groups):
            drawn = [] if self.words is None else self.words.sample_rows([group], rng)[0]
            texts[row, 0] = " ".join(np.repeat(names, np.asarray(drawn, np.intp)))
        return texts
