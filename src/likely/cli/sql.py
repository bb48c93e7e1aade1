"""`likely sql`: the query that scores the rows of a table in a database."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, dialect_option, force_option, model_argument, out_option


@command(
    "sql",
    after="export",
    examples="""
likely sql titanic.likely --source passengers --keep id
likely sql titanic.likely --dialect postgres --source public.passengers --keep id -o score.sql
likely sql titanic.likely --dialect bigquery --output evidence
""",
)
@model_argument()
@dialect_option
@click.option(
    "--source",
    metavar="TABLE",
    default="rows",
    show_default=True,
    help="The table of the rows, as schema.table; or a query in brackets.",
)
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="A column of TABLE to hand on beside the answers; may be repeated.",
)
@click.option(
    "--output",
    type=click.Choice(["proba", "class", "evidence"]),
    default="proba",
    show_default=True,
    help="Probabilities, the most probable class, or what each column adds to the log-odds.",
)
@out_option
@force_option
def run(
    model: str,
    dialect: str,
    source: str,
    keep: tuple[str, ...],
    output: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write the query that scores a table in a database.

    It takes nothing but the database: no Python, no copy of the rows. NULL and NaN are missing cells, and
    levels that MODEL has never seen add no evidence, as in `likely predict`.
    """
    from likely.cli.work.export import give_text, sql_text

    text = sql_text(model, dialect, source, keep, output)
    give_text(text, {"dialect": dialect, "sql": text}, out, force, as_json)
