"""`likely sample`: new rows like those that a model has learnt from."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, model_argument, out_option


@command(
    "sample",
    after="next",
    examples="""
likely sample titanic.likely -n 5
likely sample titanic.likely -n 1000 --seed 1 -o people.parquet
""",
)
@model_argument()
@click.option("-n", "n", type=click.IntRange(min=1), default=10, show_default=True, help="How many rows.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same rows.")
@out_option
@force_option
def run(model: str, n: int, seed: int, out: Path | None, force: bool, as_json: bool) -> None:
    """Draw new rows from a model.

    They come with their target, as CSV (with --json as JSON lines), or in the format of the ending of OUT.
    """
    from likely.cli.work.files import check_free
    from likely.cli.work.models import able, load_model
    from likely.cli.work.tables import FIRST, in_terminal, refuse_json_file, show_first_rows, writer

    refuse_json_file(out, as_json)
    check_free(out, force)
    drawn = able(load_model(model), "sample", "draw new rows")(n, random_state=seed)
    if in_terminal(out, as_json):
        show_first_rows(
            drawn, {}, f"The first of {n} rows; -o OUT writes them all" if n > FIRST else "New rows"
        )
        return
    with writer(out, as_json, "rows.csv") as written:
        written.write(drawn)
