"""`likely choose`: which model describes a table in the fewest bits."""

from __future__ import annotations

import click

from likely.cli.command import command, kind_option, table_argument
from likely.cli.work.models import ModelChoice


@command(
    "choose",
    after="decompress",
    examples="""
likely choose titanic
likely choose titanic -t survived
likely choose titanic -t survived --model naive-bayes --model tan --by prequential
""",
)
@table_argument
@click.option("-t", "--target", metavar="COLUMN", help="Describe this column given the others.")
@click.option("--model", "models", type=ModelChoice(), multiple=True, help="A model; may be repeated.")
@click.option(
    "--by",
    type=click.Choice(["mdl", "prequential", "bic"]),
    default="mdl",
    show_default=True,
    help="mdl and bic send parameters, then rows; prequential sends rows alone, as they come.",
)
@kind_option
def run(
    file: str, target: str | None, models: tuple[str, ...], by: str, kinds: tuple[str, ...], as_json: bool
) -> None:
    """Say which model describes a table in the fewest bits.

    The bits are those of the model and of the rows given the model (minimum description length). Without
    --target whole rows are described, by hidden groups and networks; with it, that column given the others.
    The shortest description is not always the best predictor: `likely learn` says how well a model predicts.
    """
    from likely.cli.work.choose import chosen
    from likely.cli.work.output import progress, show

    with progress("describing") as tell:
        choice = chosen(file, target, models, kinds, by, tell)
    lengths = [
        {
            "model": name,
            "parameters": one.parameters,
            "model bits": one.model_bits,
            "data bits": one.data_bits,
        }
        | {"bits": one.total}
        for name, one in zip(choice.names, choice.lengths, strict=True)
    ]
    show({"by": by, "target": target, "models": lengths}, str(choice), as_json=as_json)
