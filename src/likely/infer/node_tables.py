"""The tables of a belief network, and what follows from evidence: probabilities, marginals, explanations."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.infer.contraction import Plan, Run, plan_contraction
from likely.infer.elimination import neighbours
from likely.infer.log_contraction import LogRun
from likely.infer.max_product import most_probable
from likely.infer.repeated import RepeatedPlan

Floats = NDArray[np.float64]
Shape = tuple[int, ...]
LogLikelihood = tuple[Shape, Floats]  # of something seen, by the levels of these nodes

PLANS = 64  # that are kept, of the questions asked last
MEMORY = 1 << 31  # bytes that an answer may take
WIDE = 8_192  # cells a step of a plan, above which layouts are not what takes the time
LOST = -650.0  # a log-likelihood below which it is lost beside others
SMALL = -600.0  # a log of a sum in which what was lost may count
LAID = 1 << 22  # cells that tables of all plans together may take when laid out a second time: 32 MB
MOST_WORK = 1e11  # multiplications of an answer, a minute or two; beyond, it is estimated from samples


class TooLargeError(LikelyError):
    """No exact answer fits into memory, or into a minute or two."""


@dataclass(frozen=True, slots=True)
class KnownNodes:
    """What is known: the levels of nodes, and likelihoods of what was seen given the levels of nodes."""

    levels: Mapping[int, int] = field(default_factory=dict)
    log_likelihoods: tuple[LogLikelihood, ...] = ()  # the largest of each about 0

    @property
    def nodes(self) -> set[int]:
        """All that it speaks of."""
        return {*self.levels, *(v for scope, _ in self.log_likelihoods for v in scope)}


NOTHING = KnownNodes()


@dataclass(frozen=True, slots=True)
class Posteriors:
    """What is believed of every node, and the log-probability of the evidence, -inf if it cannot be."""

    marginals: list[Floats]
    log_evidence: float


@dataclass(slots=True)
class _Planned:
    """A plan for evidence about certain nodes, whatever their levels."""

    plan: Plan
    nodes: Shape  # whose tables it multiplies
    cut: tuple[tuple[int, Shape], ...]  # the tables with known variables, and all of theirs
    sources: tuple[tuple[int, int], ...] = ()  # for each node: an operand, and the axis in it
    asked: int = 0  # how often
    repeated: RepeatedPlan | None = None  # from the second question on


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer takes, known before it is made."""

    cells: int  # written, forwards
    operations: int  # multiplications, there and back
    bytes: int
    cases: int  # that it is cut into, one after another, for each to fit memory
    cut: Shape  # the nodes whose levels are the cases


