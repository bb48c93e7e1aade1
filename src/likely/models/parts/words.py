"""A column of texts, each read as a bag of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from likely.ask.world import Nature, Variable
from likely.dist import Bernoulli, Multinomial
from likely.dist.counting import CountVector
from likely.dist.distribution import StraightLine, short
from likely.dist.numeric.pieces import log_or_impossible
from likely.engine import Answers, Chunk, by_pieces
from likely.estimator.record import Quantities
from likely.evidence import LedgerLine, Status
from likely.evidence.render import strongest
from likely.format import words
from likely.models.parts.cells import releveled, without_empty_levels
from likely.models.parts.part import Lines, Part
from likely.stats import Groups, Statistic, Sums
from likely.table.column.as_raw import as_raw
from likely.table.column.block import Block
from likely.table.column.column import Column
from likely.table.column.words import Bag
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
FEW = 5  # words that are shown
DRAWN = 1 << 20  # counts of words that are drawn together


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

    def sums(self) -> tuple[Floats, Floats] | None:
        """What each kept word adds in each group, (w, g), and a text without any, (g,); None if it is no sum.

        Words add up if they are counted, or are there or not, by probabilities that are fixed.
        """
        if self.words is None:
            return np.zeros((0, self.n_groups)), np.zeros(self.n_groups)
        if isinstance(self.words, Multinomial):
            return log_or_impossible(self.words.probs.T), np.zeros(self.n_groups)
        if isinstance(self.words, Bernoulli) and (self.words.p < 1).all():
            none = np.log1p(-self.words.p)
            return (log_or_impossible(self.words.p) - none).T, none.sum(axis=1)
        return None

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
        names, texts = np.array(self.names, object), np.full((len(groups), 1), "", object)
        if self.words is None or not len(groups):
            return texts
        words: Any = self.words

        def drawn(some: Chunk[NDArray[np.intp]]) -> Answers:
            counts = words.sample_rows(some.data[some.first : some.first + some.n], rng)
            each = [" ".join(np.repeat(names, row)) for row in np.asarray(counts, np.intp)]
            return (np.array(each, object),)

        # Not all at once: most words are in none of most texts.
        rows = Chunk(groups, len(groups), len(names))
        (texts[:, 0],) = by_pieces(rows, max(1, DRAWN // max(1, len(names))), drawn)
        return texts


class WordsPart(Part):
    """A family of word counts, and what was seen of the words of one column."""

    reads: ClassVar[str] = "bags of words"

    def block(self, frame: Frame) -> Block:
        """The texts as bags of words."""
        return self.schema.bags(frame, self.columns[0])

    def status(self, rows: Bag) -> NDArray[np.int8] | None:
        """Whether each text is known or missing, (b, 1)."""
        return np.where(rows.known, Status.KNOWN, Status.MISSING).astype(np.int8)[:, None]

    @property
    def width(self) -> int:
        """The words of the vocabulary."""
        return len(self.first.levels or ())

    def suits(self, column: Column) -> bool:
        """A column of texts, described as it is read: words that are there, or how often."""
        if column.words is None or len(self.columns) != 1:
            return False
        return self.family is (Bernoulli if column.words.bits else Multinomial)

    def with_cell(self, rows: Bag | None, place: int, value: object) -> Bag:
        """The row of a text that is known."""
        bag: Bag = self.first.bags(as_raw(self.first.name, [value])).rows(0, 1)
        return bag

    def _collect(self, rows: Bag, groups: Groups) -> Self:
        """Of texts that are known."""
        return super()._collect(rows.counts[rows.known], groups.where(rows.known))

    def expect(self, block: Block, groups: Groups, n: int) -> Self:
        """The part of n rows: a text is missing as a whole, and nothing is expected of it."""
        return self.collect(block, groups, 0, n)

    def relevel(self, schema: Schema) -> Self:
        """The part under a schema that has more words."""
        part: Self = releveled(self, schema)
        return part

    def narrowed(self) -> tuple[Statistic, Mapping[int, Column]]:
        """Without the words of which nothing is left, unless they were listed; and the column then."""
        return without_empty_levels(self)

    def with_cut_words(self) -> tuple[Statistic, Mapping[int, Column]]:
        """With a vocabulary of the words that are kept; and the column then."""
        column = self.first
        assert column.words is not None
        kept = column.words.kept(self.statistic.total.sum(axis=0), column.levels or ())
        vocabulary = tuple((column.levels or ())[word] for word in kept)
        cut = replace(column, levels=vocabulary, listed=True)
        return self.statistic.only_levels([kept]), {self.columns[0]: cut}

    def _made(self, make: Callable[[Any], Any], times: int = 1) -> WordDistribution:
        """What is made of the words that are kept."""
        return WordDistribution.of(make, self.statistic, times * self.statistic.n_groups, self.first)

    def made_for(self, g: int) -> bool:
        """Whether the distribution is one of g groups and of the words that are kept."""
        made = self.distribution.words
        batch = (g,) if self.family.joint else (g, len(self.distribution.kept))
        return made is None or bool(made.batch == batch)

    def repeated(self, g: int) -> Self:
        """Nothing is expected of a text, whatever the groups."""
        return self

    @property
    def _parameters_of_prior(self) -> Any:
        return self.distribution.words

    def free_parameters(self) -> tuple[int, int]:
        """Of the words that are kept: those that were seen too seldom have no numbers."""
        return self.family.free_parameters(self.statistic.only_levels([self.distribution.kept]))

    @property
    def by_value(self) -> bool:
        """A text is no value along a line."""
        return False

    def variable(self, column: Column, gaps: bool) -> Variable:
        """A text, which can be given but not asked for."""
        return Variable(column, Nature.SHOWN, gaps=gaps)

    def counts(self, place: int) -> Quantities:
        """How often each word was seen."""
        return Quantities([("count of", word) for word in self.first.levels or ()], self.statistic.total)

    def parameters(self, place: int) -> Quantities:
        """How often a text has each word that is kept."""
        return Quantities([("rate of", word) for word in self.distribution.names], self.distribution.rates)

    def describe(self, group: int, place: int = 0) -> str:
        """The words that tell most for a group, with how many a text has of them.

        As many bits as a text of the group gives by a word: its rate times the log of the ratio of rates.
        """
        distribution = self.distribution
        if distribution.words is None:
            return "no words"
        rates = distribution.rates
        mine, others = rates[group], np.delete(rates, group, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = mine * np.log(mine / others.mean(axis=0)) if len(others) else mine
        gain = np.nan_to_num(gain, nan=0.0)
        best = [i for i in np.argsort(-gain, kind="stable")[:FEW] if gain[i] > 0]
        named = [distribution.vocabulary[distribution.kept[i]] for i in best]
        telling = (f"{words.shown(word)} {short(mine[i])}" for word, i in zip(named, best, strict=True))
        return ", ".join(telling) or "no word stands out"

    def story(self, group: str) -> list[str]:
        """How the words of a text come about."""
        bits = self.first.words is not None and self.first.words.bits
        coins = "each word of the vocabulary is there or not, by a coin of its own"
        return [f"{words.shown(self.first.name)}: {coins if bits else self._how(group)}"]

    def features(self) -> list[tuple[int, list[str]]]:
        """The words that are kept; under the name of their column, if there are others."""
        names = self.distribution.names
        if len(self.schema.columns) > 1:
            names = [f"{self.first.name}: {word}" for word in names]
        return [(self.columns[0], names)]

    def lines(self, block: Block) -> Mapping[int, Lines]:
        """What each word of a text adds."""
        return {self.columns[0]: WordLines(self.distribution, block)}


@dataclass(frozen=True, slots=True)
class WordLines:
    """What each word of a text adds to the log-odds of one class against another."""

    distribution: WordDistribution
    texts: Block

    def __call__(self, row: int, mine: int, theirs: int) -> tuple[LedgerLine, ...]:
        """Of a row, the strongest first."""
        bag = self.texts.rows(row, row + 1)
        if self.distribution.words is None or not bag.known.all():
            return ()
        counts, terms, rest = self.distribution.word_terms(bag)
        evidence = _log_odds(terms, mine, theirs)
        telling = np.flatnonzero((counts > 0) | (evidence != 0))
        names = self.distribution.names
        lines = [LedgerLine(names[w], int(counts[w]), float(evidence[w])) for w in telling]
        if rest is not None and (more := float(_log_odds(rest, mine, theirs))):
            lines.append(LedgerLine("number of words", int(counts.sum()), more))
        return tuple(lines[i] for i in strongest([line.evidence for line in lines]))


def _log_odds(logs: NDArray[np.float64], mine: int, theirs: int) -> NDArray[np.float64]:
    """Of one group against another, (g, ...); two impossibilities say nothing of each other."""
    both = np.isneginf(logs[mine]) & np.isneginf(logs[theirs])
    with np.errstate(invalid="ignore"):
        return np.where(both, 0.0, logs[mine] - logs[theirs])
