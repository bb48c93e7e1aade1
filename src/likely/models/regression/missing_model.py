"""Missing numbers averaged over what they may be, by a model of the columns learnt beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import dense
from likely.engine import Answers, Chunk, Engine, MapTask, ReduceTask
from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.infer.logistic import class_logs
from likely.infer.standard import Scaling
from likely.models.regression.design import Design, DesignRows
from likely.stats import Groups, Scatter
from likely.table.accepted import Kinds
from likely.table.column.block import Numbers
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
        cls, design: Design, frame: Frame, codes: Ints, g: int, weight: Floats, engine: Engine
    ) -> Beside:
        """From the rows in which no number is missing."""
        numbers = design.schema.numbers(frame, design.counted)
        rows = Chunk(ClassNumbers(numbers, codes, weight), frame.n, frame.width)
        seen = engine.reduce(rows, ScatterOfClasses(g))
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

    def average(self, theta: Floats, scores: Floats, cells: Floats, filled: Floats) -> Floats:
        """log P(class given what is known), (b, g), of rows in which numbers are missing.

        `cells` (b, m) are standardised, NaN where missing, for which `filled` (m,) stood in the scores
        (b, vectors).
        """
        out = np.empty((len(cells), len(self.log_share)))
        patterns, which = np.unique(np.isnan(cells), axis=0, return_inverse=True)
        for at, pattern in enumerate(patterns):
            rows, gone, known = np.flatnonzero(which.ravel() == at), np.flatnonzero(pattern), ~pattern
            log_p, mean, covariance = self.given(np.flatnonzero(known), gone, cells[np.ix_(rows, known)])
            of_gone = theta[:, 1 + gone]  # (vectors, gone)
            centre = scores[rows][:, None, :] + (mean - filled[gone]) @ of_gone.T  # (b, g, vectors)
            expected = _expected(centre, of_gone, covariance)  # (b, g, classes)
            out[rows] = np.log(np.einsum("bg,bgc->bc", np.exp(log_p), expected))
        return out


@dataclass(frozen=True)
class AveragedLogs(MapTask[DesignRows]):
    """log P(class given row), averaged over what missing numbers may be."""

    beside: Beside
    theta: Floats  # (vectors, 1 + p)
    scale: Scaling
    mean: Floats  # (m,): what missing numbers are taken for

    def answers(self, n: int) -> Answers:
        """One array, (n, g)."""
        return (np.empty((n, len(self.beside.log_share))),)

    def step(self, data: DesignRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        scores = self.scale.scores(data(start, stop), self.theta)
        out[0][:] = class_logs(scores)
        cells = dense(data.numbers.rows(start, stop))
        gaps = np.flatnonzero(np.isnan(cells).any(axis=1))
        if len(gaps):
            m = len(self.mean)
            centre, unit = self.scale.centre[:m], self.scale.unit[:m]
            filled = (self.mean - centre) / unit  # 0, but of Booleans their share
            known = (cells[gaps] - centre) / unit
            out[0][gaps] = self.beside.average(self.theta, scores[gaps], known, filled)


@dataclass(frozen=True, slots=True)
class ClassNumbers:
    """Columns of numbers, and the class and the weight of each row."""

    numbers: Numbers
    codes: Ints  # (n,)
    weight: Floats  # (n,)


@dataclass(frozen=True, slots=True)
class ScatterOfClasses(ReduceTask[ClassNumbers, Scatter]):
    """Means and centred products of the numbers in each class."""

    n_classes: int

    def step(self, data: ClassNumbers, start: int, stop: int) -> Scatter:
        """Of some rows."""
        groups = Groups.hard(data.codes[start:stop], self.n_classes, data.weight[start:stop])
        return Scatter.collect(dense(data.numbers.rows(start, stop)), groups)


@dataclass(frozen=True, slots=True)
class AnyMissing(MapTask[Numbers]):
    """Whether a number of the row is missing."""

    def answers(self, n: int) -> Answers:
        """One array of truth values, (n,)."""
        return (np.zeros(n, bool),)

    def step(self, data: Numbers, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        out[0][:] = np.isnan(dense(data.rows(start, stop))).any(axis=1)


def rows_with_gaps(schema: Schema, counted: Sequence[int], frame: Frame, engine: Engine) -> NDArray[np.bool_]:
    """Which rows miss one of these numbers, (n,)."""
    (gaps,) = engine.map(Chunk(schema.numbers(frame, counted), frame.n, frame.width), AnyMissing())
    return np.asarray(gaps, bool)


def complete_weights(frame: Frame, kinds: Kinds, weight: Floats | None, engine: Engine) -> Floats:
    """The weights of the rows, 0 where a number is missing."""
    schema = Schema.learn(frame, kinds)
    counted = [j for j, column in enumerate(schema.columns) if column.levels is None]
    gaps = rows_with_gaps(schema, counted, frame, engine)
    out: Floats = np.where(gaps, 0.0, 1.0 if weight is None else weight)
    if not out.any():
        raise LikelyError("missing='average' learns from rows without missing numbers, and there are none.")
    return out


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
    moved = np.concatenate([noise, -noise]) @ root.T @ of_gone.T  # (draws, vectors)
    out = np.zeros(centre.shape)
    for step in moved:
        out += np.exp(bayes_rule((centre + step).reshape(-1, len(of_gone)))[0]).reshape(centre.shape)
    return out / len(moved)
