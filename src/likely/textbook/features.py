"""Worked examples of features."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.textbook.example import Step, worked

WEIGHTS = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]


@worked(
    "F1",
    "Flach table 10.1",
    "Kinds of features, and the statistics that each allows",
    data="Colours, sizes in order, the factors 1, 2 and 4, and a column that is 1 in one row of four.",
    steps=(
        Step("categorical: mode", "red"),
        Step("categorical: median, mean", "refused refused"),
        Step("ordinal: mode, median", "small medium"),
        Step("ordinal: mean", "refused"),
        Step("quantitative: arithmetic, geometric, harmonic mean", (7 / 3, 2.0, 12 / 7)),
        Step("quantitative: median, variance, range, midrange", (2.0, 14 / 9, 3.0, 2.5)),
        Step("midrange on a log scale, the geometric mean of the ends", 2.0),
        Step("one in four: skewness, (1 - 2 p) / sqrt(p q)", float(0.5 / np.sqrt(3 / 16))),
        Step("one in four: excess kurtosis, (1 - 6 p q) / (p q)", (1 - 18 / 16) / (3 / 16)),
        Step("mean and median lie within one sd", True),
    ),
    notes="""
    The midrange on a log scale is the geometric mean of the ends, and that mean and median lie within one sd
    is Cantelli's inequality (both corrected from Flach p.301). The values are ours.
    """,
)
def _kinds() -> dict[str, Any]:
    import likely

    rows = {
        "colour": ["red", "green", "red", "blue"],
        "size": ["small", "small", "medium", "large"],
        "factor": [1.0, 2.0, 4.0, None],
        "rare": [0.0, 0.0, 0.0, 1.0],
    }
    kinds = {"size": ["small", "medium", "large"], "rare": "quantitative"}
    profile = likely.profile(rows, kinds=kinds)

    def asked(column: str, name: str) -> str:
        try:
            return str(profile[column].statistic(name))
        except likely.LikelyError:
            return "refused"

    colour, size, factor, rare = profile
    return {
        "categorical: mode": colour.mode,
        "categorical: median, mean": f"{asked('colour', 'median')} {asked('colour', 'mean')}",
        "ordinal: mode, median": f"{size.mode} {size.quantile(0.6)}",
        "ordinal: mean": asked("size", "mean"),
        "quantitative: arithmetic, geometric, harmonic mean": (
            factor.mean,
            factor.geometric_mean,
            factor.harmonic_mean,
        ),
        "quantitative: median, variance, range, midrange": (
            factor.median,
            factor.variance,
            factor.range,
            factor.midrange,
        ),
        "midrange on a log scale, the geometric mean of the ends": factor.geometric_midrange,
        "one in four: skewness, (1 - 2 p) / sqrt(p q)": rare.skewness,
        "one in four: excess kurtosis, (1 - 6 p q) / (p q)": rare.excess_kurtosis,
        "mean and median lie within one sd": bool(
            all(abs(one.mean - one.median) <= one.sd for one in (factor, rare))
        ),
    }


@worked(
    "F1b",
    "Flach ch. 10",
    "Several modes, two medians, moments, and the mean that fits the scale",
    data="3 1 4 1 4 9; 100 m in 50 s and in 70 s; the frequencies 440 and four times that; 0 0 0 4.",
    steps=(
        Step("modes", (1.0, 4.0)),
        Step("lower median, median, upper median", (3.0, 3.5, 4.0)),
        Step("sizes S and L: lower and upper median", "S L"),
        Step("speeds: harmonic and arithmetic mean", (5 / 3, 12 / 7)),
        Step("frequencies: geometric mean over the first, and ratio range", (2.0, 4.0)),
        Step("central moments of order 1 to 4", (0.0, 3.0, 6.0, 21.0)),
    ),
    notes="""
    Equal ways at different speeds take different times: the mean speed is the harmonic one. Octaves multiply,
    so frequencies have a geometric mean. Moments divide by n. The values are ours.
    """,
)
def _scales() -> dict[str, Any]:
    import likely

    def of(*values: float) -> Any:
        return likely.profile({"x": list(values)}, kinds="quantitative")["x"]

    digits, speeds, tones, rare = of(3, 1, 4, 1, 4, 9), of(100 / 50, 100 / 70), of(440, 1760), of(0, 0, 0, 4)
    sizes = likely.profile({"size": ["S", "L"]}, kinds={"size": ["S", "M", "L"]})["size"]
    return {
        "modes": digits.modes,
        "lower median, median, upper median": (digits.lower_median, digits.median, digits.upper_median),
        "sizes S and L: lower and upper median": f"{sizes.lower_median} {sizes.upper_median}",
        "speeds: harmonic and arithmetic mean": (speeds.harmonic_mean, speeds.mean),
        "frequencies: geometric mean over the first, and ratio range": (
            tones.geometric_mean / tones.min,
            tones.ratio_range,
        ),
        "central moments of order 1 to 4": [rare.central_moment(order) for order in (1, 2, 3, 4)],
    }


def draw_percentiles() -> Any:
    """The percentile plot of 1000 heights."""
    import likely

    heights = np.random.default_rng(0).normal(170, 10, 1000)
    return likely.profile({"height": heights})["height"].plot_percentiles()


@worked(
    "F2",
    "Flach ch. 10",
    "Percentile plot and histogram",
    data="The numbers from 0 to 100, each once; then 1000 heights.",
    steps=(
        Step("the 0th, 25th, 50th, 75th and 100th percentile", (0.0, 25.0, 50.0, 75.0, 100.0)),
        Step("interquartile range", 50.0),
        Step("rows in all bars of the histogram", 101),
        Step("heights: rows in all bars", 1000),
        Step("heights: percentiles never fall", True),
        Step(
            "80th percentile of 1, 2, ... 100: linear, and value floor(n p / 100) + 1",
            (80.2, 81.0),
        ),
        Step("incomes 1, 1, 1, 97: share up to the mean, P(X <= 25)", 0.75),
        Step("the width of the bars of the numbers from 0 to 100", 5.0),
    ),
    notes="""
    The source's data, GDP per capita, are not given; these are ours. The value is on the x-axis, so that the
    plot reads as P(X <= x), with quartiles and mean marked. The source takes value number floor(n p / 100)
    + 1 as a percentile; ours is linear between two values.
    """,
    figure=draw_percentiles,
)
def _percentiles() -> dict[str, Any]:
    import numpy as np

    import likely

    one = likely.profile({"x": np.arange(101.0)})["x"]
    heights = likely.profile({"height": np.random.default_rng(0).normal(170, 10, 1000)})["height"]
    hundred = np.arange(1.0, 101)
    incomes = likely.profile({"income": [1.0, 1.0, 1.0, 97.0]})["income"]
    return {
        "the 0th, 25th, 50th, 75th and 100th percentile": [one.percentiles[i] for i in (0, 25, 50, 75, 100)],
        "interquartile range": one.iqr,
        "rows in all bars of the histogram": sum(bar.count for bar in one.histogram),
        "heights: rows in all bars": sum(bar.count for bar in heights.histogram),
        "heights: percentiles never fall": bool((np.diff(heights.percentiles) >= 0).all()),
        "80th percentile of 1, 2, ... 100: linear, and value floor(n p / 100) + 1": (
            likely.profile({"x": hundred})["x"].quantile(0.8),
            hundred[100 * 80 // 100],
        ),
        "incomes 1, 1, 1, 97: share up to the mean, P(X <= 25)": incomes.share_up_to_mean,
        "the width of the bars of the numbers from 0 to 100": one.bin_width,
    }


def draw_isotonic() -> Any:
    """The ROC curve of the weights, whose hull has the segments."""
    from likely import score

    return score.roc(list("++++-++-+--+-+--+---"), WEIGHTS, positive="+").plot()


@worked(
    "F7",
    "Flach ch. 10",
    "Calibrated features",
    data="""
    Diabetes: 1 in 18 obese people has it and 1 in 55 others, and the odds are 1/48 over all. Then the
    weights of 20 people (130+ 127+ 111+ 106+ 103- ... 56-).
    """,
    steps=(
        Step("obese or not, without smoothing", (48 / 65, 48 / 102), "48/65, 48/102"),
        Step(
            "smoothed as printed, (m + 1) / (m + 1 + c (n - m + 1))", (2 / (2 + 18 / 48), 2 / (2 + 55 / 48))
        ),
        Step("130 to 106, four", 5 / 6, "5/6"),
        Step("103 to 90, three", 0.6, ".6"),
        Step("86 and 85", 0.5, ".5"),
        Step("82 to 77, five", 3 / 7, "3/7"),
        Step("73 to 67, three", 0.4, ".4"),
        Step("64 to 56, three", 0.2, ".2"),
        Step("logistic: slope d' / sigma, d' the distance of the means in sds: error", 0.0),
        Step("logistic: log-odds exponentiated and normalised less probability", 0.0),
        Step("two features: log-odds add up to 0 where probabilities add up to 1", 0.0),
    ),
    notes="""
    The printed smoothing is not neutral: where nothing is seen it gives 48/49 and not 1/2, and it raises both
    values. In each segment of the hull it is (positives + 1) / (rows + 2). From log-odds to
    a probability one exponentiates (Flach p.318).
    """,
    figure=draw_isotonic,
)
def _calibrated_features() -> dict[str, Any]:
    import numpy as np

    from likely import calibrate

    # As many obese people (18 times 6) and others (55 times 31) as make the odds 1/48 over all.
    obese = calibrate.isotonic([1, 0, 1, 0], [1, 1, 0, 0], weight=[6, 17 * 6, 31, 54 * 31], smoothing=None)
    odds, cases, people = 1 / 48, np.array([1, 1]), np.array([18, 55])
    weights = [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]
    diabetes = np.array([sign == "+" for sign in "++++-++-+--+-+--+---"])
    feature, line = calibrate.isotonic(diabetes, weights), calibrate.logistic_by_means(diabetes, weights)
    plus, minus = np.array(weights)[diabetes], np.array(weights)[~diabetes]
    sigma = np.sqrt((plus.var() + minus.var()) / 2)
    ratio = np.exp(line.log_odds([100.0], 0.5))
    other = 2 * line.centre - 100.0  # as far on the other side of the middle
    both = line([100.0, other], 0.5).sum() - 1, line.log_odds([100.0, other], 0.5).sum()
    return {
        "obese or not, without smoothing": obese([1, 0], base_rate=0.5),
        "smoothed as printed, (m + 1) / (m + 1 + c (n - m + 1))": (cases + 1)
        / (cases + 1 + odds * (people - cases + 1)),
        "130 to 106, four": feature([130])[0],
        "103 to 90, three": feature([96])[0],
        "86 and 85": feature([86])[0],
        "82 to 77, five": feature([80])[0],
        "73 to 67, three": feature([68])[0],
        "64 to 56, three": feature([61])[0],
        "logistic: slope d' / sigma, d' the distance of the means in sds: error": line.slope
        - (plus.mean() - minus.mean()) / sigma / sigma,
        "logistic: log-odds exponentiated and normalised less probability": (
            ratio / (1 + ratio) - line([100.0], 0.5)
        ).item(),
        "two features: log-odds add up to 0 where probabilities add up to 1": max(map(abs, both)),
    }


@worked(
    "F10",
    "Flach ch. 10",
    "Two features that tell nothing alone and everything together",
    data="Two Boolean features, equal in the positive class and opposite in the negative; classes balanced.",
    steps=(Step("gain of each", (0.0, 0.0), "0, 0"), Step("gain of the product", 1.0, "1")),
)
def _product() -> dict[str, Any]:
    from likely import score

    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    y = [x == z for x, z in zip(a, b, strict=True)]
    both = [f"{x}{z}" for x, z in zip(a, b, strict=True)]
    return {
        "gain of each": [float(score.mutual_information_of(y, column)) for column in (a, b)],
        "gain of the product": float(score.mutual_information_of(y, both)),
    }


EXAMPLES = (_kinds, _scales, _percentiles, _calibrated_features, _product)
