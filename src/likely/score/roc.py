"""The ROC curve of scores, and the coverage curve, which is the same in numbers of rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likely.draw.roc import roc as draw_roc
from likely.errors import LikelyError
from likely.score.area import area_of
from likely.score.estimate import Area
from likely.score.hull import Hull
from likely.score.isometric import OperatingPoint, best_point
from likely.score.isometric import isometrics as equally_good
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class ROC:
    """What every threshold does: a row is called positive if its score is at the threshold or above.

    The curve begins where nothing is called positive and has a point for each distinct score: rows that tie
    are called positive together, so that ties are straight slopes. `roc` makes it.
    """

    ranked: Ranked

    @property
    def positive(self) -> Any:
        """The class whose scores are meant to be high."""
        return self.ranked.label

    @property
    def n(self) -> int:
        """The number of rows that have a weight."""
        return sum(self.ranked.rows)

    @property
    def base_rate(self) -> float:
        """The share of the positive class."""
        positives = self.ranked.positives
        return positives / (positives + self.ranked.negatives)

    @cached_property
    def thresholds(self) -> Floats:
        """Falling from infinity to the lowest score, (k + 1,); all scores at or above one are positive.

        If a score is infinite itself, two thresholds are: the first of them calls nothing positive.
        """
        return np.concatenate([[np.inf], self.ranked.scores])

    @cached_property
    def true_positives(self) -> Floats:
        """The weight of the positive rows that are called positive, (k + 1,): the coverage curve upwards."""
        return np.concatenate([[0.0], np.cumsum(self.ranked.positive)])

    @cached_property
    def false_positives(self) -> Floats:
        """The weight of the other rows that are called positive, (k + 1,): the coverage curve sideways."""
        return np.concatenate([[0.0], np.cumsum(self.ranked.negative)])

    @property
    def tpr(self) -> Floats:
        """The share of the positive rows that are called positive; 0 if there are none."""
        return self.true_positives / (self.true_positives[-1] or 1.0)

    @property
    def fpr(self) -> Floats:
        """The share of the other rows that are called positive; 0 if there are none."""
        return self.false_positives / (self.false_positives[-1] or 1.0)

    @cached_property
    def auc(self) -> Area:
        """The area under the curve, with DeLong's standard error; `auc.interval()` is its interval."""
        return area_of(self.ranked)

    @cached_property
    def hull(self) -> Hull:
        """The upper convex hull: the best that thresholds, and chance between two of them, can do."""
        return Hull.of(self.ranked)

    @cached_property
    def lower_hull(self) -> Hull:
        """The lower convex hull: the worst; the best of the opposite calls is its mirror image."""
        return Hull.of(self.ranked, lower=True)

    def best(
        self, base_rate: float | None = None, *, false_positive: float = 1.0, false_negative: float = 1.0
    ) -> OperatingPoint:
        """The threshold with the lowest expected cost; of equally good ones the highest.

        Parameters
        ----------
        base_rate : float or None
            The share of the positive class where decisions will be made; None takes that of the rows.
        false_positive, false_negative : float
            What a row costs that is called positive but is not, or is positive but is not called so.

        Examples
        --------
        >>> curve = roc([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> curve.best()
        threshold 5: true positive rate 0.667, false positive rate 0.000, expected cost 0.167
        >>> curve.best(0.9).threshold
        3.0
        """
        rate = self.base_rate if base_rate is None else base_rate
        return best_point(self.thresholds, self.tpr, self.fpr, rate, false_positive, false_negative)

    def to_frame(self) -> Any:
        """A row for each threshold: the numbers and the rates of true and false positives."""
        columns = {
            "threshold": self.thresholds,
            "true_positives": self.true_positives,
            "false_positives": self.false_positives,
            "tpr": self.tpr,
            "fpr": self.fpr,
        }
        return to_table(columns, library_for(None))

    def plot(
        self,
        *,
        coverage: bool = False,
        isometrics: str | None = None,
        base_rate: float | None = None,
        false_positive: float = 1.0,
        false_negative: float = 1.0,
        ax: Axes | None = None,
    ) -> Axes:
        """The curve and its hull.

        Parameters
        ----------
        coverage : bool
            In numbers of rows instead of shares.
        isometrics : "accuracy", "cost", "information gain" or None
            Draw lines whose points the measure takes for equally good, and the best point of the curve.
        base_rate, false_positive, false_negative
            For the isometrics, as for `best`.
        ax : Axes or None
            Where to draw; None makes new axes.

        Examples
        --------
        >>> curve = roc([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
        >>> ax = curve.plot(isometrics="accuracy", base_rate=0.9)
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['chance', 'curve', 'hull', 'equal accuracy', 'best']
        """
        scale = (self.ranked.negatives, self.ranked.positives) if coverage else (1.0, 1.0)

        def scaled(line: tuple[Floats, Floats]) -> tuple[list[float], list[float]]:
            return (line[0] * scale[0]).tolist(), (line[1] * scale[1]).tolist()

        across, up = scaled((self.fpr, self.tpr))
        best, lines = None, []
        if isometrics is not None:
            place, curves = equally_good(
                isometrics,
                self.fpr,
                self.tpr,
                self.base_rate if base_rate is None else base_rate,
                false_positive=false_positive,
                false_negative=false_negative,
            )
            through, *lines = map(scaled, curves)
            best = through, (across[place], up[place]), f"equal {isometrics}"
        return draw_roc(
            across,
            up,
            hull=scaled((self.hull.fpr, self.hull.tpr)),
            isometrics=lines,
            best=best,
            title=f"{self.positive}: {self._area()}",
            counts=coverage,
            ax=ax,
        )

    def _area(self) -> str:
        return f"AUC {self.auc}" if all(self.ranked.rows) else "rows of one class only"

    def __repr__(self) -> str:
        return f"ROC curve of {self.positive!r}, {len(self.ranked.scores)} distinct scores: {self._area()}"


