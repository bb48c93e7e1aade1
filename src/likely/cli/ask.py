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
likely ask titanic.likely "P(survived=yes | class=3rd)" --data titanic
""",
)
@model_argument()
@click.argument("question")
@click.option("--data", metavar="FILE", help="Count the same in the rows of this table, and compare.")
def run(model: str, question: str, data: str | None, as_json: bool) -> None:
    """Answer a question about probabilities.

    QUESTION is written as in a book: P(a=x | b>3, c=y), P(a), odds(a=x | b=y), H(a | b), I(a; b), E(a |
    b=y), sd(a), var(a), cov(a, b), median(a), quantile(a, 0.9), argmax(a | b=y). Conditions are joined by
    and, or, not and brackets. Quote it for the shell, in single quotes if it has backquotes. Beside the
    answer stands what the rows show that the model was learnt from, where it kept what that takes (of the
    target and one column of levels), or with --data those of a table; a note says when the two differ beyond
    chance.
    """
    from inspect import signature

    from likely.cli.work.files import whole_table
    from likely.cli.work.models import able, load_model
    from likely.cli.work.output import show

    asked = able(load_model(model), "ask", "answer questions")
    if "data" in signature(asked).parameters:
        answer = asked(question, data="model" if data is None else whole_table(data))
    elif data is None:
        answer = asked(question)
    else:
        raise click.UsageError(f"--data: rows are not counted for a {type(asked.__self__).__name__}.")
    show(answer.to_dict(), str(answer), as_json=as_json)
