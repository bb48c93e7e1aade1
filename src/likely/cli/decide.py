"""`likely decide`: every row of a file with the decision of the lowest expected cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likely.cli.command import command, force_option, model_argument, out_option, table_argument


@command(
    "decide",
    after="calibrate",
    examples="""
likely decide mails.likely new.csv --cost "spam->ham=1, ham->spam=10"
likely decide mails.likely new.csv --cost "ham->spam=10" --abstain 0.5 -o decided.csv
likely decide titanic.likely titanic --rule threshold --positive yes --threshold 0.3
""",
)
@model_argument()
@table_argument
@click.option(
    "--cost",
    "costs",
    metavar="COSTS",
    help='What mistakes cost, as "true->called=cost", separated by commas. One that is not named costs 1.',
)
@click.option(
    "--rule",
    type=click.Choice(["map", "ml", "threshold", "cost"]),
    help="The most probable class, the most likely one whatever the base rate, a threshold, or the lowest "
    "expected cost. Default: cost with --cost, else map.",
)
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="For its rule."
)
@click.option("--positive", metavar="CLASS", help="The class that the threshold is for.")
@click.option("--abstain", type=float, metavar="COST", help="What it costs not to decide.")
@out_option
@force_option
def run(
    model: str, file: str, positive: str | None, out: Path | None, force: bool, as_json: bool, **said: Any
) -> None:
    """Append a decision to rows.

    The new columns of FILE are decision and expected_cost. A row whose decision would cost more than
    --abstain has none. Without OUT the rows go to standard output in the format of FILE (with --json as
    JSON lines); a terminal shows the first ones. With OUT, a summary says how many rows got which decision,
    what it is expected to cost on average, which cells are missing, and which hold values that MODEL has
    never seen. FILE may be larger than memory.
    """
    from likely.cli.work.answer_summary import AnswerSummary
    from likely.cli.work.files import check_free, opened
    from likely.cli.work.models import load_model, with_classes
    from likely.cli.work.output import show
    from likely.cli.work.tables import give_rows, refuse_json_file
    from likely.decide import Decider
    from likely.estimator.row_answers import row_answers
    from likely.table.batch.batches import Batch
    from likely.table.names import class_named

    refuse_json_file(out, as_json)
    check_free(out, force)
    known = with_classes(load_model(model), "`likely decide`")
    label = None if positive is None else class_named(positive, known.classes_)
    decider = Decider(known, positive=label, **said)
    summary = AnswerSummary(known.record_.schema, figure="expected cost")

    def decided(batch: Batch) -> tuple[Any, dict[str, Any]]:
        answers = row_answers(decider, batch.table)
        summary.add(batch, answers.answer, answers.costs)
        return batch.rows, answers.columns(batch.names, "decision")

    with opened(file) as source:
        give_rows(source, known.record_.schema, decided, out, as_json, "deciding")
    summary.warn()
    if out is not None:
        show(None, str(summary), f"wrote {out}", as_json=False)
