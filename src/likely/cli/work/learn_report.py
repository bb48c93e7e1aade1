"""What `learn` reports: as records for JSON, and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.cli.output import Table
from likely.cli.work.learn import Training
from likely.cli.work.model_table import models_record, models_table, pool_report
from likely.compare.scorecard import Scorecard
from likely.format.words import many, odds, shown, signed
from likely.report.model.class_shares import ClassShares
from likely.report.model.coefficients import Coefficient, strongest_coefficients
from likely.report.model.columns import column_records
from likely.report.model.strongest import Sign, strongest

TOP = 5  # values shown for each class
SOME = 2000  # rows whose evidence is looked at, of a pool
WIDEST = 44  # characters for the values of a column


def learn_report(training: Training) -> tuple[dict[str, Any], list[Table]]:
    """All that `learn` says of a model: what it was learnt from, how good it is, what matters most."""
    record = training.fitted.record_
    columns = column_records(record, training.frame)
    data = {
        **learnt(training),
        "columns": columns,
        "cross-validation": training.validation and training.validation.to_dict(),
    }
    parts = [columns_table(columns, training.title)]
    parts += [scores_table(training.validation)] if training.validation else []
    if training.compared:
        data["models"] = models_record(training.compared)
        parts += [models_table(training.compared)]
    if hasattr(training.fitted, "losses_"):
        some = training.frame.at(np.arange(min(SOME, training.frame.n)))
        data["pool"], tables = pool_report(training.fitted, some)
        parts += tables
    elif hasattr(record, "parts"):
        rows = ClassShares.of(record, training.frame, training.y, training.weights)
        signs = strongest(record, rows, TOP)
        data["evidence"] = {str(label): [sign.to_dict() for sign in own] for label, own in signs.items()}
        parts += [evidence_table(signs)] if signs else []
    elif hasattr(training.fitted, "coef_"):
        coefficients = strongest_coefficients(training.fitted, training.frame, TOP)
        data["coefficients"] = [coefficient.to_dict() for coefficient in coefficients]
        parts += [coefficients_table(coefficients, training.target)]
    return data, parts


def learnt(training: Training) -> dict[str, Any]:
    """The target, its classes or its range, and the size of what was learnt from."""
    facts = {"target": training.target, "rows": training.frame.n, "model": type(training.fitted).__name__}
    if training.classes is None:
        return facts
    return facts | {"classes": {str(label): count for label, count in training.classes.items()}}


def columns_table(records: list[dict[str, Any]], title: str) -> Table:
    """The records as a table for people."""
    described = "family" in records[0]
    rows = [
        [
            shown(record["column"]),
            record["kind"],
            *([record["family"]] if described else []),
            _values_in_words(record["values"]),
            f"{record['missing']}" if record["missing"] else "",
        ]
        for record in records
    ]
    heads = ("column", "kind", *(["family"] if described else []), "values", "missing")
    return Table(title, heads, rows, "<" * (len(heads) - 1) + ">")


def _values_in_words(values: dict[str, Any]) -> str:
    if "words" in values:
        return many(values["words"], "different word")
    if "from" in values:
        return f"{shown(values['from'])} to {shown(values['to'])}"
    levels = [shown(level) for level in values["levels"]]
    said = f"{', '.join(levels[:8])}" + (", ..." if len(levels) > 8 else "")
    said = said if len(said) <= WIDEST else said[: WIDEST - 1] + "…"
    return said if len(levels) <= 4 else f"{len(levels)}: {said}"


def scores_table(validation: Scorecard) -> Table:
    """How good the predictions are on rows that the model had not seen."""
    rows = [[name, score, f"± {error}", beside] for name, score, error, beside in validation.lines()]
    title = (
        f"{validation.folds}-fold cross-validation: {many(len(validation.rows), 'row')}, each predicted by a "
        "model that had not seen it"
    )
    return Table(title, ("", "estimate", "error", validation.yardstick_name), rows, "<>>>")


def evidence_table(signs: Mapping[Any, Sequence[Sign]]) -> Table:
    """What speaks for each class."""
    rows = []
    for label, own in signs.items():
        for place, sign in enumerate(own):
            rows.append(
                [
                    "" if place else shown(label),
                    f"{shown(sign.column)} {sign.what}",
                    signed(sign.evidence),
                    f"x {odds(sign.evidence)}",
                    f"{sign.share:.0%}",
                ]
            )
        if not own:
            rows.append([shown(label), "nothing speaks for it", "", "", ""])
    heads = ("class", "what speaks for it", "evidence (nats)", "odds", "share of class")
    return Table("The strongest evidence for each class", heads, rows, "<<><>")


def coefficients_table(coefficients: Sequence[Coefficient], target: str) -> Table:
    """The strongest coefficients, for people."""
    classes = any(one.label is not None for one in coefficients)
    rows = [
        [
            *([shown(one.label)] if classes else []),
            shown(one.name),
            f"{one.value:.4g}",
            "" if one.error is None else f"± {one.error:.2g}",
            f"{one.effect:+.4g}",
        ]
        for one in coefficients
    ]
    adds = "one sd adds to the log-odds" if classes else f"one sd adds to {shown(target)}"
    heads = (*(["class"] if classes else []), "column", "coefficient", "error", adds)
    return Table("The strongest coefficients", heads, rows, "<" * (len(heads) - 3) + ">>>")
