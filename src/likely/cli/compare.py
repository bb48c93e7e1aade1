"""`likely compare`: the rates or means of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.command import command, table_argument

if TYPE_CHECKING:
    from numpy.typing import NDArray


@command(
    "compare",
    after="decide",
    examples="""
likely compare visits.csv --outcome bought --by page
likely compare titanic --outcome survived --success yes --by class
""",
)
@table_argument
@click.option("--outcome", metavar="COLUMN", required=True, help="True/false, or numbers.")
@click.option("--by", metavar="COLUMN", required=True, help="The group of each row.")
@click.option("--success", metavar="LEVEL", help="The level of the outcome that counts as true.")
@click.option("--weight", metavar="COLUMN", help="How much each row counts.")
@click.option("--level", type=float, default=0.9, show_default=True, help="What the intervals cover.")
def run(
    file: str, outcome: str, by: str, success: str | None, weight: str | None, level: float, as_json: bool
) -> None:
    """Compare groups of rows.

    Says which group of FILE has the largest rate or mean, by how much, and what a wrong choice costs.
    """
    from likely.cli.work.files import whole_table
    from likely.cli.work.output import progress, show
    from likely.cli.work.pairs import known_column
    from likely.compare import groups
    from likely.errors import LikelyError

    with progress("reading"):
        table = whole_table(file)
        for option, column in (("--outcome", outcome), ("--by", by), ("--weight", weight)):
            if column is not None:
                known_column(column, list(table), option)
    data: dict[str, Any] = {}
    with progress("comparing"):
        try:
            counts = _typed(success, table[outcome])
            comparison = groups(table, outcome, by, success=counts, weight=weight, level=level)
        except LikelyError as error:  # in the words of the command
            raise LikelyError(str(error).replace("success=", "--success ")) from None
        text = "" if as_json else str(comparison)
        if as_json:
            data = {"groups": lines(comparison.to_frame()), "differences": lines(comparison.differences())}
    show(data, text, as_json=as_json)


def _typed(success: str | None, column: NDArray[Any]) -> Any:
    """The level that was typed, as the column has it."""
    from likely.table.column.as_raw import as_raw

    known = as_raw("", column).distinct()[1] if success is not None else []
    return next((level for level in known if str(level) == success), success)


def lines(frame: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a table of columns, for JSON."""
    columns = [column.tolist() for column in frame.values()]
    return [dict(zip(frame, line, strict=True)) for line in zip(*columns, strict=True)]
