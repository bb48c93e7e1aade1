"""`likely convert`: a belief network in another format."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, model_argument


@command(
    "convert",
    after="diff",
    examples="""
likely convert alarm.bif alarm.xdsl
likely convert alarm.net alarm.likely
likely convert titanic.likely titanic.bif.gz
""",
)
@model_argument()
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@force_option
def run(model: str, out: Path, force: bool, as_json: bool) -> None:
    """Write a belief network in another format.

    Both names say the format by their ending: .bif, .xmlbif, .xdsl (GeNIe), .net (Hugin), .dsc, each also
    with .gz, or .likely. Files of other programs hold levels alone, and none of the counts.
    """
    from likely.cli.work.files import check_free
    from likely.cli.work.network import convert
    from likely.cli.work.output import show

    check_free(out, force)
    size = convert(model, out)
    said = f"wrote {out}: {size['nodes']} nodes, {size['arcs']} arcs"
    show({**size, "written": str(out)}, said, as_json=as_json)
