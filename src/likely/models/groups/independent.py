"""Columns that are independent given the group: the core of naive Bayes and of mixtures, and its moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer import bayes_rule
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.parts.part import Part
from likely.table.block import Block, Codes, Missing, Numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Held:
    """The rows of a block that were fetched: a block of itself."""

    held: Any

    def rows(self, start: int, stop: int) -> Any:
        """All that is held."""
        return self.held


def hold(blocks: Sequence[Block], start: int, stop: int) -> list[Held]:
    """The rows of every block; copies, where blocks share the memory that they are handed out in."""
    shared = sum(isinstance(block, Numbers | Missing) for block in blocks) > 1
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
        weighed = self._sum(blocks, start, stop, evidence, self.evidence)
        share = self.share_told(blocks, start, stop, told)
        if share is None or (share == 1.0).all():
            return weighed
        alone = self._sum(blocks, start, stop, evidence, self.evidence, alone=True)
        return _between(alone[0], weighed[0], share[:, None]), _between(alone[1], weighed[1], share)

    def share_told(
        self, blocks: Sequence[Block], start: int, stop: int, told: Floats | None = None
    ) -> Floats | None:
        """Of each row the share of the other columns that is told, (b,); None where all evidence counts."""
        if self.evidence is None:
            return None
        if told is None:
            if not all(part.describes_cells for part in self.parts):  # that a cell is missing is told, too
                return np.ones(stop - start)
            told = np.zeros(stop - start)
            for part, block in zip(self.parts, blocks, strict=True):
                told += part.n_told(block.rows(start, stop))
        return self.evidence.share(told)

    def _sum(
        self,
        blocks: Sequence[Block],
        start: int,
        stop: int,
        evidence: bool,
        weights: EvidenceWeights | None,
        alone: bool = False,
    ) -> tuple[Floats, Floats]:
        """As `log_joint`, by the weights of rows that are told as a whole, or of columns told alone."""
        apart: Floats | None = None
        shared = np.zeros(stop - start)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, block in zip(self.parts, blocks, strict=True):
                full = weights is None or (alone and not part.repeats_itself)
                own = None if full or weights is None else weights.of(part.columns)
                more, common = self._said(part, block.rows(start, stop), evidence, own)
                if apart is None:  # each group in one piece: four times as fast from here on
                    apart = np.ascontiguousarray(more.T).T
                    apart += self.log_weights
                else:
                    apart += more
                shared += common
        return np.repeat(self.log_weights[None], stop - start, axis=0) if apart is None else apart, shared

    def _said(
        self, part: Part, rows: Any, evidence: bool, weights: Floats | None
    ) -> tuple[Floats, Floats | float]:
        """What the columns of a part say for each group, as far as it counts, (b, g), and what all share."""
        if weights is None or (weights == 1.0).all():
            return part.distribution.relative(rows, evidence)  # type: ignore[no-any-return]
        heard = np.flatnonzero(weights)  # what does not count at all rules nothing out either
        if not len(heard):
            return np.zeros((rows.shape[0], len(self.log_weights))), 0.0
        if len(set(weights.tolist())) == 1:
            more, common = part.distribution.relative(rows, evidence)
            return weights[0] * more, weights[0] * common
        return part.distribution.relative_terms(rows)[:, :, heard] @ weights[heard], 0.0


def _between(alone: Floats, together: Floats, share: Floats) -> Floats:
    """What lies between two logs, so much of the way; where nothing is in between, no NaN is either."""
    with np.errstate(invalid="ignore"):
        mixed = (1.0 - share) * alone + share * together
    return np.where(share == 0.0, alone, np.where(share == 1.0, together, mixed))


def group_means(parts: Sequence[Part]) -> Floats:
    """The mean of every column in every group, (g, d); cannot be written to."""
    described = _of_numbers(parts)
    means = np.empty((len(described[0].distribution.mean), _width(described)))
    for part in described:
        means[:, part.columns] = part.distribution.mean
    return _read_only(means)


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
    return _read_only(covariances)


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


def _read_only(array: Floats) -> Floats:
    array.setflags(write=False)
    return array
