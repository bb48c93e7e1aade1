"""What `learn` reports: as records for JSON, and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from likely.cli.output import Table
from likely.cli.work.learn import Training
from likely.cli.work.strongest import Sign
from likely.compare.scorecard import Scorecard
from likely.format.words import many, odds, shown, signed


def learnt(training: Training) -> dict[str, Any]:
    """The target, its classes or its range, and the size of what was learnt from."""
    found = {"target": training.target, "rows": training.frame.n, "model": type(training.fitted).__name__}
    if training.classes is None:
        return found
    return found | {"classes": {str(label): count for label, count in training.classes.items()}}


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
    for label, found in signs.items():
        for place, sign in enumerate(found):
            rows.append(
                [
                    "" if place else shown(label),
                    f"{shown(sign.column)} {sign.what}",
                    signed(sign.evidence),
                    f"x {odds(sign.evidence)}",
                    f"{sign.share:.0%}",
                ]
            )
        if not found:
            rows.append([shown(label), "nothing speaks for it", "", "", ""])
    heads = ("class", "what speaks for it", "evidence (nats)", "odds", "share of class")
    return Table("The strongest evidence for each class", heads, rows, "<<><>")
