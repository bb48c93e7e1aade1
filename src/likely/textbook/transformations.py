"""Worked examples of transformations of features: thresholds, bins, scales."""

from __future__ import annotations

from math import exp, log, log2
from typing import Any

from likely.textbook.example import Step, worked


def _entropy(*counts: float) -> float:
    n = sum(counts)
    return -sum(c / n * log2(c / n) for c in counts if c)


def _gain(plus: int, minus: int, all_plus: int, all_minus: int) -> float:
    """Of the cut that selects so many rows of either class."""
    n, k = all_plus + all_minus, plus + minus
    rest = (all_plus - plus, all_minus - minus)
    return _entropy(all_plus, all_minus) - k / n * _entropy(plus, minus) - (n - k) / n * _entropy(*rest)


def draw_threshold() -> Any:
    """The coverage curve of twelve rows with both hulls."""
    import likely

    values = [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]
    return likely.Threshold().fit({"f": values}, [sign == "+" for sign in "-+---++-+---"]).plot()


@worked(
    "F4",
    "Flach ch. 10",
    "Thresholding: mean, median, the best by a score, and by the hull",
    data="""
    Twelve rows: -5.0- -3.1+ -2.7- 0.0- 7.0- 7.1+ 8.5+ 9.0- 9.0+ 13.7- 15.1- 20.1-. Then the weights of 20
    people (130+ 127+ 111+ 106+ 103- ... 56-).
    """,
    steps=(
        Step("mean, and what it selects (+, -)", (78.7 / 12, 3, 5)),
        Step("median, and what it selects", (7.8, 2, 4)),
        Step(
            "gain of every cut from -4.05 to 17.6",
            tuple(
                _gain(plus, minus, 4, 8)
                for plus, minus in zip(
                    (4, 3, 3, 3, 3, 2, 1, 0, 0, 0), (7, 7, 6, 5, 4, 4, 4, 3, 2, 1), strict=True
                )
            ),
        ),
        Step("the best cut", 11.35),
        Step("cuts on the upper, and on the lower hull", (-4.05, 7.05, -2.9, 11.35)),
        Step("area under the curve: 27/64, or turned round", 37 / 64),
        Step("weights: mean, and its gain", (86.1, _gain(6, 1, 10, 10))),
        Step("weights: median, and its gain", (81.5, _gain(7, 3, 10, 10))),
        Step("weights: the best cut, and its gain", (104.5, _gain(4, 0, 10, 10))),
        Step("weights: gains at 88 and 83.5", (_gain(6, 1, 10, 10), _gain(7, 2, 10, 10))),
        Step("weights: the cut of least cost when both errors cost the same", 83.5),
    ),
    notes="""
    High values speak against +, so the best cut is on the lower hull. A cut that is best by any convex score
    lies on one of the hulls. The source has the data and the method; the figures are ours.
    """,
    figure=draw_threshold,
)
def _thresholding() -> dict[str, Any]:
    import likely

    values = [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]
    plus = [sign == "+" for sign in "-+---++-+---"]
    weights = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = [sign == "+" for sign in "++++-++-+--+-+--+---"]

    def cut(method: str, values: list[Any], y: list[bool]) -> Any:
        return likely.Threshold(method).fit({"f": values}, y)

    def selects(model: Any) -> tuple[Any, ...]:
        above = model.table().lines[1]
        return model.thresholds_["f"], above["n True"], above["n False"]

    def gain(model: Any) -> tuple[float, float]:
        return model.thresholds_["f"], sum(line["bits"] for line in model.table().lines)

    best = cut("gain", values, plus)
    every = best.candidates("f")
    others = {one["threshold"]: one["gain"] for one in cut("gain", weights, diabetes).candidates("f")}
    hulls = [one["threshold"] for side in ("upper", "lower") for one in every if one["hull"] == side]
    return {
        "mean, and what it selects (+, -)": selects(cut("mean", values, plus)),
        "median, and what it selects": selects(cut("median", values, plus)),
        "gain of every cut from -4.05 to 17.6": [one["gain"] for one in every],
        "the best cut": best.thresholds_["f"],
        "cuts on the upper, and on the lower hull": hulls,
        "area under the curve: 27/64, or turned round": float(
            likely.Select("auc").fit({"f": values}, plus).scores_[0]
        ),
        "weights: mean, and its gain": gain(cut("mean", weights, diabetes)),
        "weights: median, and its gain": gain(cut("median", weights, diabetes)),
        "weights: the best cut, and its gain": gain(cut("gain", weights, diabetes)),
        "weights: gains at 88 and 83.5": [others[88.0], others[83.5]],
        "weights: the cut of least cost when both errors cost the same": cut(
            "hull", weights, diabetes
        ).thresholds_["f"],
    }


