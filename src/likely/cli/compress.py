"""`likely compress`: the text of a table in few bytes, and what each of its columns costs."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, out_option


@command(
    "compress",
    after="sample",
    examples="""
likely compress adult.csv
likely compress adult.csv -o small.ltz --json
""",
)
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@out_option
@force_option
def run(path: Path, out: Path | None, force: bool, as_json: bool) -> None:
    """Make a small file of the text of a table.

    FILE is a text (CSV and its like). Each column is coded by what is known of the columns before it and of
    the rows above; `likely decompress` gives the file back to the letter. Printed is the bill: what each
    column costs, and what it hangs on. Without OUT the new file has the name of FILE and ends in .ltz; FILE
    stays.
    """
    from likely.cli.output import progress, show
    from likely.cli.work.files import check_free
    from likely.codes.tables.file import SUFFIX, compress_file

    target = out or path.with_name(path.name + SUFFIX)
    check_free(target, force)
    with progress("compressing") as tell:
        bill = compress_file(path, target, tell)
    frame = {name: values.tolist() for name, values in bill.to_frame().items()}
    data = {"bytes": bill.size, "compressed": bill.compressed, "columns": frame, "saved": str(target)}
    show(data, str(bill), f"saved {target}", as_json=as_json)
