"""What `learn` reports: as records for JSON, and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.cli.work.learn import Training
from likely.cli.work.model_table import better_one, models_record, models_table, pool_report
from likely.cli.work.models import described
from likely.cli.work.output import Table
from likely.compare.scores import Scorecard
from likely.format.words import figures, many, odds, shown, signed
from likely.models.regression.odds_ratios import OddsRatios
from likely.report.model.columns import Coefficient, column_records, strongest_coefficients
from likely.report.model.strongest import ClassShares, Sign, strongest

TOP = 5  # values shown for each class
MOST_COLUMNS, SHOWN_OF_MANY = 60, 20  # that are listed; of more than that, the first ones
SOME = 2000  # rows whose evidence is looked at, of a pool
WIDEST = 44  # characters for the values of a column


def learn_report(training: Training) -> tuple[dict[str, Any], list[Table | str]]:
    """All that `learn` says of a model: what it was learnt from, how good it is, what matters most."""
    record = training.fitted.record_
    columns = column_records(record, training.frame)
    data = {
        **learnt(training),
        "columns": columns,
        "cross-validation": training.validation and training.validation.to_dict(),
    }
    parts: list[Table | str] = [columns_table(columns, training.title)]
    if training.validation:
        parts.append(scores_table(training.validation))
        warning = verdict(training.validation, training.fitted, training.classes is not None)
        data["worse than the base rate"] = bool(warning)
        parts += [warning] if warning else []
    if training.compared:
        data["models"] = models_record(training.compared)
        better = better_one(training.compared)
        parts += [models_table(training.compared), *([better] if better else [])]
    if hasattr(training.fitted, "losses_"):
        some = training.frame.at(np.arange(min(SOME, training.frame.n)))
        data["pool"], tables = pool_report(training.fitted, some)
        parts += tables
    elif hasattr(training.fitted, "arcs_"):
        network = described(training.fitted)
        data["network"] = network.to_dict()
        parts += [str(network)]
    elif hasattr(record, "parts"):
        rows = ClassShares.of(record, training.frame, training.y, training.weights)
        signs = strongest(record, rows, TOP)
        data["evidence"] = {str(label): [sign.to_dict() for sign in own] for label, own in signs.items()}
        parts += [evidence_table(signs)] if signs else []
    elif hasattr(training.fitted, "coef_"):
        coefficients = strongest_coefficients(training.fitted, training.frame, TOP)
        data["coefficients"] = [coefficient.to_dict() for coefficient in coefficients]
        whole = described(training.fitted)
        told = isinstance(whole, OddsRatios)
        data |= {"summary": whole.to_dict()} if told else {}
        parts += [str(whole) if told else coefficients_table(coefficients, training.target)]
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
    if len(rows) > MOST_COLUMNS:
        rest = len(rows) - SHOWN_OF_MANY
        rows[SHOWN_OF_MANY:] = [
            ["...", *[""] * (len(heads) - 3), f"{many(rest, 'more column')}: see --json", ""]
        ]
    return Table(title, heads, rows, "<" * (len(heads) - 1) + ">")


def _values_in_words(values: dict[str, Any]) -> str:
    if "words" in values:
        return many(values["words"], "different word") if values["words"] else "by their characters"
    if "from" in values:
        return f"{shown(values['from'])} to {shown(values['to'])}"
    levels = [shown(level) for level in values["levels"]]
    said = f"{', '.join(levels[:8])}" + (", ..." if len(levels) > 8 else "")
    said = said if len(said) <= WIDEST else said[: WIDEST - 1] + "…"
    return said if len(levels) <= 4 else f"{len(levels)}: {said}"


def scores_table(validation: Scorecard) -> Table:
    """How good the predictions are on rows that the model had not seen."""
    rows = [
        [name, score, f"± {error}" if error != "-" else "", beside]
        for name, score, error, beside in validation.lines()
    ]
    title = (
        f"{validation.folds}-fold cross-validation: {many(len(validation.rows), 'row')}, each predicted by a "
        "model that had not seen it"
    )
    return Table(title, ("", "estimate", "error", validation.yardstick_name), rows, "<>>>")


def verdict(validation: Scorecard, model: Any, predicts_classes: bool) -> str | None:
    """A warning, and what to do, where the model predicts worse than no model."""
    if not validation.worse_than_yardstick:
        return None
    than = validation.yardstick_name
    if validation.level_with_yardstick:
        return (
            f"Warning: on rows that it had not seen, this model is no better than the {than}, "
            f"as far as so few rows can tell.\nTry {_other_models(model)}more rows, or other columns."
        )
    said = (
        f"Warning: on rows that it had not seen, this model is worse than the {than}. Do not use its "
        "predictions as they are."
    )
    if not predicts_classes:
        return f"{said}\nTry fewer columns (--drop), a stronger prior (--prior 0.1), or more rows."
    if not hasattr(model.record_, "parts"):  # such as a pool: what can be learnt was learnt
        return (
            f"{said}\nThe columns tell nothing that these rows could show. Try more rows, or other columns."
        )
    return (
        f"{said}\nMostly the columns repeat each other, or a few rows lie far out, so that the model is too "
        "sure. Try\n  --model logistic        it learns how much each column adds beside the others\n"
        "  --family kernel         numbers that no normal curve fits\n"
        "  likely calibrate        brings probabilities that are too sure back to what they are worth"
    )


def _other_models(model: Any) -> str:
    return "" if hasattr(model, "losses_") else "likely learn without --model, which compares models, "


def evidence_table(signs: Mapping[Any, Sequence[Sign]]) -> Table:
    """The values that are evidence for each class."""
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
            rows.append([shown(label), "no value is evidence for it", "", "", ""])
    heads = ("class", "value", "evidence (nats)", "odds", "share of class")
    return Table("The strongest evidence for each class", heads, rows, "<<><>")


def coefficients_table(coefficients: Sequence[Coefficient], target: str) -> Table:
    """The strongest coefficients, for people."""
    classes = any(one.label is not None for one in coefficients)
    rows = [
        [
            *([shown(one.label)] if classes else []),
            shown(one.name),
            figures(one.value),
            "" if one.error is None else f"± {one.error:.2g}",
            ("+" if one.effect > 0 else "") + figures(one.effect),
        ]
        for one in coefficients
    ]
    adds = "one sd adds to the log-odds" if classes else f"one sd adds to {shown(target)}"
    heads = (*(["class"] if classes else []), "column", "coefficient", "error", adds)
    return Table("The strongest coefficients", heads, rows, "<" * (len(heads) - 3) + ">>>")
