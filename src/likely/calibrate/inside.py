"""Explanations and answers of a calibrated classifier: those of the wrapped model, then calibrated."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.ask.constraint import Constraint, Levels
from likely.ask.truncated_mixture import TruncatedMixture
from likely.ask.two_numbers import NumberPair, Pairing
from likely.ask.world import Counting, Variable, World, WorldBelief
from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.evidence import Ledgers
from likely.infer.bayes import bayes_rule
from likely.models.groups.explain import pair
from likely.stats.groups import Floats
from likely.table.accepted import Level, TableLike
from likely.table.column.column import Column

CALIBRATION = "calibration"


def explained(
    model: Any, X: TableLike, log_p: Floats, favoured: Level | None, against: Level | None
) -> Ledgers:
    """The ledgers of the wrapped model, with a last line for the change of log-odds by the calibration.

    `log_p` are the calibrated log-probabilities (n, g), which decide between which classes a row is weighed.
    """
    classes = tuple(model.classes_.tolist())
    mine, theirs = pair(classes, favoured, against, log_p)
    whole: Ledgers | None = None
    for a, b in np.unique(np.column_stack([mine, theirs]), axis=0).tolist() or [
        (0, min(1, len(classes) - 1))
    ]:
        own: Ledgers = model.explain(X, classes[a], classes[b])
        whole = own if whole is None else _joined(whole, own, (mine == a) & (theirs == b))
    assert whole is not None
    each = np.arange(len(log_p))
    with np.errstate(invalid="ignore"):
        change = (log_p[each, mine] - log_p[each, theirs]) - whole.total
    return replace(
        whole,
        rest=np.column_stack([whole.rest, change]),
        rest_names=(*whole.rest_names, CALIBRATION),
        log_posterior=log_p,
    )


def _joined(first: Ledgers, second: Ledgers, rows: Any) -> Ledgers:
    """The first ledgers, with those of some rows replaced by the second's."""
    arrays = {}
    for name in ("favoured", "against", "base", "terms", "rest", "status"):
        of_first, of_second = getattr(first, name), getattr(second, name)
        arrays[name] = np.where(rows if of_first.ndim == 1 else rows[:, None], of_second, of_first)
    return replace(first, **arrays)


@dataclass(frozen=True)
class CalibratedWorld:
    """The wrapped model as a world to be asked; only its probabilities of the target are calibrated.

    Calibration was learnt from complete rows: the fewer columns are known, the less an answer is calibrated.
    """

    inside: World
    target: Column
    calibrate: Callable[[Floats], Floats]  # log-probabilities of classes (n, g) to calibrated ones

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Those of the model inside."""
        return self.inside.variables

    @property
    def library(self) -> str:
        """That of the model inside."""
        return self.inside.library

    def counts(self, name: str | None) -> Floats | None:
        """Those of the model inside."""
        return self.inside.counts(name) if isinstance(self.inside, Counting) else None

    def given(self, known: Mapping[str, Constraint]) -> WorldBelief | None:
        """The belief given these facts; None if they are impossible."""
        belief = self.inside.given(known)
        if belief is None or self.target.name in known:
            return belief
        told, d = sum(name in self.variables for name in known), len(self.variables) - 1
        share = max(told - 1, 0) / (d - 1) if d > 1 else float(told)
        return CalibratedBelief(belief, self.target.name, self.calibrate, share)


@dataclass(frozen=True)
class CalibratedBelief:
    """Beliefs about the target, calibrated; about everything else, those of the wrapped model."""

    inside: WorldBelief
    target: str
    calibrate: Callable[[Floats], Floats]
    share: float  # how much of the calibration counts

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known); of the columns, given what the event says of the target."""
        own = event.get(self.target)
        if not isinstance(own, Levels):
            return self.inside.log_prob(event)
        chance = float(self.table((self.target,))[list(own.allowed)].sum())
        log_p = math.log(chance) if chance > 0 else -math.inf
        if len(event) == 1 or log_p == -math.inf:
            return log_p
        return log_p + self.inside.log_prob(event) - self.inside.log_prob({self.target: own})

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | known) of these variables, one axis for each."""
        inside = self.inside.table(names)
        if self.target not in names:
            return inside
        axis = list(names).index(self.target)
        before = self.inside.table((self.target,))
        after = before if self.share == 0.0 else self._retold(log(before)[None])
        ratio = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
        return np.asarray(inside * ratio.reshape([-1 if j == axis else 1 for j in range(inside.ndim)]))

    def _retold(self, log_p: Floats) -> Floats:
        """P(class), (g,), from its logs (1, g) before calibration."""
        calibrated = self.calibrate(log_p)
        if self.share < 1.0:
            impossible = np.isneginf(log_p) | np.isneginf(calibrated)
            with np.errstate(invalid="ignore"):
                between = (1.0 - self.share) * log_p + self.share * calibrated
            calibrated = bayes_rule(np.where(impossible, -np.inf, between))[0]
        return np.asarray(np.exp(calibrated[0]))

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number under the wrapped model."""
        return self.inside.mixture(name, by)

    def pair(self, first: str, second: str) -> NumberPair:
        """The joint distribution of two numbers under the wrapped model."""
        if not isinstance(self.inside, Pairing):
            raise LikelyError("the model inside does not tell how two numbers go together.")
        return self.inside.pair(first, second)
