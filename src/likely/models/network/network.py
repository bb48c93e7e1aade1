"""Belief networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from sklearn.base import BaseEstimator

from likely.estimator.fitted import FittedModel
from likely.models.joint.conditional import Conditional
from likely.models.network.asking import AskedNetwork
from likely.models.network.describe import NetworkSummary
from likely.models.network.from_tables import Numbers, record_of_tables
from likely.models.network.record import NetworkRecord
from likely.table.accepted import RandomState


class Network(AskedNetwork, BaseEstimator):
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

    def __init__(self, structure: Any = "search", *, n_jobs: int | None = None) -> None:
        self.structure = structure
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the tables of a structure from a table."""
        raise NotImplementedError

    def describe(self) -> NetworkSummary:
        """The network in words: its nodes, their parents, and how many free numbers it has."""
        return NetworkSummary(type(self).__name__, self._known())
