"""`likely show`: what is in a model."""

from __future__ import annotations

from likely.cli.command import command, model_argument


@command(
    "show",
    examples="""
likely show titanic.likely
""",
)
@model_argument()
def run(model: str, as_json: bool) -> None:
    """Describe a model.

    Shows the classes of MODEL, and the distribution of every column in each; of a regression, its
    coefficients.
    """
    from likely.cli.models import load_model
    from likely.cli.output import show

    known = load_model(model)
    found = known.describe() if hasattr(known, "describe") else known.summary()
    show(found.to_dict(), str(found), as_json=as_json)
