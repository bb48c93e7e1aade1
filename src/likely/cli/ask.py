"""`likely ask`: a question in the notation of probability, answered by a model."""

from __future__ import annotations

import click

from likely.cli.command import command, model_argument


@command(
    "ask",
    after="explain",
    examples="""
likely ask titanic.likely "P(survived=yes | sex=female, class=1st)"
likely ask titanic.likely "P(survived=yes | sex=female or class=1st)"
""",
)
@model_argument()
@click.argument("question")
def run(model: str, question: str, as_json: bool) -> None:
    """Answer a question about probabilities.

    QUESTION is written as in a book: P(a=x | b>3, c=y), P(a), odds(a=x | b=y), H(a | b), I(a; b), E(a | b=y),
    argmax(a | b=y). Conditions are joined by and, or, not and brackets. Quote it for the shell.
    """
    from likely.cli.output import show
    from likely.cli.work.models import able, load_model

    answer = able(load_model(model), "ask", "answer questions")(question)
    show(answer.to_dict(), str(answer), as_json=as_json)
