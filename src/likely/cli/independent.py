"""`likely independent`: whether two columns, or two nodes of a network, tell of each other."""

from __future__ import annotations

import click

from likely.cli.command import command, kind_option, table_argument


@command(
    "independent",
    after="draw",
    examples="""
likely independent titanic sex survived
likely independent titanic sex survived --given class
likely independent asia.bif asia smoke --given dysp
""",
)
@table_argument
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--given", metavar="C", multiple=True, help="What is known; may be repeated.")
@kind_option
def run(file: str, a: str, b: str, given: tuple[str, ...], kinds: tuple[str, ...], as_json: bool) -> None:
    """Ask whether A and B are independent, given C.

    FILE is a table: then it is tested on its rows, by G and by Pearson's chi-squared, and the answer has the
    bits, the degrees of freedom and p. Or FILE is a network: then the graph says whether they must be
    independent (d-separation), and if not, which path connects them.
    """
    from dataclasses import asdict

    from likely.cli.work.independent import graph_says, rows_say, says_graph
    from likely.cli.work.output import show

    if says_graph(file):
        separation = graph_says(file, a, b, given, kinds)
        show(
            {"independent": bool(separation), "path": list(separation.path or ())},
            str(separation),
            as_json=as_json,
        )
        return
    tests = rows_say(file, a, b, given, kinds)
    known = f" given {', '.join(given)}" if given else ""
    said = "\n".join([f"{a} and {b}{known}", *map(str, tests.values())])
    show({method: asdict(test) for method, test in tests.items()}, said, as_json=as_json)