def draw_bins() -> Any:
    """The coverage curve of twelve rows with the chords of three bins."""
    import likely

    values = [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]
    return likely.Discretize("chi_merge", p=0.1).fit({"f": values}, list("-+---++-+---")).plot()


_SD = (
    (sum(v * v for v in (-5, -3.1, -2.7, 0, 7, 7.1, 8.5, 9, 9, 13.7, 15.1, 20.1)) / 12) - (78.7 / 12) ** 2
) ** 0.5


@worked(
    "F5",
    "Flach ch. 10",
    "Discretisation: equal bins, clusters, recursive partitioning, merging",
    data="Twelve rows: -5.0- -3.1+ -2.7- 0.0- 7.0- 7.1+ 8.5+ 9.0- 9.0+ 13.7- 15.1- 20.1-.",
    steps=(
        Step("equal width, 3 bins", (-5 + 25.1 / 3, -5 + 50.2 / 3)),
        Step("equal frequency, 3 bins", (14 / 3, 9.0)),
        Step("rows in the bins of either", (4, 5, 3, 4, 3, 5)),
        Step("by standard deviations", (78.7 / 12 - _SD, 78.7 / 12, 78.7 / 12 + _SD)),
        Step("K-means, 3 and 2 clusters", (3.5, 11.35, 3.5)),
        Step("their centres", (-2.7, 8.12, 16.3, -2.7, 11.1875)),
        Step("their squared errors", (39.368, 164.82875)),
        Step("recursive, in the order of the cuts", (11.35, 7.05, -2.9, -4.05, 8.75)),
        Step(
            "their gains",
            (_gain(0, 3, 4, 8), _gain(3, 1, 4, 5), _gain(0, 3, 1, 4), _gain(1, 0, 1, 1), _gain(1, 1, 3, 1)),
        ),
        Step("the same cuts by gain, Gini and its root", True),
        Step("at most three bins", (7.05, 11.35)),
        Step(
            "MDL: what the first cut gains, and what it must gain",
            (
                _gain(0, 3, 4, 8),
                (log2(11) + log2(7) - (2 * _entropy(4, 8) - 2 * _entropy(4, 5) - 0)) / 12,
            ),
        ),
        Step("MDL: cuts", 0),
        Step("merging at p = .10 and at p = .05: bins", (3, 1)),
        Step("merging at p = .10: cuts", (7.05, 11.35)),
    ),
    notes="""
    With the stop "equal" (all values of a bin have the same shares of the classes) the cuts do not depend on
    the score. MDL is conservative: of twelve rows it cuts none. Deciles belong to equal frequency (Flach
    p.309).
    """,
    figure=draw_bins,
)
def _discretisation() -> dict[str, Any]:
    import numpy as np

    from likely import Discretize

    values = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
    classes = list("-+---++-+---")

    def edges(*options: Any, **named: Any) -> list[float]:
        model = Discretize(*options, **named).fit(values, classes)
        return [float(edge) for edge in model.edges_["f"]]

    def rows(method: str) -> list[float]:
        return [line["rows"] for line in Discretize(method, 3).fit(values, classes).table().lines]

    def clusters(k: int) -> list[Any]:
        codes = Discretize("kmeans", k, encode="codes").fit_transform(values)["f"]
        return [np.array(values["f"])[codes == code] for code in range(k)]

    splits = Discretize("recursive", stop="equal").fit(values, classes).splits("f")
    scores = [edges("recursive", stop="equal", criterion=score) for score in ("gain", "gini", "sqrt_gini")]
    (refused,) = Discretize("recursive").fit(values, classes).splits("f")
    return {
        "equal width, 3 bins": edges("equal_width", 3),
        "equal frequency, 3 bins": edges("equal_frequency", 3),
        "rows in the bins of either": rows("equal_width") + rows("equal_frequency"),
        "by standard deviations": edges("sd", 4),
        "K-means, 3 and 2 clusters": edges("kmeans", 3) + edges("kmeans", 2),
        "their centres": [part.mean() for k in (3, 2) for part in clusters(k)],
        "their squared errors": [sum(len(part) * part.var() for part in clusters(k)) for k in (3, 2)],
        "recursive, in the order of the cuts": [one["cut"] for one in splits],
        "their gains": [one["gain"] for one in splits],
        "the same cuts by gain, Gini and its root": scores[0] == scores[1] == scores[2],
        "at most three bins": edges("recursive", 3, stop="equal"),
        "MDL: what the first cut gains, and what it must gain": (refused["gain"], refused["needed"]),
        "MDL: cuts": len(edges("recursive")),
        "merging at p = .10 and at p = .05: bins": [len(edges("chi_merge", p=p)) + 1 for p in (0.10, 0.05)],
        "merging at p = .10: cuts": edges("chi_merge", p=0.10),
    }


