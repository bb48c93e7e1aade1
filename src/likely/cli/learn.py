"""`likely learn`: from a table to a model in a file, with what it found and how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likely.cli.command import (
    command,
    drop_option,
    force_option,
    kind_option,
    table_argument,
)
from likely.cli.work import MODEL_SUFFIX
from likely.cli.work.models import MISSING, ModelChoice

ENGINES = ("local", "dask", "spark", "ray")


@command(
    "learn",
    after="impute",
    examples="""
likely learn titanic --target survived
likely learn people.csv -t income -o income.likely --drop id --kind education='none<school<degree'
likely learn mails.csv -t spam --kind message=text
likely learn 'part-*.csv' -t y --family auto --json
likely learn titanic -t survived --model logistic --prior auto
likely learn cars.csv -t price
likely learn cars.csv -t price --model linear
likely learn survey.csv --model network
likely learn people.csv -t income --report income.html
likely learn 'lake/*.parquet' -t y --engine local
likely learn 'lake/*.parquet' -t y --engine dask --address tcp://scheduler:8786 --model logistic
likely learn 'postgresql://analyst@warehouse/shop#orders' -t returned
""",
)
@table_argument
@click.option(
    "-t",
    "--target",
    metavar="COLUMN",
    help="The column to predict. A network needs none: it is of all columns.",
)
@click.option(
    "-o",
    "--out",
    metavar="MODEL",
    type=click.Path(path_type=Path),
    help=f"Where to save the model. Default: the name of FILE with {MODEL_SUFFIX}, in this folder.",
)
@click.option(
    "--model",
    type=ModelChoice(),
    help="What sort of model. Default: pool (several sorts together), with simpler models beside it; "
    "regressor likewise, if the target is a quantity: fractions, or more than 20 different numbers; "
    "naive-bayes or linear if --family, --prior or --missing are given.",
)
@kind_option
@click.option(
    "--family",
    "families",
    metavar="COLUMN=FAMILY",
    multiple=True,
    help="How a column is distributed: normal, poisson, kernel, histogram, ... or auto. "
    "Without COLUMN=, of all columns.",
)
@click.option(
    "--prior",
    default="default",
    show_default=True,
    metavar="PRIOR",
    help="default, none (maximum likelihood), or a number: the strength of the default. For logistic and "
    "linear also auto (the one with the greatest evidence: the default of logistic), for logistic validated "
    "(the one that predicts rows left out best) and jeffreys; and a number is the standard deviation of the "
    "coefficients.",
)
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    help="A missing cell adds no evidence (ignore, the default), or is a level of its own. For logistic and "
    "linear: it is taken for the mean, with a coefficient of its own (indicator, the default); for logistic "
    "also average, over what it may be.",
)
@click.option("--weight", metavar="COLUMN", help="A column that says how much each row counts.")
@drop_option
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Learn from a column although its values name or number the rows; may be repeated.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Parts for cross-validation; 0 for none.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Decides which rows are tested together."
)
@click.option(
    "--report",
    "page",
    metavar="HTML",
    type=click.Path(path_type=Path),
    help="Also write a page with live evidence, to be opened in a browser, as `likely report` does.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Read FILE some rows at a time and never hold it: here (local), or by the workers of a cluster. "
    "For naive-bayes (the default then), gaussian, logistic and linear; without cross-validation.",
)
@click.option(
    "--address",
    metavar="ADDRESS",
    help="Of the cluster of --engine: a Dask scheduler, a Spark master, a Ray address.",
)
@force_option
def run(
    file: str,
    out: Path | None,
    page: Path | None,
    folds: int,
    seed: int,
    engine: str | None,
    address: str | None,
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Learn a model of one column from the others.

    With --model network and without --target, the model is of all columns: what depends on what.

    Shows what each column is taken for, how good the predictions are on rows that the model has not seen,
    and what is the strongest evidence for each class, or the coefficients that matter most. Columns that name
    or number the rows (identifiers) are left out, unless --keep or --kind names them. The model is saved for
    the other commands. An older model of the same name is replaced; any other file only with --force.
    """
    from likely.cli.work.files import check_free, stem, whole_table
    from likely.cli.work.learn import train, train_rows
    from likely.cli.work.learn_report import learn_report
    from likely.cli.work.learn_scan import train_scan
    from likely.cli.work.models import described, describes_rows
    from likely.cli.work.output import progress, show
    from likely.cli.work.page import said_of, training_page, write_page
    from likely.table.lazy.database import is_address

    path = out or Path(f"{stem(file)}{MODEL_SUFFIX}")
    check_free(path, force or path.suffix == MODEL_SUFFIX)
    check_free(page, force)
    if engine is not None or address is not None or is_address(file):
        if page is not None:
            raise click.UsageError(
                "--report needs the table in memory: make the page from the model, with `likely report`."
            )
        with progress("learning"):
            scanned, facts = train_scan(file, engine or "local", address, **said)
        scanned.save(path)
        show({**facts, "saved": str(path)}, str(described(scanned)), f"saved {path}", as_json=as_json)
        return
    with progress("reading"):
        table = whole_table(file)
    if said["target"] is None and describes_rows(said["model"]):
        fitted = train_rows(table, **said)
        fitted.save(path)
        written = write_page(page, fitted.report(table, folds=0) if page else None)
        whole = described(fitted)
        data = {**whole.to_dict(), "saved": str(path), **written}
        show(data, str(whole), said_of(path, page), as_json=as_json)
        return
    with progress("cross-validating") as tell:
        training = train(table, file, folds, seed, tell, **said)
    training.fitted.save(path)
    written = write_page(page, training_page(training) if page else None)
    data, parts = learn_report(training)
    show({**data, "saved": str(path), **written}, *parts, said_of(path, page), as_json=as_json)
