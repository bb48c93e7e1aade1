"""A belief network that can be asked: beliefs are contractions of its tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import LINE, Constraint, Exactly, Levels, Region
from likely.ask.truncated_mixture import TruncatedMixture, mass
from likely.ask.world import Variable
from likely.dist.numeric.logs import log
from likely.errors import LikelyError, notice
from likely.infer.likelihood_weighting import Weighted, weigh_samples
from likely.infer.node_tables import MEMORY, KnownNodes, LogLikelihood, NodeTables, TooLargeError
from likely.models.network.intervene import intervened

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

Floats = NDArray[np.float64]
SAMPLES = 100_000  # where no exact answer fits


@dataclass(frozen=True)
class NetworkWorld:
    """The nodes of a network, and what is believed of them once something is known."""

    record: NetworkRecord
    memory: float = MEMORY  # bytes that an answer may take

    def intervened(self, actions: Mapping[str, Any]) -> NetworkWorld:
        """The network once nodes are set to levels."""
        return NetworkWorld(intervened(self.record, actions), self.memory)

    @property
    def library(self) -> str:
        """The frame library that tables are answered in."""
        return self.record.nodes.library

    @property
    def variables(self) -> Mapping[str, Variable]:
        """All nodes by name, in order."""
        return self.record.variables

    @cached_property
    def factors(self) -> NodeTables:
        """The tables, within this memory."""
        return replace(self.record.factors, memory=self.memory)

    def log_prob(self, evidence: KnownNodes) -> float:
        """The log-probability of evidence; estimated from samples, with a notice, where nothing else fits."""
        try:
            return self.factors.log_prob(evidence)
        except TooLargeError as error:
            return self.sampled(evidence, error).log_prob

    def table(self, nodes: Sequence[int], evidence: KnownNodes) -> Floats:
        """P(levels of nodes given evidence), an axis each; likewise."""
        try:
            return self.factors.table(nodes, evidence)[0]
        except TooLargeError as error:
            return self.sampled(evidence, error).table(nodes)[0]

    def sampled(self, evidence: KnownNodes, why: LikelyError) -> Weighted:
        """Samples to estimate from, always the same; a notice says what they are worth."""
        samples = weigh_samples(
            self.record.factors, self.record.order, evidence, SAMPLES, np.random.default_rng(0)
        )
        if not samples.effective_size:
            raise LikelyError(f"{why} None of {SAMPLES:,} samples agrees with what is known.")
        notice(
            f"{why} It was estimated from {SAMPLES:,} samples, which tell as much as "
            f"{samples.effective_size:,.0f} of equal weight: standard errors are up to "
            f"{0.5 / math.sqrt(samples.effective_size):.2g}.",
        )
        return samples

    def given(self, known: Mapping[str, Constraint]) -> NetworkBelief | None:
        """What is believed once this is known; None if it is impossible."""
        belief = NetworkBelief(self, dict(known), *self.evidence(known))
        return belief if belief.log_known > -math.inf else None

    def evidence(self, known: Mapping[str, Constraint]) -> tuple[KnownNodes, float]:
        """Constraints as evidence, and the log of what was taken out of it against underflow."""
        levels: dict[int, int] = {}
        likelihoods: list[LogLikelihood] = []
        log_scale = 0.0
        for name, constraint in known.items():
            node = self.record.place[name]
            if isinstance(constraint, Levels):
                if constraint.only is not None:
                    levels[node] = constraint.only
                else:
                    likelihoods.append(((node,), log(constraint.allowed)))
                continue
            logs = self._logs(node, constraint)
            highest = float(logs.max(initial=-np.inf))
            scale = highest if math.isfinite(highest) else 0.0
            above = self.record.parents[node]
            shape = [self.record.sizes[p] for p in above]
            likelihoods.append((above, (logs - scale).reshape(shape)))
            log_scale += scale
        return KnownNodes(levels, tuple(likelihoods)), log_scale

    def _logs(self, node: int, constraint: Constraint) -> Floats:
        """The log-probability, or density, of what is known of a number by each combination above, (q,)."""
        part = self.record.parts[node]
        if isinstance(constraint, Exactly):
            row = part.with_cell(None, 0, constraint.value)
            return np.asarray(part.distribution.group_log_prob(row)[0])
        assert isinstance(constraint, Region)
        with np.errstate(divide="ignore"):
            return np.log(mass(self.numbers(node), constraint.pieces))

    def numbers(self, node: int) -> Any:
        """The distribution of a number given each combination above, a batch of (q,)."""
        return self.record.parts[node].distribution.take((slice(None), 0))


@dataclass(frozen=True)
class NetworkBelief:
    """What is believed of a network's nodes once something is known."""

    world: NetworkWorld
    known: dict[str, Constraint]
    evidence: KnownNodes
    log_scale: float

    @cached_property
    def log_known(self) -> float:
        """log P(known)."""
        return self.world.log_prob(self.evidence) + self.log_scale

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), -inf if it cannot be."""
        evidence, log_scale = self.world.evidence({**self.known, **event})
        return min(0.0, self.world.log_prob(evidence) + log_scale - self.log_known)

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | known) of these nodes, one axis for each."""
        return self.world.table([self.world.record.place[name] for name in names], self.evidence)

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number, jointly with the levels of other nodes."""
        record = self.world.record
        node = record.place[name]
        axes = [record.place[one] for one in by]
        above = record.parents[node]
        nodes = list(dict.fromkeys([*axes, *above]))
        joint = self.world.table(nodes, self.evidence)
        weights = _spread(joint, nodes, [*axes, *above], record.sizes)
        shape = weights.shape[: len(axes)]
        constraint = self.known.get(name)
        pieces = constraint.pieces if isinstance(constraint, Region) else LINE
        return TruncatedMixture(weights.reshape(*shape, -1), self.world.numbers(node), pieces)


def _spread(joint: Floats, nodes: Sequence[int], axes: Sequence[int], sizes: Sequence[int]) -> Floats:
    """A table of nodes with an axis for each that is named, some twice: 0 where its levels differ.

    >>> _spread(np.array([0.3, 0.7]), [4], [4, 4], {4: 2})
    array([[0.3, 0. ],
           [0. , 0.7]])
    """
    cells = np.indices([sizes[v] for v in axes])
    by_node = {v: cells[axis] for axis, v in enumerate(axes)}
    same = np.ones(cells.shape[1:], bool)
    for axis, v in enumerate(axes):
        same &= cells[axis] == by_node[v]
    return np.where(same, joint[tuple(by_node[v] for v in nodes)], 0.0)
