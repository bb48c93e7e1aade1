"""Worked examples of transformations between kinds, and of scales."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "F3",
    "Flach table 10.2",
    "The table of transformations: fourteen cells",
    data="""
    Eight rows: a number, a size in order, a colour, and whether someone is a member; four of them buy. Every
    filled cell of the table is run, from the kind above to the kind at the left.
    """,
    steps=(
        Step(
            "from quantitative: normalise, discretise, unordered bins, threshold",
            "quantitative ordinal categorical boolean",
        ),
        Step(
            "from ordinal: calibrate, order, unorder, threshold", "quantitative ordinal categorical boolean"
        ),
        Step(
            "from categorical: calibrate, order, group, binarise", "quantitative ordinal categorical boolean"
        ),
        Step("from Boolean: calibrate, order", "quantitative ordinal"),
        Step("cells", 14),
        Step("deductive (an order that is listed is, too)", "order unorder binarise"),
        Step("colours by evidence", "green red blue"),
    ),
    notes="""
    The source defines no way to order and to group: levels are put in order of their calibrated value, and
    merged by chi-squared over all pairs. The rows are ours.
    """,
)
def _table_of_transformations() -> dict[str, Any]:
    import likely

    rows = {
        "number": [1.0, 2.0, 2.5, 3.0, 6.0, 7.0, 7.5, 9.0],
        "size": ["S", "S", "M", "M", "L", "L", "M", "L"],
        "colour": ["red", "green", "green", "green", "blue", "blue", "red", "blue"],
        "member": [False, False, True, False, True, True, True, False],
    }
    buys = [0, 0, 0, 0, 1, 1, 1, 1]
    sizes = ["S", "M", "L"]
    ways = {
        "number": {
            "normalise": likely.Normalize(),
            "discretise": likely.Discretize("equal_width", 3),
            "unordered bins": likely.Discretize("equal_width", 3, ordered=False),
            "threshold": likely.Threshold(),
        },
        "size": {
            "calibrate": likely.Evidence(),
            "order": likely.Order({"size": ["L", "M", "S"]}),
            "unorder": likely.Order("none"),
            "threshold": likely.Threshold(),
        },
        "colour": {
            "calibrate": likely.Evidence(),
            "order": likely.Order(),
            "group": likely.GroupLevels("chi_merge"),
            "binarise": likely.Binarize(),
        },
        "member": {"calibrate": likely.Evidence(), "order": likely.Order()},
    }

    def kind(column: str, way: Any) -> Any:
        model = way.set_params(kinds={"size": sizes}).fit({"size": rows["size"], column: rows[column]}, buys)
        line = next(line for line in model.describe().splitlines() if line.startswith(f"  {column} ("))
        return line.split("->")[1].split("(")[1].split(")")[0]

    kinds = {column: " ".join(kind(column, way) for way in each.values()) for column, each in ways.items()}
    every = [(name, way) for each in ways.values() for name, way in each.items()]
    order = likely.Order().fit({"colour": rows["colour"]}, buys).orders_["colour"]
    return {
        "from quantitative: normalise, discretise, unordered bins, threshold": kinds["number"],
        "from ordinal: calibrate, order, unorder, threshold": kinds["size"],
        "from categorical: calibrate, order, group, binarise": kinds["colour"],
        "from Boolean: calibrate, order": kinds["member"],
        "cells": len(every),
        "deductive (an order that is listed is, too)": " ".join(name for name, way in every if way.deductive),
        "colours by evidence": " ".join(order),
    }


_X = (-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1)
_MEAN = sum(_X) / 12
_VARIANCE = sum((x - _MEAN) ** 2 for x in _X) / 12


@worked(
    "F6",
    "Flach ch. 10",
    "Normalisation: z-score, median and quartiles, given ends, six sigmas",
    data="Twelve values: -5 -3.1 -2.7 0 7 7.1 8.5 9 9 13.7 15.1 20.1.",
    steps=(
        Step("9.0 as a z-score", (9 - _MEAN) / _VARIANCE**0.5),
        Step("9.0 over the variance", (9 - _MEAN) / _VARIANCE),
        Step("9.0 by median and interquartile range", 1.2 / 10.85),
        Step("9.0 between the ends", 14 / 25.1),
        Step("9.0 on a scale of six sigmas", (9 - _MEAN) / (6 * _VARIANCE**0.5) + 0.5),
        Step(
            "the ends on a scale of six sigmas",
            tuple((x - _MEAN) / (6 * _VARIANCE**0.5) + 0.5 for x in (-5, 20.1)),
        ),
        Step("-5, 7 and 20.1 between 0 and 10, cut", (0.0, 0.7, 1.0)),
        Step("and back from the z-scores", _X),
        Step("a constant: z-score, and between its ends", (0.0, 0.5)),
    ),
    notes="The values are those of F5; the figures are ours.",
)
def _normalisation() -> dict[str, Any]:
    from likely import Normalize

    values = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}

    def scaled(method: str, *asked: float, **options: Any) -> Any:
        return Normalize(method, **options).fit(values).transform({"f": list(asked)})["f"]

    model = Normalize().fit(values)
    constant = {"f": [3.0, 3.0]}
    return {
        "9.0 as a z-score": scaled("z", 9.0)[0],
        "9.0 over the variance": scaled("variance", 9.0)[0],
        "9.0 by median and interquartile range": scaled("iqr", 9.0)[0],
        "9.0 between the ends": scaled("minmax", 9.0)[0],
        "9.0 on a scale of six sigmas": scaled("six_sigma", 9.0)[0],
        "the ends on a scale of six sigmas": scaled("six_sigma", -5.0, 20.1),
        "-5, 7 and 20.1 between 0 and 10, cut": scaled("minmax", -5.0, 7.0, 20.1, low=0, high=10),
        "and back from the z-scores": model.inverse_transform(model.transform(values))["f"],
        "a constant: z-score, and between its ends": [
            Normalize(method).fit_transform(constant)["f"][0] for method in ("z", "minmax")
        ],
    }


EXAMPLES = (_table_of_transformations, _normalisation)
