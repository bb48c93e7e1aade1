"""`likely textbook`: the worked examples of the sources, with our figures beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likely.cli.command import command, force_option

SOURCES = ("Flach", "Mitchell", "KTH", "CIML")


@command(
    "textbook",
    after="compare",
    examples="""
likely textbook
likely textbook N6
likely textbook P5 --figure posteriors.png
likely textbook --check
""",
)
@click.argument("example", metavar="[ID]", required=False)
@click.option("--check", is_flag=True, help="Run all examples; the exit code is 1 if a figure is off.")
@click.option(
    "--figure", metavar="OUT", type=click.Path(path_type=Path), help="Draw the example into this file."
)
@force_option
def run(example: str | None, check: bool, figure: Path | None, force: bool, as_json: bool) -> None:
    """Compute the worked examples of the sources.

    Lists them by source; with an ID such as N6 prints its data, the code that is run, and each figure beside
    the one that the source prints.
    """
    from likely import textbook
    from likely.cli.compare import lines
    from likely.cli.work.files import check_free
    from likely.cli.work.output import Table, show
    from likely.errors import LikelyError

    if check:
        if example is not None or figure is not None:
            raise LikelyError("--check runs all examples: give it alone.")
        report = textbook.check()
        show({"ok": report.ok, "examples": lines(report.to_frame())}, str(report), as_json=as_json)
        raise click.exceptions.Exit(0 if report.ok else 1)
    if example is None:
        if figure is not None:
            raise LikelyError("--figure: name the example to draw, such as P5.")
        by_source = sorted(textbook.examples(), key=lambda one: SOURCES.index(one.book))
        listed = [(one.source, one.id, one.title) for one in by_source]
        heads = ("source", "id", "example")
        data = [dict(zip(heads, line, strict=True)) for line in listed]
        show(data, Table("worked examples", heads, listed, "<<<"), as_json=as_json)
        return
    one = textbook.show(example)
    if figure is not None:
        if one.figure is None:
            drawn = ", ".join(other.id for other in textbook.examples() if other.figure is not None)
            raise LikelyError(f"--figure: example {one.id} has none; there are figures of {drawn}.")
        check_free(figure, force)
        _draw(one.figure().figure, figure)
    steps = lines(one.run().to_frame())
    facts = {"id": one.id, "title": one.title, "source": one.source, "code": one.code, "steps": steps}
    show(facts, str(one), as_json=as_json)


def _draw(picture: Any, path: Path) -> None:
    from likely.draw.picture import save_picture
    from likely.errors import LikelyError

    try:
        save_picture(picture, path, bbox_inches="tight", dpi=150)
    except LikelyError:
        raise
    except ValueError as error:
        raise LikelyError(f"--figure {path}: {str(error).splitlines()[0]}") from None
