"""Gaussian classifiers: numbers that vary together within each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from likely.dist.family import Priors
from likely.errors import notice
from likely.estimator.fitted import target_values
from likely.models.gaussian.boundary import Boundary, boundary
from likely.models.gaussian.from_parameters import known_record
from likely.models.gaussian.gaps import apart, few_complete
from likely.models.gaussian.picture import draw
from likely.models.gaussian.shapes import shaped, shrunk
from likely.models.groups.estimator import Generative, LearntRows
from likely.models.groups.explain import two_classes
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds, Level, TableLike, Target
from likely.table.frame import Frame
from likely.table.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class GaussianClassifier(Generative):
    """Each class has a normal distribution of all quantitative columns together.

    The shape of its covariance decides the boundaries between classes: quadratic, or linear where all
    classes share one. Columns of other kinds are independent of these and of each other, as in naive
    Bayes. A missing cell is integrated out of a prediction exactly; "full" and "tied" covariances are learnt
    from rows without missing cells, and a column that is missing in all rows is left out of them.

    Parameters
    ----------
    covariance : "full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical" or "identity"
        A covariance of its own for each class (quadratic discriminant analysis, QDA); one for all (linear
        discriminant analysis, LDA); no correlations (Gaussian naive Bayes), or also one variance a column in
        all classes (diagonal linear discriminant analysis); one variance for all columns of a class, or for
        all columns of all classes; or variance 1 in every column, so that the nearest mean wins: the basic
        linear classifier.
        With "identity", `prior=KnownVariance(v)` says another variance than 1.
    shrinkage : None, number from 0 to 1 or "ledoit_wolf"
        How far "full" or "tied" covariances are drawn towards none at all: (1 - s) * covariance + s * mean
        variance * identity, columns measured in their sds within the classes. "ledoit_wolf" finds s by the
        scatter of the rows. It takes the place of `prior`, also of None, which stays that of all else; and
        `prior` may be `Shrinkage(s, standardise=False)` instead: then the identity is of raw columns.
    kinds : mapping, str or None
        As in `NaiveBayes`.
    families : mapping, str or None
        The families of columns that are not to follow `covariance`, as in `NaiveBayes`.
    prior : "default", None, number, prior, Shrinkage or mapping
        As in `NaiveBayes`; None is maximum likelihood, whose covariances divide by n.
    estimate : "mean", "map", "ml" or "predictive"
        Which parameters are taken from the posterior; "predictive" sums them out.
    base_rate : None, "uniform" (or "balanced") or mapping
        The class probabilities; None learns them.
    missing : "ignore" or "level"
        Whether a missing cell adds no evidence, or that it is missing does.
    n_jobs : int or None
        Threads: None for one, -1 for all cores. The answer does not depend on it, to the last bit.

    Examples
    --------
    >>> import likely
    >>> flowers = {"length": [1.4, 1.3, 1.6, 4.7, 4.5, 4.9], "width": [0.2, 0.2, 0.4, 1.4, 1.5, 1.8]}
    >>> kind = ["setosa"] * 3 + ["versicolor"] * 3
    >>> model = likely.GaussianClassifier(covariance="tied").fit(flowers, kind)
    >>> model.predict({"length": [2.0, 4.0], "width": [0.5, 1.2]}).tolist()
    ['setosa', 'versicolor']
    """

    def __init__(
        self,
        covariance: str = "full",
        shrinkage: float | str | None = None,
        kinds: Kinds = None,
        families: FamilyWords = None,
        prior: Priors = "default",
        estimate: str = "mean",
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        n_jobs: int | None = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.kinds = kinds
        self.families = families
        self.prior = prior
        self.estimate = estimate
        self.base_rate = base_rate
        self.missing = missing
        self.n_jobs = n_jobs

    @classmethod
    def from_parameters(
        cls,
        means: Mapping[Any, Any],
        covariances: Mapping[Any, ArrayLike] | ArrayLike,
        base_rate: Mapping[Any, float] | str = "uniform",
        names: Sequence[str] | None = None,
    ) -> Self:
        """The classifier of known normal distributions, without data.

        Parameters
        ----------
        means : mapping
            The mean of each class: a number for each column, or one number if there is one column.
        covariances : mapping or matrix
            The covariance of each class, or one for all; of one column, variances.
        base_rate : "uniform" or mapping
            The class probabilities.
        names : sequence of str, optional
            The names of the columns; without them they are x0, x1 and so on, as those of an array.

        Examples
        --------
        >>> import likely
        >>> model = likely.GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4})
        >>> model.boundary("+", "-").points().round(4)
        array([-0.8475,  2.1809])
        """
        record, shape = known_record(means, covariances, base_rate, names)
        model = cls(covariance=shape, prior=None, estimate="ml", base_rate=base_rate)
        model._take(record)
        return model

    def _fitted_on(self, rows: LearntRows) -> None:
        warning = few_complete(self.record_, rows.share_missing)
        if warning:
            notice(warning)

    def _plan(self, frame: Frame, schema: Schema) -> tuple[Any, Any]:
        families = shaped(schema, self.families, self.covariance, self.shrinkage)
        families = apart(frame, families, self._engine)
        return families, shrunk(frame, families, self.prior, self.shrinkage, self.estimate)

    def boundary(self, favoured: Level | None = None, against: Level | None = None) -> Boundary:
        """The equation of the boundary between two classes: by default the last against the first."""
        record = self._known()
        a, b = two_classes(record.classes, favoured, against)
        return boundary(record, a, b)

    def draw(self, X: TableLike | None = None, y: Target | None = None, ax: Axes | None = None) -> Axes:
        """The classes as a picture, of one column or two, with the rows of X and their classes if given.

        Of two columns: the region where each class is the most probable, and the ellipses one standard
        deviation around the means. Of one: the densities times the base rates, and the boundaries.
        """
        record = self._known()
        return draw(record, None if X is None else self._frame(X), target_values(X, y, "draw"), ax)
