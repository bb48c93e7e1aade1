"""`likely profile`: a table at a glance."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, table_argument


@command(
    "profile",
    after=None,
    examples="""
likely profile titanic
likely profile people.csv --target income
likely profile people.csv --html people.html
""",
)
@table_argument
@click.option("-t", "--target", metavar="COLUMN", help="Also say what each column tells about this one.")
@click.option(
    "--html",
    "page",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write one page for a browser, without rows and without what few rows hold.",
)
@click.option(
    "--show-rare", is_flag=True, help="On the page: values of fewer than ten rows, and the extremes."
)
@force_option
def run(
    file: str, target: str | None, page: Path | None, show_rare: bool, force: bool, as_json: bool
) -> None:
    """Look at a table before learning from it.

    Shows the kind of every column of FILE and why, its values, its missing cells, and what deserves
    attention. With --html, as one page that opens in any browser and needs nothing from outside.
    """
    import likely
    from likely.cli.work.files import check_free, stem, whole_table
    from likely.cli.work.output import progress, show
    from likely.cli.work.pairs import known_column

    if page is None and (show_rare or force):
        raise click.UsageError("--show-rare and --force are about a page: name it with --html OUT.")
    check_free(page, force)
    with progress("reading"):
        table = whole_table(file)
        if target is not None:
            known_column(target, list(table), "--target")
        profile = likely.profile(table, target)
    if page is not None:
        profile.page(show_rare=show_rare, title=stem(file)).save(page)
        show({"written": str(page)}, f"wrote {page}", as_json=as_json)
        return
    show(profile.to_dict() if as_json else None, str(profile), as_json=as_json)
