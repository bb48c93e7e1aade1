"""How much each of several models is to be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.estimator.record import ModelRecord
from likely.format.words import table
from likely.infer import bayes_rule, em

Floats = NDArray[np.float64]

ITERATIONS, GAIN = 5000, 1e-9  # of stacking, at most; and nats of all rows at which it stops


@dataclass(frozen=True, eq=False, repr=False)
class Weights:
    """The weight of each member of an average, and what it was weighed by.

    >>> Weights(("a", "b"), np.array([0.75, 0.25]), "log evidence", np.array([-1.0, -2.1]))
       weight  log evidence
    a    0.75          -1.0
    b    0.25          -2.1
    """

    names: tuple[str, ...]  # (m,)
    weight: Floats  # (m,)
    measure: str  # in words, in nats
    score: Floats  # (m,)

    def to_frame(self) -> dict[str, Any]:
        """One line for each member."""
        return {"member": np.array(self.names, object), "weight": self.weight, self.measure: self.score}

    def __str__(self) -> str:
        lines = [["", "weight", self.measure]]
        for name, weight, score in zip(self.names, self.weight, self.score, strict=True):
            lines.append([name, f"{weight:.3g}", f"{score:.1f}"])
        return table(lines, "<>>")

    __repr__ = __str__


def posterior_weights(logs: Floats) -> Floats:
    """Weights in proportion to what these are the logs of; equal ones, if none is finite."""
    if not np.isfinite(logs).any():
        return np.full(len(logs), 1 / len(logs))
    return np.asarray(np.exp(bayes_rule(logs[None, :])[0][0]))


def evidences(members: Sequence[Any], names: Sequence[str]) -> Floats:
    """The log evidence of each member; refused where they are of different data."""
    records: list[Any] = [getattr(member, "record_", None) for member in members]
    joint = [getattr(record, "of_rows", False) for record in records]
    if all(joint):
        for name, record in zip(names[1:], records[1:], strict=True):
            _refuse_other_data(names[0], records[0], name, record)
        return np.array([_evidence(name, record) for name, record in zip(names, records, strict=True)])
    conditional = [
        not whole and hasattr(member, "log_evidence_") for whole, member in zip(joint, members, strict=True)
    ]
    if all(conditional):
        return np.array([float(member.log_evidence_) for member in members])
    lacking = [name for name, a, b in zip(names, joint, conditional, strict=True) if not (a or b)]
    why = (
        f"{lacking[0]!r} has no evidence"
        if lacking
        else "some are of the rows and the target, some of the target alone"
    )
    raise LikelyError(
        f"weights='evidence': {why}. Evidence weighs models of the same data: use 'log_score' or 'stack'."
    )


def _evidence(name: str, record: ModelRecord) -> float:
    try:
        log_evidence = record.log_evidence
    except LikelyError as error:
        raise LikelyError(
            f"weights='evidence': {name!r} has none ({error}) Use 'log_score' or 'stack'."
        ) from None
    if log_evidence is None:
        raise LikelyError(f"weights='evidence': {name!r} has none. Use 'log_score' or 'stack'.")
    return log_evidence


def _refuse_other_data(first: str, mine: ModelRecord, second: str, theirs: ModelRecord) -> None:
    """Densities of a number, and probabilities of its levels, are not evidence of the same thing."""
    pairs = zip(mine.schema.columns, theirs.schema.columns, strict=True)
    for ours, other in pairs:
        same = ours.has_levels == other.has_levels and ours.levels == other.levels
        if not same:
            raise LikelyError(
                f"weights='evidence': column {ours.name!r} is {ours.kind} for {first!r} and {other.kind} for "
                f"{second!r}: their evidences are of different data. Use 'log_score' or 'stack'."
            )


def stacked(log_p: Floats, weight: Floats) -> Floats:
    """The weights whose average is best: of log P(true class) by each member, (n, m).

    The weighted log score is concave in them; EM climbs to its top.

    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> stacked(logs, np.ones(3)).round(4)
    array([0.7083, 0.2917])
    """
    counted = (weight > 0) & np.isfinite(log_p).any(axis=1)  # what all call impossible tells nothing
    logs, weight = log_p[counted], weight[counted]
    if not len(logs):
        return np.full(log_p.shape[1], 1 / log_p.shape[1])

    def e_step(shares: Floats) -> tuple[Floats, float]:
        log_whose, log_total = bayes_rule(logs + log(shares))
        return weight @ np.exp(log_whose), float(weight @ log_total)

    def m_step(counts: Floats) -> Floats:
        return np.asarray(counts / counts.sum())

    start = np.full(log_p.shape[1], 1 / log_p.shape[1])
    return em(e_step, m_step, start, max_iter=ITERATIONS, tol=GAIN).parameters