def draw_evidence() -> Any:
    """What each weight says about diabetes."""
    import likely

    weights = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = [sign == "+" for sign in "++++-++-+--+-+--+---"]
    return likely.Evidence("isotonic", smoothing="printed").fit({"weight": weights}, diabetes).plot()


_SIGMA = (
    sum(
        sum((x - m) ** 2 for x in part)
        for part, m in (
            ((130, 127, 111, 106, 96, 90, 85, 80, 77, 67), 96.9),
            ((103, 86, 82, 81, 79, 73, 68, 64, 61, 56), 75.3),
        )
    )
    / 20
) ** 0.5


@worked(
    "F7b",
    "Flach ch. 10",
    "Calibrated features of a table: levels, isotonic with a direction, logistic and back",
    data="""
    Diabetes: 1 in 18 obese people has it and 1 in 55 others, where the odds are 1/48 over all. The weights of
    20 people (130+ 127+ 111+ 106+ 103- ... 56-), and the twelve rows of F5, whose high values speak against
    +.
    """,
    steps=(
        Step("plain: obese, not", (48 / 65, 48 / 102)),
        Step("as printed: obese, not, never seen", (16 / 19, 96 / 151, 48 / 49)),
        Step("neutral: obese, not, never seen", (2448 / 3377, 408 / 865, 1 / 2)),
        Step(
            "isotonic log-odds of 130, 96, 86, 80, 68, 61",
            (log(5), log(1.5), 0.0, log(0.75), log(2 / 3), -log(4)),
        ),
        Step("falling: -3.1, 9.0, 13.7", (2 / 3, 8 / 13, 1 / 3)),
        Step(
            "logistic log-odds of 130, 100, 80, 56",
            tuple((96.9 - 75.3) / _SIGMA**2 * (x - 86.1) for x in (130, 100, 80, 56)),
        ),
        Step(
            "as probabilities",
            tuple(1 / (1 + exp((75.3 - 96.9) / _SIGMA**2 * (x - 86.1))) for x in (130, 100, 80, 56)),
        ),
        Step("and back", (130.0, 100.0, 80.0, 56.0)),
        Step("sums of plain levels less naive Bayes on play tennis, at most", 0.0),
    ),
    notes="""
    The printed smoothing is not neutral: a level never seen speaks for the rarer class. A feature that falls
    is turned round, so that the area under its curve is 1/2 or more. Log-odds add up to naive Bayes: no
    training is left to be done.
    """,
    figure=draw_evidence,
)
def _feature_evidence() -> dict[str, Any]:
    import numpy as np

    import likely

    obese = {"obese": ["yes"] * 18 + ["no"] * 55}
    ill = [True] + [False] * 17 + [True] + [False] * 54

    def levels(smoothing: str, *asked: str) -> Any:
        rates = {True: 1 / 49, False: 48 / 49}
        model = likely.Evidence(smoothing=smoothing, space="probability", base_rate=rates).fit(obese, ill)
        return model.transform({"obese": list(asked)})["obese"]

    weights = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = [sign == "+" for sign in "++++-++-+--+-+--+---"]
    isotonic = likely.Evidence("isotonic", smoothing="printed").fit({"w": weights}, diabetes)
    line = likely.Evidence("logistic").fit({"w": weights}, diabetes)
    told = line.transform({"w": [130, 100, 80, 56]})
    chances = likely.Evidence("logistic", space="probability").fit({"w": weights}, diabetes)
    twelve = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
    falls = likely.Evidence("isotonic", smoothing="printed", space="probability")
    falls.fit(twelve, [sign == "+" for sign in "-+---++-+---"])

    days = likely.read("play_tennis", into="dict")
    plain = likely.Evidence(smoothing="plain").fit(days, "play").transform(days)
    total = sum(plain.values()) + np.log(9 / 5)  # log-odds of yes, the base rate included
    y = days.pop("play")
    naive = likely.NaiveBayes(prior=None).fit(days, y).predict_log_proba(days)
    open_ = np.isfinite(total)  # overcast is certain
    return {
        "plain: obese, not": levels("plain", "yes", "no"),
        "as printed: obese, not, never seen": levels("printed", "yes", "no", "perhaps"),
        "neutral: obese, not, never seen": levels("neutral", "yes", "no", "perhaps"),
        "isotonic log-odds of 130, 96, 86, 80, 68, 61": isotonic.transform({"w": [130, 96, 86, 80, 68, 61]})[
            "w"
        ],
        "falling: -3.1, 9.0, 13.7": falls.transform({"f": [-3.1, 9.0, 13.7]})["f"],
        "logistic log-odds of 130, 100, 80, 56": told["w"],
        "as probabilities": chances.transform({"w": [130, 100, 80, 56]})["w"],
        "and back": line.inverse_transform(told)["w"],
        "sums of plain levels less naive Bayes on play tennis, at most": np.abs(
            total[open_] - (naive[open_, 1] - naive[open_, 0])
        ).max(),
    }


