"""A fitted model as the server sees it: what it can be asked, by which schema, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from likely.errors import LikelyError
from likely.estimator.row_answers import RowAnswers, row_answers
from likely.models.markov.markov import HiddenMarkov
from likely.models.network.network import Network
from likely.models.network.predicting import OneNode
from likely.serve.limits import unusable
from likely.table.names import class_named, nearest
from likely.table.schema import Schema


@dataclass(frozen=True)
class Served:
    """A model that answers requests.

    >>> import likely
    >>> served = Served.of(likely.NaiveBayes().fit(likely.read("titanic"), "survived"), None)
    >>> served.kind, served.target, sorted(served.able)
    ('NaiveBayes', 'survived', ['ask', 'explain', 'next_question'])
    """

    model: Any
    schema: Schema
    about: str | None  # of a network, the node that is meant where none is named

    @classmethod
    def of(cls, model: Any, about: str | None) -> Served:
        """The model, if it can be served."""
        name = type(model).__name__
        if not hasattr(model, "predict"):
            raise LikelyError(
                f"a {name} predicts nothing, and cannot be served: give a fitted model, such as one that "
                "`likely learn` makes. To change columns, call its transform()."
            )
        # A decider has its rule, and the schema is that of the model it decides by.
        inner = getattr(model, "model_", getattr(model, "model", None))
        record = getattr(model, "record_", getattr(inner, "record_", None))
        if record is None:
            raise LikelyError(f"the {name} is not fitted, or not of this library: fit one of likely.")
        served = cls(model, record.schema, None)
        return served if about is None else cls(model, record.schema, served.node(about))

    @property
    def kind(self) -> str:
        """What the model is, in Python."""
        return type(self.model).__name__

    @property
    def network(self) -> bool:
        """Whether any column can be asked about."""
        return isinstance(self.model, Network)

    @property
    def together(self) -> bool:
        """Whether the rows of a request are one sequence."""
        return isinstance(self.model, HiddenMarkov)

    @property
    def target(self) -> str | None:
        """What is predicted; None where each request must say."""
        if self.about is not None:
            return self.about
        record = getattr(self.model, "record_", None)
        return None if record is None else record.target_name or None

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes that are told apart; none of numbers, or where each request says of what."""
        if self.network:
            return () if self.target is None else tuple(self.model.levels(self.target))
        return tuple(self.model.classes_.tolist()) if hasattr(self.model, "classes_") else ()

    @property
    def able(self) -> frozenset[str]:
        """What can be asked beside predictions."""
        return frozenset(name for name in ("explain", "ask", "next_question") if hasattr(self.model, name))

    def node(self, about: str | None) -> str | None:
        """The node of a network that a request is about; None for other models."""
        if not self.network:
            if about is not None:
                raise unusable(f"about={about!r}: a {self.kind} is about its target alone: leave it out.")
            return None
        names = self.model.record_.names
        node = about if about is not None else self.target
        if node is None:
            raise unusable(f"the network has no target: name a node by about=, {nearest('', names, 'nodes')}")
        if node not in names:
            raise unusable(f"about={about!r}: there is no such node; {nearest(node, names, 'nodes')}")
        return node

    def predict(self, table: object, about: str | None, level: float) -> RowAnswers:
        """What the model says of each row."""
        node = self.node(about)
        model = self.model if node is None else OneNode(self.model, node, self.schema)
        if node is not None and not model.classes_.size:
            raise unusable(f"about={node!r}: the node holds numbers, and nodes with levels are predicted.")
        return row_answers(model, table, level=level)

    def explain(
        self, table: object, about: str | None, favoured: str | None, against: str | None
    ) -> Iterator[dict[str, Any]]:
        """The ledger of each row: the parts that a prediction is the sum of."""
        node = self.node(about)
        if node is not None:
            classes = tuple(self.model.levels(node))
            named = _named(favoured, classes), _named(against, classes)
            yield from (each.to_dict() for each in self.model.explain(table, *named, about=node))
        elif self.classes:
            named = _named(favoured, self.classes), _named(against, self.classes)
            yield from (each.to_dict() for each in self.model.explain(table, *named))
        elif favoured is not None or against is not None:
            raise unusable(f"a {self.kind} predicts numbers: leave out for= and against=.")
        else:
            parts = self.model.explain(table)
            yield from (parts.to_dict(i) for i in range(len(parts)))

    def ask(self, question: str) -> dict[str, Any]:
        """The answer to a question such as "P(survived=yes | sex=female)"."""
        ask = self.model.ask
        rows = {"data": "model"} if "data" in signature(ask).parameters else {}
        try:
            answer: dict[str, Any] = ask(question, **rows).to_dict()
        except RecursionError:
            raise unusable("the question is nested too deeply: ask a simpler one.") from None
        return answer

    def next_question(
        self, given: Mapping[str, Any], costs: Mapping[str, float], about: str | None
    ) -> dict[str, Any]:
        """Which column to ask about, given what is known."""
        node = self.node(about)
        more = {} if node is None else {"about": node}
        ranking: dict[str, Any] = self.model.next_question(given, costs, **more).to_dict()
        return ranking


def _named(word: str | None, classes: tuple[Any, ...]) -> Any:
    return None if word is None else class_named(word, classes)
