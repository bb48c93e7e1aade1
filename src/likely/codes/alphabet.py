"""What a code is made for: symbols, and how probable each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.families.bernoulli import Bernoulli
from likely.dist.families.categorical import Categorical
from likely.errors import LikelyError
from likely.format.words import shown
from likely.score.of_probabilities import entropy
from likely.score.probability_args import masses

Floats = NDArray[np.float64]
# Probabilities by symbol, a distribution over levels, or probabilities alone: symbols are then 0, 1, 2 ...
Probabilities = Mapping[Any, float] | Categorical | Bernoulli | ArrayLike


@dataclass(frozen=True, eq=False, repr=False)
class Alphabet:
    """Symbols in their order, and the probability of each.

    >>> Alphabet.of({"a": 0.5, "b": 0.5}).index["b"], Alphabet.of([0.2, 0.8]).symbols
    (1, (0, 1))
    """

    symbols: tuple[Any, ...]  # (k,)
    p: Floats  # (k,)

    @classmethod
    def of(cls, given: Probabilities) -> Alphabet:
        """The alphabet of what a user may call probabilities of symbols."""
        values: Any = given
        if isinstance(given, Mapping):
            symbols, values = tuple(given), list(given.values())
        p = masses("probabilities", values, "likely.Categorical.fit(message, prior=None)")
        if p.ndim != 1:
            raise LikelyError(f"probabilities has the shape {p.shape}: give one number for each symbol.")
        if isinstance(given, Categorical) and given.levels is not None:
            symbols = tuple(given.levels)
        elif isinstance(given, Bernoulli):
            symbols = (False, True)
        elif not isinstance(given, Mapping):
            symbols = tuple(range(len(p)))
        return cls(symbols, p)

    @property
    def index(self) -> dict[Any, int]:
        """The place of each symbol."""
        return {symbol: i for i, symbol in enumerate(self.symbols)}

    @property
    def entropy(self) -> float:
        """The bits that a symbol carries on average: no code that can be decoded needs fewer."""
        return float(entropy(self.p))

    def places(self, message: Iterable[Any]) -> list[int]:
        """The places of the symbols of a message; a symbol that cannot occur is refused."""
        index, places = self.index, []
        for at, symbol in enumerate(message):
            place = index.get(symbol, -1)
            if place < 0 or not self.p[place] > 0:
                why = "has probability 0" if place >= 0 else "is none of the symbols"
                known = ", ".join(shown(one) for one in self.symbols[:10])
                raise LikelyError(
                    f"symbol {symbol!r}, number {at + 1} of the message, {why} ({known}): give it a "
                    "probability above 0, for example by Laplace smoothing."
                )
            places.append(place)
        return places
