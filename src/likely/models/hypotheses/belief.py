"""What is believed of finitely many hypotheses: prior, likelihood of the data so far, posterior."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.format.words import many, shown, table
from likely.infer import bayes_rule
from likely.models.hypotheses.code import Code, DescriptionLengths

Floats = NDArray[np.float64]

SHOWN = 10  # hypotheses that are printed
TOLERANCE = 1e-9  # by how much probabilities may fail to add up to 1


# Uniform (None), a probability for each hypothesis, one by its name, a weight by a function, or a code.
HypothesisPrior = Sequence[float] | Floats | Mapping[Any, float] | Callable[[Any], float] | Code | None


@dataclass(frozen=True, eq=False, repr=False)
class Belief(ABC):
    """Hypotheses with their prior, and how probable each makes the data seen so far."""

    hypotheses: Sequence[Any]  # (h,)
    log_prior: Floats  # (h,)
    log_likelihood: Floats = field(kw_only=True)  # (h,)
    n: int = field(default=0, kw_only=True)  # observations

    def _seen(self, log_likelihood: Floats, n: int) -> Self:
        """The belief once more data are seen, of which each hypothesis says how probable they are."""
        new: Self = object.__new__(type(self))
        new._set(**{f.name: getattr(self, f.name) for f in fields(self)})
        new._set(log_likelihood=self.log_likelihood + log_likelihood, n=self.n + n)
        return new

    def _set(self, **values: object) -> None:
        # Frozen for everyone but the constructor.
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        """How many hypotheses there are."""
        return len(self.log_prior)

    @cached_property
    def _rule(self) -> tuple[Floats, float]:
        log_posterior, log_evidence = bayes_rule((self.log_prior + self.log_likelihood)[None, :])
        possible = log_evidence[0] > -np.inf
        return (log_posterior[0] if possible else np.full(len(self), -np.inf)), float(log_evidence[0])

    @property
    def log_posterior(self) -> Floats:
        """Log P(hypothesis given data), (h,); -inf of all, if the data are impossible under each."""
        return self._rule[0]

    @property
    def posterior(self) -> Floats:
        """P(hypothesis given data), (h,); 0 of all, if the data are impossible under each."""
        return np.exp(self.log_posterior)

    @property
    def log_evidence(self) -> float:
        """Log P(data), summed over the hypotheses; -inf if they are impossible under each."""
        return self._rule[1]

    @property
    def map(self) -> Any:
        """The most probable hypothesis; the first of several."""
        return self.hypotheses[self._best(self.log_posterior)]

    @property
    def ml(self) -> Any:
        """The hypothesis under which the data are most probable; the first of several."""
        return self.hypotheses[self._best(self.log_likelihood)]

    def _best(self, of: Floats) -> int:
        if of.max() == -np.inf:
            raise LikelyError(
                f"none of {len(self)} hypotheses allows the {many(self.n, 'observation')}: "
                "look for a wrong observation, allow noise (noise=0.1), or widen the hypotheses."
            )
        return int(np.argmax(of))

    @property
    def consistent(self) -> list[Any]:
        """The hypotheses that the data leave possible."""
        return [self.hypotheses[int(i)] for i in np.flatnonzero(self.log_posterior > -np.inf)]

    def prob(self, hypothesis: object) -> float:
        """P(hypothesis given data), of a hypothesis, or of all of which a function is true."""
        if callable(hypothesis) and hypothesis not in self.hypotheses:
            return float(
                sum(p for h, p in zip(self.hypotheses, self.posterior, strict=True) if hypothesis(h))
            )
        if hypothesis not in self.hypotheses:
            raise LikelyError(f"hypothesis {hypothesis!r} is none of the {len(self)}: name one of them.")
        return float(self.posterior[self.hypotheses.index(hypothesis)])

    def description(self) -> DescriptionLengths:
        """MAP as the shortest description: the bits of each hypothesis, and of the data given it."""
        names = tuple(map(str, self.hypotheses))
        return DescriptionLengths(names, -self.log_prior / np.log(2), -self.log_likelihood / np.log(2))

    def to_frame(self) -> dict[str, Any]:
        """One line for each hypothesis."""
        names = np.empty(len(self), object)
        names[:] = [str(hypothesis) for hypothesis in self.hypotheses]
        return {
            "hypothesis": names,
            "prior": np.exp(self.log_prior),
            "likelihood": np.exp(self.log_likelihood),
            "posterior": self.posterior,
        }

    def __str__(self) -> str:
        order = np.argsort(-self.log_posterior, kind="stable")[:SHOWN]
        lines = [["hypothesis", "prior", "likelihood", "posterior"]]
        for i in order.tolist():
            logs = (self.log_prior[i], self.log_likelihood[i], self.log_posterior[i])
            lines.append([shown(str(self.hypotheses[i]), 60), *(f"{np.exp(value):.4g}" for value in logs)])
        more = [f"and {len(self) - SHOWN} more: to_frame() has all"] if len(self) > SHOWN else []
        title = f"{many(len(self), 'hypothesis').replace('hypothesiss', 'hypotheses')}, "
        title += many(self.n, "observation")
        none = self.log_evidence == -np.inf
        title += ": impossible under each" if none else f", P(data) = {np.exp(self.log_evidence):.4g}"
        return "\n".join([title, "", table(lines, "<>>>"), *more])

    __repr__ = __str__


def log_prior_of(hypotheses: Sequence[Any], prior: HypothesisPrior) -> Floats:
    """The log prior of each: uniform (None), a probability for each, by name, or a weight by a function.

    >>> np.exp(log_prior_of(["a", "bb", "ccc"], lambda h: 2.0 ** -len(h))) * 7
    array([4., 2., 1.])
    """
    h = len(hypotheses)
    if h == 0:
        raise LikelyError("hypotheses: there are none; give at least one.")
    if prior is None:
        return np.full(h, -np.log(h))
    if isinstance(prior, Code):
        return prior.log_prior(hypotheses)
    if callable(prior):
        return _normalised(prior, hypotheses)
    strangers = [name for name in prior if name not in hypotheses] if isinstance(prior, Mapping) else []
    given = [prior.get(name, np.nan) for name in hypotheses] if isinstance(prior, Mapping) else prior
    try:
        p = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        p = np.array(np.nan)
    if strangers or p.shape != (h,) or not (p >= 0).all() or abs(p.sum() - 1) > TOLERANCE:
        raise LikelyError(f"prior={prior!r}: give a probability for each of {h} hypotheses, adding up to 1.")
    return log(p)


def _normalised(prior: Callable[[Any], float], hypotheses: Sequence[Any]) -> Floats:
    weights = np.array([float(prior(hypothesis)) for hypothesis in hypotheses])
    if not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
        raise LikelyError("prior: the function must give weights of 0 or more, and not 0 for all hypotheses.")
    return log(weights / weights.sum())
