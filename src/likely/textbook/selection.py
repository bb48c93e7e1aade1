"""Worked examples of selecting columns, and of the distances that Relief goes by."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked

_TENNIS = "Fourteen days: outlook, temperature, humidity, windy, and whether tennis was played."


def draw_relief() -> Any:
    """What Relief says of the columns of the fourteen days."""
    import likely

    return likely.Select("relief", 2).fit(likely.read("play_tennis"), "play").plot()


@worked(
    "F10b",
    "Flach ch. 10",
    "Filters: gain, gain ratio, symmetric uncertainty, chi-squared, CFS",
    data=_TENNIS,
    steps=(
        Step("information gain in bits, six digits", (0.246750, 0.029223, 0.151836, 0.048127)),
        Step("gain ratio, four digits", (0.1564, 0.0188, 0.1518, 0.0488)),
        Step("symmetric uncertainty, four digits", (0.1960, 0.0234, 0.1565, 0.0500)),
        Step("chi-squared", (266 / 75, 77 / 135, 14 / 5, 14 / 15)),
        Step("degrees of freedom", (2.0, 2.0, 1.0, 1.0)),
        Step("CFS takes in", "outlook humidity windy temperature"),
        Step("with the merits, six digits", (0.196013, 0.247287, 0.230797, 0.190614)),
        Step("and keeps", "outlook humidity"),
        Step("a filter keeps both copies of a column", "outlook again"),
    ),
    notes="""
    The source names the filters; the figures on the fourteen days are ours. CFS, correlation-based feature
    selection, weighs what columns tell of the class against what they tell of each other.
    """,
)
def _filters() -> dict[str, Any]:
    import likely
    from likely import Select

    days = likely.read("play_tennis", into="dict")
    columns = ["outlook", "temperature", "humidity", "windy"]

    def told(by: str) -> Any:
        return {line["column"]: line for line in Select(by).fit(days, "play").table().lines}

    chi, cfs = told("chi_squared"), told("cfs")
    twice = Select("gain", keep=2).fit({**days, "again": days["outlook"]}, "play")
    return {
        "information gain in bits, six digits": [round(told("gain")[name]["score"], 6) for name in columns],
        "gain ratio, four digits": [round(told("gain_ratio")[name]["score"], 4) for name in columns],
        "symmetric uncertainty, four digits": [
            round(told("symmetric_uncertainty")[name]["score"], 4) for name in columns
        ],
        "chi-squared": [chi[name]["score"] for name in columns],
        "degrees of freedom": [chi[name]["df"] for name in columns],
        "CFS takes in": " ".join(cfs),
        "with the merits, six digits": [round(line["merit"], 6) for line in cfs.values()],
        "and keeps": " ".join(Select("cfs").fit(days, "play").get_feature_names_out()),
        "a filter keeps both copies of a column": " ".join(twice.get_feature_names_out()),
    }


@worked(
    "F10c",
    "Flach ch. 10",
    "Relief: differences from the nearest hit and the nearest miss",
    data=f"{_TENNIS} Then two Booleans, equal in + and opposite in -, and a third that tells nothing.",
    steps=(
        Step("all fourteen days, ties shared", (319 / 840, -9 / 35, -71 / 420, 13 / 280)),
        Step("the first found of equals", (3 / 14, -1 / 7, -1 / 7, 1 / 14)),
        Step("the pair and the third", (0.5, 0.5, -1.0)),
        Step("the pair alone, four rows", (-0.5, -0.5)),
        Step("information gain of the pair, and of both together", (0.0, 0.0, 1.0), "0, 0, 1"),
    ),
    notes="""
    Relief sees what filters do not: that two columns tell something together. Of four different rows the
    nearest hit is the far corner, so it needs rows that come more than once. The source gives the algorithm.
    """,
    figure=draw_relief,
)
def _relief() -> dict[str, Any]:
    import numpy as np

    import likely
    from likely import Select

    days = likely.read("play_tennis", into="dict")
    eight = np.indices((2, 2, 2)).reshape(3, -1).T == 1
    four = eight[::2, :2]
    same, alone = eight[:, 0] == eight[:, 1], four[:, 0] == four[:, 1]
    both = {"both": [f"{a} {b}" for a, b in four]}
    gains = [*Select("gain", keep=1).fit(four, alone).scores_, *Select("gain").fit(both, alone).scores_]
    return {
        "all fourteen days, ties shared": Select("relief").fit(days, "play").scores_,
        "the first found of equals": Select("relief", ties="first").fit(days, "play").scores_,
        "the pair and the third": Select("relief").fit(eight, same).scores_,
        "the pair alone, four rows": Select("relief", keep=1).fit(four, alone).scores_,
        "information gain of the pair, and of both together": gains,
    }


@worked(
    "F10d",
    "Flach ch. 10",
    "Wrappers: forward selection stops at once, backward elimination keeps the pair",
    data="The two Booleans, equal in + and opposite in -, and the third: all combinations, twenty times.",
    steps=(
        Step("forward selection keeps", "none"),
        Step("backward elimination keeps", "a b"),
        Step("its log loss is below 0.01", True),
        Step("with naive Bayes it is not below ln 2", True),
    ),
    notes="""
    No column helps by itself, so forward selection ends before it begins. Backward elimination keeps the
    pair if the model can use columns together: here a Gaussian of each class, with its own covariance; naive
    Bayes cannot. The source gives the methods.
    """,
)
def _wrappers() -> dict[str, Any]:
    import warnings

    import numpy as np

    import likely

    rows = np.tile(np.indices((2, 2, 2)).reshape(3, -1).T, (20, 1)).astype(float)
    kind = np.where(rows[:, 0] == rows[:, 1], "+", "-")
    bells = likely.GaussianClassifier()
    with warnings.catch_warnings():  # that no column helps by itself
        warnings.simplefilter("ignore", likely.LikelyWarning)
        forward = likely.Search(bells, "forward").fit(rows, kind)
        backward = likely.Search(bells, "backward").fit(rows, kind)
        naive = likely.Search(likely.NaiveBayes(), "backward").fit(rows, kind)
    kept = [" ".join(np.array(list("abc"))[one.get_support()]) or "none" for one in (forward, backward)]
    losses = [line["log loss"] for line in naive.table().lines]
    return {
        "forward selection keeps": kept[0],
        "backward elimination keeps": kept[1],
        "its log loss is below 0.01": bool(backward.table().lines[-1]["log loss"] < 0.01),
        "with naive Bayes it is not below ln 2": bool(min(losses) >= np.log(2) - 1e-9),
    }


@worked(
    "F12",
    "Flach ch. 10",
    "Distances by kind",
    data="""
    (sunny, hot, high, false) and (sunny, cool, normal, false); four sizes in order; three people by age, 20,
    30 and unknown, and town.
    """,
    steps=(
        Step("Hamming: cells that differ", 2.0),
        Step("Gower's: the mean over columns", 0.5),
        Step("ranks of S, M, L, XL from S", (0.0, 1.0, 2.0, 3.0)),
        Step("the same from 0 to 1", (0.0, 1 / 3, 2 / 3, 1.0)),
        Step("Euclidean, of (0, 0) and (3, 4)", 5.0),
        Step("Manhattan, of the same", 7.0),
        Step("someone of 20 and someone of unknown age, in the same town", 0.25),
        Step("the nearest of the ages 20, 21, 35 and 60", "1 0 1 2"),
    ),
    notes="""
    The source names distances by kind. An unknown age is on average half of the range from 20: half of 0 and
    half of 1; the mean of that and of the town, in which they do not differ, is 1/4. These figures are ours.
    """,
)
def _distances() -> dict[str, Any]:
    import likely

    names = ("outlook", "temperature", "humidity", "windy")
    day = {name: [value] for name, value in zip(names, ("sunny", "hot", "high", False), strict=True)}
    other = {name: [value] for name, value in zip(names, ("sunny", "cool", "normal", False), strict=True)}
    sizes, order = {"size": ["S", "M", "L", "XL"]}, {"size": ["S", "M", "L", "XL"]}
    people = {"age": [20.0, 30.0, None], "town": ["Umea", "Lund", "Umea"]}
    corners = {"x": [0.0, 3.0], "y": [0.0, 4.0]}
    return {
        "Hamming: cells that differ": likely.distances(day, other, "hamming").item(),
        "Gower's: the mean over columns": likely.distances(day, other).item(),
        "ranks of S, M, L, XL from S": likely.distances(sizes, None, "manhattan", kinds=order)[0],
        "the same from 0 to 1": likely.distances(sizes, kinds=order)[0],
        "Euclidean, of (0, 0) and (3, 4)": likely.distances(corners, None, "euclidean")[0, 1],
        "Manhattan, of the same": likely.distances(corners, None, "manhattan")[0, 1],
        "someone of 20 and someone of unknown age, in the same town": likely.distances(people)[0, 2],
        "the nearest of the ages 20, 21, 35 and 60": " ".join(
            map(str, likely.nearest({"age": [20, 21, 35, 60]}, k=1).rows[:, 0])
        ),
    }


EXAMPLES = (_filters, _relief, _wrappers, _distances)
