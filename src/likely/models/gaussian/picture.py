"""The classes of a model of one or two columns as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely.dist.some_columns import Ellipse
from likely.draw import DensityCurve, densities, regions
from likely.engine import Memory
from likely.errors import LikelyError
from likely.estimator.fitted import class_codes, split_target
from likely.format import words
from likely.models.groups.record import GroupRecord
from likely.table.accepted import Target
from likely.table.column.kinds import Kind
from likely.table.frame import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
FINE, FINEST = 241, 601  # points either way over a plane, and along a line
REACH = 3.5  # sds around the means that are shown


def draw(record: GroupRecord, frame: Frame | None, y: Target | None, ax: Axes | None) -> Axes:
    """Regions and ellipses of two columns, or densities of one; with rows of a table, if one is given."""
    columns = record.schema.columns
    named = [column.name for column in columns if column.kind is not Kind.QUANTITATIVE]
    if named or len(columns) > 2:
        raise LikelyError(
            f"a picture has room for one or two columns of numbers, and the model has {len(columns)} columns"
            f"{f', {named[0]!r} of another kind' if named else ''}: fit it on two of them."
        )
    mean, covariance = moments(record)
    codes = _codes(record, frame, y)
    rows = None if frame is None else _rows(record, frame)
    return (_line if len(columns) == 1 else _plane)(record, mean, covariance, rows, codes, ax)


def moments(record: GroupRecord) -> tuple[Floats, Floats]:
    """The mean (g, d) and the covariance (g, d, d) of every class."""
    width, groups = len(record.schema.columns), len(record.classes)
    mean, covariance = np.zeros((groups, width)), np.zeros((groups, width, width))
    for part in record.core.parts:
        columns, normal = list(part.columns), part.distribution
        mean[:, columns] = normal.mean
        own = getattr(normal, "covariance", None)
        own = normal.variance[:, :, None] * np.eye(len(columns)) if own is None else own
        covariance[np.ix_(range(groups), columns, columns)] = own
    return mean, covariance


def _codes(record: GroupRecord, frame: Frame | None, y: Target | None) -> NDArray[np.intp] | None:
    if frame is None:
        return None
    if y is None:
        return np.asarray(record.posterior(frame, Memory())[0].argmax(axis=1), np.intp)
    return class_codes(record.target, split_target(frame, y, "draw")[1])


def _rows(record: GroupRecord, frame: Frame) -> Floats:
    rows = record.schema.numbers(frame, tuple(range(len(record.schema.columns)))).rows(0, frame.n)
    return np.array(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)


def _reach(mean: Floats, covariance: Floats, rows: Floats | None, j: int, n: int) -> Floats:
    sd = np.sqrt(covariance[:, j, j])
    low, high = float((mean[:, j] - REACH * sd).min()), float((mean[:, j] + REACH * sd).max())
    if rows is not None and not np.isnan(rows[:, j]).all():
        low, high = min(low, float(np.nanmin(rows[:, j]))), max(high, float(np.nanmax(rows[:, j])))
    return np.linspace(low, high, n)


def _labels(record: GroupRecord) -> list[str]:
    return [words.shown(label) for label in record.classes]


def _log_joint(record: GroupRecord, cells: Floats) -> Floats:
    """Log P(row, class) of rows (n, d), (n, g)."""
    names = record.schema.names
    frame = Frame.of({name: cells[:, j] for j, name in enumerate(names)})
    apart, shared = record.core.log_joint(record.blocks(frame), 0, frame.n)
    return np.asarray(apart + shared[:, None])


def _plane(
    record: GroupRecord,
    mean: Floats,
    covariance: Floats,
    rows: Floats | None,
    codes: NDArray[np.intp] | None,
    ax: Axes | None,
) -> Axes:
    across, up = (_reach(mean, covariance, rows, j, FINE) for j in (0, 1))
    cells = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    scores = _log_joint(record, cells).reshape(FINE, FINE, -1)
    groups = range(len(record.classes))
    points = () if rows is None else [tuple(rows[codes == group].T) for group in groups]
    names = [words.shown(name) for name in record.schema.names]
    return regions(
        across.tolist(),
        up.tolist(),
        scores,
        _labels(record),
        ellipses=[Ellipse.of(mean[group], covariance[group]) for group in groups],
        points=points,
        title=f"where each {words.shown(record.target.name)} is the most probable",
        xlabel=names[0],
        ylabel=names[1],
        ax=ax,
    )


def _line(
    record: GroupRecord,
    mean: Floats,
    covariance: Floats,
    rows: Floats | None,
    codes: NDArray[np.intp] | None,
    ax: Axes | None,
) -> Axes:
    x = _reach(mean, covariance, rows, 0, FINEST)
    joint = _log_joint(record, x[:, None])
    curves = [
        DensityCurve(label, x.tolist(), np.exp(joint[:, g]).tolist())
        for g, label in enumerate(_labels(record))
    ]
    seen = [] if rows is None else rows[:, 0][~np.isnan(rows[:, 0])].tolist()
    name = words.shown(record.schema.names[0])
    drawn = densities(seen, curves, title="base rate x density", xlabel=name, ax=ax)
    best = joint.argmax(axis=1)
    for i in np.flatnonzero(best[1:] != best[:-1]):
        drawn.axvline(
            _crossing(x[i : i + 2], joint[i : i + 2, [best[i], best[i + 1]]]), color="black", linewidth=0.8
        )
    return drawn


def _crossing(x: Floats, logs: Floats) -> float:
    """Where, between two places, one of two classes overtakes the other."""
    before, after = logs[:, 0] - logs[:, 1]
    return float(x[0] + (x[1] - x[0]) * before / (before - after))
