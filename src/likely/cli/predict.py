"""`likely predict`: every row of a file with the probabilities of its classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likely.cli.command import about_option, command, force_option, model_argument, out_option, table_argument


@command(
    "predict",
    after="learn",
    examples="""
likely predict titanic.likely titanic
likely predict income.likely new.csv -o answers.csv
likely predict income.likely - < new.jsonl > answers.jsonl
likely predict income.likely 'part-*.parquet' -o answers.parquet
likely predict income.likely 'part-*.parquet' -o answers.parquet --sql
likely predict asia.bif patients.csv --about lung
""",
)
@model_argument()
@table_argument
@about_option
@click.option("--sql", is_flag=True, help="Let DuckDB score Parquet files, by one query, into OUT.")
@out_option
@force_option
def run(
    model: str, file: str, about: str | None, sql: bool, out: Path | None, force: bool, as_json: bool
) -> None:
    """Append probabilities and a decision to rows.

    The new columns of FILE are p_CLASS for each class, and predicted, the most probable one; of a model that
    predicts numbers, predicted, lower and upper, between which it lies with probability 0.9. Columns that
    MODEL does not know stay as they are, the target too if it is there. Without OUT the rows go to standard
    output in the format of FILE (with --json as JSON lines); a terminal shows the first ones. With OUT, a
    summary says how many rows got which answer, how probable the answers are on average, which cells are
    missing, and which hold values that MODEL has never seen. FILE may be larger than memory.

    With --sql no row leaves DuckDB: FILE is Parquet, and rows may come in another order.
    """
    from likely.cli.work.answer_summary import AnswerSummary
    from likely.cli.work.export import predict_in_duckdb
    from likely.cli.work.files import check_free, opened
    from likely.cli.work.models import load_model, with_classes
    from likely.cli.work.network import predicting
    from likely.cli.work.output import show
    from likely.cli.work.tables import give_rows, refuse_json_file
    from likely.estimator.row_answers import row_answers
    from likely.format.words import many
    from likely.table.batch.batches import Batch

    refuse_json_file(out, as_json)
    check_free(out, force)
    if sql:
        n = predict_in_duckdb(model, file, out)
        show(None, f"wrote {out}: {many(n, 'row')}", as_json=False)
        return
    loaded = load_model(model)

    def answered(batch: Batch) -> tuple[Any, dict[str, Any]]:
        answers = row_answers(known, batch.table)
        p = answers.probabilities
        summary.add(batch, answers.answer, None if p is None else p.max(axis=1))
        return batch.rows, answers.columns(batch.names)

    with opened(file) as source:
        known = predicting(loaded, about, source.name)
        if hasattr(known, "classes_"):
            with_classes(known, "`likely predict`")
        summary = AnswerSummary(known.record_.schema)
        give_rows(source, known.record_.schema, answered, out, as_json, "predicting")
    summary.warn()
    if out is not None:
        show(None, str(summary), f"wrote {out}", as_json=False)
