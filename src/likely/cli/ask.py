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
likely ask titanic.likely "P(survived=yes | sex=female, class=3rd)" --data titanic
""",
)
@model_argument()
@click.argument("question")
@click.option("--data", metavar="FILE", help="Count the same in the rows of this table, and compare.")
def run(model: str, question: str, data: str | None, as_json: bool) -> None:
    """Answer a question about probabilities.

    QUESTION is written as in a book: P(a=x | b>3, c=y), P(a), odds(a=x | b=y), H(a | b), I(a; b), E(a | b=y),
    sd(a), var(a), median(a), quantile(a, 0.9), argmax(a | b=y). Conditions are joined by and, or,
    not and brackets. Quote it for the shell. With --data the answer stands beside what the rows show, and a
    note says when the two differ beyond chance.
    """
    from likely.cli.output import show
    from likely.cli.work.files import whole_table
    from likely.cli.work.models import able, load_model

    asked = able(load_model(model), "ask", "answer questions")
    answer = asked(question) if data is None else asked(question, data=whole_table(data))
    show(answer.to_dict(), str(answer), as_json=as_json)
