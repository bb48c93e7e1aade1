"""Columns that are independent given the group: the core of naive Bayes and of mixtures, and its moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.own_group import OwnGroup
from likely.estimator.fitted import read_only
from likely.infer import bayes_rule
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.parts.part import Part
from likely.table.column.block import Block, Codes, Missing, Numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Held:
    """The rows of a block that were fetched: a block of itself."""

    held: Any

    def rows(self, start: int, stop: int) -> Any:
        """All that is held."""
        return self.held


def hold(blocks: Sequence[Block], start: int, stop: int, beside: bool = False) -> list[Held]:
    """The rows of every block; copies, where blocks share the memory that they are handed out in.

    `beside`: other numbers of the same rows are asked for while these are held.
    """
    shared = beside or sum(isinstance(block, Numbers | Missing) for block in blocks) > 1
    shared |= sum(isinstance(block, Codes) for block in blocks) > 1
    held = []
    for block in blocks:
        rows = block.rows(start, stop)
        held.append(Held(rows.copy(order="K") if shared and isinstance(rows, np.ndarray) else rows))
    return held


@dataclass(frozen=True, slots=True)
class Independent:
    """P(group) times, for every part, P(columns of the part given the group)."""

    log_weights: Floats  # (g,)
    parts: tuple[Part, ...]  # whose distributions are over (g, d)
    components: tuple[int, ...] | None = None  # (c,): how many groups each class has; None: one
    evidence: EvidenceWeights | None = None  # how much what a column says counts; None: in full

    @property
    def log_rates(self) -> Floats:
        """Log P(class), (c,)."""
        return np.asarray(self.by_class(self.log_weights[None])[0])

    def by_class(self, logs: Floats) -> Floats:
        """Logs of groups (b, g) as those of classes (b, c): the groups of each class added up."""
        if self.components is None:
            return logs
        by_class = np.split(logs, np.cumsum(self.components)[:-1], axis=1)
        return np.stack([bayes_rule(own)[1] for own in by_class], axis=1)

    def own_group(self) -> OwnGroup | None:
        """What tells rows that can be of one group only, if groups lie apart and one part has all columns."""
        if len(self.parts) != 1 or self.evidence is not None:
            return None
        own: OwnGroup | None = self.parts[0].distribution.own_group(self.log_weights)
        return own

    def log_joint(
        self,
        blocks: Sequence[Block],
        start: int,
        stop: int,
        evidence: bool = True,
        told: Floats | None = None,
    ) -> tuple[Floats, Floats]:
        """Log P(row, group) of some rows, up to what all groups share, (b, g); and that part, (b,).

        Without `evidence` finite parts that all groups share may be left out of both. `told` is how many
        columns of each row are told, (b,), if the rows do not say it.
        """
        weights = None if self.evidence is None else self.weights(blocks, start, stop, told)
        apart: Floats | None = None
        shared = np.zeros(stop - start)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, block in zip(self.parts, blocks, strict=True):
                own = None if weights is None else weights[..., list(part.columns)]
                more, common = self._said(part, block.rows(start, stop), stop - start, evidence, own)
                if apart is None:  # each group in one piece: four times as fast from here on
                    apart = np.ascontiguousarray(more.T).T
                    apart += self.log_weights
                else:
                    apart += more
                shared += common
        return np.repeat(self.log_weights[None], stop - start, axis=0) if apart is None else apart, shared

    def weights(
        self, blocks: Sequence[Block], start: int, stop: int, told: Floats | None = None
    ) -> Floats | None:
        """How much the evidence of each column counts, (d,) if in all of the rows alike, else (b, d)."""
        if self.evidence is None:
            return None
        if told is None:
            if not all(part.describes_cells for part in self.parts):  # that a cell is missing is told, too
                return self.evidence.by_column
            told = np.zeros(stop - start)
            for part, block in zip(self.parts, blocks, strict=True):
                told += part.n_told(block.rows(start, stop))
        if (told == len(self.evidence.by_column)).all():
            return self.evidence.by_column
        weights = self.evidence.where_told(told)
        for part in self.parts:
            if repeats_itself(part):
                weights[:, list(part.columns)] = self.evidence.of(part.columns)
        return weights

    def _said(
        self, part: Part, rows: Any, n: int, evidence: bool, weights: Floats | None
    ) -> tuple[Floats, Floats | float]:
        """What the columns of a part say for each group, as far as it counts, (n, g), and what all share."""
        if weights is None or (weights == 1.0).all():
            return part.distribution.relative(rows, evidence)  # type: ignore[no-any-return]
        heard = np.flatnonzero(np.atleast_2d(weights).any(axis=0))  # what counts nowhere rules nothing out
        if not len(heard):
            return np.zeros((n, len(self.log_weights))), 0.0
        if (weights == weights[..., :1]).all():
            more, common = part.distribution.relative(rows, evidence)
            row = weights[..., 0]
            return _counted(more, np.atleast_1d(row)[:, None]), _counted(np.asarray(common), row)
        terms = part.distribution.relative_terms(rows)[:, :, heard]
        if weights.ndim == 1:
            return terms @ weights[heard], 0.0
        return _counted(terms, weights[:, None, heard]).sum(axis=2), 0.0


def _counted(said: Floats, weights: Floats) -> Floats:
    """As much of what was said as counts; what does not count at all rules nothing out either."""
    return np.where(weights == 0.0, 0.0, said * weights)


def repeats_itself(part: Part) -> bool:
    """Whether what a part says of one cell may be said twice in it, as by the words of a text."""
    return part.family.joint or part.width != len(part.columns)


def group_means(parts: Sequence[Part]) -> Floats:
    """The mean of every column in every group, (g, d); cannot be written to."""
    described = _of_numbers(parts)
    means = np.empty((len(described[0].distribution.mean), _width(described)))
    for part in described:
        means[:, part.columns] = part.distribution.mean
    return read_only(means)


def group_covariances(parts: Sequence[Part]) -> Floats:
    """The covariances of the columns in every group, (g, d, d): 0 between columns that are independent."""
    described = _of_numbers(parts)
    g, d = len(described[0].distribution.mean), _width(described)
    covariances = np.zeros((g, d, d))
    for part in described:
        columns = np.array(part.columns)
        if hasattr(part.distribution, "covariance"):
            covariances[:, columns[:, None], columns] = part.distribution.covariance
        else:
            covariances[:, columns, columns] = part.distribution.variance
    return read_only(covariances)


def _of_numbers(parts: Sequence[Part]) -> list[Part]:
    """The parts that describe cells; an AttributeError, as of any absent name, if some have no mean."""
    described = [part for part in parts if part.describes_cells]
    for part in described:
        if part.coded or not hasattr(part.distribution, "mean") or part.width != len(part.columns):
            raise AttributeError(
                f"column {part.first.name!r} is no number, so that it has no mean: describe() has what the "
                "model knows of every column."
            )
    if not described:
        raise AttributeError("the model has no columns of numbers.")
    return described


def _width(parts: Sequence[Part]) -> int:
    return sum(len(part.columns) for part in parts)
