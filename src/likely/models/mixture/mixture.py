"""Mixtures: hidden groups, each with its own distribution of every column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, DensityMixin, TransformerMixin

from likely.dist.family import Priors
from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.errors import LikelyError
from likely.estimator.fitted import (
    refuse_empty,
    refuse_no_rows,
    row_weights,
    split_target,
    target_column,
    target_values,
    told_codes,
)
from likely.infer import EM
from likely.models.gaussian.picture import draw
from likely.models.groups.describe import Summary
from likely.models.groups.record import GroupRecord
from likely.models.mixture.describe import Portraits
from likely.models.mixture.em_estimator import ByEM, choose_groups, refuse_more, rows_that_count, whole_number
from likely.models.mixture.large import LargePlan
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.frame import Frame, free_name, is_large

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Mixture(ByEM, ClassNamePrefixFeaturesOutMixin, TransformerMixin, DensityMixin, BaseEstimator):
    """Hidden groups found by EM: naive Bayes, or a Gaussian classifier, whose class nobody has told.

    This is clustering with probabilities: the group of a row is a latent variable, and each group has a
    responsibility for each row (`predict_proba`). Of numbers it is the Gaussian mixture model (GMM).

    Groups are numbered by their size, the largest first, unless labels, `init` or `base_rate` name them.
    The parameters are the most probable ones on their natural scale (log-odds, log-rates, precisions), which
    are those that `NaiveBayes` takes: counts with a pseudo-count each, variances with a row's worth of what a
    typical group varies, which is settled while EM runs. `prior=None` is maximum likelihood.

    Parameters
    ----------
    components : int or "auto"
        How many groups, of a row at least; "auto" tries 1, 2, 3 and so on, and takes the best by `criterion`.
    kinds, families, prior, base_rate, missing, n_jobs
        As in `NaiveBayes`; quantitative columns without a family of their own follow `covariance`.
    covariance : "full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical" or "identity"
        How the quantitative columns vary together within a group.
    max_iter, tol : int, float
        EM stops after so many iterations, or when the objective gains less than `tol` a row.
    restarts : int
        How many starts are tried for a few iterations; the best is carried on.
    init : "kmeans", "k-means++", "random", labels (n,), responsibilities (n, components) or a fitted Mixture
        Where EM begins. The `record_` of a fitted Mixture does as well, and can be cloned and saved.
    hard : bool
        Whether a row belongs to its most probable group alone. With `covariance="identity"` and
        `base_rate="uniform"` that is K-means.
    criterion : "bic", "icl" or "mdl"
        What "auto" goes by, in bits.
    random_state : int or None
        The seed of the starts.

    Attributes
    ----------
    history_ : tuple of float
        The log-likelihood plus the log prior, before each iteration and after the last, since the scale of
        the prior was settled. It never falls.
    n_iter_ : int
        How many iterations there were.
    families_ : Families
        The family of every column.
    converged_ : bool
        Whether the gain fell below `tol`.
    curve_ : Curve
        With "auto", the numbers of groups that were tried, and their bits.

    Examples
    --------
    >>> import likely
    >>> model = likely.Mixture(2, random_state=0).fit({"x": [1.0, 1.2, 0.9, 5.0, 5.1, 4.8]})
    >>> sorted(model.predict({"x": [1.0, 5.0]}).tolist())
    [0, 1]
    """

    learns_from_scans = True
    _hidden = True

    def __init__(
        self,
        components: int | str = 2,
        *,
        kinds: Kinds = None,
        families: FamilyWords = None,
        covariance: str = "full",
        prior: Priors = "default",
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        max_iter: int = 200,
        tol: float = 1e-6,
        restarts: int = 1,
        init: object = "kmeans",
        hard: bool = False,
        criterion: str = "bic",
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.components = components
        self.kinds = kinds
        self.families = families
        self.covariance = covariance
        self.prior = prior
        self.base_rate = base_rate
        self.missing = missing
        self.max_iter = max_iter
        self.tol = tol
        self.restarts = restarts
        self.init = init
        self.hard = hard
        self.criterion = criterion
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Find the groups of a table.

        With y (values, or the name of a column) the rows tell their group, but for those where it is missing.
        Each class is a group then, and there are at least as many groups as classes.

        A table that is not in memory (a lazy frame, `likely.scan`) is read block by block: EM begins with
        what it finds in a sample of the rows, and goes over all of them once for each of its steps.
        """
        if is_large(X) and (y is None or isinstance(y, str)):
            return self._fit_large(X, y, sample_weight)
        frame, told = (Frame.of(X), None) if y is None else split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        weight = row_weights(sample_weight, frame.n)
        table, how = self._planned(frame, weight), self._how(self.hard)
        labels = None if told is None else target_column(told)
        codes = None if labels is None or told is None else told_codes(labels, told)

        def fit(k: int) -> EM[GroupRecord]:
            target = _target(labels, k, frame)
            open_to = np.eye(len(labels.levels or ()) if labels else 0, len(target.levels or ()), dtype=bool)
            return table.search(target, how, codes, None if labels is None else open_to)

        self.__dict__.pop("curve_", None)
        if isinstance(self.components, str) and self.components == "auto":
            run, self.curve_ = choose_groups(fit, frame, weight, self.criterion, how.engine, codes)
        else:
            k = whole_number(self.components)
            # A class that is told has a group, even if its rows have no weight.
            refuse_more(k, max(rows_that_count(frame, weight), len(labels.levels or ()) if labels else 0))
            run = fit(k)
        if labels is None and isinstance(self.init, str) and not isinstance(self.base_rate, Mapping):
            run = replace(run, parameters=_by_size(run.parameters))
        self._keep(run)
        return self

    def _fit_large(self, X: object, y: object, sample_weight: object) -> Self:
        if y is not None or sample_weight is not None or self.components == "auto":
            raise LikelyError(
                "a mixture of a table that is not in memory takes no y, no sample_weight and a given number "
                "of components: choose these on a sample that is, and give init=its record_."
            )
        table = LargeTable.of(Scan.of(X).spooled(), self.kinds, self._engine)
        refuse_no_rows(table.n, len(table.frame.names))
        k = whole_number(self.components)
        refuse_more(k, table.n)
        plan = LargePlan.of(table, self._settings(), self.kinds, self.families, self.covariance, self.missing)
        run = plan.search(_target(None, k, table.frame), self._how(self.hard))
        self.__dict__.pop("curve_", None)
        self._keep(replace(run, parameters=_by_size(run.parameters)) if isinstance(self.init, str) else run)
        return self

    def describe(self) -> Summary:
        """The groups in words: how large each is and what sets it apart, then the columns one by one."""
        record = self._known()
        stopped = None if getattr(self, "converged_", True) else self.n_iter_
        return Portraits(type(self).__name__, record, stopped=stopped)

    def draw(self, X: TableLike | None = None, y: Target | None = None, ax: Axes | None = None) -> Axes:
        """The groups as a picture, of one column or two, with the rows of X if given.

        Of two columns: the region where each group is the most probable, and the ellipses one standard
        deviation around the means. Of one: the densities times the shares of the groups. Rows are marked by
        their most probable group, or by y.
        """
        record = self._known()
        return draw(record, None if X is None else self._frame(X), target_values(X, y, "draw"), ax)

    def fit_predict(
        self, X: TableLike, y: Target | None = None, sample_weight: Weights = None
    ) -> NDArray[Any]:
        """Find the groups of a table, and say the most probable one of each of its rows."""
        return np.asarray(self.fit(X, y, sample_weight).predict(X))

    def transform(self, X: TableLike) -> NDArray[np.float64]:
        """P(group given row), (n, k), as `predict_proba`: the groups as features, for a pipeline."""
        return np.asarray(self.predict_proba(X))

    @property
    def _n_features_out(self) -> int:
        return len(self._known().classes)

    def score(self, X: TableLike, y: object = None) -> float:
        """The mean log-likelihood of a row."""
        return float(self.log_prob(X).mean())


def _by_size(record: GroupRecord) -> GroupRecord:
    """The groups that nobody has named in the order of their sizes: which start they came from is chance."""
    order = np.argsort(-record.tally.groups, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return replace(record, tally=record.tally.regroup(place, len(order)))


def _target(labels: Column | None, k: int, frame: Frame) -> Column:
    """The column of groups: the classes that are told, and numbers for the rest."""
    named = () if labels is None else labels.levels or ()
    more = [i for i in range(k + len(named)) if i not in named][: max(k - len(named), 0)]
    levels = [*named, *(more if not any(isinstance(level, str) for level in named) else map(str, more))]
    name = free_name("group" if labels is None else labels.name, frame.position)
    return Column.of_groups(name, levels)
