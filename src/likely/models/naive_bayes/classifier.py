"""Naive Bayes on any table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likely.dist.family import Priors
from likely.models.groups.estimator import Generative
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds
from likely.table.frame import Frame
from likely.table.schema import Schema


class NaiveBayes(Generative):
    """Naive Bayes: the columns are independent given the class (the naive Bayes assumption).

    Every column is described by its own family: true/false by a Bernoulli, levels by a categorical,
    numbers by a normal, counts by a Poisson distribution. Missing cells add no evidence.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column ("boolean", "categorical", "ordinal", "quantitative", "count", "text"), or one
        for all; a list of levels in order makes a column ordinal. None takes kinds from the types.
    families : mapping, str or None
        The family of each column ("bernoulli", "categorical", "normal", "poisson", "binomial", "geometric",
        "uniform", "histogram", "kernel", "kernel_by_likelihood", or for several columns together
        "multinomial" and "multivariate_normal"), or one for all. None takes the family of the kind; "auto"
        takes, for a column of numbers, the one that describes it in the fewest bits (see `families_`).
    prior : "default", None, number, smoothing, prior or mapping
        The prior of the parameters: each family's weak default, none (maximum likelihood), the default at
        another strength, `Laplace()`, `MEstimate(m, p)`, a conjugate prior, or one of these by column. What
        is given for all columns is used or refused: a smoothing is that of the columns that have levels, a
        conjugate prior has to suit every column. None, numbers, `Laplace()` and `MEstimate(m)` hold for the
        base rate too.
    estimate : "mean", "map", "ml" or "predictive"
        Which parameters are taken from the posterior; "predictive" sums them out.
    base_rate : None, "uniform" (or "balanced") or mapping
        The class probabilities; None learns them.
    missing : "ignore" or "level"
        Whether a missing cell adds no evidence, or is a level of its own.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Attributes
    ----------
    families_ : Families
        The family of every column; with "auto" also the bits of it and of the families that lost.

    Examples
    --------
    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> model = likely.NaiveBayes(prior=None).fit(days, "play")
    >>> today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    >>> model.predict_proba(today).round(4)
    array([[0.7954, 0.2046]])
    """

    def __init__(
        self,
        kinds: Kinds = None,
        families: FamilyWords = None,
        prior: Priors = "default",
        estimate: str = "mean",
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.families = families
        self.prior = prior
        self.estimate = estimate
        self.base_rate = base_rate
        self.missing = missing
        self.n_jobs = n_jobs

    def _plan(self, frame: Frame, schema: Schema) -> tuple[Any, Any]:
        return self.families, self.prior
