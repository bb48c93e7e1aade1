"""A column of texts -> numbers: the evidence of its words for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.scores import n_scores
from likely.table.column.words import Bags

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

STRENGTH = 2.0  # rows of the base rate that are added to what was seen of each word


@dataclass(frozen=True)
class WordEvidence:
    """How many rows of each class hold each word; a text is scored by the log-odds of the words in it."""

    holding: Floats  # (words, g), weight of the rows
    classes: Floats  # (g,), weight of all rows

    @classmethod
    def learn(cls, bags: Bags, codes: Ints, n_classes: int, weight: Floats) -> WordEvidence:
        """From texts with their classes."""
        truth = np.zeros((len(codes), n_classes))
        truth[np.arange(len(codes)), codes] = weight
        return cls(np.asarray(_bits(bags, len(codes)).T @ truth), truth.sum(axis=0))

    @property
    def width(self) -> int:
        """Numbers that a text becomes: one for two classes, else one a class."""
        return n_scores(self.holding.shape[1])

    def scores(self, bags: Bags) -> Floats:
        """The evidence of each text for each class, (n, width)."""
        return np.asarray(_bits(bags, len(bags.codes)) @ self.log_odds()) + _unknown(bags)

    def held_out(self, bags: Bags, codes: Ints, weight: Floats, fold: Ints) -> Floats:
        """The same of the rows that were learnt from, each by what the other folds say."""
        out = np.empty((len(codes), self.width))
        for f in np.unique(fold):
            rows = np.flatnonzero(fold == f)
            some = Bags(bags.texts, bags.codes[rows])
            own = WordEvidence.learn(some, codes[rows], len(self.classes), weight[rows])
            rest = WordEvidence(
                np.maximum(self.holding - own.holding, 0.0), np.maximum(self.classes - own.classes, 0.0)
            )
            out[rows] = rest.scores(some)
        return out

    def log_odds(self) -> Floats:
        """Of each word for each class, (words, width)."""
        share = (self.classes + 0.5) / (self.classes + 0.5).sum()
        rate = (self.holding + STRENGTH * share) / (self.classes + 1.0)  # P(word given class), roughly
        odds = np.log(rate)
        odds -= (share * odds).sum(axis=1, keepdims=True)
        return np.asarray(odds[:, 1:] - odds[:, :1]) if self.width == 1 else odds


def _bits(bags: Bags, n: int) -> Any:
    counts = bags.rows(0, n).counts.copy()
    counts.data = np.ones_like(counts.data)
    return counts


def _unknown(bags: Bags) -> Floats:
    """NaN where there is no text, else 0, (n, 1)."""
    return np.where(np.asarray(bags.codes) < 0, np.nan, 0.0)[:, None]
