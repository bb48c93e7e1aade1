"""What a network says of rows: predictions of any node, probabilities, gaps filled, rows drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Chunk
from likely.errors import LikelyError, notice
from likely.estimator.fitted import class_array, class_codes, generator, split_target, told_codes
from likely.evidence import Ledger, Ledgers
from likely.format.words import many
from likely.models.joint.variables import known_name
from likely.models.network.answers import FillNodes, NodeRowLogs, RowPosterior
from likely.models.network.asking import AskedNetwork
from likely.models.network.drawn_cells import drawn_cells
from likely.models.network.evidence import Known
from likely.models.network.explain import are_findings, explain_findings, explain_rows
from likely.models.network.record import NetworkRecord
from likely.models.network.rows import NodeRows
from likely.table.accepted import Level, RandomState, TableLike, Target
from likely.table.build import to_table, values_of
from likely.table.fill import Fill, check_fill
from likely.table.fill import fill as fill_cells
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


class PredictingNetwork(AskedNetwork):
    """Answers about the rows of tables."""

    def _take(self, record: NetworkRecord, estimate: bool = True) -> None:
        """Be the network of this record."""
        if estimate:
            record.factors  # noqa: B018  # what cannot be estimated is refused here, not at the first question
        super()._take(record, estimate)
        self.__dict__.pop("classes_", None)
        if record.target is not None:
            self.classes_ = class_array(record.nodes.columns[record.target])

    def predict_proba(self, X: TableLike, of: str | None = None) -> Floats:
        """P(level given the rest of the row), (n, k), of the target, or of any other node with levels.

        Cells may be missing in any pattern; the node's own cells are not looked at. Levels are in the order
        of `levels(of)`, for the target that of `classes_`.
        """
        return self._posterior(X, of, log=False)

    def predict_log_proba(self, X: TableLike, of: str | None = None) -> Floats:
        """The logs of the same."""
        return self._posterior(X, of, log=True)

    def predict(self, X: TableLike, of: str | None = None) -> NDArray[Any]:
        """The most probable level of the target, or of another node, in each row."""
        record = self._known()
        node = self._node(of)
        best = self._posterior(X, of, log=True).argmax(axis=1)
        if node == record.target:
            return np.asarray(self.classes_[best])
        return np.asarray(values_of(record.nodes.columns[node], best, "dict"))

    def levels(self, node: str) -> tuple[Any, ...]:
        """The levels of a node, in the order of its probabilities; none if it is a number."""
        record = self._known()
        return record.levels(record.place[known_name(node, record.names)])

    def log_prob(self, X: TableLike, y: Target | None = None) -> Floats:
        """log P(row), (n,): what is missing is summed out, and so is the target unless y is given."""
        record = self._known()
        given = {}
        if y is not None:
            if record.target is None:
                raise LikelyError("the network was fitted without a target: give the whole table as X.")
            X, raw = split_target(X, y, type(self).__name__)
            given[record.target] = class_codes(record.nodes.columns[record.target], raw)
        rows = NodeRows.of(record, self._frame(X), given)
        (logs,) = self._engine.map(self._chunk(rows, X), NodeRowLogs(record, rows.seen))
        return logs

    def score(self, X: TableLike, y: Target | None = None) -> float:
        """The mean log-likelihood of a row."""
        return float(self.log_prob(X, y).mean())

    def explain(
        self,
        X: TableLike | Known,
        favoured: Level | None = None,
        against: Level | None = None,
        *,
        about: str | None = None,
        order: str = "given",
    ) -> Ledger | Ledgers:
        """What each finding adds to the log-odds of a level of a node: the lines sum to the answer exactly.

        Parameters
        ----------
        X : str, mapping or table
            What is known, as in `marginals`: one ledger. Or the rows of a table: a ledger for each.
        favoured, against : level
            The level that evidence speaks for, else the most probable, and the one it is weighed against:
            else all others together, and for the rows of a table the runner-up.
        about : str
            The node; the target, if the network has one.
        order : "given" or "shapley"
            Findings one after another as they are given, cells as the columns stand; or, of findings, each by
            what it adds on average over all orders.
        """
        if are_findings(X):
            return explain_findings(self._world(), self._about(about), X, favoured, against, order)  # type: ignore[arg-type]
        if order != "given":
            raise LikelyError(f"order={order!r} is for findings such as 'sex=female': give those of one row.")
        record, node = self._known(), self._node(about)
        return explain_rows(record, self._frame(X), node, favoured, against, self._engine)  # type: ignore[arg-type]

    def impute(self, X: TableLike, fill: str = "expected", random_state: RandomState = None) -> Any:
        """The table with its gaps filled, in the library that it came in; known cells stay as they are.

        Levels are filled with what is most probable given the rest of the row, numbers with what is expected;
        with `fill="drawn"` all gaps of a row are drawn together, which keeps how columns spread and go with
        each other: call it several times for multiple imputation. One plan serves all rows, whatever is
        missing in them. The target is filled too, if X has it.
        """
        check_fill(fill)
        record, seen = self._known(), Frame.of(X)
        frame, told = self._frame(X), self._told_target(seen)
        if fill == "drawn":
            cells = drawn_cells(record, frame, told, generator(1, random_state), self._engine)
        else:
            rows = NodeRows.of(record, frame, told)
            chunk = Chunk(rows, frame.n, frame.width)
            cells = self._engine.reduce(chunk, FillNodes(record, rows.seen)).whole()
        fills = {}
        for i, (at, guess) in cells.items():
            column = record.nodes.columns[i]
            place = seen.position[column.name] if seen.named else i
            fills[place] = Fill(at, values_of(column, column.possible(guess), seen.library))
        return fill_cells(X, seen, fills)

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Draw n rows of all nodes, parents first, as a table of the library that the network came with."""
        record, rng = self._known(), generator(n, random_state)
        cells: list[Any] = [None] * len(record.parts)
        for i in record.order:
            groups = np.zeros(n, np.intp)
            for p in record.parents[i]:
                groups = groups * record.sizes[p] + np.asarray(cells[p], np.intp)
            record.parts[i].sample(groups, rng, cells)
        library = record.nodes.library
        pairs = zip(record.nodes.columns, cells, strict=True)
        return to_table({c.name: values_of(c, c.possible(own), library) for c, own in pairs}, library)

    def _frame(self, X: TableLike, own: str | None = None) -> Frame:
        """A table to answer about: the column of `own` need not be there, what is asked for.

        Of a network of given tables no column need be there: what is not there is not known.
        """
        record, frame = self._known(), Frame.of(X)
        if not frame.named or not record.nodes.named or (record.n and own not in record.schema.names):
            return super()._frame(X)
        if record.target_name in frame.position and record.target_name not in record.schema.names:
            frame = frame.without(record.target_name)
        if record.n:
            present = [name for name in record.schema.names if name != own or name in frame.position]
        else:
            present = [name for name in record.schema.names if name in frame.position]
            frame = frame.only([*present, *(name for name in frame.names if name not in record.place)])
            if not present:
                raise LikelyError(
                    f"no column of X is a node of the network: it has {list(frame.names)[:5]!r}, and the "
                    f"nodes are {list(record.names)[:5]!r}{' and more' if len(record.names) > 5 else ''}."
                )
        columns = tuple(column for column in record.schema.columns if column.name in set(present))
        return replace(record.schema, columns=columns).align(frame, type(self).__name__)

    def _told_target(self, seen: Frame) -> dict[int, NDArray[np.intp]]:
        """The levels of the target, if the table has its column: known as any other cell."""
        record = self._known()
        if record.target is None or not seen.named or record.target_name not in seen.position:
            return {}
        column = record.nodes.columns[record.target]
        return {record.target: told_codes(column, seen.raw(record.target_name))}

    def _posterior(self, X: TableLike, of: str | None, log: bool) -> Floats:
        record, node = self._known(), self._node(of)
        frame = self._frame(X, record.names[node])
        rows = NodeRows.of(record, frame, {} if node == record.target else self._told_target(Frame.of(X)))
        task = RowPosterior(record, rows.seen, node)
        posterior, impossible = self._engine.map(Chunk(rows, frame.n, frame.width), task)
        if impossible.any():
            with np.errstate(divide="ignore"):
                posterior[impossible] = np.log(record.factors.table([node])[0])
            notice(
                f"{many(int(impossible.sum()), 'row')} cannot be under the network, such as row "
                f"{int(impossible.argmax())}: the probabilities without any evidence are returned. Fit with "
                "a prior to smooth zeros away.",
            )
        return posterior if log else np.asarray(np.exp(posterior))

    def _node(self, of: str | None) -> int:
        record = self._known()
        node = record.place[known_name(self._about(of), record.names)]
        if not record.levels(node):
            raise LikelyError(
                f"{record.names[node]!r} is {record.nodes.columns[node].kind} and has no levels to predict: "
                f"use impute(), or ask for E({record.names[node]})."
            )
        return node

    def _chunk(self, rows: NodeRows, X: TableLike) -> Chunk[NodeRows]:
        frame = Frame.of(X)
        return Chunk(rows, frame.n, frame.width)


@dataclass(frozen=True)
class OneNode:
    """A network as a model of one of its nodes, for tables with these columns."""

    network: PredictingNetwork
    node: str
    schema: Schema

    @property
    def record_(self) -> OneNode:
        """What has the schema."""
        return self

    @cached_property
    def classes_(self) -> NDArray[Any]:
        """The levels of the node."""
        return np.array(self.network.levels(self.node), object)

    def predict_proba(self, table: TableLike) -> Floats:
        """P(level given the rest of each row), (n, k)."""
        return self.network.predict_proba(table, of=self.node)
