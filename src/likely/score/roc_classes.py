"""ROC curves of more than two classes: each against the rest, or two at a time."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.outcomes import Outcomes
from likely.score.ranked import Ranked
from likely.score.roc import ROC


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
