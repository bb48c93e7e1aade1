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
likely compress titanic --model titanic.likely -o titanic.lrc
""",
)
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--model", metavar="MODEL", help="Code the rows by this model file, which decodes them, too.")
@out_option
@force_option
def run(path: Path, model: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """Make a small file of the text of a table.

    FILE is a text (CSV and its like). Each column is coded by what is known of the columns before it and of
    the rows above; `likely decompress` gives the file back to the letter. Printed is the bill: what each
    column costs, and what it hangs on. Without OUT the new file has the name of FILE and ends in .ltz; FILE
    stays. With MODEL (a model of rows, such as naive Bayes or a network) the rows are coded by what it
    expects, and the file ends in .lrc.
    """
    from likely.cli.work.coded_rows import CODED, code_rows
    from likely.cli.work.files import check_free
    from likely.cli.work.output import progress, show
    from likely.codes.tables.file import SUFFIX, compress_file

    target = out or path.with_name(path.name + (SUFFIX if model is None else CODED))
    check_free(target, force)
    if model is not None:
        n, bits, size = code_rows(str(path), model, target)
        data = {"rows": n, "bits": bits, "compressed": size, "saved": str(target)}
        said = f"{n:,} rows in {bits:,} bits, {bits / max(n, 1):.2f} a row; {size:,} bytes with the header"
        show(data, said, f"saved {target}", as_json=as_json)
        return
    with progress("compressing") as tell:
        bill = compress_file(path, target, tell)
    frame = {name: values.tolist() for name, values in bill.to_frame().items()}
    data = {"bytes": bill.size, "compressed": bill.compressed, "columns": frame, "saved": str(target)}
    show(data, str(bill), f"saved {target}", as_json=as_json)
