"""`likely diff`: what two models disagree on."""

from __future__ import annotations

from likely.cli.command import command, model_argument


@command(
    "diff",
    after="show",
    examples="""
likely diff last-year.likely this-year.likely
""",
)
@model_argument("a", "A")
@model_argument("b", "B")
def run(a: str, b: str, as_json: bool) -> None:
    """Compare two models.

    Shows what A and B have learnt differently.
    """
    import likely
    from likely.cli.work.models import load_model
    from likely.cli.work.output import show

    difference = likely.diff(load_model(a), load_model(b))
    show(difference.to_dict(), str(difference), as_json=as_json)
