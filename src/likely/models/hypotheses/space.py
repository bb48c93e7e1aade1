"""Hypotheses that say how probable each observation is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from likely.dist import Distribution
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.models.hypotheses.belief import Belief, HypothesisPrior, log_prior_of
from likely.models.hypotheses.evolution import Evolution, evolution

# P(observation given hypothesis): a function of both; or for each hypothesis a distribution, the
# probabilities of observations, or a function of one.
Likelihood = Callable[[Any, Any], float] | Mapping[Any, Any]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Space(Belief):
    """Finitely many hypotheses, each of which says how probable an observation is.

    Parameters
    ----------
    hypotheses : mapping or sequence
        The prior probability of each, or the hypotheses alone.
    likelihood : mapping or function
        For each hypothesis the probabilities of the outcomes ({"+": 0.98, "-": 0.02}), a distribution
        (`likely.Normal(170, 8)`), or a function of the observation; or one function of the hypothesis and
        the observation. An outcome that a mapping does not name is impossible.
    prior : None, mapping, numbers, function or Code
        Of hypotheses given alone: uniform, a probability for each, a weight by a function of it, or
        2^-bits by the `Code` that writes them.

    Examples
    --------
    A rare disease and a test that is mostly right (prior .008, sensitivity .98, specificity .97):

    >>> test = {"ill": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
    >>> belief = Space({"ill": 0.008, "well": 0.992}, test)
    >>> belief.update(["+"])
    2 hypotheses, 1 observation, P(data) = 0.0376
    <BLANKLINE>
    hypothesis  prior  likelihood  posterior
    well        0.992        0.03     0.7915
    ill         0.008        0.98     0.2085
    >>> round(belief.update(["+", "+"]).prob("ill"), 4)
    0.8959
    """

    likelihood: Any = field(kw_only=True)

    def __init__(
        self,
        hypotheses: Mapping[Any, float] | Sequence[Any],
        likelihood: Likelihood,
        prior: HypothesisPrior | None = None,
    ) -> None:
        names = tuple(hypotheses)
        if len(set(map(id, names))) != len(names) or (_hashable(names) and len(set(names)) != len(names)):
            raise LikelyError(f"hypotheses={names!r}: each must be there once.")
        if isinstance(hypotheses, Mapping) and prior is not None:
            raise LikelyError("prior: the mapping of hypotheses has it already; give one of them.")
        known = hypotheses if isinstance(hypotheses, Mapping) else prior
        for name in names:
            if not callable(likelihood) and name not in likelihood:
                raise LikelyError(f"likelihood: hypothesis {name!r} has none; give one for each.")
        self._set(
            hypotheses=names,
            likelihood=likelihood,
            log_prior=log_prior_of(names, known),
            log_likelihood=np.zeros(len(names)),
            n=0,
        )

    def update(self, data: Iterable[Any]) -> Self:
        """The belief once these observations are seen, independent of each other given the hypothesis."""
        values = _listed(data)
        return self._seen(np.array([self._log_prob(name, values) for name in self.hypotheses]), len(values))

    def history(self, data: Iterable[Any]) -> Evolution:
        """The posteriors before the first observation and after each of them."""
        return evolution(self, [(value,) for value in _listed(data)], lambda belief, row: belief.update(row))

    def _log_prob(self, name: object, values: list[Any]) -> float:
        """The log-probability of the observations under a hypothesis."""
        if callable(self.likelihood):
            return float(sum(_log(name, value, self.likelihood(name, value)) for value in values))
        own = self.likelihood[name]
        if isinstance(own, Distribution):
            return float(np.sum(own.log_prob(values))) if values else 0.0
        if isinstance(own, Mapping):
            counts = Counter(values)
            return float(sum(n * _log(name, value, own.get(value, 0.0)) for value, n in counts.items()))
        return float(sum(_log(name, value, own(value)) for value in values))


def _log(name: object, value: object, p: float) -> float:
    if not p >= 0:
        raise LikelyError(f"likelihood of {value!r} under hypothesis {name!r} is {p!r}: give 0 or more.")
    return float(log(p))


def _listed(data: Iterable[Any]) -> list[Any]:
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise LikelyError(f"data={data!r}: give a list of observations, such as [{data!r}].")
    return data.tolist() if isinstance(data, np.ndarray) else list(data)


def _hashable(names: Sequence[Any]) -> bool:
    return all(isinstance(name, Hashable) for name in names)
