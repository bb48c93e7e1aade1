"""`likely group`: the hidden groups of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from likely.cli.output import Table
    from likely.models.mixture.components import Curve

STARTS = 5  # that are tried for each number of groups


def how_many(_: click.Context, parameter: click.Parameter, typed: str) -> int | str:
    """A number from 1, or "auto"."""
    if typed != "auto" and not (typed.isdigit() and int(typed)):
        raise click.BadParameter(f"{typed!r}: give the number of {parameter.name}, from 1, or 'auto'.")
    return typed if typed == "auto" else int(typed)


@command(
    "group",
    examples="""
likely group titanic
likely group penguins.csv --drop species -o grouped.csv
likely group people.parquet -k 3 -o grouped.parquet --json
""",
)
@table_argument
@click.option(
    "-k",
    "groups",
    metavar="N",
    default="auto",
    show_default=True,
    callback=how_many,
    help="How many groups; auto tries 1, 2, 3 and so on, and takes what needs the fewest bits.",
)
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
    from likely.cli.declared import columns_of
    from likely.cli.files import free
    from likely.cli.identifiers import name_identifiers
    from likely.cli.output import progress, show
    from likely.cli.predicting import answers
    from likely.cli.source import whole_table
    from likely.cli.tables import writer
    from likely.models.mixture.mixture import Mixture
    from likely.table.batches import batches, files_of

    if out is not None:
        free(out, force)
    with files_of(file) as found:
        source = str(found[0]) if len(found) == 1 else file
        with progress("reading"):
            frame, declared = columns_of(whole_table(source), kinds, drop)
        model = Mixture(groups, kinds=declared, criterion=criterion, restarts=STARTS, random_state=seed)
        model.fit(frame)
        schema = model.record_.schema
        name_identifiers(frame, schema.columns)
        if out is not None:
            with progress("writing") as tell, writer(out, False, source) as written:
                for batch in batches(source, schema):
                    written.write(batch.rows, answers(model, batch, model.record_.target.name))
                    tell(batch.done or 0.0, None if batch.done is None else 1.0)
    curve = getattr(model, "curve_", None)
    portraits = model.describe()
    data = {
        **portraits.to_dict(),
        "converged": model.converged_,
        "tried": curve and [asdict(one) for one in curve.tried],
        "written": out and str(out),
    }
    parts: list[Any] = [] if curve is None else [curve_table(curve, "groups")]
    ends = [] if out is None else [f"wrote {out}"]
    show(data, *parts, str(portraits), *ends, as_json=as_json)


def curve_table(curve: Curve, what: str) -> Table:
    """How many bits each number of groups takes, whatever they are called."""
    from likely.cli.output import Table

    rows = [
        [
            f"{one.components}",
            f"{one.parameters}",
            f"{one.log_likelihood:.2f}",
            f"{one.bits:.1f}",
            "fewest" if one.components == curve.best else "",
        ]
        for one in curve.tried
    ]
    heads = (what, "parameters", "log-likelihood", f"bits ({curve.criterion})", "")
    return Table(f"How many {what}?", heads, rows, ">>>><")
