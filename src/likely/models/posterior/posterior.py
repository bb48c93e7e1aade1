"""What is believed of parameters once data are seen, as an object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical, Dirichlet, Distribution, Family, Prior
from likely.errors import LikelyError
from likely.models.posterior import render
from likely.models.posterior.data import CountsGiven, Observations, counted, family_of, statistic
from likely.models.posterior.prob import Sampled, find, prob_of_function, prob_of_statement
from likely.models.posterior.quantity import Interval, Quantity, default_names, quantities
from likely.models.posterior.render import History, history
from likely.table.accepted import RandomState, Weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

DRAWS = 100_000
LEVEL = 0.9  # of an interval, as everywhere in the program
KINDS = ("equal", "highest")


def posterior(
    prior: Prior,
    data: Observations | None = None,
    *,
    counts: CountsGiven | None = None,
    weight: Weights = None,
    names: str | Iterable[str] | None = None,
    family: str | type[Family] | None = None,
) -> Posterior:
    """What is believed of parameters under a conjugate prior, once data are seen.

    Parameters
    ----------
    prior : conjugate prior
        `Beta` (of true/false), `BinomialBeta`, `GeometricBeta`, `Dirichlet` (of levels), `Gamma` (of
        counts), `KnownVariance` and `NormalInverseGamma` (of numbers), `NormalInverseWishart` (of rows).
    data : list, array or Series, or None
        Observations. Missing ones tell nothing.
    counts : numbers, mapping or None
        Instead of data: (true, false) for a Beta, a count for each level for a Dirichlet, (total, exposure)
        for a Gamma.
    weight : (n,) or None
        How much each observation counts.
    names : text, texts or None
        What to call the parameter; for a Dirichlet the levels, for rows of numbers the columns.
    family : name, class or None
        What the data are, where several families share a prior: a `Gamma` is taken for the rate of counts,
        and with "exponential" for that of waiting times.

    Examples
    --------
    Nine of ten e-mails were spam. Is spam the rule?

    >>> import likely
    >>> spam = likely.posterior(likely.Beta(1, 1), counts=(9, 1))
    >>> spam.prob("theta < 0.5"), spam.map
    (0.005859375, 0.9)
    >>> spam
    theta after 10 observations: Beta(a=10.0, b=2.0)
    <BLANKLINE>
            mean  MAP     sd   90 % interval
    theta  0.833  0.9  0.103  0.636 to 0.967
    """
    data_family = family_of(prior, family)
    if prior.batch not in ((), (1,)) or (isinstance(prior, Dirichlet) and prior.sizes is not None):
        raise LikelyError(f"prior={prior!r} is a batch of {prior.batch}: give a single one.")
    known = _names(prior, names)
    empty = Posterior(prior, None, known, data_family)
    return empty if data is None and counts is None else empty.update(data, counts=counts, weight=weight)


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """A prior and what was seen since; made by `likely.posterior`. Updating gives a new one.

    Where there are several quantities (the levels of a Dirichlet; the mean, the variance and the sd of a
    normal distribution), `mean`, `map` and `sd` are mappings by name.
    """

    prior: Prior
    stat: Any  # None: nothing was seen
    names: tuple[str, ...]
    family: type[Family]

    def update(
        self, data: Observations | None = None, *, counts: CountsGiven | None = None, weight: Weights = None
    ) -> Posterior:
        """What is believed once more data are seen: the same as if all had been seen at once."""
        if data is not None and counts is None:
            more = statistic(self.family, data, weight, self.names)
        elif counts is not None and data is None:
            if weight is not None:
                raise LikelyError("weight: counts have none; give weighted counts, or data.")
            more = counted(self.family, counts, self.names)
        else:
            raise LikelyError("update: give either data or counts.")
        return replace(self, stat=more if self.stat is None else self.stat + more)

    @cached_property
    def distribution(self) -> Any:
        """The posterior as a distribution of the parameters: a `Beta` of a `Beta`, and so on."""
        if self.stat is None:
            return self.prior
        updated: Any = self.family.updated(self.prior, self.stat)
        if isinstance(updated, Dirichlet):
            return Dirichlet(updated.alpha[0], None, None if updated.trials is None else updated.trials[0])
        return updated.take((0,) * len(updated.batch))

    @property
    def n(self) -> float:
        """How many observations were seen, or their weight."""
        if self.stat is None:
            return 0.0
        return float(self.family.n_rows(self.stat).max())

    @cached_property
    def log_evidence(self) -> float:
        """The log-probability (or log density) of all that was seen, in its order, parameters summed out."""
        return 0.0 if self.stat is None else float(np.sum(self.family.evidence(self.prior, self.stat)))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What the posterior is about, each quantity with its own `cdf`, `quantile` and `log_density`."""
        return quantities(self.distribution, self.names)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self._each("mean")

    @property
    def map(self) -> Any:
        """The value at the most probable parameters (maximum a posteriori)."""
        return self._each("mode")

    @property
    def sd(self) -> Any:
        """The standard deviation: how far from being known."""
        return self._each("sd")

    def _each(self, what: str) -> Any:
        numbers = {quantity.name: getattr(quantity, what) for quantity in self.quantities}
        return numbers if len(numbers) > 1 else next(iter(numbers.values()))

    def interval(self, level: float = LEVEL, kind: str = "equal", of: str | None = None) -> Interval:
        """An interval that holds the quantity with probability `level`.

        kind: "equal" leaves out as much below as above; "highest" is the narrowest, which holds the
        values of highest density (if there are two peaks, at the ends, it holds the higher).
        of: which quantity, if there are several.
        """
        if kind not in KINDS:
            raise LikelyError(f"kind={kind!r} is unknown: use one of {', '.join(KINDS)}.")
        quantity = self._one(of, "interval")
        return quantity.equal_tailed(level) if kind == "equal" else quantity.highest(level)

    def prob(
        self, statement: str | Callable[[Any], Any], *, draws: int = DRAWS, random_state: RandomState = 0
    ) -> float | Sampled:
        """The probability of a statement such as "0.4 < theta < 0.6", or that a function is true.

        A text about one quantity is answered exactly. A text about several, and a function, are answered from
        draws, and the answer knows its standard error. The function is given the array of draws, or if
        there are several quantities a mapping of arrays by name.
        """
        if isinstance(statement, str):
            return prob_of_statement(statement, self.quantities, lambda: self.sample(draws, random_state))
        return prob_of_function(statement, self.sample(draws, random_state))

    def sample(self, n: int, random_state: RandomState = None) -> dict[str, Floats]:
        """Draw n times from the posterior: an array for each quantity."""
        if not isinstance(n, int | np.integer) or n < 1:
            raise LikelyError(f"draws={n!r}: give a whole number of 1 or more.")
        drawn = self.distribution.sample(n, random_state)
        return render.columns_of_draws(drawn, [quantity.name for quantity in self.quantities])

    def predictive(self) -> Distribution:
        """The distribution of the next observation, the parameters summed out."""
        ahead: Distribution = self.family.predictive(self.distribution)
        return Categorical(ahead.probs, levels=self.names) if isinstance(ahead, Categorical) else ahead

    def history(self, data: Iterable[Any]) -> History:
        """How the belief changes as observations come one after another, from this one on."""
        return history(self, data)

    def to_frame(self, level: float = LEVEL) -> dict[str, Any]:
        """One line for each quantity: mean, MAP, sd and the equal-tailed interval."""
        return render.frame(self.quantities, level)

    def plot(self, of: str | None = None, level: float = LEVEL, ax: Axes | None = None) -> Axes:
        """Draw the density of a quantity, with its interval of highest density."""
        return render.plot(self._one(of, "plot"), level, ax)

    def _one(self, of: str | None, asked: str) -> Quantity:
        if of is None and len(self.quantities) > 1:
            first = self.quantities[0].name
            raise LikelyError(f"{asked}: there are several quantities: name one, as in of={first!r}.")
        return self.quantities[0] if of is None else find(self.quantities, of)

    def __str__(self) -> str:
        return render.text(self.quantities, self.distribution, self.n, LEVEL)

    __repr__ = __str__


def _names(prior: Prior, names: str | Iterable[str] | None) -> tuple[str, ...]:
    expected: Sequence[str] = default_names(prior)
    alone = isinstance(names, str) and len(expected) == 1
    given = expected if names is None else (str(names),) if alone else tuple(map(str, names))
    if len(given) != len(expected) or len(set(given)) != len(given):
        raise LikelyError(f"names={names!r}: give {len(expected)} different names, such as {expected!r}.")
    return tuple(given)
