"""Independence, of columns by their rows or of nodes by their graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from likely.archive.network_files import is_network_file
from likely.cli.work import MODEL_SUFFIX
from likely.cli.work.declared import columns_of
from likely.cli.work.files import whole_table
from likely.cli.work.models import load_model
from likely.cli.work.network import network_of, said_of
from likely.cli.work.pairs import known_column
from likely.errors import LikelyError
from likely.models.network.separation import Separation
from likely.score.independence import METHODS, Independence, independent_of


def says_graph(file: str) -> bool:
    """Whether FILE is a network rather than a table."""
    return is_network_file(file) or Path(file).suffix == MODEL_SUFFIX


def graph_says(file: str, a: str, b: str, given: Sequence[str], kinds: Sequence[str]) -> Separation:
    """Whether the graph of a network separates two nodes."""
    if kinds:
        raise LikelyError(f"--kind does not apply to {file}: a graph has no columns.")
    network = network_of(load_model(file), file)
    said_of([a], network, "A")
    said_of([b], network, "B")
    said_of(given, network, "--given")
    return network.separated(a, b, list(given))


def rows_say(
    file: str, a: str, b: str, given: Sequence[str], kinds: Sequence[str]
) -> dict[str, Independence]:
    """What the rows of a table say, by each of the two tests."""
    table = whole_table(file)
    names = list(table)
    for name, option in ((a, "A"), (b, "B"), *((own, "--given") for own in given)):
        known_column(name, names, option)
    asked = {name: table[name] for name in dict.fromkeys([a, b, *given])}
    frame, declared = columns_of(asked, kinds, ())
    return {
        method: independent_of(a, b, list(given) or None, table=frame, kinds=declared, method=method)
        for method in METHODS
    }
