"""Belief networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from os import PathLike
from pathlib import Path
from typing import Any, Self

from sklearn.base import BaseEstimator

from likely.archive import network_files
from likely.dist.family import Priors
from likely.draw import GraphPicture
from likely.errors import LikelyError
from likely.estimator.fitted import FittedModel, generator, refuse_empty, row_weights, split_target
from likely.infer import EM
from likely.infer.node_tables import MEMORY
from likely.models.joint.conditional import Conditional
from likely.models.network import merge
from likely.models.network.describe import NetworkSummary
from likely.models.network.evidence import Known, known_evidence
from likely.models.network.fit import (
    ClimbSettings,
    NodeSettings,
    learn_tables,
    more_rows,
    plan_nodes,
    rows_that_count,
)
from likely.models.network.from_tables import Numbers, record_of_tables
from likely.models.network.large import LargeNodes, refuse_what_needs_rows
from likely.models.network.picture import picture
from likely.models.network.plain import plain_of_record, record_of_plain
from likely.models.network.predicting import PredictingNetwork
from likely.models.network.record import NetworkRecord
from likely.models.network.search import StructureWords, find_structure, strength_of_arcs, strength_table
from likely.models.network.structure import arcs_of, parents_of
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.frame import Frame, is_large


class Network(PredictingNetwork, BaseEstimator):
    """A belief network: a graph without circles, and for every node a distribution given its parents.

    Also called Bayesian network: the joint probability of all nodes is the product of P(node | parents).

    Examples
    --------
    >>> import likely
    >>> state = likely.Conditional("state", {"sick": 0.008, "well": 0.992})
    >>> table = {"sick": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
    >>> network = likely.Network.from_tables([state, likely.Conditional("test", table, given="state")])
    >>> network.ask("P(state=sick | test=+)")
    P(state = sick | test = +) = 0.2085
    """

    def __init__(
        self,
        structure: Any = "search",
        *,
        criterion: str = "bic",
        tiers: Any = None,
        required: Any = None,
        forbidden: Any = None,
        max_parents: int | None = None,
        hidden: Mapping[str, Any] | None = None,
        kinds: Kinds = None,
        families: FamilyWords = None,
        prior: Priors = "default",
        estimate: str = "mean",
        missing: str = "ignore",
        max_iter: int = 200,
        tol: float = 1e-6,
        init: Any = None,
        random_state: RandomState = None,
        memory: float = MEMORY,
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.criterion = criterion
        self.tiers = tiers
        self.required = required
        self.forbidden = forbidden
        self.max_parents = max_parents
        self.hidden = hidden
        self.kinds = kinds
        self.families = families
        self.prior = prior
        self.estimate = estimate
        self.missing = missing
        self.max_iter = max_iter
        self.tol = tol
        self.init = init
        self.random_state = random_state
        self.memory = memory
        self.n_jobs = n_jobs

    @classmethod
    def from_tables(cls, tables: Sequence[Conditional] | Mapping[str, Conditional | Numbers]) -> Self:
        """The network of known tables, one for each node, in any order."""
        return cls._of_record(record_of_tables(tables))

    @classmethod
    def _of_record(cls, record: NetworkRecord) -> Self:
        """The network of a record, whose structure is that of its arcs."""
        parents = {
            record.names[i]: [record.names[p] for p in above] for i, above in enumerate(record.parents)
        }
        network = cls(structure=parents)
        network._take(record)
        return network

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """The network of a file of another program: BIF, XMLBIF, XDSL (GeNIe), NET (Hugin) or DSC.

        The name ends in .bif, .xmlbif, .xdsl, .net or .dsc, and may end in .gz after that. States are texts.
        """
        return cls._of_record(record_of_plain(network_files.read(path)))

    def write(self, path: str | Path) -> None:
        """Write the network for other programs, in the format that the name ends in; see `read`.

        These files hold levels as texts, and neither numbers nor counts: `save` keeps everything.
        """
        network_files.write(path, plain_of_record(self._known(), Path(path).name.partition(".")[0]))

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn the structure, if it is to be found, and the tables from a table.

        With y (values, or the name of a column) that node is what `predict` is about.

        From a table that is not in memory (a lazy frame, `likely.scan`) the tables of a given structure are
        learnt, or of one that pairs of levels tell ("tree", "tan", "naive"): by queries where an engine takes
        them and levels have no gaps, else block by block; rows with gaps by EM, a pass for each of its steps.
        """
        if is_large(X):
            return self._fit_large(X, y, sample_weight)
        frame, raw = (Frame.of(X), None) if y is None else split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        frame, raw, weight = rows_that_count(frame, raw, row_weights(sample_weight, frame.n))
        planned = plan_nodes(frame, raw, self.hidden, self._settings)
        if isinstance(self.structure, str):
            parents, score = find_structure(planned, frame, weight, self._wanted, self._engine)
        else:
            parents, score = parents_of(self.structure, planned.nodes.names), None
        record = planned.record(parents)
        record, run = learn_tables(record, frame, planned.given, weight, self._search, self._engine)
        self._keep(record, run, score)
        return self

    def _fit_large(self, X: object, y: object, sample_weight: object) -> Self:
        refuse_what_needs_rows(self.structure, self.hidden, self.init)
        nodes = LargeNodes.of(X, y, sample_weight, self._settings, self._engine)
        if isinstance(self.structure, str):
            parents = nodes.structure(self.structure)
        else:
            parents = parents_of(self.structure, nodes.planned.nodes.names)
        self._keep(*nodes.learn(parents, self._search), None)
        return self

    def strength(
        self, X: TableLike, y: Target | None = None, sample_weight: Weights = None, *, bootstrap: int = 100
    ) -> Any:
        """How sure arcs are: the share of structures that have them, each learnt from rows drawn again.

        A table with the columns from, to, share (with the arc in this direction) and adjacent (in either),
        the surest first, in the library that came in. Complete rows are drawn; `structure` says how to
        search.
        """
        frame, raw = (Frame.of(X), None) if y is None else split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        if not isinstance(self.structure, str) or isinstance(bootstrap, bool) or bootstrap < 1:
            raise LikelyError(
                "strength() learns the structure again and again: use structure='search', 'tree' or 'tan', "
                "and bootstrap= from 1 on."
            )
        frame, raw, weight = rows_that_count(frame, raw, row_weights(sample_weight, frame.n))
        planned = plan_nodes(frame, raw, self.hidden, self._settings)
        found_again = strength_of_arcs(planned, frame, weight, self._wanted, self._engine, bootstrap)
        return strength_table(found_again, planned.nodes.names, frame.library)

    def partial_fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Learn from more rows for the same structure; what was learnt before stays.

        Exact where no cell is missing: pieces then give what the whole gives. Rows with gaps count for what
        the network expects of them as it stands, which comes near.
        """
        if not hasattr(self, "record_"):
            return self.fit(X, y, sample_weight)
        record = self._known()
        frame, raw = (Frame.of(X), None) if y is None else split_target(X, y, type(self).__name__)
        self._take(more_rows(record, frame, raw, sample_weight, self._settings, self._engine))
        return self

    def decay(self, keep: float) -> Self:
        """The network whose past counts `keep` times as much."""
        return self._with_record(merge.decay(self._known(), keep))

    def __add__(self, other: object) -> Self:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._with_record(merge.add(self._known(), other._known()))

    def __radd__(self, other: object) -> Self:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    @property
    def _settings(self) -> NodeSettings:
        return NodeSettings(self.kinds, self.families, self.prior, self.estimate, self.missing)

    @property
    def _search(self) -> ClimbSettings:
        seed = int(generator(1, self.random_state).integers(2**62)) if self.random_state is not None else 0
        return ClimbSettings(self.max_iter, self.tol, self.init, seed)

    @property
    def _wanted(self) -> StructureWords:
        limits = self.tiers, self.required, self.forbidden, self.max_parents
        return StructureWords(self.structure, self.criterion, *limits, self._search.seed)

    def _keep(self, record: NetworkRecord, run: EM[NetworkRecord] | None, score: float | None) -> None:
        for name in ("history_", "n_iter_", "converged_", "structure_score_"):
            self.__dict__.pop(name, None)
        if score is not None:
            self.structure_score_ = score
        if run is not None:
            self.history_, self.n_iter_, self.converged_ = run.history, run.n_iter, run.converged
        self._take(record)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the network to a file that `likely.load` reads: safe, whole or not at all.

        A graph of another library is written as its arcs.
        """
        plain = copy(self)
        if not isinstance(self.structure, str | Mapping | Sequence):
            plain.structure = arcs_of(self.structure)
        FittedModel.save(plain, path)

    def draw(self, given: Known = None) -> GraphPicture:
        """A picture: nodes with the probabilities of their levels, arcs as wide as they are strong.

        The strength of an arc is what the parent tells of the child beyond its other parents, in bits. With
        `given` all of it is given what is known. It shows itself in notebooks; `save("it.svg")` writes it.
        """
        world = self._world()
        evidence, said, _ = known_evidence(world, given)
        return picture(world, evidence, said)

    def _repr_html_(self) -> str:
        """The picture, in a notebook, once there is one."""
        return self.draw()._repr_html_() if hasattr(self, "record_") else super()._repr_html_()

    def describe(self) -> NetworkSummary:
        """The network in words: its nodes, their parents, and how many free numbers it has."""
        return NetworkSummary(type(self).__name__, self._known())
