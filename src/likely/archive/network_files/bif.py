"""BIF 0.15, the Bayesian Interchange Format, which most programs read and most public networks come in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

from likely.archive.network_files.record import PlainNetwork, PlainVariable
from likely.archive.network_files.rows import Body, RowsTable, check_names, check_rows, take_header
from likely.archive.network_files.source import Grammar, NetworkText, quoted, unquoted
from likely.archive.network_files.tables import Draft

GRAMMAR = Grammar("BIF", "{}()[];|", r"//[^\n]*+|/\*.*?(?:\*/|\Z)", ("//", "/*"))
BARE = re.compile(r"[\w.+/<>=:%$#@&*!?^~'-]+")  # what needs no quotes
FREE = re.compile(r"[\w.+<>=:%$#@&*!?^~' (),-]+")  # what may stand in a property as it is
KEYWORDS = frozenset(
    ["network", "variable", "probability", "property", "type", "discrete", "table", "default"]
)


def read(text: str) -> PlainNetwork:
    """The network of a BIF text.

    >>> rain = "variable rain { type discrete [ 2 ] { no, yes }; } probability ( rain ) { table 0.8, 0.2; }"
    >>> read("network lawn { } " + rain).variables[0].table
    array([0.8, 0.2])
    """
    source, draft = NetworkText(text, GRAMMAR), Draft()
    bodies: dict[str, Body] = {}
    while source.peek():
        keyword = source.take()
        if keyword == "network":
            draft.name = "" if source.peek() == "{" else source.name("the name of the network")
            source.expect("{")
            _properties(source, draft.properties)
        elif keyword == "variable":
            _variable(source, draft)
        elif keyword == "probability":
            take_header(source, draft, bodies)
        else:
            source.fail("expected 'network', 'variable' or 'probability'", source.at - 1)
    check_names(source, draft, bodies)
    draft.check(len(text))
    codes = {
        name: {GRAMMAR.as_token(state): i for i, state in enumerate(states)}
        for name, states in draft.states.items()
    }
    tables = [_table(source, draft, name, body, codes) for name, body in bodies.items()]
    draft.tables = {table.name: table.table() for table in tables}
    draft.settle(child_first=True)
    check_rows(tables, draft)
    return draft.network()


def _table(
    source: NetworkText, draft: Draft, name: str, body: Body, codes: Mapping[str, Mapping[str, int]]
) -> RowsTable:
    table = RowsTable(source, draft, name, body, [codes[parent] for parent in draft.parents[name]])
    source.at = body.start
    if table.take(body.stop):  # all of them at once, as files mostly are
        return table
    while source.at < body.stop:
        token = source.peek()
        if token == "property":
            _property(source, draft.of_variables[name])
        elif token == "table":
            source.take()
            table.take_all()
        elif token == "default":
            source.take()
            table.take_rest()
        elif token == "(":
            table.take_one()
        else:
            source.fail("expected '(', 'table' or 'default'")
    return table


def _properties(source: NetworkText, properties: dict[str, str]) -> None:
    """Properties up to the end of a block."""
    while source.peek() == "property":
        _property(source, properties)
    source.expect("}")


def _property(source: NetworkText, properties: dict[str, str]) -> None:
    at = source.at
    source.expect("property")
    words = source.words_until(";")
    if words.startswith('"') and source.at == at + 3:  # all of it in one pair of quotes
        words = unquoted(words)
    name, _, value = words.partition("=")
    properties[name.strip()] = value.strip()


def _variable(source: NetworkText, draft: Draft) -> None:
    at, name = source.at, source.name("the name of a variable")
    if name in draft.states:
        source.fail(f"the variable {name!r} is described a second time", at, remedy="leave one of them out")
    source.expect("{")
    properties: dict[str, str] = {}
    while source.peek() == "property":
        _property(source, properties)
    source.expect("type")
    if source.peek() != "discrete":
        source.fail(f"expected 'discrete' as the type of {name!r}", remedy="cut its values into bins first")
    source.expect("discrete", "[")
    stated = source.name("the number of states")
    source.expect("]", "{")
    at = source.at
    draft.states[name] = source.names_until("}", f"a state of {name!r}")
    source.check_count(stated, len(draft.states[name]), name, at)
    source.expect(";")
    _properties(source, properties)
    draft.of_variables[name] = properties


def text(network: PlainNetwork) -> str:
    """A network as BIF."""
    states = {variable.name: variable.states for variable in network.variables}
    lines = [f"network {_word(network.name or 'unknown')} {{", *_said(network.properties), "}"]
    for variable in network.variables:
        named = ", ".join(map(_word, variable.states))
        lines += [
            f"variable {_word(variable.name)} {{",
            f"  type discrete [ {len(variable.states)} ] {{ {named} }};",
            *_said(variable.properties),
            "}",
        ]
    for variable in network.variables:
        lines += _probability(variable, states)
    return "\n".join(lines) + "\n"


def _probability(variable: PlainVariable, states: Mapping[str, tuple[str, ...]]) -> list[str]:
    rows = variable.table.reshape(-1, len(variable.states)).tolist()
    said = (", ".join(map(repr, row)) for row in rows)
    if not variable.parents:
        return [f"probability ( {_word(variable.name)} ) {{", f"  table {next(said)};", "}"]
    given = ", ".join(map(_word, variable.parents))
    configurations = product(*([_word(state) for state in states[parent]] for parent in variable.parents))
    return [
        f"probability ( {_word(variable.name)} | {given} ) {{",
        *(f"  ({', '.join(c)}) {row};" for c, row in zip(configurations, said, strict=True)),
        "}",
    ]


def _said(properties: Mapping[str, str]) -> list[str]:
    said = (f"{name} = {value}" if value else name for name, value in properties.items())
    return [f"  property {words if FREE.fullmatch(words) else quoted(words)};" for words in said]


def _word(name: str) -> str:
    bare = BARE.fullmatch(name) and name not in KEYWORDS and "//" not in name and "/*" not in name
    return name if bare else quoted(name)
