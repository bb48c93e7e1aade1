"""The tables of a belief network, and what follows from evidence: probabilities, marginals, explanations."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.contraction import Plan, Run, plan_contraction
from likely.infer.max_product import most_probable

Floats = NDArray[np.float64]
Shape = tuple[int, ...]
Likelihood = tuple[Shape, Floats]  # of something seen, by the levels of these nodes

PLANS = 64  # that are kept, of the questions asked last


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known: the levels of nodes, and likelihoods of what was seen given the levels of nodes."""

    levels: Mapping[int, int] = field(default_factory=dict)
    likelihoods: tuple[Likelihood, ...] = ()

    @property
    def nodes(self) -> set[int]:
        """All that it speaks of."""
        return {*self.levels, *(v for scope, _ in self.likelihoods for v in scope)}


NOTHING = Evidence()


@dataclass(frozen=True, slots=True)
class Posteriors:
    """What is believed of every node, and the log-probability of the evidence, -inf if it cannot be."""

    marginals: list[Floats]
    log_evidence: float


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan for evidence about certain nodes, whatever their levels."""

    plan: Plan
    nodes: Shape  # whose tables it multiplies
    cut: tuple[tuple[int, Shape], ...]  # the tables with known variables, and those, None for others
    sources: tuple[tuple[int, int], ...] = ()  # for each node left: a table, and the axis in it


@dataclass(frozen=True, eq=False)
class Factors:
    """P(node given parents) for every node, the parents' axes first, in their order.

    >>> rain = Factors((2, 2), ((), (0,)), (np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.2, 0.8]])))
    >>> rain.marginals(Evidence({1: 1})).marginals[0].round(4)
    array([0.3333, 0.6667])
    """

    sizes: tuple[int, ...]
    parents: tuple[Shape, ...]
    tables: tuple[Floats, ...]
    _plans: OrderedDict[Any, _Planned] = field(default_factory=OrderedDict, repr=False)

    def log_prob(self, evidence: Evidence) -> float:
        """The log-probability of evidence, -inf if it cannot be."""
        return float(self._run(evidence, ()).log_total)

    def table(self, nodes: Sequence[int], evidence: Evidence = NOTHING) -> tuple[Floats, float]:
        """P(levels of nodes given evidence), an axis each, and the log-probability of the evidence."""
        unknown = [v for v in nodes if v not in evidence.levels]
        run = self._run(evidence, tuple(unknown))
        log_evidence = float(run.log_total)
        table = run.table if unknown else np.ones(())
        total = table.sum()
        table = table / total if total > 0 else table
        if len(unknown) < len(nodes):
            whole = np.zeros([self.sizes[v] for v in nodes])
            whole[tuple(evidence.levels.get(v, slice(None)) for v in nodes)] = table
            table = whole
        return table, log_evidence

    def marginals(self, evidence: Evidence = NOTHING) -> Posteriors:
        """P(level given evidence) of every node."""
        run, planned = self._run_all(evidence)
        marginals = self._marginals(run, planned, evidence)
        return Posteriors(marginals, float(run.log_total))

    def _marginals(self, run: Run, planned: _Planned, evidence: Evidence) -> list[Floats]:
        wanted = sorted({table for table, _ in planned.sources if table >= 0})
        slopes = dict(zip(wanted, run.derivatives(wanted), strict=True))
        joints = {place: run.values[place] * slope for place, slope in slopes.items()}
        marginals = []
        for v, (place, axis) in enumerate(planned.sources):
            if place < 0:
                marginals.append(one_hot(evidence.levels[v], self.sizes[v]))
                continue
            joint = joints[place]
            if joint.ndim > 1:
                joint = joint.sum(axis=tuple(i for i in range(joint.ndim) if i != axis))
            marginals.append(joint)
        return marginals

    def families(self, evidence: Evidence = NOTHING) -> tuple[list[Floats], float]:
        """P(levels of parents and node given evidence) for every node, and the evidence's log-probability."""
        run, planned = self._run_all(evidence)
        slopes = run.derivatives(range(len(self.tables)))
        joints = []
        for v, slope in enumerate(slopes):
            whole = np.zeros(self.tables[v].shape)
            scope = (*self.parents[v], v)
            whole[tuple(evidence.levels.get(u, slice(None)) for u in scope)] = run.values[v] * slope
            joints.append(whole)
        return joints, float(run.log_total)

    def most_probable(self, evidence: Evidence = NOTHING) -> tuple[list[int], float]:
        """The most probable levels of all nodes, and log P(these and the evidence); -inf if it cannot be."""
        planned = self._planned(evidence, None)
        at, log_p = most_probable(planned.plan, self._inputs(planned, evidence))
        return [evidence.levels.get(v, at.get(v, 0)) for v in range(len(self.sizes))], log_p

    def plan(self, evidence: Evidence = NOTHING, nodes: Sequence[int] | None = None) -> Plan:
        """How a question is answered, before it is: that of some nodes, or of all."""
        return self._planned(evidence, None if nodes is None else tuple(nodes)).plan

    def _run(self, evidence: Evidence, kept: Shape) -> Run:
        planned = self._planned(evidence, kept)
        return planned.plan.run(self._inputs(planned, evidence))

    def _run_all(self, evidence: Evidence) -> tuple[Run, _Planned]:
        planned = self._planned(evidence, None)
        return planned.plan.run(self._inputs(planned, evidence)), planned

    def _planned(self, evidence: Evidence, kept: Shape | None) -> _Planned:
        key = (tuple(sorted(evidence.levels)), tuple(scope for scope, _ in evidence.likelihoods), kept)
        planned = self._plans.get(key)
        if planned is None:
            planned = self._plans[key] = self._make(evidence, kept)
            if len(self._plans) > PLANS:
                self._plans.popitem(last=False)
        return planned

    def _make(self, evidence: Evidence, kept: Shape | None) -> _Planned:
        known = set(evidence.levels)
        if kept is None:
            nodes: Sequence[int] = range(len(self.tables))
        else:
            nodes = sorted(self.upwards({*kept, *evidence.nodes}))
        scopes: list[Shape] = []
        cut = []
        for v in nodes:
            scope = (*self.parents[v], v)
            if not known.isdisjoint(scope):
                cut.append((len(scopes), scope))
                scope = tuple([u for u in scope if u not in known])
            scopes.append(scope)
        scopes += [tuple([u for u in scope if u not in known]) for scope, _ in evidence.likelihoods]
        plan = plan_contraction(scopes, self.sizes, kept=kept or ())
        sources = self._sources(scopes, known) if kept is None else ()
        return _Planned(plan, tuple(nodes), tuple(cut), sources)

    def _sources(self, scopes: Sequence[Shape], known: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """For each node the smallest table that has it, and its axis there; -1 where it is known."""
        best: dict[int, tuple[int, int, int]] = {}
        for place, scope in enumerate(scopes):
            size = math.prod([self.sizes[u] for u in scope])
            for axis, u in enumerate(scope):
                if u not in best or size < best[u][0]:
                    best[u] = (size, place, axis)
        return tuple(best[v][1:] if v in best else (-1, 0) for v in range(len(self.sizes)))

    def _inputs(self, planned: _Planned, evidence: Evidence) -> list[Floats]:
        inputs: list[Any] = [self.tables[v] for v in planned.nodes]
        levels = evidence.levels
        for place, scope in planned.cut:
            inputs[place] = inputs[place][tuple([levels.get(u, _ALL) for u in scope])]
        for scope, table in evidence.likelihoods:
            inputs.append(table[tuple([levels.get(u, _ALL) for u in scope])])
        return inputs

    def upwards(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and all above them: what lies below and is not asked for sums to 1."""
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            v = waiting.pop()
            if v not in seen:
                seen.add(v)
                waiting.extend(self.parents[v])
        return seen


_ALL = slice(None)


def one_hot(level: int, size: int) -> Floats:
    """Certainty of one level.

    >>> one_hot(1, 3)
    array([0., 1., 0.])
    """
    certain = np.zeros(size)
    certain[level] = 1.0
    return certain
