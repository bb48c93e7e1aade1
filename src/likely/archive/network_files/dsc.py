"""DSC, the files of Microsoft's belief network tools."""

from __future__ import annotations

from itertools import product

from likely.archive.network_files.identifiers import identifiers, originals
from likely.archive.network_files.record import PlainNetwork, PlainVariable
from likely.archive.network_files.rows import Body, RowsTable, check_names, check_rows, take_header
from likely.archive.network_files.source import Grammar, NetworkText, quoted
from likely.archive.network_files.tables import Draft

GRAMMAR = Grammar("DSC", "{}()[]:;|=", r"//[^\n]*+|/\*.*?(?:\*/|\Z)", ("//", "/*"))


def read(text: str) -> PlainNetwork:
    """The network of a DSC text.

    >>> rain = 'node rain { type : discrete[2] = { "no", "yes" }; } probability ( rain ) { 0.8, 0.2; }'
    >>> read(f'belief network "lawn" {rain}').variables[0].table
    array([0.8, 0.2])
    """
    source, draft = NetworkText(text, GRAMMAR), Draft()
    bodies: dict[str, Body] = {}
    labels: dict[str, str] = {}
    while source.peek():
        keyword = source.take()
        if keyword == "belief":
            source.expect("network")
            if source.peek() not in ("node", "probability", "properties", ""):
                draft.name = source.name("the name of the network")
        elif keyword == "properties":
            source.until("}")
        elif keyword == "node":
            _node(source, draft, labels)
        elif keyword == "probability":
            take_header(source, draft, bodies)
        else:
            source.fail("expected 'belief network', 'node' or 'probability'", source.at - 1)
    check_names(source, draft, bodies)
    draft.check(len(text))
    tables = [_table(source, draft, name, body) for name, body in bodies.items()]
    draft.tables = {table.name: table.table() for table in tables}
    draft.settle(child_first=False)
    check_rows(tables, draft)
    draft.rename(originals(labels), beside="name")
    return draft.network()


def _node(source: NetworkText, draft: Draft, labels: dict[str, str]) -> None:
    at, name = source.at, source.name("the name of a node")
    if name in draft.states:
        source.fail(f"the node {name!r} is described a second time", at, remedy="leave one of them out")
    source.expect("{")
    properties: dict[str, str] = {}
    while source.peek() != "}":
        attribute = source.name("the name of an attribute, or '}'")
        if attribute == "type":
            _states(source, draft, name)
            continue
        if source.peek() in (":", "="):
            source.take()
        properties[attribute] = source.value_until(";")
    source.expect("}")
    if name not in draft.states:
        source.fail(
            f"the node {name!r} has no type", at, remedy='say it: type : discrete[2] = {"no", "yes"};'
        )
    labels[name] = properties.get("name", name)
    draft.of_variables[name] = properties


def _states(source: NetworkText, draft: Draft, name: str) -> None:
    """`: discrete[2] = { "no", "yes" };`, with or without the equals sign."""
    source.expect(":")
    if source.peek() != "discrete":
        source.fail(f"expected 'discrete' as the type of {name!r}", remedy="cut its values into bins first")
    source.expect("discrete", "[")
    stated = source.name("the number of states")
    source.expect("]")
    if source.peek() == "=":
        source.expect("=")
    source.expect("{")
    at = source.at
    draft.states[name] = source.names_until("}", f"a state of {name!r}")
    source.check_count(stated, len(draft.states[name]), name, at)
    source.expect(";")


def _table(source: NetworkText, draft: Draft, name: str, body: Body) -> RowsTable:
    codes = [{str(i): i for i in range(len(draft.states[parent]))} for parent in draft.parents[name]]
    table = RowsTable(source, draft, name, body, codes, "):")
    source.at = body.start
    if table.take(body.stop):  # all of them at once, as files mostly are
        return table
    while source.at < body.stop:
        token = source.peek()
        if token == "default":
            source.expect("default", ":")
            table.take_rest()
        elif token == "(":
            table.take_one()
        else:
            table.take_all()
    return table


def text(network: PlainNetwork) -> str:
    """A network as DSC; names that are no identifiers are kept beside them, properties are left out."""
    words = identifiers(variable.name for variable in network.variables)
    lines = [f"belief network {quoted(network.name)}"]
    for variable in network.variables:
        states = ", ".join(map(quoted, variable.states))
        lines.append(f"node {words[variable.name]} {{")
        if words[variable.name] != variable.name:
            lines.append(f"  name : {quoted(variable.name)};")
        lines += [f"  type : discrete [ {len(variable.states)} ] = {{ {states} }};", "}"]
    for variable in network.variables:
        lines += _probability(variable, words)
    return "\n".join(lines) + "\n"


def _probability(variable: PlainVariable, words: dict[str, str]) -> list[str]:
    rows = (", ".join(map(repr, row)) for row in variable.table.reshape(-1, len(variable.states)).tolist())
    name = words[variable.name]
    if not variable.parents:
        return [f"probability ( {name} ) {{", f"  {next(rows)};", "}"]
    given = ", ".join(words[parent] for parent in variable.parents)
    codes = product(*(map(str, range(size)) for size in variable.table.shape[:-1]))
    body = (f"  ({', '.join(code)}) : {row};" for code, row in zip(codes, rows, strict=True))
    return [f"probability ( {name} | {given} ) {{", *body, "}"]
