"""Missing numbers averaged over what they may be, by a model of the columns learnt beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import reduce_rows
from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.models.regression.design.design import Design
from likely.stats import Groups, Scatter
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

POINTS = 64  # of a Gauss-Hermite rule, along the one line that matters for two classes
DRAWS = 2048  # for more classes
RIDGE = 1e-9  # added to unit variances: columns may determine each other


@dataclass(frozen=True)
class Beside:
    """The numbers of each class, jointly normal with one covariance, standardised.

    What is missing is then, given what is known, normal within each class; P(z given x) sums over them.
    """

    log_share: Floats  # (g,)
    mean: Floats  # (g, m)
    covariance: Floats  # (m, m)

    @classmethod
    def learn(
        cls, design: Design, frame: Frame, codes: Ints, g: int, weight: Floats, n_jobs: int | None
    ) -> Beside:
        """From the rows in which no number is missing."""
        numbers = design.schema.numbers(frame, design.counted)

        def step(start: int, stop: int) -> Scatter:
            rows = numbers.rows(start, stop)
            cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
            return Scatter.collect(cells, Groups.hard(codes[start:stop], g, weight[start:stop]))

        seen = reduce_rows(frame.n, frame.width, step, n_jobs=n_jobs)
        assert seen is not None
        m = len(design.counted)
        centre, unit = design.centre[:m], design.unit[:m]
        within = seen.scatter.sum(axis=0) / unit / unit[:, None] / seen.n.sum()
        mean = ((seen.mean - centre) + seen.mean_rest) / unit
        return cls(np.log(seen.n / seen.n.sum()), mean, within + RIDGE * np.eye(m))

    def given(self, known: Ints, gone: Ints, cells: Floats) -> tuple[Floats, Floats, Floats]:
        """Of rows (b, known): log P(class) (b, g), and mean (b, g, gone) and covariance of what is gone."""
        inner = self.covariance[np.ix_(known, known)]
        gain = np.linalg.solve(inner, self.covariance[np.ix_(known, gone)])  # (known, gone)
        apart = cells[:, None, :] - self.mean[None][:, :, known]
        far = np.einsum("bgk,bgk->bg", apart, np.linalg.solve(inner, apart[..., None])[..., 0])
        mean = self.mean[None][:, :, gone] + apart @ gain
        left = self.covariance[np.ix_(gone, gone)] - self.covariance[np.ix_(gone, known)] @ gain
        return bayes_rule(self.log_share - 0.5 * far)[0], mean, left

    def average(self, theta: Floats, design: Design, frame: Frame, logs: Floats, n_jobs: int | None) -> None:
        """Write log P(class given what is known) over that of rows in which numbers are missing, in place."""
        z = design.cells(frame, n_jobs)
        m, scores = len(design.counted), z.predict(theta)  # missing numbers at their mean, which is `filled`
        filled = (design.mean - design.centre[:m]) / design.unit[:m]  # 0, but of Booleans their share
        for rows, gone, cells in self.patterns(design, frame):
            known = np.setdiff1d(np.arange(m), gone)
            log_p, mean, covariance = self.given(known, gone, cells[:, known])
            of_gone = theta[:, 1 + gone]  # (parts, gone)
            centre = scores[rows][:, None, :] + (mean - filled[gone]) @ of_gone.T  # (b, g, parts)
            found = _expected(centre, of_gone, covariance)  # (b, g, classes)
            logs[rows] = np.log(np.einsum("bg,bgc->bc", np.exp(log_p), found))

    def patterns(self, design: Design, frame: Frame) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Rows that miss the same numbers, which these are, and their cells, standardised."""
        rows = design.schema.numbers(frame, design.counted).rows(0, frame.n)
        cells = np.array(rows if isinstance(rows, np.ndarray) else rows.toarray())
        m = len(design.counted)
        cells = (cells - design.centre[:m]) / design.unit[:m]
        some = np.flatnonzero(np.isnan(cells).any(axis=1))
        if len(some):
            patterns, which = np.unique(np.isnan(cells[some]), axis=0, return_inverse=True)
            for at, pattern in enumerate(patterns):
                mine = some[which.ravel() == at]
                yield mine, np.flatnonzero(pattern), cells[mine]


def complete_weights(frame: Frame, kinds: Any, weight: Floats | None) -> Floats:
    """The weights of the rows, 0 where a number is missing."""
    schema = Schema.learn(frame, kinds)
    counted = [j for j, column in enumerate(schema.columns) if column.levels is None]
    rows = schema.numbers(frame, counted).rows(0, frame.n)
    whole = ~np.isnan(rows if isinstance(rows, np.ndarray) else rows.toarray()).any(axis=1)
    out: Floats = np.where(whole, 1.0 if weight is None else weight, 0.0)
    if not out.any():
        raise LikelyError("missing='average' learns from rows without missing numbers, and there are none.")
    return out


def refuse_unknown(missing: str) -> None:
    """Refuse another word for what to do with missing cells."""
    if missing not in ("indicator", "average"):
        raise LikelyError(f"missing={missing!r}: give 'indicator' (mean plus indicator) or 'average'.")


def refuse_online(missing: str) -> None:
    """Refuse what cannot be learnt from one example after another."""
    if missing == "average":
        raise LikelyError(
            "missing='average' learns a model of the columns beside: use solver='newton', and fit all rows."
        )


def _expected(centre: Floats, of_gone: Floats, covariance: Floats) -> Floats:
    """E P(class) where the scores are normal, (b, g, classes)."""
    if len(of_gone) == 1:
        sd = float(np.sqrt(max(float((of_gone @ covariance @ of_gone.T)[0, 0]), 0.0)))
        points, weights = np.polynomial.hermite_e.hermegauss(POINTS)
        odds = centre + sd * points  # (b, g, points)
        hit = (np.exp(-np.logaddexp(0, -odds)) * (weights / weights.sum())).sum(axis=-1)
        return np.stack([1 - hit, hit], axis=-1)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    noise = np.random.default_rng(0).normal(size=(DRAWS // 2, len(values)))
    moved = np.concatenate([noise, -noise]) @ root.T @ of_gone.T  # (draws, parts)
    out = np.zeros(centre.shape)
    for step in moved:
        out += np.exp(bayes_rule((centre + step).reshape(-1, len(of_gone)))[0]).reshape(centre.shape)
    return out / len(moved)