@dataclass(frozen=True, eq=False)
class NodeTables:
    """P(node given parents) for every node, the parents' axes first, in their order.

    An answer that does not fit into memory is cut into cases, one for each level of some nodes.

    >>> rain = NodeTables((2, 2), ((), (0,)), (np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.2, 0.8]])))
    >>> rain.marginals(KnownNodes({1: 1})).marginals[0].round(4)
    array([0.3333, 0.6667])
    """

    sizes: tuple[int, ...]
    parents: tuple[Shape, ...]
    tables: tuple[Floats, ...]
    memory: float = MEMORY
    _plans: OrderedDict[Any, Any] = field(default_factory=OrderedDict, repr=False)

    def log_prob(self, evidence: KnownNodes) -> float:
        """The log-probability of evidence, -inf if it cannot be."""
        return float(_log_sum([self._run(case, ()).log_total for case in self._cases(evidence, ())]))

    def table(self, nodes: Sequence[int], evidence: KnownNodes = NOTHING) -> tuple[Floats, float]:
        """P(levels of nodes given evidence), an axis each, and the log-probability of the evidence."""
        unknown = tuple(v for v in nodes if v not in evidence.levels)
        runs = [self._run(case, unknown) for case in self._cases(evidence, unknown)]
        logs = [float(run.log_total) for run in runs]
        table = _mean([_whole(run.table) if unknown else np.ones(()) for run in runs], logs)
        if len(unknown) < len(nodes):
            whole = np.zeros([self.sizes[v] for v in nodes])
            whole[tuple(evidence.levels.get(v, slice(None)) for v in nodes)] = table
            table = whole
        return table, _log_sum(logs)

    def marginals(self, evidence: KnownNodes = NOTHING) -> Posteriors:
        """P(level given evidence) of every node."""
        each, logs = [], []
        for case in self._cases(evidence, None):
            again = self._again(case)
            if again is None:
                run = self._run(case, None)
                again = self._marginals(run, case), float(run.log_total)
            each.append(again[0])
            logs.append(again[1])
        return Posteriors([_mean(own, logs) for own in zip(*each, strict=True)], _log_sum(logs))

    def _again(self, evidence: KnownNodes) -> tuple[list[Floats], float] | None:
        """The marginals and the log-evidence, where the same nodes were known before."""
        planned = self._planned(evidence, None)
        planned.asked += 1
        repeated = planned.repeated  # another thread may take it away meanwhile
        if repeated is None:
            wide = planned.plan.cells[0] > WIDE * len(planned.plan.steps)
            if planned.asked == 1 or wide or not self._room():
                return None
            tables = [((*self.parents[v], v), self.tables[v]) for v in planned.nodes]
            repeated = planned.repeated = RepeatedPlan(planned.plan, tables)
        levels = evidence.levels
        answer = repeated.answer(levels, [np.exp(own) for own in self._given(evidence)])
        if answer is None:
            return None
        free, log_p = answer
        sizes = self.sizes
        return [free[v] if v in free else one_hot(levels[v], n) for v, n in enumerate(sizes)], log_p

    def _room(self) -> bool:
        """Whether tables may be laid out for a plan, too; where memory is short, the oldest give way."""
        laid = [one for one in tuple(self._plans.values()) if isinstance(one, _Planned) and one.repeated]
        most = LAID // self._cells
        if 0 < most <= len(laid):
            laid[0].repeated, laid[0].asked = None, 0
        return most > 0

    @cached_property
    def _cells(self) -> int:
        return sum(table.size for table in self.tables)

    def _marginals(self, run: Run | LogRun, evidence: KnownNodes) -> list[Floats]:
        sources = self._planned(evidence, None).sources
        wanted = sorted({place for place, _ in sources if place >= 0})
        joints = dict(zip(wanted, run.joints(wanted, once=True), strict=True))
        marginals = []
        for v, (place, axis) in enumerate(sources):
            if place < 0:
                marginals.append(one_hot(evidence.levels[v], self.sizes[v]))
                continue
            joint = joints[place]
            if joint.ndim > 1:
                joint = np.add.reduce(joint, axis=tuple([i for i in range(joint.ndim) if i != axis]))
            marginals.append(joint)
        return marginals

    def families(self, evidence: KnownNodes = NOTHING) -> tuple[list[Floats], float]:
        """P(levels of parents and node given evidence) for every node, and the evidence's log-probability."""
        each, logs = [], []
        for case in self._cases(evidence, None):
            run = self._run(case, None)
            joints = []
            for v, joint in enumerate(run.joints(range(len(self.tables)), once=True)):
                whole = np.zeros(self.tables[v].shape)
                scope = (*self.parents[v], v)
                whole[tuple(case.levels.get(u, slice(None)) for u in scope)] = joint
                joints.append(whole)
            each.append(joints)
            logs.append(float(run.log_total))
        return [_mean(own, logs) for own in zip(*each, strict=True)], _log_sum(logs)

    def most_probable(self, evidence: KnownNodes = NOTHING) -> tuple[list[int], float]:
        """The most probable levels of all nodes, and log P(these and the evidence); -inf if it cannot be."""
        best: tuple[list[int], float] = [0] * len(self.sizes), -math.inf
        for case in self._cases(evidence, None):
            planned = self._planned(case, None)
            logs = [*map(log, self._inputs(planned, case)), *self._given(case)]
            at, log_p = most_probable(planned.plan, logs)
            if log_p > best[1]:
                best = [case.levels.get(v, at.get(v, 0)) for v in range(len(self.sizes))], log_p
        return best

    def cost(self, evidence: KnownNodes = NOTHING, nodes: Sequence[int] | None = None) -> Cost:
        """What a question takes before it is asked: of some nodes, or of all; TooLargeError if too much."""
        kept = None if nodes is None else tuple(v for v in nodes if v not in evidence.levels)
        cut = self._cut(evidence, kept)
        plan = self._planned(_known(evidence, dict.fromkeys(cut, 0)), kept).plan
        cases = math.prod(self.sizes[v] for v in cut)
        back = 3 if kept is None else 1
        return Cost(plan.cells[0], back * plan.cost(0) * cases, plan.bytes(0), cases, cut)

    def _cases(self, evidence: KnownNodes, kept: Shape | None) -> Iterator[KnownNodes]:
        """The evidence, or with it each combination of levels of the nodes that cut the work."""
        cut = self._cut(evidence, kept)
        if not cut:
            yield evidence
            return
        for levels in product(*(range(self.sizes[v]) for v in cut)):
            yield _known(evidence, dict(zip(cut, levels, strict=True)))

    def _cut(self, evidence: KnownNodes, kept: Shape | None) -> Shape:
        """The nodes to take cases of, one by one from what is largest, until each case fits memory."""
        if self._planned(evidence, kept).plan.bytes(0) <= self.memory:
            return ()
        key = (self.memory, *_key(evidence, kept))
        if key not in self._plans:
            self._keep(key, self._find_cut(evidence, kept))
        cut: Shape | str = self._plans[key]
        if isinstance(cut, str):
            raise TooLargeError(cut)
        return cut

    def _find_cut(self, evidence: KnownNodes, kept: Shape | None) -> Shape | str:
        cut: list[int] = []
        plan = self._planned(evidence, kept).plan
        whole = plan
        cases = 1
        while plan.bytes(0) > self.memory:
            near = neighbours(plan.scopes)
            able = [v for v in plan.widest if v not in (kept or ())]
            cases_now = cases
            if able:
                cut.append(max(able, key=lambda v: (len(near[v]), self.sizes[v])))
                cases_now *= self.sizes[cut[-1]]
                plan = self._make(_known(evidence, dict.fromkeys(cut, 0)), kept).plan
            if not able or cases_now * plan.cost(0) > MOST_WORK:
                return (
                    f"an exact answer needs {whole.bytes(0) / 2**30:.3g} GiB of memory and "
                    f"{whole.cost(0):.2g} multiplications, and cutting it into cases does not help: ask with "
                    "more evidence, or take an estimate from samples."
                )
            cases = cases_now
        return tuple(cut)

    def _run(self, evidence: KnownNodes, kept: Shape | None) -> Run | LogRun:
        """The sum of everything; in logs, where what counts is too small beside what does not."""
        planned = self._planned(evidence, kept)
        logs = self._given(evidence)
        inputs = self._inputs(planned, evidence)
        run = planned.plan.run([*inputs, *map(np.exp, logs)])
        total = float(run.log_total)
        if total == -math.inf:
            lost = planned.plan.possible([*inputs, *map(_able, logs)])
        else:
            lost = total < SMALL and any(((own > -np.inf) & (own < LOST)).any() for own in logs)
        return LogRun(planned.plan, [*map(log, inputs), *logs]) if lost else run

    def _planned(self, evidence: KnownNodes, kept: Shape | None) -> _Planned:
        key = _key(evidence, kept)
        planned: _Planned | None = self._plans.get(key)
        if planned is None:
            planned = self._make(evidence, kept)
            self._keep(key, planned)
        return planned

    def _keep(self, key: Any, planned: object) -> None:
        self._plans[key] = planned
        if len(self._plans) > PLANS:
            self._plans.popitem(last=False)

    def _make(self, evidence: KnownNodes, kept: Shape | None) -> _Planned:
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
        scopes += [tuple([u for u in scope if u not in known]) for scope, _ in evidence.log_likelihoods]
        plan = plan_contraction(scopes, self.sizes, kept=kept or ())
        sources = self._sources(plan) if kept is None else ()
        return _Planned(plan, tuple(nodes), tuple(cut), sources)

    def _sources(self, plan: Plan) -> tuple[tuple[int, int], ...]:
        """For each node the smallest operand that has it, of equals the last, and its axis there; or -1.

        What is read from results on the way back saves the way from there to the tables.
        """
        best: dict[int, tuple[int, int, int]] = {}
        for place, (scope, size) in enumerate(zip(plan.operands, plan.operand_cells, strict=True)):
            for axis, u in enumerate(scope):
                if u not in best or size <= best[u][0]:
                    best[u] = (size, place, axis)
        return tuple(best[v][1:] if v in best else (-1, 0) for v in range(len(self.sizes)))

    def _inputs(self, planned: _Planned, evidence: KnownNodes) -> list[Floats]:
        """The tables at what is known."""
        inputs: list[Any] = [self.tables[v] for v in planned.nodes]
        levels = evidence.levels
        for place, scope in planned.cut:
            inputs[place] = inputs[place][tuple([levels.get(u, _ALL) for u in scope])]
        return inputs

    def _given(self, evidence: KnownNodes) -> list[Floats]:
        """The log-likelihoods at what is known."""
        levels = evidence.levels
        return [
            table[tuple([levels.get(u, _ALL) for u in scope])] for scope, table in evidence.log_likelihoods
        ]

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


