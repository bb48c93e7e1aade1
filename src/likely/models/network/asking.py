"""What people ask of a belief network."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from importlib import import_module
from typing import Any, Self

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.ask.next_question import NextQuestion, next_question
from likely.ask.resolve import find
from likely.errors import LikelyError
from likely.estimator.fitted import FittedModel
from likely.estimator.paged import Paged
from likely.infer.graph import backdoor_sets, connecting_path, markov_blanket
from likely.infer.node_tables import TooLargeError
from likely.language.query import name as written
from likely.models.joint.variables import known_name, listed_names, together
from likely.models.network.answer import Marginals, MostProbable, QuestionCost
from likely.models.network.evidence import (
    Known,
    evidence_of,
    findings,
    joined,
    known_evidence,
    refuse_conflict,
)
from likely.models.network.intervene import intervened, level_place
from likely.models.network.record import NetworkRecord
from likely.models.network.sensitivity import Tornado, tornado
from likely.models.network.separation import Separation
from likely.models.network.world import SAMPLES, NetworkWorld
from likely.table.accepted import Level, TableLike

GRAPH = (
    "each node is taken to depend on its parents alone. Trust the rows where there are many of them, and the "
    "network where there are few."
)


class AskedNetwork(FittedModel, Paged):
    """Questions to a network, forwarded to functions over `record_`."""

    record_: NetworkRecord
    memory: float

    def _known(self) -> NetworkRecord:
        record: NetworkRecord = super()._known()
        return record

    def _world(self) -> NetworkWorld:
        return NetworkWorld(self._known(), self.memory)

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question such as "P(fire=True | thunder=False)" about any nodes.

        All that any model can be asked: `P` and `odds` of events joined by and, or, not; `P` of whole nodes,
        `E`, `sd`, `var`, `median`, `quantile`, `argmax`, and in bits `H` and `I`. After the bar stands what
        is known, and in do() what is done: "P(fire=True | do(campfire=False), storm=True)". With `data` the
        same is counted in its rows.
        """
        return answered(self._world(), question, data, GRAPH)

    def marginals(self, given: Known = None) -> Marginals:
        """P(level given what is known) of every node that has levels, all at once.

        Parameters
        ----------
        given : str or mapping
            As "thunder=True, x>3"; or by node a value, a set of values, or a likelihood for each level (soft,
            or virtual, evidence): {"thunder": {True: 0.9, False: 0.2}}.
        """
        record, world = self._known(), self._world()
        known = findings(world, given)
        evidence, log_scale = joined(world, known)
        size, errors = None, {}
        try:
            posteriors = world.factors.marginals(evidence)
            own, log_evidence = posteriors.marginals, posteriors.log_evidence
        except TooLargeError as why:
            refuse_conflict(world, known)
            samples = world.sampled(evidence, why)
            tables = [samples.table([i]) for i in range(len(record.parts))]
            own, log_evidence = [table for table, _ in tables], samples.log_prob
            errors = {record.names[i]: error for i, (_, error) in enumerate(tables)}
            size = samples.effective_size
        if log_evidence == -math.inf:
            refuse_conflict(world, known)
        said = ", ".join(one.said for one in known)
        probabilities = dict(zip(record.names, own, strict=True))
        log_known, library = log_evidence + log_scale, record.nodes.library
        return Marginals(said, record.levels_by_name, probabilities, log_known, size, errors, library)

    def most_probable(self, given: Known = None) -> MostProbable:
        """The most probable levels of all nodes together, given what is known (MPE).

        Numbers that are not known are summed out.
        """
        record, world = self._known(), self._world()
        evidence, said, log_scale = known_evidence(world, given)
        at, log_p = world.factors.most_probable(evidence)
        values = {name: record.levels(i)[at[i]] for i, name in enumerate(record.names) if record.levels(i)}
        share = math.exp(min(0.0, log_p - world.log_prob(evidence)))
        return MostProbable(values, said, share, log_p + log_scale)

    def next_question(
        self,
        given: Mapping[str, Any] | str | None = None,
        costs: Mapping[str, float] | None = None,
        about: str | None = None,
    ) -> NextQuestion:
        """Rank what is not known yet by how much it is expected to tell of a node, per cost."""
        return next_question(self._world(), self._about(about), given, costs)

    def sensitivity(self, about: str, level: Level, given: Known = None, spread: float = 0.05) -> Tornado:
        """How P(about = level | given) changes where each number of the tables moves by `spread`, exactly.

        The other numbers of its row keep their proportions.
        """
        record, world = self._known(), self._world()
        node = record.place[find(world.variables, about).name]
        evidence, said, _ = known_evidence(world, given)
        if node in evidence.levels:
            raise LikelyError(f"{about!r} is asked for and given: take it out of what is given.")
        if isinstance(spread, bool) or not 0 < spread <= 1:
            raise LikelyError(f"spread={spread!r}: give how far each number moves, above 0 and up to 1.")
        question = f"P({written(about)} = {level}{f' | {said}' if said else ''})"
        return tornado(record, question, node, level_place(record, node, level), evidence, spread)

    def do(self, actions: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        """The network once nodes are set to levels by action, not seen to have them.

        Arcs into them are cut: what lies below follows, and what lies above does not.

        >>> import likely
        >>> rain = likely.Conditional("rain", {"yes": 0.3, "no": 0.7})
        >>> table = {"yes": {"wet": 0.9, "dry": 0.1}, "no": {"wet": 0.1, "dry": 0.9}}
        >>> lawn = likely.Network.from_tables([rain, likely.Conditional("lawn", table, given="rain")])
        >>> lawn.do(lawn="wet").ask("P(rain=yes)")
        P(rain = yes) = 0.3
        """
        return self._with_record(intervened(self._known(), together(actions, named)))

    def cost(self, given: Known = None) -> QuestionCost:
        """What all marginals would take, before any work: cells, bytes, and about how many seconds."""
        record, world = self._known(), self._world()
        met = evidence_of(world, findings(world, given))
        if met is None:
            raise LikelyError("what is given contradicts itself: a node cannot have two levels.")
        try:
            cost = world.factors.cost(met[0])
        except TooLargeError:
            cells = SAMPLES * len(record.parts)
            return QuestionCost("samples", cells, 10 * cells, 8 * cells)
        cut = tuple(record.names[v] for v in cost.cut)
        how = "cases" if cut else "exact"
        return QuestionCost(how, cost.cells, cost.operations, cost.bytes, cost.cases, cut)

    def separated(self, a: Any, b: Any, given: Any = ()) -> Separation:
        """Whether the graph makes a and b, each one node or several, independent once `given` are known.

        True or false, and prints the path that connects them if they are not (d-separation).
        """
        graph, one, two, known = self._graph(), self._names(a), self._names(b), self._names(given)
        return Separation(one, two, known, graph, connecting_path(graph, one, two, known))

    def blanket(self, node: str) -> set[str]:
        """The Markov blanket: parents, children and their other parents; given these, no other tells."""
        return {str(name) for name in markov_blanket(self._graph(), self._names(node)[0])}

    def adjustment_sets(self, cause: str, effect: str, observed: Any = None) -> list[tuple[str, ...]]:
        """The smallest sets of nodes to adjust for, to read an effect off observations (backdoor).

        `observed` are the nodes that can be seen; all, if none is named. An empty list: no set will do.
        """
        (of,), (on,) = self._names(cause), self._names(effect)
        able = None if observed is None else self._names(observed)
        return [tuple(map(str, names)) for names in backdoor_sets(self._graph(), of, on, able)]

    @property
    def arcs_(self) -> list[tuple[str, str]]:
        """All arcs, each from parent to child."""
        record = self._known()
        return [(record.names[p], record.names[i]) for i, above in enumerate(record.parents) for p in above]

    def to_networkx(self) -> Any:
        """The graph as a networkx.DiGraph."""
        graph = import_module("networkx").DiGraph()
        graph.add_nodes_from(self._known().names)
        graph.add_edges_from(self.arcs_)
        return graph

    def _graph(self) -> dict[Hashable, tuple[Hashable, ...]]:
        record = self._known()
        return {
            name: tuple(record.names[p] for p in above)
            for name, above in zip(record.names, record.parents, strict=True)
        }

    def _names(self, names: Any) -> tuple[str, ...]:
        return tuple(known_name(name, self._known().names) for name in listed_names(names))

    def _about(self, about: str | None) -> str:
        name = self._known().target_name if about is None else about
        if not name:
            raise LikelyError("the network has no target: name a node, with about= or of=.")
        return name
