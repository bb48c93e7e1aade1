"""Naive Bayes on any table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from likely.dist.family import Priors
from likely.errors import LikelyError
from likely.export.form import ScoringForm
from likely.models.groups.estimator import Generative, LearntRows
from likely.models.groups.record import GroupRecord
from likely.models.naive_bayes.binned_numbers import binned_numbers
from likely.models.naive_bayes.learn_weights import learn_weights
from likely.models.naive_bayes.products import Products, joined, list_levels
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds
from likely.table.frame import Frame
from likely.table.schema import Schema

CLASSICAL = "classical"  # the families of textbooks: normal for numbers


class NaiveBayes(Generative):
    """Naive Bayes: the columns are independent given the class (the naive Bayes assumption).

    Every column is described by its own family: true/false by a Bernoulli, levels by a categorical, numbers
    by their shares of bins that all classes have in common, counts by a Poisson distribution. Missing cells
    add no evidence. Columns that repeat each other would be counted twice: how much the evidence of each
    column counts in a prediction is learnt, and said in the ledger.

    Parameters
    ----------
    kinds : mapping, str or None
        The kind of each column ("boolean", "categorical", "ordinal", "quantitative", "count", "text"), or one
        for all; a list of levels in order makes a column ordinal. None takes kinds from the types.
    families : mapping, str or None
        The family of each column ("bernoulli", "categorical", "normal", "poisson", "binomial", "geometric",
        "uniform", "binned", "discretize", "histogram", "kernel", "kernel_by_likelihood", or for several
        columns together "multinomial" and "multivariate_normal"), or one for all. None takes the family of
        the kind, which is "binned" for numbers ("normal" if they are sparse, or have a conjugate prior).
        "discretize" cuts a column into bins where the classes differ (Fayyad and Irani), and counts these.
        "auto" takes, for a column of numbers, the one that describes it in the fewest bits (see
        `families_`). "classical" are those of textbooks: None, but normal for numbers.
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
    evidence_weights : "learnt" or None
        How much the evidence of each column counts in `predict_proba` and `explain`, from 0 to 1. By default
        it is learnt as what predicts held-out rows best, unless the table is as small as one that is worked
        through by hand: fewer than 15 rows of at most six columns of levels or words. None counts all of it:
        classical naive Bayes; so does maximum likelihood, whose zeros no weight softens. What is asked, drawn
        or said of P(row) has all of it: weights are no part of the joint distribution.
    products : list of tuples of names, or None
        Columns of levels that are described together, as [("outlook", "humidity")]: each group is one column
        of all combinations of levels, in the place of the columns themselves. What they say together counts.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Attributes
    ----------
    evidence_weights_ : dict
        The weight of each column's evidence.
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
        evidence_weights: str | None = "learnt",
        products: Products | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kinds = kinds
        self.families = families
        self.prior = prior
        self.estimate = estimate
        self.base_rate = base_rate
        self.missing = missing
        self.evidence_weights = evidence_weights
        self.products = products
        self.n_jobs = n_jobs

    def _joined(self, frame: Frame, learn: bool = False) -> Frame:
        if not self.products or (not learn and self._has_products(frame)):
            return frame
        table = joined(frame, self.products)
        if learn:
            list_levels(frame, table, self.products, self.kinds)
        return table

    @property
    def _kinds(self) -> Any:
        if not self.products or not isinstance(self.kinds, Mapping):
            return self.kinds
        gone = {name for group in self.products for name in group}
        return {name: kind for name, kind in self.kinds.items() if name not in gone}

    def scoring_form(self) -> ScoringForm:
        """How rows are scored, as plain records; refused with products, which are no columns of a table."""
        if self.products:
            raise LikelyError(
                f"products={self.products!r} are no columns of a table: make such a column first, and fit "
                "with that, to export the model."
            )
        return super().scoring_form()

    def _has_products(self, frame: Frame) -> bool:
        """Whether the columns of a table are those that products make already."""
        return all(name in frame.position for name in self._known().schema.names)

    def _plan(self, frame: Frame, schema: Schema) -> tuple[Any, Any]:
        if isinstance(self.families, str) and self.families == CLASSICAL:
            return None, self.prior
        return binned_numbers(frame, schema, self.families, self.prior), self.prior

    def _weighed(self, record: GroupRecord, rows: LearntRows) -> GroupRecord:
        if self.evidence_weights not in (None, "learnt"):
            raise LikelyError(
                f"evidence_weights={self.evidence_weights!r}: use 'learnt', or None to count all evidence."
            )
        likeliest = (
            self.estimate == "ml"
            or self.prior is None
            or (isinstance(self.prior, int | float) and self.prior == 0)
        )
        if self.evidence_weights is None or likeliest:
            return record
        return replace(record, evidence=learn_weights(record, *rows.some()))

    @property
    def evidence_weights_(self) -> dict[str, float]:
        """How much the evidence of each column counts in a prediction, by name."""
        record = self._known()
        weights = (
            np.ones(len(record.schema.columns)) if record.evidence is None else record.evidence.by_column
        )
        return dict(zip(record.schema.names, weights.tolist(), strict=True))
