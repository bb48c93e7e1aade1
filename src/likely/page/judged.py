"""How good a model is on rows that it had not seen, as the page shows it: counts by what was said."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.compare import CrossValidation, OutcomeValidation
from likely.page.columns import text_of
from likely.page.counted_shares import figures, mean_interval, share_interval
from likely.page.rare import Rarity
from likely.stats.bins import equal_frequency, equal_width_codes

Floats = NDArray[np.float64]

CELLS = 200  # of what was said, from 0 to 1
MOST_CLASSES = 12  # that have curves
BINS = 10  # of calibration


def judged_classes(validation: CrossValidation, codes: NDArray[np.intp], rarity: Rarity) -> dict[str, Any]:
    """Of probabilities; `codes` are the classes of all rows of the table."""
    p, y = validation.probabilities, codes[validation.rows]
    g = len(validation.classes)
    places = [g - 1] if g == 2 else list(range(min(g, MOST_CLASSES)))
    outcomes = [_curve(p[:, c], y == c, validation.classes[c], rarity) for c in places]
    return {
        "how": f"{validation.folds}-fold cross-validation, {len(y):,} rows",
        "measures": _measures(validation, ".3f"),
        "yardstick": "base rate alone",
        "outcomes": [one for one in outcomes if one is not None],
    }


def _measures(validation: CrossValidation | OutcomeValidation, figures: str) -> list[dict[str, str]]:
    return [
        {
            "name": name,
            "value": f"{float(score):{figures}}",
            "error": validation.error_text(score) if hasattr(validation, "error_text") else score.error_text,
            "yardstick": f"{float(validation.yardstick[name]):{figures}}",
        }
        for name, score in validation.scores.items()
    ]


def _curve(p: Floats, hit: NDArray[np.bool_], label: object, rarity: Rarity) -> dict[str, Any] | None:
    """Rows of the class and of others by what was said; None where there are none of either."""
    if hit.all() or not hit.any():
        return None
    codes = equal_width_codes(0.0, 1 / CELLS, CELLS, p)
    hits = np.bincount(codes, hit, CELLS).astype(np.float64)
    others = np.bincount(codes, ~hit, CELLS).astype(np.float64)
    runs = rarity.runs(hits + others) if rarity.least else [(i, i + 1) for i in range(CELLS)]
    starts = np.array([start for start, _ in runs])
    return {
        "outcome": text_of(label),
        "thresholds": [round(float(start), 4) for start in starts / CELLS],
        "hits": np.add.reduceat(hits, starts).astype(int).tolist(),
        "others": np.add.reduceat(others, starts).astype(int).tolist(),
        "calibration": _calibration(p, hit.astype(np.float64), rarity, share=True),
    }


def judged_numbers(validation: OutcomeValidation, y: Floats, rarity: Rarity) -> dict[str, Any]:
    """Of predicted numbers."""
    own: dict[str, Any] = {"outcome": "", "thresholds": [], "hits": [], "others": []}
    own["calibration"] = _calibration(validation.predictions, y[validation.rows], rarity, share=False)
    return {
        "how": f"{validation.folds}-fold cross-validation, {len(validation.rows):,} rows",
        "measures": _measures(validation, ".4g"),
        "yardstick": "mean alone",
        "outcomes": [own],
    }


def _calibration(said: Floats, came: Floats, rarity: Rarity, share: bool) -> list[dict[str, float]]:
    """Bins of about as many rows: the mean of what was said, that of what came true, and an interval."""
    order = np.argsort(said, kind="stable")
    said, came = said[order], came[order]
    counts = np.unique(said, return_counts=True)[1]
    ends = equal_frequency(counts.astype(np.float64), BINS)
    sizes = np.add.reduceat(counts, ends[:-1]).astype(np.float64)
    stops = np.cumsum(sizes).astype(int)
    starts = np.concatenate([[0], stops[:-1]])
    bins = []
    for first, last in rarity.runs(sizes):
        some = slice(int(starts[first]), int(stops[last - 1]))
        x, y = said[some], came[some]
        low, high = _share(y) if share else mean_interval(y)
        record = {"mean": float(x.mean()), "share": float(y.mean()), "low": low, "high": high}
        bins.append({name: figures(value) for name, value in record.items()} | {"rows": len(y)})
    return bins


def _share(hit: Floats) -> tuple[float, float]:
    low, high = share_interval(hit.sum()[None], len(hit))
    return float(low[0]), float(high[0])
