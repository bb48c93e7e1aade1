"""`likely report`: a table, or a model, as one HTML file with live evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likely.cli.command import command, force_option, options_of, table_argument
from likely.cli.learn import run as learn

_LEARNING = (
    *("model", "kinds", "families", "prior", "missing", "weight", "drop", "keep"),
    *("folds", "seed"),
)


@command(
    "report",
    after="show",
    examples="""
likely report titanic --target survived
likely report people.csv -t income --model naive-bayes -o income.html
likely report income.likely --data people.csv
likely report alarm.bif --about HYPOVOLEMIA
""",
)
@table_argument
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict, where FILE is a table.")
@click.option(
    "-o",
    "--out",
    metavar="HTML",
    type=click.Path(path_type=Path),
    help="Where to write the page. Default: the name of FILE with .html, in this folder.",
)
@click.option("--data", metavar="TABLE", help="Where FILE is a model: the table that it was learnt from.")
@click.option("--about", metavar="NODE", help="Of a network: which node to ask about at first.")
@click.option(
    "--show-rare",
    is_flag=True,
    help="Name values and bins that fewer than ten rows have; else they are put together.",
)
@options_of(learn, *_LEARNING)
@force_option
def run(
    file: str,
    out: Path | None,
    data: str | None,
    about: str | None,
    show_rare: bool,
    folds: int,
    seed: int,
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Make a page of a model that people can open, click and share.

    FILE is a table, from which a model of --target is learnt, or a model that was saved. The page is one HTML
    file that needs no network: it answers for the case that is told by its controls, shows the evidence, the
    next best question, what-if curves, how good the model is on rows that it has not seen, and the profile of
    the table. It holds counts and parameters, never rows.
    """
    from likely.cli.work.files import check_free, stem, whole_table
    from likely.cli.work.learn import train, train_rows
    from likely.cli.work.models import describes_rows, is_model_file, load_model
    from likely.cli.work.output import progress, show
    from likely.cli.work.page import training_page, write_page
    from likely.page import make_page

    path = out or Path(f"{stem(file)}.html")
    check_free(path, force)
    if is_model_file(file):
        table = None if data is None else whole_table(data)
        parts = 0 if data is None else folds
        page = make_page(load_model(file), table, about=about, show_rare=show_rare, folds=parts)
    else:
        with progress("reading"):
            table = whole_table(file)
        if said["target"] is None and describes_rows(said["model"]):
            page = make_page(train_rows(table, **said), table, about=about, show_rare=show_rare)
        else:
            with progress("cross-validating") as tell:
                training = train(table, file, folds, seed, tell, beside=False, **said)
            page = training_page(training, show_rare)
    written = write_page(path, page)
    size = f"{len(page.html.encode()) / 1000:.0f} kB"
    show(written, f"wrote {path} ({size})", "\n".join(page.contains), as_json=as_json)
