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
likely decompress titanic.lrc --model titanic.likely -o again.csv
""",
)
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--model", metavar="MODEL", help="The model file that the rows were coded by.")
@out_option
@force_option
def run(path: Path, model: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """Write the table again that was made small.

    It is the FILE that `likely compress` was given, to the letter.
    A file that is damaged or cut off is refused, and nothing is written. Without OUT the file has the name of
    FILE without .ltz. What was coded by a MODEL is written as a new table: the same cells, not the same
    letters.
    """
    from likely.cli.work.coded_rows import CODED, decode_rows
    from likely.cli.work.files import check_free
    from likely.cli.work.output import progress, show
    from likely.codes.tables.file import SUFFIX, decompress_file

    own = SUFFIX if model is None else CODED
    if out is None and path.suffix != own:
        raise click.UsageError(f"{path} does not end in {own}: say with -o where to write to.")
    target = out or path.with_suffix("")
    check_free(target, force)
    if model is not None:
        n = decode_rows(path, model, target)
        show({"rows": n, "saved": str(target)}, f"saved {target}, {n:,} rows", as_json=as_json)
        return
    with progress("decompressing") as tell:
        size = decompress_file(path, target, tell)
    show({"bytes": size, "saved": str(target)}, f"saved {target}, {size:,} bytes", as_json=as_json)
