"""`likely next`: which column to ask about, given what is known."""

from __future__ import annotations

import click

from likely.cli.command import about_option, command, model_argument


@command(
    "next",
    after="ask",
    examples="""
likely next titanic.likely
likely next titanic.likely --given sex=female --cost age=2
likely next asia.bif --about lung --given smoke=yes
""",
)
@model_argument()
@click.option("--given", metavar="COLUMN=VALUE", multiple=True, help="What is known; may be repeated.")
@click.option(
    "--cost",
    "costs",
    metavar="COLUMN=COST",
    multiple=True,
    help="What it costs to learn a column; 1 if not said.",
)
@about_option
def run(model: str, given: tuple[str, ...], costs: tuple[str, ...], about: str | None, as_json: bool) -> None:
    """Say what to find out next.

    Ranks the columns of MODEL by what each is expected to tell about the target, in bits per cost, given
    what is known.
    """
    from likely.cli.work.models import able, load_model
    from likely.cli.work.network import node_of
    from likely.cli.work.output import show
    from likely.cli.work.pairs import number, pair

    known = load_model(model)
    names = known.record_.schema.names
    facts = dict(pair(text, names, "--given") for text in given)
    prices = {
        name: number(cost, f"--cost {name}") for name, cost in (pair(t, names, "--cost") for t in costs)
    }
    node = node_of(known, about)
    ask = able(known, "next_question", "say what to ask next")
    ranking = ask(facts, prices) if node is None else ask(facts, prices, about=node)
    show(ranking.to_dict(), str(ranking), as_json=as_json)
