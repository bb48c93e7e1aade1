"""What people ask of a belief network."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from likely.ask.answer import Chances
from likely.ask.ask import Answer, ask
from likely.ask.next_question import NextQuestion, next_question
from likely.estimator.fitted import FittedModel
from likely.language.query import name as written
from likely.models.network.evidence import Known, known_evidence
from likely.models.network.record import NetworkRecord


@dataclass(frozen=True)
class Explanation:
    """The most probable levels of all nodes together."""

    values: dict[str, Any]
    given: str
    probability: float  # P(values given what is known)
    log_joint: float  # of the values together with what is known


class AskedNetwork(FittedModel):
    """Questions to a network, forwarded to functions over `record_`."""

    record_: NetworkRecord

    def _known(self) -> NetworkRecord:
        record: NetworkRecord = super()._known()
        return record

    def ask(self, question: str) -> Answer:
        """Answer a question such as "P(fire=True | thunder=False)" about any nodes."""
        return ask(self._known().world(), question)

    def marginals(self, given: Known = None) -> dict[str, Chances]:
        """P(level given what is known) of every node that has levels, all at once."""
        record = self._known()
        evidence, said, _ = known_evidence(record.world(), given)
        probabilities = record.factors.marginals(evidence).marginals
        known = f" | {said}" if said else ""
        return {
            name: Chances(
                f"P({written(name)}{known})",
                (name,),
                (record.levels(i),),
                probabilities[i],
                record.nodes.library,
            )
            for i, name in enumerate(record.names)
            if record.levels(i)
        }

    def most_probable(self, given: Known = None) -> Explanation:
        """The most probable levels of all nodes together, given what is known (MPE)."""
        record = self._known()
        evidence, said, _ = known_evidence(record.world(), given)
        at, log_p = record.factors.most_probable(evidence)
        log_known = record.factors.log_prob(evidence)
        values = {name: record.levels(i)[at[i]] for i, name in enumerate(record.names) if record.levels(i)}
        return Explanation(values, said, math.exp(log_p - log_known), log_p)

    def next_question(
        self,
        about: str | None = None,
        given: str | Mapping[str, Any] | None = None,
        costs: Mapping[str, float] | None = None,
    ) -> NextQuestion:
        """Rank what is not known yet by how much it is expected to tell of a node, per cost."""
        record = self._known()
        return next_question(record.world(), record.target_name if about is None else about, given, costs)
