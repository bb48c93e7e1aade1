"""`likely features`: what each column says about a target, and the table turned into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from likely.cli.command import command, drop_option, force_option, kind_option, out_option, table_argument

SCORES = ("bits", "gain", "gain_ratio", "symmetric_uncertainty", "chi_squared", "cfs", "relief", "relieff")


@command(
    "features",
    after="profile",
    examples="""
likely features titanic --target survived
likely features people.csv --target income --column age
likely features people.csv --target income --by relieff
likely features people.csv --target income -o evidence.csv
likely features people.csv --target income --bins --sql
""",
)
@table_argument
@click.option(
    "-t", "--target", metavar="COLUMN", required=True, help="The column whose classes are told about."
)
@click.option(
    "--method",
    type=click.Choice(["average", "isotonic", "logistic"]),
    default="average",
    show_default=True,
    help="How numbers are judged: averaged over all ways to bin them, by the ROC hull, or on a line.",
)
@click.option(
    "--by",
    type=click.Choice(
        ["bits", "gain", "gain_ratio", "symmetric_uncertainty", "chi_squared", "cfs", "relieff"]
    ),
    help="Rank the columns by this score instead, and show it.",
)
@click.option(
    "--column",
    "columns",
    metavar="COLUMN",
    multiple=True,
    help="Show the cells of this column; may be repeated.",
)
@click.option(
    "--bins", is_flag=True, help="Write bins of numbers, the most probable ones, in place of evidence."
)
@click.option("--sql", is_flag=True, help="Print the SQL that makes the new columns of those of FILE.")
@kind_option
@drop_option
@out_option
@force_option
def run(
    file: str,
    target: str,
    method: str,
    by: str | None,
    columns: Sequence[str],
    bins: bool,
    sql: bool,
    kinds: Sequence[str],
    drop: Sequence[str],
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Rank the columns of a table by what they tell about a target.

    Shows how many bits each column of FILE tells by itself on rows that it was not learnt from, and its cells
    (bins of numbers, levels) with their evidence in nats. OUT gets the table with what each value says about
    the classes in its place (weight of evidence), each row by what other rows say, and the target.
    """
    from likely.cli.work.declared import columns_of, named_in, without_identifiers
    from likely.cli.work.files import check_free, stem, whole_table
    from likely.cli.work.learn import used_rows
    from likely.cli.work.output import progress, show
    from likely.cli.work.pairs import known_column
    from likely.features import Discretize, Evidence, Select
    from likely.table.write.write import write

    check_free(out, force)
    with progress("reading"):
        table = whole_table(file)
        known_column(target, list(table), "--target")
        for name in columns:
            known_column(name, list(table), "--column")
        used, _ = used_rows(table, target, None, drop)
        known = without_identifiers(used, target, [*columns, *named_in(kinds, list(used))], "--column")
        others = {name: cells for name, cells in known.items() if name != target}
        frame, declared = columns_of(others, kinds, ())
    with progress("learning"):
        rows = {name: frame.values(name) for name in frame.names} | {target: used[target]}
        evidence = Evidence(method, missing="neutral", kinds=declared)
        ranking = evidence.rank(rows, target)
        model = Discretize(kinds=declared) if bins else evidence
        new = model.fit_transform(rows, target)
        shown = evidence.fit(rows, target)
        scores = None if by is None else Select(by, 1.0, kinds=declared).fit(rows, target).table()
    if out is not None:
        write({**new, target: used[target]}, out)
    if sql and not as_json:
        show(None, model.to_sql(stem(file)), as_json=False)
        return
    cells = shown.table(list(columns) or [one.column for one in ranking.columns])
    data = {
        "target": target,
        "bits": ranking.bits,
        "columns": [{"column": c.column, "bits": c.bits, "share": c.share} for c in ranking.columns],
        "cells": cells.to_dict()["cells"],
        "sql": model.to_sql(stem(file)) if sql else None,
        "written": None if out is None else str(out),
    }
    if scores is not None:
        data["scores"] = [
            {k: v for k, v in line.items() if k != "kept"} for line in scores.to_dict()["cells"]
        ]
    parts = [str(ranking) if scores is None else str(scores), str(cells).partition("\n\n")[2]]
    show(data, *parts, *([f"wrote {out}"] if out is not None else []), as_json=as_json)
