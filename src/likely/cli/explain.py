"""`likely explain`: the evidence behind one prediction."""

from __future__ import annotations

import click

from likely.cli.command import about_option, command, model_argument, table_argument


@command(
    "explain",
    after="predict",
    examples="""
likely explain titanic.likely titanic --row 1
likely explain iris.likely flowers.csv --row 5 --class setosa --against virginica
likely explain asia.bif patients.csv --row 3 --about lung
""",
)
@model_argument()
@table_argument
@click.option("--row", type=click.IntRange(min=1), required=True, help="Which row; the first is 1.")
@click.option(
    "--class", "favoured", metavar="CLASS", help="The class to explain. Default: the most probable."
)
@click.option("--against", metavar="CLASS", help="The class to weigh it against. Default: the next probable.")
@about_option
@click.option("--bits", is_flag=True, help="Evidence in bits rather than nats.")
def run(
    model: str,
    file: str,
    row: int,
    favoured: str | None,
    against: str | None,
    about: str | None,
    bits: bool,
    as_json: bool,
) -> None:
    """Show the evidence behind one prediction.

    The ledger of a row of FILE: where the odds start, what each cell adds to them, and where they end. Of a
    model that predicts numbers: a baseline (numbers at their means), and what each cell adds to that.
    """
    from likely.cli.work.files import one_row
    from likely.cli.work.models import able, load_model
    from likely.cli.work.network import known_cells, node_of, schema_in
    from likely.cli.work.output import show
    from likely.errors import LikelyError
    from likely.evidence.render import TOP
    from likely.table.names import class_named

    known = load_model(model)
    node = node_of(known, about)
    if node is not None:
        cells = known_cells(known, one_row(file, row, schema_in(known, file, node)), node)
        levels = [
            None if word is None else class_named(word, known.levels(node)) for word in (favoured, against)
        ]
        ledger = known.explain(cells, about=node, favoured=levels[0], against=levels[1])
        show({"row": row, **ledger.to_dict()}, ledger.text(bits=bits, top=TOP), as_json=as_json)
        return
    if not hasattr(known, "classes_"):
        if favoured is not None or against is not None or bits:
            raise LikelyError(f"{model} predicts numbers: --class, --against and --bits do not apply.")
        parts = known.explain(one_row(file, row, known.record_.schema))
        show({"row": row, **parts.to_dict(0)}, parts.text(0, top=TOP), as_json=as_json)
        return
    able(known, "explain", "explain a prediction")
    named = [None if word is None else class_named(word, known.classes_) for word in (favoured, against)]
    ledger = known.explain(one_row(file, row, known.record_.schema), *named)[0]
    show({"row": row, **ledger.to_dict()}, ledger.text(bits=bits, top=TOP), as_json=as_json)
