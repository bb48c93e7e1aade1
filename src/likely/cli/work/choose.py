"""Which models describe a table, and which of them does it in the fewest bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from likely.cli.work.declared import columns_of, named_in, without_identifiers
from likely.cli.work.files import whole_table
from likely.cli.work.learn import used_rows
from likely.cli.work.models import new_model, predicts_numbers
from likely.cli.work.pairs import known_column
from likely.codes.description.choose import RankedModels, choose
from likely.estimator.registry import estimator_class
from likely.models.network.nodes import is_discrete
from likely.table.column.column import Column
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema

CLASSES = ("naive-bayes", "tan", "logistic")  # models that are tried if none is named
DEGREES = (1, 2, 3)  # of polynomials, for numbers
GROUPS = (1, 2, 3, 4)  # hidden ones, for whole rows
STRUCTURES = {"network without arcs": [], "network, a tree": "tree", "network, searched": "search"}


def chosen(
    file: str,
    target: str | None,
    models: Sequence[str],
    kinds: Sequence[str],
    by: str,
    tell: Callable[[float, float | None], None],
) -> RankedModels:
    """The models by the bits that they take, the shortest first."""
    table = whole_table(file)
    if target is not None:
        known_column(target, list(table), "--target")
        table, _ = used_rows(table, target, None, ())
    table = without_identifiers(table, target or "", named_in(kinds, list(table)), "--kind")
    frame, declared = columns_of(table, kinds, ())
    candidates = _candidates(Frame.of(frame), target, models, declared)
    return choose(candidates, frame, target, by=by, tell=tell)


def _candidates(frame: Frame, target: str | None, models: Sequence[str], declared: Any) -> dict[str, Any]:
    kinds = declared or None
    if models:
        if isinstance(kinds, dict):
            kinds = {name: kind for name, kind in kinds.items() if name != target}
        return {
            name: new_model(name, kinds=kinds, families=None, prior="default", missing=None)
            for name in models
        }
    if target is None:
        mixture, network = estimator_class("Mixture"), estimator_class("Network")
        groups = {f"{k} group{'s' if k > 1 else ''}": mixture(k, kinds=kinds, random_state=0) for k in GROUPS}
        return groups | {
            name: network(structure=structure, kinds=kinds)
            for name, structure in _structures(Schema.learn(frame, kinds)).items()
        }
    column = Column.learn(frame.raw(target))
    if column.kind is Kind.QUANTITATIVE:
        return {f"degree {degree}": _polynomial(degree) for degree in DEGREES}
    return _candidates(frame, target, [name for name in CLASSES if not predicts_numbers(name)], declared)


def _structures(schema: Schema) -> dict[str, Any]:
    """Those that the columns allow: numbers are no parents, and in a tree any column may be one."""
    if all(is_discrete(column) for column in schema.columns):
        return STRUCTURES
    return {name: structure for name, structure in STRUCTURES.items() if structure != "tree"}


def _polynomial(degree: int) -> Any:
    from sklearn.pipeline import make_pipeline

    line = estimator_class("LinearRegression")()
    return line if degree == 1 else make_pipeline(estimator_class("Polynomial")(degree=degree), line)
