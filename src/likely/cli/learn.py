"""`likely learn`: from a table to a model in a file, with what it found and how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.command import MODEL_SUFFIX, command, force_option, table_argument
from likely.cli.models import MODELS

if TYPE_CHECKING:
    from likely.cli.training import Training

TOP = 5  # values shown for each class


@command(
    "learn",
    examples="""
likely learn titanic --target survived
likely learn people.csv -t income -o income.likely --drop id --kind education='none<school<degree'
likely learn mails.csv -t spam --kind message=text
likely learn 'part-*.csv' -t y --family auto --json
""",
)
@table_argument
@click.option("-t", "--target", metavar="COLUMN", help="The column to predict.")
@click.option(
    "-o",
    "--out",
    metavar="MODEL",
    type=click.Path(path_type=Path),
    help=f"Where to save the model. Default: the name of FILE with {MODEL_SUFFIX}, in this folder.",
)
@click.option(
    "--model",
    type=click.Choice(list(MODELS)),
    default="naive-bayes",
    show_default=True,
    help="What sort of model.",
)
@click.option(
    "--kind",
    "kinds",
    metavar="COLUMN=KIND",
    multiple=True,
    help="What a column means: boolean, categorical, ordinal, quantitative, count, text, or its levels in "
    "order as low<middle<high. Without COLUMN=, of all columns.",
)
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
    help="default, none (maximum likelihood), or a number: the strength of the default.",
)
@click.option(
    "--missing",
    type=click.Choice(["ignore", "level"]),
    default="ignore",
    show_default=True,
    help="Whether a missing cell adds no evidence, or is a level of its own.",
)
@click.option("--weight", metavar="COLUMN", help="A column that says how much each row counts.")
@click.option("--drop", metavar="COLUMN", multiple=True, help="Leave a column out; may be repeated.")
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
@force_option
def run(file: str, out: Path | None, folds: int, seed: int, force: bool, as_json: bool, **said: Any) -> None:
    """Learn a model of one column from the others.

    Shows what each column is taken for, how good the predictions are on rows that the model has not seen,
    and what speaks most for each class. The model is saved for the other commands. An older model of
    the same name is replaced; any other file only with --force.
    """
    from likely.cli.files import free
    from likely.cli.output import progress
    from likely.cli.source import stem, whole_table
    from likely.cli.training import train

    path = out or Path(f"{stem(file)}{MODEL_SUFFIX}")
    free(path, force or path.suffix == MODEL_SUFFIX)
    with progress("reading"):
        table = whole_table(file)
    with progress("cross-validating") as tell:
        training = train(table, file, folds, seed, tell, **said)
    training.fitted.save(path)
    _show(training, path, as_json)


def _show(training: Training, path: Path, as_json: bool) -> None:
    from likely.cli.columns import column_records, columns_table
    from likely.cli.learnt import evidence_table, learnt, scores_table
    from likely.cli.output import show
    from likely.cli.strongest import strongest

    record = training.fitted.record_
    signs = strongest(record, TOP)
    columns = column_records(record, training.frame)
    data = {
        **learnt(training),
        "columns": columns,
        "cross-validation": training.validation and training.validation.to_dict(),
        "evidence": {str(label): [sign.to_dict() for sign in found] for label, found in signs.items()},
        "saved": str(path),
    }
    parts = [columns_table(columns, training.title)]
    parts += [scores_table(training.validation)] if training.validation else []
    parts += [evidence_table(signs)] if signs else []
    show(data, *parts, f"saved {path}", as_json=as_json)
