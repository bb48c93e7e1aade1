"""`likely evaluate`: how good the probabilities of a model, or a column of scores, are."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option


@command(
    "evaluate",
    after="diff",
    examples="""
likely evaluate titanic.likely titanic
likely evaluate income.likely new.csv --plot income.svg
likely evaluate --scores answers.csv --score-column p_yes --target survived --positive yes
""",
)
@click.argument("model", metavar="[MODEL", required=False)
@click.argument("file", metavar="FILE]", required=False)
@click.option("--scores", metavar="FILE", help="A file that has the scores in a column, instead of a model.")
@click.option("--score-column", metavar="COLUMN", help="The column of scores, the higher the more positive.")
@click.option("--target", metavar="COLUMN", help="The column that says what came true.")
@click.option("--positive", metavar="CLASS", help="The class that high scores stand for.")
@click.option(
    "--plot",
    metavar="PICTURE",
    type=click.Path(path_type=Path),
    help="Draw ROC curves and reliability diagrams into a file: .svg, .png or .pdf.",
)
@force_option
def run(
    model: str | None,
    file: str | None,
    scores: str | None,
    score_column: str | None,
    target: str | None,
    positive: str | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Judge probabilities by what came true.

    Of a MODEL on the rows of FILE, which has its target; or of any scores, with --scores. Shows log loss,
    Brier score, AUC, accuracy and calibration error with their standard errors, and the best threshold; of a
    model that predicts numbers, RMSE, R2 and log density.
    Rows that the model has learnt from flatter it. FILE is read in pieces and may be larger than memory.
    """
    from likely.cli.work.evaluate import evaluation_tables, of_model, of_scores
    from likely.cli.work.files import check_free, opened, whole_table
    from likely.cli.work.output import progress, show
    from likely.errors import LikelyError

    check_free(plot, force)
    if scores is not None:
        if model is not None or score_column is None or target is None:
            raise click.UsageError("--scores FILE needs --score-column and --target, and no MODEL.")
        with progress("reading"):
            table = whole_table(scores)
        title, evaluation = of_scores(table, scores, *_columns(table, score_column, target, positive))
    else:
        if model is None or file is None:
            raise click.UsageError("give a MODEL and a FILE, or --scores FILE.")
        from likely.cli.work.models import load_model

        known = load_model(model)
        with opened(file) as source:
            title, evaluation = of_model(known, source, file)
    if plot is not None:
        try:
            evaluation.draw(plot)
        except LikelyError as error:
            raise LikelyError(f"--plot {error}") from None
    more = [] if plot is None else [f"drawn {plot}"]
    show(evaluation.to_dict(), *evaluation_tables(title, evaluation), *more, as_json=as_json)


def _columns(
    table: dict[str, object], score: str, target: str, positive: str | None
) -> tuple[str, str, object]:
    """The columns, and the class among the values of the target."""
    from likely.cli.work.pairs import known_column
    from likely.table.column.as_raw import as_raw
    from likely.table.names import class_named

    known_column(score, list(table), "--score-column")
    known_column(target, list(table), "--target")
    if positive is None:
        return score, target, None
    return score, target, class_named(positive, as_raw(target, table[target]).distinct()[1])