def roc(y: ArrayLike, score: ArrayLike, *, positive: object = None, weight: ArrayLike | None = None) -> ROC:
    """The ROC curve of any scores: probabilities, log-odds, a column of a file.

    Parameters
    ----------
    y : (n,) labels
        The class that came true in each row.
    score : (n,) numbers
        The higher, the more the row is taken to be positive. Infinities are numbers here.
    positive : label or None
        The positive class, against all others; None takes the second of two.
    weight : (n,) or None
        How much each row counts.

    Examples
    --------
    >>> curve = roc(["ham", "ham", "spam", "spam"], [0.1, 0.5, 0.5, 0.9])
    >>> curve
    ROC curve of 'spam', 3 distinct scores: AUC 0.875 ± 0.177 from 4 rows
    >>> curve.tpr, curve.fpr
    (array([0. , 0.5, 1. , 1. ]), array([0. , 0. , 0.5, 1. ]))
    >>> curve.hull.likelihood_ratio
    array([inf,  1.,  0.])
    """
    if isinstance(score, str):
        raise LikelyError(f"score={score!r}: give the column itself, not its name.")
    return ROC(Ranked.of(y, score, positive, weight))


def roc_one_vs_rest(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> dict[Any, ROC]:
    """The ROC curve of each class against all others, by the probability of the class.

    The parameters are those of `log_loss`.

    >>> curves = roc_one_vs_rest(["a", "b", "c"], [[0.6, 0.2, 0.2], [0.5, 0.4, 0.1], [0.1, 0.1, 0.8]])
    >>> {label: float(curve.auc) for label, curve in curves.items()}
    {'a': 1.0, 'b': 1.0, 'c': 1.0}
    """
    told = Outcomes.of(y, p, classes, weight)
    return {
        label: ROC(Ranked.grouped(label, told.codes == place, told.p[:, place], told.weight))
        for place, label in enumerate(told.classes)
    }


def roc_pairwise(
    y: ArrayLike, p: ArrayLike, *, classes: ArrayLike | None = None, weight: ArrayLike | None = None
) -> dict[tuple[Any, Any], ROC]:
    """The ROC curve of each pair of classes, on the rows of the two: (positive, negative) by P(positive).

    The score is P(positive) / (P(positive) + P(negative)), so that other classes play no part; 1/2 where a
    row rules both out. Pairs without a row of either class are left out.

    >>> curves = roc_pairwise(["a", "b", "c"], [[0.6, 0.2, 0.2], [0.5, 0.4, 0.1], [0.1, 0.1, 0.8]])
    >>> {pair: float(curve.auc) for pair, curve in curves.items()}
    {('b', 'a'): 1.0, ('c', 'a'): 1.0, ('c', 'b'): 1.0}
    """
    told = Outcomes.of(y, p, classes, weight)
    curves = {}
    for a, b in combinations(range(len(told.classes)), 2):
        mine = np.flatnonzero(((told.codes == a) | (told.codes == b)) & (told.weight > 0))
        if not len(mine):
            continue
        both = told.p[mine, a] + told.p[mine, b]
        score = np.divide(told.p[mine, b], both, out=np.full(len(mine), 0.5), where=both > 0)
        pair = told.classes[b], told.classes[a]
        curves[pair] = ROC(Ranked.grouped(pair[0], told.codes[mine] == b, score, told.weight[mine]))
    if not curves:
        raise LikelyError(f"the only class is {told.classes[0]!r}: a pair needs two.")
    return curves
