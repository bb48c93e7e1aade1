"""`likely show`: what is in a model."""

from __future__ import annotations

import click

from likely.cli.command import command, model_argument


@command(
    "show",
    after="sample",
    examples="""
likely show titanic.likely
likely show titanic.likely --story
""",
)
@model_argument()
@click.option("--story", is_flag=True, help="How the model takes a row to come about, step by step.")
def run(model: str, story: bool, as_json: bool) -> None:
    """Describe a model.

    Shows the classes of MODEL, and the distribution of every column in each; of a regression, its
    coefficients; of a transformer, what becomes of each column.
    """
    from likely.cli.work.models import able, described, facts_of, load_model
    from likely.cli.work.output import show

    known = load_model(model)
    if story:
        told = able(known, "story", "tell how a row comes about")()
        show(told.to_dict(), str(told), as_json=as_json)
        return
    description = described(known)
    show(facts_of(known, description), str(description), as_json=as_json)
