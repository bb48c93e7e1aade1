"""`likely impute`: a table with its gaps filled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.command import (
    command,
    drop_option,
    force_option,
    kind_option,
    out_option,
    seed_option,
    table_argument,
)

if TYPE_CHECKING:
    from likely.cli.work.impute import Filling


@command(
    "impute",
    after="segment",
    examples="""
likely impute penguins.csv -o filled.csv
likely impute - < penguins.csv > filled.csv
likely impute penguins.csv -o filled.csv --draws 5
likely impute penguins.csv -o filled.csv --method class --target species
likely impute patients.csv -o filled.csv --model asia.bif
""",
)
@table_argument
@click.option(
    "--method",
    "--model",
    "model",
    metavar="[mixture|gaussian|class|model|level|network|MODEL]",
    default="mixture",
    show_default=True,
    help="Hidden groups of rows, for columns of all kinds; one normal distribution of all numbers, other "
    "columns each on its own; the mean of the row's class (see --target); a model of each column from the "
    "others, in rounds until nothing changes; a level of its own, called missing, in columns of words; a "
    "belief network, whose arcs are found in the table; or the file of a network.",
)
@click.option("--target", metavar="COLUMN", help="Of --method class: the column that holds the classes.")
@click.option(
    "--statistic",
    type=click.Choice(["mean", "median"]),
    default="mean",
    show_default=True,
    help="Of --method class: what numbers are filled with.",
)
@click.option(
    "--draws",
    metavar="M",
    type=click.IntRange(min=1),
    help="Write M tables, named OUT with -1, -2 and so on, whose gaps are drawn by chance: where they "
    "differ, the gaps are open.",
)
@kind_option
@drop_option
@seed_option("Decides where the search for groups begins, and what is drawn.")
@out_option
@force_option
def run(
    file: str,
    model: str,
    target: str | None,
    statistic: str,
    draws: int | None,
    kinds: Sequence[str],
    drop: Sequence[str],
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Fill the missing cells of a table.

    Each gap gets what the rest of its row makes expected: the mean of numbers, the most probable level,
    count or truth value. Texts, and columns that are dropped, keep their gaps; what is known stays as it is
    written. Without OUT the rows go to standard output in the format of FILE (with --json as JSON lines); a
    terminal shows the first ones.
    """
    import numpy as np

    from likely.cli.work.declared import columns_of, warn_of_identifiers
    from likely.cli.work.files import check_table, opened, whole_table
    from likely.cli.work.output import progress
    from likely.cli.work.tables import give_rows

    if (model == "class") is not (target is not None):
        raise click.UsageError("--method class and --target COLUMN go together: the classes fill the gaps.")
    if draws is not None and model in ("class", "model", "level"):
        raise click.UsageError(f"--method {model} draws nothing: use mixture, gaussian or network.")
    outs = _outs(out, draws)
    for each in outs:
        check_table(each, force)
    with opened(file) as source:
        with progress("reading"):
            frame, declared = columns_of(whole_table(source.name), kinds, drop)
        filling = _filling(model, frame, declared, draws, seed, source.name, statistic, target)
        schema = filling.schema
        warn_of_identifiers(frame, filling.filled_schema.columns)
        for place, path in enumerate(outs):
            filling.filled.clear()
            rng = None if draws is None else np.random.default_rng((seed, place))
            if not give_rows(source, schema, partial(filling.rows, rng=rng), path, as_json, "filling"):
                return
    _say(filling, outs, as_json)


def _filling(
    model: str,
    frame: Any,
    kinds: Any,
    draws: int | None,
    seed: int,
    file: str,
    statistic: str,
    target: str | None,
) -> Filling:
    """What fills the gaps: a model of the table, or a network that is in a file."""
    from likely.cli.work.impute import Filling, LevelFilling, NetworkFilling
    from likely.cli.work.models import load_model
    from likely.cli.work.network import network_of, schema_in
    from likely.features.impute import Impute
    from likely.features.missing_level import MissingLevel
    from likely.models.network.network import Network

    if model in ("mixture", "gaussian", "class", "model"):
        fitted = Impute(model, statistic=statistic, kinds=kinds, random_state=seed).fit(frame, target)
        return Filling(fitted, frame, draws is not None)
    if model == "level":
        return LevelFilling(MissingLevel(kinds=kinds).fit(frame), frame)
    if model == "network":
        network = Network(kinds=kinds, random_state=seed).fit(frame)
        return NetworkFilling(network, frame, draws is not None, network_schema=network.record_.schema)
    network = network_of(load_model(model), model)
    return NetworkFilling(network, frame, draws is not None, network_schema=schema_in(network, file))


def _outs(out: Path | None, draws: int | None) -> list[Path | None]:
    """The files to write; none is standard output."""
    if draws is None:
        return [out]
    if out is None:
        raise click.UsageError("--draws makes several tables: say with -o OUT what to call them.")
    name, dot, ending = out.name.partition(".")
    return [out.with_name(f"{name}-{i}{dot}{ending}") for i in range(1, draws + 1)]


def _say(filling: Filling, outs: Sequence[Path | None], as_json: bool) -> None:
    from likely.cli.work.output import Table, say, show
    from likely.format.words import many, shown

    columns, cells = filling.columns(), sum(filling.filled.values())
    title = f"{many(cells, 'missing cell')} filled in {many(filling.frame.n, 'row')}, by {filling.by}"
    if outs[0] is None:
        named = [f"{shown(about['column'])} {about['filled']}" for about in columns if about["filled"]]
        say(f"{title}{': ' if named else ''}{', '.join(named)}")
        return
    heads = ("column", "kind", "missing", "filled", "how")
    body = [[shown(about["column"]), *(f"{about[head]}" for head in heads[1:])] for about in columns]
    written = [str(path) for path in outs]
    data = {"rows": filling.frame.n, "by": filling.by, "columns": columns, "written": written}
    show(data, Table(title, heads, body, "<<>><"), f"wrote {', '.join(written)}", as_json=as_json)
