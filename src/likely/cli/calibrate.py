"""`likely calibrate`: a column of scores made into probabilities that keep their word."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, out_option, table_argument

METHODS = ("logistic", "means", "beta", "isotonic", "bins")


@command(
    "calibrate",
    examples="""
likely calibrate answers.csv --score-column p_yes --target survived --positive yes
likely calibrate scored.csv --score-column score --target bought --method logistic -o better.csv
""",
)
@table_argument
@click.option("--score-column", metavar="COLUMN", required=True, help="The column of scores.")
@click.option("--target", metavar="COLUMN", required=True, help="The column that says what came true.")
@click.option("--positive", metavar="CLASS", help="The class that high scores speak for.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="isotonic",
    show_default=True,
    help="The map from scores to probabilities. beta is for scores that are probabilities.",
)
@out_option
@force_option
def run(
    file: str,
    score_column: str,
    target: str,
    positive: str | None,
    method: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Turn scores into calibrated probabilities.

    The map is learnt from the rows of FILE whose target is known. The new column of FILE, calibrated, has the
    probability for all rows, also for those whose target is not known yet. Without OUT the rows go to
    standard output in the format of FILE (with --json as JSON lines); a terminal shows the first ones.
    """
    from likely.cli.calibrating import calibrated
    from likely.cli.files import free
    from likely.cli.source import whole_table
    from likely.cli.tables import FIRST, in_terminal, look, refuse_json_file, writer
    from likely.table.rows import take

    refuse_json_file(out, as_json)
    if out is not None:
        free(out, force)
    table = whole_table(file)
    added = calibrated(table, file, score_column, target, positive, method)
    if in_terminal(out, as_json):
        import numpy as np

        first = np.arange(min(FIRST, len(next(iter(added.values())))))
        look(take(table, first), take(added, first), "The first rows; -o OUT writes them all")
        return
    with writer(out, as_json, file) as written:
        written.write(table, added)
