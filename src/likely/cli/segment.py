"""`likely segment`: the hidden states that the rows of a table go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
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
from likely.cli.groups import STARTS, how_many


@command(
    "segment",
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
@click.option(
    "-k",
    "states",
    metavar="N",
    default="auto",
    show_default=True,
    callback=how_many,
    help="How many states; auto tries 1, 2, 3 and so on, and takes what needs the fewest bits.",
)
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
    from likely.cli.files import free
    from likely.cli.groups import curve_table
    from likely.cli.identifiers import name_identifiers
    from likely.cli.output import progress, show
    from likely.cli.segmenting import Segments
    from likely.cli.source import whole_table
    from likely.cli.tables import writer
    from likely.models.markov.markov import HiddenMarkov
    from likely.table.batches import batches, files_of

    if out is not None:
        free(out, force)
    with files_of(file) as found:
        source = str(found[0]) if len(found) == 1 else file
        with progress("reading"):
            rows = Segments.of(whole_table(source), sequence, order, kinds, drop)
        moves = "left-to-right" if left_to_right else None
        model = HiddenMarkov(
            states, kinds=rows.kinds, transitions=moves, restarts=STARTS, random_state=seed
        ).fit(rows.table, groups=rows.groups)
        schema = model.record_.schema
        name_identifiers(rows.frame, schema.columns)
        if out is not None:
            added = rows.answers(model)
            with progress("writing") as tell, writer(out, False, source) as written:
                for batch in batches(source, schema):
                    written.write(batch.rows, added.at(batch))
                    tell(batch.done or 0.0, None if batch.done is None else 1.0)
    curve = getattr(model, "curve_", None)
    portraits = model.describe()
    data = {
        **portraits.to_dict(),
        "sequences": float(model.record_.first.sum()),
        "converged": model.converged_,
        "tried": curve and [asdict(one) for one in curve.tried],
        "written": out and str(out),
    }
    parts: list[Any] = [] if curve is None else [curve_table(curve, "states")]
    ends = [] if out is None else [f"wrote {out}"]
    show(data, *parts, str(portraits), *ends, as_json=as_json)
