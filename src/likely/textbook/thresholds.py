"""A worked example of thresholds: where a model's own answers lie on its ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.draw.axes import LETTER, new_panels
from likely.draw.histogram import plain_axes
from likely.format.svg import BLUE, DARK, FAINT, ORANGE
from likely.textbook.example import Step, worked

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_thresholds() -> Any:
    """Two ROC curves of naive Bayes, the point of its own answers, and the best one with its line."""
    panels = new_panels(8.6, 4.4, 1, 2)[0]
    _panel(panels[0], "as many positives as negatives", (0.9, 0.2), 0.5)
    _panel(panels[1], "four positives for every negative", (0.7, 0.3), 0.8)
    panels[0].legend(frameon=False, fontsize=LETTER, loc="lower right")
    return panels[0]


def _panel(ax: Axes, title: str, first_topic: tuple[float, float], base_rate: float) -> None:
    from itertools import product
    from math import factorial

    import numpy as np

    import likely
    from likely import score

    words = np.array([row for row in product(range(7), repeat=4) if sum(row) == 6])
    orders = 720 / np.array([np.prod([factorial(n) for n in row]) for row in words.tolist()])
    topics = np.array([[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]])
    shares = np.array([[share, 1 - share] for share in first_topic])
    weight = shares @ (orders * np.prod(topics[:, None] ** words, axis=2)) * [[base_rate], [1 - base_rate]]
    y = np.repeat(["+", "-"], len(words))
    ax = plain_axes(title, "false positive rate", "true positive rate", ax)
    ax.set_aspect("equal")
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1)
    for name, family, colour in (("bits", "bernoulli", BLUE), ("counts", "multinomial", ORANGE)):
        rows = np.tile(words > 0 if name == "bits" else words, (2, 1))
        model = likely.NaiveBayes(families=family, prior=None).fit(rows, y, sample_weight=weight.ravel())
        p = model.predict_proba(rows)[:, 0]
        curve = score.roc(y, p.round(12), positive="+", weight=weight.ravel())
        own, best = int((curve.thresholds > 0.5).sum()) - 1, curve.best()
        ax.plot(curve.fpr, curve.tpr, color=colour, label=f"words as {name}")
        for fpr, tpr, mark, size, dash, said in (
            (curve.fpr[own], curve.tpr[own], "o", 8, ":", "its own (MAP) answers"),
            (best.fpr, best.tpr, "*", 13, "-", "the best, and as accurate"),
        ):
            said = said if name == "counts" else ""  # once in the legend
            ax.plot(*score.isometric("accuracy", (fpr, tpr), base_rate), dash, color=DARK, linewidth=0.9)
            ax.plot(fpr, tpr, mark, color=colour, markeredgecolor=DARK, markersize=size, label=said)


@worked(
    "N3b",
    "Flach fig. 9.4",
    "The MAP point on the ROC curve, and when it is best always to say yes",
    data="""
    Messages of six words of a vocabulary of four. A message has one of two topics, with the words
    (.5, .3, .1, .1) or (.1, .1, .2, .6), so that words come in bursts and are not independent given the
    class. First 90 % of the positive and 20 % of the negative messages have the first topic, and there are as
    many of both; then 70 % and 30 %, and four positive ones for every negative. All 84 messages are taken,
    each by its probability.
    """,
    steps=(
        Step("as many: slope of the lines of equal accuracy", 1.0),
        Step("as many: accuracy of the MAP answers, by bits and by counts", (0.7499861, 0.819249)),
        Step("as many: accuracy of the best threshold, by bits and by counts", (0.7509318, 0.82066125)),
        Step("four to one: slope of the lines of equal accuracy", 1 / 4),
        Step("four to one: accuracy of the MAP answers, by bits and by counts", (0.7784266, 0.7282979)),
        Step("four to one: last slope of the hull, by bits and by counts", (12487 / 29123, 27995 / 65319)),
        Step("four to one: best point (false, true positive rate), bits", (1.0, 1.0)),
        Step("four to one: best point (false, true positive rate), counts", (1.0, 1.0)),
        Step("four to one: accuracy of always saying yes", 0.8),
    ),
    notes="""
    Likelihoods of naive Bayes are scores like others. To say yes is worth while as long as the slope of the
    hull, the likelihood ratio of the scores, is at least that of the lines of equal accuracy, negatives to
    positives; if it is so down to the last scores, yes is always the best answer. Naive Bayes takes every
    word of a burst for new evidence, is too sure, and says no. The source's data are not given; these are
    ours.
    """,
    figure=draw_thresholds,
)
def _map_point() -> dict[str, Any]:
    from itertools import product
    from math import factorial

    import numpy as np

    import likely
    from likely import score

    words = np.array([row for row in product(range(7), repeat=4) if sum(row) == 6])
    orders = factorial(6) / np.array([np.prod([factorial(n) for n in row]) for row in words.tolist()])
    topics = np.array([[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]])
    given_topic = orders * np.prod(topics[:, None] ** words, axis=2)  # P(message | topic), (2, 84)
    models: dict[str, tuple[Any, Any]] = {
        "bits": (likely.NaiveBayes(prior=None), words > 0),
        "counts": (likely.NaiveBayes(families="multinomial", prior=None), words),
    }

    def judged(positive: float, negative: float, base_rate: float) -> dict[str, Any]:
        shares = np.array([[positive, 1 - positive], [negative, 1 - negative]])
        weight = (shares @ given_topic * [[base_rate], [1 - base_rate]]).ravel()  # + first, then -
        y = np.repeat(["+", "-"], len(words))
        results: dict[str, Any] = {}
        for name, (model, X) in models.items():
            rows = np.concatenate([X, X])
            p = model.fit(rows, y, sample_weight=weight).predict_proba(rows)[:, 0]
            curve = score.roc(y, p.round(12), positive="+", weight=weight)
            best = curve.best()
            results[name] = {
                "slope": best.slope,
                "map": weight[(p > 0.5) == (y == "+")].sum(),
                "best": 1 - best.cost,
                "last": curve.hull.likelihood_ratio[-1],
                "point": (best.fpr, best.tpr),
                "always": weight[y == "+"].sum(),
            }
        return results

    even, many = judged(0.9, 0.2, 0.5), judged(0.7, 0.3, 0.8)
    return {
        "as many: slope of the lines of equal accuracy": even["counts"]["slope"],
        "as many: accuracy of the MAP answers, by bits and by counts": [one["map"] for one in even.values()],
        "as many: accuracy of the best threshold, by bits and by counts": [
            one["best"] for one in even.values()
        ],
        "four to one: slope of the lines of equal accuracy": many["counts"]["slope"],
        "four to one: accuracy of the MAP answers, by bits and by counts": [
            one["map"] for one in many.values()
        ],
        "four to one: last slope of the hull, by bits and by counts": [one["last"] for one in many.values()],
        "four to one: best point (false, true positive rate), bits": many["bits"]["point"],
        "four to one: best point (false, true positive rate), counts": many["counts"]["point"],
        "four to one: accuracy of always saying yes": many["counts"]["always"],
    }


EXAMPLES = (_map_point,)
