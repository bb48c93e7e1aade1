"""`likely decompress`: the file again that `likely compress` made small."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, out_option


@command(
    "decompress",
    after="compress",
    examples="""
likely decompress adult.csv.ltz
likely decompress adult.csv.ltz -o again.csv
""",
)
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@out_option
@force_option
def run(path: Path, out: Path | None, force: bool, as_json: bool) -> None:
    """Write the table again that was made small.

    It is the FILE that `likely compress` was given, to the letter.
    A file that is damaged or cut off is refused, and nothing is written. Without OUT the file has the name of
    FILE without .ltz.
    """
    from likely.cli.output import progress, show
    from likely.cli.work.files import check_free
    from likely.codes.tables.file import SUFFIX, decompress_file

    if out is None and path.suffix != SUFFIX:
        raise click.UsageError(f"{path} does not end in {SUFFIX}: say with -o where to write to.")
    target = out or path.with_suffix("")
    check_free(target, force)
    with progress("decompressing") as tell:
        size = decompress_file(path, target, tell)
    show({"bytes": size, "saved": str(target)}, f"saved {target}, {size:,} bytes", as_json=as_json)
