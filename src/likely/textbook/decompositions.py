"""Worked examples of matrix decompositions: films and genres."""

from __future__ import annotations

from math import sqrt
from typing import Any

from likely.textbook.example import Step, worked

# The squares of the singular values are the roots of x^3 - 53 x^2 + 248 x - 240 (and 0).
_SQUARES = (47.93028866252512, 3.7257465546619075, 1.3439647828129815, 0.0)


@worked(
    "F11",
    "Flach ch. 10",
    "Films and genres: SVD, PCA, blocks of 0 and 1, Boolean rank",
    data="""
    Six people rate four films: 1010, 0222, 0001, 1232, 1011, 0223. The genres that they like (100, 010, 001,
    110, 101, 011), how much a genre counts (1, 2, 1) and the genres of the films (1010, 0111, 0001) multiply
    to exactly these ratings.
    """,
    steps=(
        Step("singular values", tuple(map(sqrt, _SQUARES))),
        Step("left of the sum of squares 53, by rank", (53 - _SQUARES[0], _SQUARES[2], 0.0)),
        Step("first component", (0.130608, 0.484046, 0.614654, 0.608967), tolerance=1e-6),
        Step("centred: variances", (2.472324, 0.525485, 0.085525), tolerance=1e-6),
        Step("centred: shares", (0.801835, 0.170428, 0.027738), tolerance=1e-6),
        Step("not negative, two components: left", 1.4256, tolerance=1e-4),
        Step("blocks of 0 and 1: left", 0.0),
        Step("blocks of 0 and 1: weights", (2.0, 1.0, 1.0)),
        Step("the largest block", (0.0, 1.0, 1.0, 1.0)),
        Step("Boolean rank of what is above 0", 3),
        Step("its ordinary rank", 4),
    ),
    notes="""
    The source prints the factors, the largest block second: here blocks stand in the order of their size. The
    third film is the sum of the first two, so the ordinary rank of the ratings is 3. The figures are ours.
    """,
)
def _films() -> dict[str, Any]:
    import numpy as np

    import likely

    films = [[1, 0, 1, 0], [0, 2, 2, 2], [0, 0, 0, 1], [1, 2, 3, 2], [1, 0, 1, 1], [0, 2, 2, 3]]
    svd = likely.Decompose("svd", None).fit(films)
    pca = likely.Decompose("pca", 3).fit(films)
    genres = likely.Decompose("binary", 3).fit(films)
    boolean = likely.Decompose("boolean", None).fit(films)  # as few as are exact
    above = np.asarray(films) > 0
    return {
        "singular values": svd.singular_values_,
        "left of the sum of squares 53, by rank": [
            likely.Decompose("svd", rank).fit(films).error_ for rank in (1, 2, 3)
        ],
        "first component": svd.components_[0],
        "centred: variances": pca.singular_values_**2 / 6,
        "centred: shares": pca.shares_,
        "not negative, two components: left": likely.Decompose("nmf", 2).fit(films).error_,
        "blocks of 0 and 1: left": genres.error_,
        "blocks of 0 and 1: weights": genres.singular_values_,
        "the largest block": genres.components_[0],
        "Boolean rank of what is above 0": len(boolean.components_),
        "its ordinary rank": np.linalg.matrix_rank(above.astype(float)),
    }


@worked(
    "F11b",
    "Flach ch. 10",
    "Films that nobody rated: completion by a low rank",
    data="The ratings of F11, of which one or two are hidden; the rest has rank 3.",
    steps=(
        Step("row 4, film 3", 3.0, tolerance=1e-8),
        Step("row 1, film 3", 1.0, tolerance=1e-8),
        Step("row 5, film 1", 1.0, tolerance=1e-8),
        Step("row 2, film 2", 2.0, tolerance=1e-8),
        Step("row 4, film 3 and row 6, film 2 together", (3.0, 2.0), tolerance=1e-8),
        Step("row 6, film 4 stays missing", True),
        Step("and is said to be open", "(5, 'x3')"),
    ),
    notes="""
    The source names the use; the figures are ours. The known ratings of row 6 fit rank 3 with any fourth one.
    """,
)
def _hidden_films() -> dict[str, Any]:
    import numpy as np

    import likely

    films = [[1, 0, 1, 0], [0, 2, 2, 2], [0, 0, 0, 1], [1, 2, 3, 2], [1, 0, 1, 1], [0, 2, 2, 3]]

    def filled(*cells: tuple[int, int]) -> Any:
        known = np.array(films, float)
        for row, film in cells:
            known[row - 1, film - 1] = np.nan
        model = likely.Decompose("completion", 3).fit(known)
        return [model.complete(known)[row - 1, film - 1] for row, film in cells], model.undetermined_

    return {
        "row 4, film 3": filled((4, 3))[0][0],
        "row 1, film 3": filled((1, 3))[0][0],
        "row 5, film 1": filled((5, 1))[0][0],
        "row 2, film 2": filled((2, 2))[0][0],
        "row 4, film 3 and row 6, film 2 together": filled((4, 3), (6, 2))[0],
        "row 6, film 4 stays missing": bool(np.isnan(filled((6, 4))[0][0])),
        "and is said to be open": str(filled((6, 4))[1][0]),
    }


EXAMPLES = (_films, _hidden_films)
