"""Columns that are independent given the group: the core of naive Bayes and of mixtures, and its moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.own_group import OwnGroup
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

    def own_group(self) -> OwnGroup | None:
        """What tells rows that can be of one group only, if groups lie apart and one part has all columns."""
        if len(self.parts) != 1 or self.evidence is not None:
            return None
        own: OwnGroup | None = self.parts[0].distribution.own_group(self.log_weights)
        return own

    def log_joint(
        self, blocks: Sequence[Block], start: int, stop: int, evidence: bool = True
    ) -> tuple[Floats, Floats]:
        """Log P(row, group) of some rows, up to what all groups share, (b, g); and that part, (b,).

        Without `evidence` finite parts that all groups share may be left out of both.
        """
        apart: Floats | None = None
        shared = np.zeros(stop - start)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, block in zip(self.parts, blocks, strict=True):
                more, common = self._said(part, block.rows(start, stop), evidence)
                if apart is None:  # each group in one piece: four times as fast from here on
                    apart = np.ascontiguousarray(more.T).T
                    apart += self.log_weights
                else:
                    apart += more
                shared += common
        return np.repeat(self.log_weights[None], stop - start, axis=0) if apart is None else apart, shared

    def _said(self, part: Part, rows: Any, evidence: bool) -> tuple[Floats, Floats | float]:
        """What the columns of a part say for each group, as far as it counts, (b, g), and what all share."""
        weights = None if self.evidence is None else self.evidence.of(part.columns)
        if weights is None or (weights == 1.0).all():
            return part.distribution.relative(rows, evidence)  # type: ignore[no-any-return]
        heard = np.flatnonzero(weights)  # what does not count at all rules nothing out either
        if not len(heard):
            return np.zeros((rows.shape[0], len(self.log_weights))), 0.0
        if len(set(weights.tolist())) == 1:
            more, common = part.distribution.relative(rows, evidence)
            return weights[0] * more, weights[0] * common
        return part.distribution.relative_terms(rows)[:, :, heard] @ weights[heard], 0.0


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
