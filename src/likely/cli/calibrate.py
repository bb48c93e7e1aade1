"""`likely calibrate`: a model, or a column of scores, made into calibrated probabilities."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, force_option, out_option
from likely.cli.work import MODEL_SUFFIX

OF_SCORES = ("logistic", "means", "beta", "isotonic", "bins")
OF_MODELS = ("auto", *OF_SCORES, "temperature")


@command(
    "calibrate",
    after="evaluate",
    examples="""
likely calibrate mails.likely new.csv -o calibrated.likely
likely calibrate answers.csv --score-column p_yes --target survived --positive yes
likely calibrate scored.csv --score-column score --target bought --method logistic -o better.csv
""",
)
@click.argument("model", metavar="[MODEL]", required=False)
@click.argument("file", metavar="FILE", required=False)
@click.option("--score-column", metavar="COLUMN", help="The column of scores, where there is no model.")
@click.option("--target", metavar="COLUMN", help="The column that says what came true. Default: the model's.")
@click.option("--positive", metavar="CLASS", help="The class that high scores stand for.")
@click.option(
    "--method",
    type=click.Choice(OF_MODELS),
    help="The map from scores to probabilities. auto takes the best of several on rows it was not learnt "
    "from; beta is for scores that are probabilities. Default: auto for a model, isotonic for a column.",
)
@out_option
@force_option
def run(
    model: str | None,
    file: str | None,
    score_column: str | None,
    target: str | None,
    positive: str | None,
    method: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Turn scores into calibrated probabilities.

    Of a MODEL, from rows of FILE that it has not learnt from: the calibrated model is saved, by default
    beside MODEL with -calibrated in its name. Or of a column of scores in FILE: the map is learnt from the
    rows whose target is known, and the new column, calibrated, has the probability for all rows, also for
    those whose target is not known yet. Without OUT these rows go to standard output in the format of FILE
    (with --json as JSON lines); a terminal shows the first ones.
    """
    if file is None:
        model, file = None, model
    if file is None:
        raise click.UsageError("give a MODEL and a FILE, or a FILE and --score-column.")
    if model is None:
        if score_column is None or target is None:
            raise click.UsageError("without a MODEL before FILE give --score-column and --target.")
        if method not in (None, *OF_SCORES):
            raise click.UsageError(f"--method {method} is for models: give one of {', '.join(OF_SCORES)}.")
        return _column(file, score_column, target, positive, method or "isotonic", out, force, as_json)
    if score_column is not None or positive is not None:
        raise click.UsageError("--score-column and --positive are for a FILE without a MODEL.")
    return _model(model, file, target, method or "auto", out, force, as_json)


def _model(
    model: str, file: str, target: str | None, method: str, out: Path | None, force: bool, as_json: bool
) -> None:
    from likely.cli.work.calibrate import calibrated_model, report
    from likely.cli.work.files import check_free, whole_table
    from likely.cli.work.models import load_model
    from likely.cli.work.output import progress, show

    path = out or Path(model).with_name(f"{Path(model).stem}-calibrated{MODEL_SUFFIX}")
    check_free(path, force)
    known = load_model(model)
    with progress("reading"):
        table = whole_table(file)
    calibrated = calibrated_model(known, table, file, target, method)
    calibrated.save(path)
    data, parts = report(calibrated, file)
    show({**data, "saved": str(path)}, *parts, f"saved {path}", as_json=as_json)


def _column(
    file: str,
    column: str,
    target: str,
    positive: str | None,
    method: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    from likely.cli.work.calibrate import calibrated_column
    from likely.cli.work.files import check_free, whole_table
    from likely.cli.work.tables import FIRST, in_terminal, refuse_json_file, show_first_rows, writer
    from likely.table.frame import take

    refuse_json_file(out, as_json)
    check_free(out, force)
    table = whole_table(file)
    added = calibrated_column(table, file, column, target, positive, method)
    if in_terminal(out, as_json):
        import numpy as np

        first = np.arange(min(FIRST, len(next(iter(added.values())))))
        show_first_rows(take(table, first), take(added, first))
        return
    with writer(out, as_json, file) as written:
        written.write(table, added)