@worked(
    "F8",
    "Flach ch. 10",
    "Incomplete features: gaps filled by class",
    data="""
    A number of seven people: 60, 70 and one missing of the negative class, 100, 110, 130 and one missing of
    the positive.
    """,
    steps=(
        Step("means of the classes fill training rows", (65.0, 340 / 3)),
        Step("medians", (65.0, 110.0)),
        Step("of a row whose class is not known: P(+), the base rate", 5 / 9),
        Step("and the average of the means by it", 65 * 4 / 9 + 340 / 3 * 5 / 9),
        Step("was it missing?", (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)),
    ),
    notes="""
    The numbers are ours. A new row is not filled by its true class, which would give the answer away: here
    nothing is known of it, so that it gets the base rate, which the model takes as (4 + 1) / (7 + 2).
    """,
)
def _gaps_by_class() -> dict[str, Any]:
    import numpy as np

    import likely

    nan = np.nan
    x = {"x": np.array([60.0, 70.0, nan, 100.0, 110.0, 130.0, nan])}
    y = ["-", "-", "-", "+", "+", "+", "+"]
    model = likely.Impute("class", indicator=True).fit(x, y)
    filled = model.transform(x)
    return {
        "means of the classes fill training rows": likely.Impute("class").fit_transform(x, y)["x"][[2, 6]],
        "medians": likely.Impute("class", statistic="median").fit_transform(x, y)["x"][[2, 6]],
        "of a row whose class is not known: P(+), the base rate": likely.NaiveBayes()
        .fit(x, y)
        .predict_proba({"x": [nan]})[0, 0],
        "and the average of the means by it": filled["x"][2],
        "was it missing?": filled["x is missing"],
    }


EXAMPLES = (_thresholding, _discretisation, _feature_evidence, _gaps_by_class)
