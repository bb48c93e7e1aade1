"""`likely segment`: the hidden states that the rows of a table go through."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from likely.cli.command import (
    command,
    drop_option,
    force_option,
    kind_option,
    out_option,
    seed_option,
    table_argument,
)
from likely.cli.work.group import STARTS, how_many_option, show_groups


@command(
    "segment",
    after="group",
    examples="""
likely segment geyser.csv -k 2
likely segment visits.csv --sequence patient --order day -k 3 -o states.csv
likely segment genome.csv -k auto --json
""",
)
@table_argument
@click.option(
    "--sequence", metavar="COLUMN", help="The column that names the sequence of a row. Default: all are one."
)
@click.option(
    "--order", metavar="COLUMN", help="The column that says when a row was. Default: as the rows stand."
)
@how_many_option("states")
@click.option("--left-to-right", is_flag=True, help="States come one after the other, and never again.")
@kind_option
@drop_option
@seed_option("Decides where the search begins.")
@out_option
@force_option
def run(
    file: str,
    sequence: str | None,
    order: str | None,
    states: int | str,
    left_to_right: bool,
    kinds: Sequence[str],
    drop: Sequence[str],
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find the hidden states that rows go through.

    Rows in order, whose columns depend on a state that lasts for a while: a hidden Markov model. Describes
    each state: what sets it apart, how long it lasts and what follows, and every column in it. OUT gets the
    rows of FILE with new columns: p_0, p_1 and so on, the probability of each state given the whole
    sequence, and state, which follows the most probable course.
    """
    from likely.cli.work.declared import warn_of_identifiers
    from likely.cli.work.files import check_table, opened, whole_table
    from likely.cli.work.output import progress
    from likely.cli.work.segment import Segments
    from likely.cli.work.tables import give_rows
    from likely.models.markov.markov import HiddenMarkov

    check_table(out, force)
    with opened(file) as source:
        with progress("reading"):
            rows = Segments.of(whole_table(source.name), sequence, order, kinds, drop)
        moves = "left-to-right" if left_to_right else None
        model = HiddenMarkov(
            states, kinds=rows.kinds, transitions=moves, restarts=STARTS, random_state=seed
        ).fit(rows.table, groups=rows.groups)
        schema = model.record_.schema
        warn_of_identifiers(rows.frame, schema.columns)
        if out is not None:
            added = rows.answers(model)
            give_rows(source, schema, lambda batch: (batch.rows, added.at(batch)), out, False, "writing")
    show_groups(model, "states", out, as_json, sequences=float(model.record_.first.sum()))
