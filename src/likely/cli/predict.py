"""`likely predict`: every row of a file with the probabilities of its classes."""

from __future__ import annotations

from pathlib import Path

from likely.cli.command import command, force_option, model_argument, out_option, table_argument


@command(
    "predict",
    examples="""
likely predict titanic.likely titanic
likely predict income.likely new.csv -o answers.csv
likely predict income.likely - < new.jsonl > answers.jsonl
likely predict income.likely 'part-*.parquet' -o answers.parquet
""",
)
@model_argument()
@table_argument
@out_option
@force_option
def run(model: str, file: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Append probabilities and a decision to rows.

    The new columns of FILE are p_CLASS for each class, and predicted, the most probable one; of a model that
    predicts numbers, predicted, lower and upper, between which it lies with probability 0.9. Columns that
    MODEL does not know stay as they are, the target too if it is there. Without OUT the rows go to standard
    output in the format of FILE (with --json as JSON lines); a terminal shows the first ones. FILE may be
    larger than memory.
    """
    from likely.cli.files import free
    from likely.cli.models import load_model
    from likely.cli.output import progress
    from likely.cli.predicting import answers
    from likely.cli.tables import FIRST, in_terminal, look, refuse_json_file, writer
    from likely.table.batches import batches, files_of

    refuse_json_file(out, as_json)
    if out is not None:
        free(out, force)
    known = load_model(model)
    with files_of(file) as found:
        source = found[0] if len(found) == 1 else file
        if in_terminal(out, as_json):
            batch = next(iter(batches(source, known.record_.schema, rows=FIRST)))
            look(batch.rows, answers(known, batch), "The first rows; -o OUT writes them all")
            return
        with progress("predicting") as tell, writer(out, as_json, str(found[0])) as written:
            for batch in batches(source, known.record_.schema):
                written.write(batch.rows, answers(known, batch))
                tell(batch.done or 0.0, None if batch.done is None else 1.0)