def _able(logs: Floats) -> Floats:
    return np.asarray(logs > -np.inf, np.float64)


def one_hot(level: int, size: int) -> Floats:
    """Certainty of one level.

    >>> one_hot(1, 3)
    array([0., 1., 0.])
    """
    certain = np.zeros(size)
    certain[level] = 1.0
    return certain


def _key(evidence: KnownNodes, kept: Shape | None) -> tuple[Any, ...]:
    return tuple(sorted(evidence.levels)), tuple([scope for scope, _ in evidence.log_likelihoods]), kept


def _known(evidence: KnownNodes, levels: Mapping[int, int]) -> KnownNodes:
    """KnownNodes, and the levels of more nodes."""
    return KnownNodes({**evidence.levels, **levels}, evidence.log_likelihoods)


def _whole(table: Floats) -> Floats:
    """A table brought to a sum of 1, where it has one."""
    total = table.sum()
    return table / total if total > 0 else table


def _log_sum(logs: Sequence[float]) -> float:
    highest = max(logs)
    if len(logs) == 1 or highest == -math.inf:
        return highest
    return highest + math.log(sum(math.exp(one - highest) for one in logs))


def _mean(tables: Sequence[Floats], logs: Sequence[float]) -> Floats:
    """Tables of cases, each by the probability of its case."""
    if len(tables) == 1:
        return tables[0]
    highest = max(logs)
    if highest == -math.inf:
        return tables[0]
    weights = [math.exp(one - highest) for one in logs]
    total = sum(weights)
    return np.asarray(sum(weight / total * own for weight, own in zip(weights, tables, strict=True)))
