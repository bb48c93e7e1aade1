"""`likely draw`: the picture of a belief network."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, model_argument, out_option


@command(
    "draw",
    after="convert",
    examples="""
likely draw alarm.bif
likely draw asia.bif --given "smoke=yes, xray=yes" -o smoker.svg
""",
)
@model_argument()
@click.option("--given", metavar="FINDINGS", help='What is known, such as "a=x, b=y".')
@out_option
@force_option
def run(model: str, given: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """Draw a belief network as SVG.

    Every node has the probabilities of its levels, given what is known; an arc is as wide as the parent
    tells of the child, in bits, beyond its other parents. Large networks have names alone. Without OUT the
    picture is called as MODEL is, in this folder.
    """
    from likely.cli.work.files import check_free, stem
    from likely.cli.work.models import load_model
    from likely.cli.work.network import network_of
    from likely.cli.work.output import show

    path = out or Path(f"{stem(model)}.svg")
    check_free(path, force)
    network_of(load_model(model), model).draw(given).save(path)
    show({"written": str(path)}, f"wrote {path}", as_json=as_json)
