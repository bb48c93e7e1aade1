"""`likely group`: the hidden groups of a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
    "group",
    after="profile",
    examples="""
likely group titanic
likely group penguins.csv --drop species -o grouped.csv
likely group people.parquet -k 3 -o grouped.parquet --json
""",
)
@table_argument
@how_many_option("groups")
@click.option(
    "--by",
    "criterion",
    type=click.Choice(["bic", "icl", "mdl"]),
    default="bic",
    show_default=True,
    help="How auto counts the bits; icl prefers groups that are well apart.",
)
@kind_option
@drop_option
@seed_option("Decides where the search begins.")
@out_option
@force_option
def run(
    file: str,
    groups: int | str,
    criterion: str,
    kinds: Sequence[str],
    drop: Sequence[str],
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find the hidden groups of a table.

    Describes each group: how large it is, what sets it apart, and every column in it. Missing cells are no
    obstacle. OUT gets the rows of FILE with new columns: p_0, p_1 and so on, the probability of each group,
    and group, the most probable one. Ctrl-C ends a long search with the best groups so far.
    """
    from likely.cli.work.declared import columns_of, named_in, warn_of_identifiers, without_identifiers
    from likely.cli.work.files import check_table, opened, whole_table
    from likely.cli.work.output import progress
    from likely.cli.work.tables import give_rows
    from likely.estimator.row_answers import row_answers
    from likely.models.mixture.mixture import Mixture
    from likely.table.batch.batches import Batch

    check_table(out, force)
    with opened(file) as source:
        with progress("reading"):
            table = whole_table(source.name)
            left = {name: column for name, column in table.items() if name not in drop}
            told = without_identifiers(left, "", named_in(kinds, list(left)), flag="--kind")
            frame, declared = columns_of(table, kinds, [*drop, *(name for name in left if name not in told)])
        model = Mixture(groups, kinds=declared, criterion=criterion, restarts=STARTS, random_state=seed)
        model.fit(frame)
        schema = model.record_.schema
        warn_of_identifiers(frame, schema.columns)
        if out is not None:
            name = model.record_.target.name

            def grouped(batch: Batch) -> tuple[Any, dict[str, Any]]:
                return batch.rows, row_answers(model, batch.table).columns(batch.names, name)

            give_rows(source, schema, grouped, out, False, "writing")
    show_groups(model, "groups", out, as_json)
