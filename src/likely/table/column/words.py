"""Texts -> bags of words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.block import SparseRows

WORD = r"\w+"  # letters, digits and underscores of any script


@dataclass(frozen=True)
class Words:
    """How a text is read as a bag of words: give it as the kind of a column.

    Parameters
    ----------
    ngrams : int
        The longest run of words that counts as one (an n-gram); 2 adds pairs of neighbours.
    stop : None, "english" or words
        Stop words, left out before runs are formed.
    min_count : int
        How often a word must have been seen in all (by weight) to be used.
    max_size : int or None
        How many words are used at the most: the most frequent ones.
    bits : bool
        Whether a word is there or not (Bernoulli), instead of how often (multinomial).
    lowercase : bool
        Whether capitals are folded.
    pattern : str
        The regular expression that a word matches; r"\\w+|[^\\w\\s]" keeps punctuation.

    Examples
    --------
    >>> Words().tokens("Win a prize, win NOW!")
    ['win', 'a', 'prize', 'win', 'now']
    >>> Words(ngrams=2, stop=["a"]).tokens("win a prize")
    ['win', 'prize', 'win prize']
    """

    ngrams: int = 1
    stop: str | Sequence[str] | None = None
    min_count: int = 1
    max_size: int | None = None
    bits: bool = False
    lowercase: bool = True
    pattern: str = WORD

    def __post_init__(self) -> None:
        for name, least in (("ngrams", 1), ("min_count", 1), ("max_size", 1)):
            value = getattr(self, name)
            if not (isinstance(value, int) and value >= least) and not (name == "max_size" and value is None):
                raise LikelyError(f"Words({name}={value!r}): give a whole number from {least}.")
        if isinstance(self.stop, str) and self.stop != "english":
            raise LikelyError(f"Words(stop={self.stop!r}): give 'english', or a list of words.")
        if self.stop is not None and not isinstance(self.stop, str):
            object.__setattr__(self, "stop", tuple(self.stop))  # so that two alike are equal
        try:
            re.compile(self.pattern)
        except re.error as cause:
            raise LikelyError(
                f"Words(pattern={self.pattern!r}): not a regular expression, {cause}."
            ) from cause

    def tokens(self, text: str) -> list[str]:
        """The words of a text in order, then its runs of two words, and so on."""
        return next(iter(self._all_tokens([text])))

    def bag(self, texts: Sequence[str]) -> tuple[Any, list[str]]:
        """A row of counts for each text (CSR, float64), and the word of each column.

        >>> counts, words = Words().bag(["b a b", "c"])
        >>> counts.toarray().tolist(), words
        ([[2.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ['b', 'a', 'c'])
        """
        from scipy.sparse import csr_array

        place: defaultdict[str, int] = defaultdict()
        place.default_factory = place.__len__  # a new word gets the next place
        rows = [[place[token] for token in tokens] for tokens in self._all_tokens(texts)]
        starts = np.cumsum([0, *map(len, rows)])
        places = np.fromiter(chain.from_iterable(rows), np.int32, starts[-1])
        counts = csr_array((np.ones(len(places)), places, starts), shape=(len(texts), len(place)))
        counts.sum_duplicates()
        return counts, list(place)

    def _all_tokens(self, texts: Sequence[str]) -> Any:
        find = re.compile(self.pattern).findall
        stop = self.stop_words()
        for text in texts:
            tokens = find(text.lower() if self.lowercase else text)
            if stop:
                tokens = [token for token in tokens if token not in stop]
            if self.ngrams > 1:
                runs = (zip(*(tokens[i:] for i in range(n)), strict=False) for n in range(2, self.ngrams + 1))
                tokens = tokens + [" ".join(run) for run in chain.from_iterable(runs)]
            yield tokens

    def stop_words(self) -> frozenset[str]:
        """What is left out before runs are formed."""
        if self.stop is None:
            return frozenset()
        if isinstance(self.stop, str):
            from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

            return frozenset(ENGLISH_STOP_WORDS)
        return frozenset(word.lower() if self.lowercase else word for word in self.stop)

    def kept(self, totals: NDArray[np.float64], vocabulary: Sequence[str]) -> NDArray[np.intp]:
        """Which words are used, given how often each was seen in all; ties go by the alphabet."""
        # A word that was seen at all is seen often enough for 1, however little its rows weigh by now.
        least = min(self.min_count, 10**300)  # which is still a float
        enough = np.flatnonzero(totals >= least if least > 1 else totals > 0)
        if self.max_size is not None and len(enough) > self.max_size:
            ranked = sorted(enough.tolist(), key=lambda i: (-totals[i], vocabulary[i]))
            enough = np.array(sorted(ranked[: self.max_size]), np.intp)
        return enough


@dataclass(frozen=True, slots=True)
class Bag:
    """Some rows of a column of texts."""

    counts: Any  # CSR (b, V)
    known: NDArray[np.bool_]  # (b,): whether there is a text at all


@dataclass(frozen=True, slots=True)
class Bags:
    """A column of texts as counts of the words of a vocabulary; other words are left out."""

    texts: Any  # CSR (m + 1, V): a row for each distinct text, and an empty one where it is missing
    codes: NDArray[Any]  # (n,): which of the texts each row holds, -1 where missing

    @classmethod
    def of(
        cls,
        codes: NDArray[Any],
        counts: SparseRows,
        words: Sequence[str],
        vocabulary: Sequence[str],
        bits: bool,
    ) -> Bags:
        """From the counts of each distinct text to those of the vocabulary."""
        from scipy.sparse import csr_array

        place = {word: i for i, word in enumerate(vocabulary)}
        to = np.array([place.get(word, -1) for word in words], np.int32)
        known = to[counts.indices] >= 0 if len(words) else np.zeros(0, bool)
        passed = np.concatenate([[0], np.cumsum(known)])  # entries kept before each entry
        starts = np.append(passed[counts.indptr], passed[-1])
        data = np.ones(passed[-1]) if bits else counts.data[known]
        shape = (counts.shape[0] + 1, len(vocabulary))
        texts = csr_array((data, to[counts.indices[known]] if len(words) else [], starts), shape=shape)
        texts.sort_indices()
        return cls(texts, codes)

    def rows(self, start: int, stop: int) -> Bag:
        """The bags of rows start to stop."""
        codes = self.codes[start:stop].astype(np.intp)
        known = codes >= 0
        codes[~known] = self.texts.shape[0] - 1
        return Bag(self.texts[codes], known)
