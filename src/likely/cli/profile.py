"""`likely profile`: a table at a glance."""

from __future__ import annotations

import click

from likely.cli.command import command, table_argument


@command(
    "profile",
    after=None,
    examples="""
likely profile titanic
likely profile people.csv --target income
""",
)
@table_argument
@click.option("-t", "--target", metavar="COLUMN", help="Also say what each column tells about this one.")
def run(file: str, target: str | None, as_json: bool) -> None:
    """Look at a table before learning from it.

    Shows the kind of every column of FILE and why, its values, its missing cells, and what deserves
    attention.
    """
    import likely
    from likely.cli.output import progress, show
    from likely.cli.work.files import whole_table
    from likely.cli.work.pairs import known_column

    with progress("reading"):
        table = whole_table(file)
        if target is not None:
            known_column(target, list(table), "--target")
        profile = likely.profile(table, target)
    show(profile.to_dict() if as_json else None, str(profile), as_json=as_json)
