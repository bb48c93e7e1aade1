"""NET, the files of Hugin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from math import prod

import numpy as np

from likely.archive.network_files.identifiers import IDENTIFIER, identifiers, originals
from likely.archive.network_files.record import PlainNetwork, PlainVariable
from likely.archive.network_files.rows import Body, check_names, take_header
from likely.archive.network_files.source import Grammar, NetworkText, quoted
from likely.archive.network_files.tables import Draft, NotANumberError, numbers

GRAMMAR = Grammar("NET", "{}()=;|", r"%[^\n]*+", ("%",))
KINDS = ("discrete", "chance")  # of nodes that can be read
SHAPED = re.compile(r"\([\w. -]*\)|-?[\d.]+")  # a place, a number: not to be put in quotes
OTHERS = ("continuous", "utility", "decision", "function", "class")


def read(text: str) -> PlainNetwork:
    """The network of a NET text.

    >>> rain = 'node rain { states = ("no" "yes"); } potential ( rain ) { data = ( 0.8 0.2 ); }'
    >>> read("net { } " + rain).variables[0].table
    array([0.8, 0.2])
    """
    source, draft = NetworkText(text, GRAMMAR), Draft()
    bodies: dict[str, Body] = {}
    labels: dict[str, str] = {}
    while source.peek():
        keyword = source.take()
        if keyword in OTHERS:
            source.fail(
                f"{keyword!r} cannot be read, only discrete nodes", source.at - 1, remedy="take it out"
            )
        if keyword in KINDS:
            source.expect("node")
            keyword = "node"
        if keyword == "net":
            source.expect("{")
            draft.properties = _attributes(source, "", {})
            draft.name = draft.properties.pop("name", "")
        elif keyword == "node":
            _node(source, draft, labels)
        elif keyword == "potential":
            take_header(source, draft, bodies)
        else:
            source.fail("expected 'net', 'node' or 'potential'", source.at - 1)
    check_names(source, draft, bodies)
    draft.check(len(text))
    for name, body in bodies.items():
        _table(source, draft, name, body)
    draft.check_numbers({name: partial(source.fail, token=body.at) for name, body in bodies.items()})
    draft.rename(originals(labels), beside="label")
    return draft.network()


def _attributes(source: NetworkText, name: str, states: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """`attribute = value;` up to the end of a block; states are put with those of the other nodes."""
    attributes: dict[str, str] = {}
    while source.peek() != "}":
        attribute = source.name("the name of an attribute, or '}'")
        source.expect("=")
        if attribute == "states":
            source.expect("(")
            states[name] = source.names_until(")", f"a state of {name!r}")
            source.expect(";")
        else:
            attributes[attribute] = source.value_until(";")
    source.expect("}")
    return attributes


def _node(source: NetworkText, draft: Draft, labels: dict[str, str]) -> None:
    at, name = source.at, source.name("the name of a node")
    if name in draft.states:
        source.fail(f"the node {name!r} is described a second time", at, remedy="leave one of them out")
    source.expect("{")
    properties = _attributes(source, name, draft.states)
    if name not in draft.states:
        source.fail(f"the node {name!r} has no states", at, remedy="name them: states = (...);")
    labels[name] = properties.get("label", name)
    draft.of_variables[name] = properties


def _table(source: NetworkText, draft: Draft, name: str, body: Body) -> None:
    """`data = (...);`: numbers, whatever the brackets between them; without it, all states alike."""
    shape = draft.shape(name)
    source.at = body.start
    while source.at < body.stop:
        attribute = source.name("the name of an attribute, or '}'")
        source.expect("=")
        start = source.at
        words = source.until(";")
        if attribute != "data":
            continue
        flat = [word for word in words if word not in ("(", ")")]
        try:
            values = numbers(flat)
        except NotANumberError as cause:
            wrong = [i for i, word in enumerate(words) if word not in ("(", ")")][cause.index]
            source.fail("expected a number", start + wrong)
        if len(values) != prod(shape):
            source.fail(f"{len(values)} numbers stand here and {name!r} needs {prod(shape)}", start)
        draft.tables[name] = values.reshape(shape)
    if name not in draft.tables:
        draft.tables[name] = np.full(shape, 1 / shape[-1])


def text(network: PlainNetwork) -> str:
    """A network as NET; names that are no identifiers are kept as labels."""
    words = identifiers(variable.name for variable in network.variables)
    lines = ["net {", f"  name = {quoted(network.name)};", *_said(network.properties), "}"]
    for variable in network.variables:
        properties = dict(variable.properties)
        if words[variable.name] != variable.name:
            properties["label"] = variable.name
        states = " ".join(map(quoted, variable.states))
        lines += [f"node {words[variable.name]} {{", f"  states = ({states});", *_said(properties), "}"]
    for variable in network.variables:
        lines += _potential(variable, words)
    return "\n".join(lines) + "\n"


def _said(properties: Mapping[str, str]) -> list[str]:
    return [
        f"  {key} = {value if SHAPED.fullmatch(value) else quoted(value)};"
        for key, value in properties.items()
        if IDENTIFIER.fullmatch(key) and key != "states"
    ]


def _potential(variable: PlainVariable, words: Mapping[str, str]) -> list[str]:
    """The table with a pair of brackets for every axis."""
    given = " ".join(words[parent] for parent in variable.parents)
    head = f"{words[variable.name]} | {given}" if given else words[variable.name]
    said = str(variable.table.tolist()).replace("[", "(").replace("]", ")").replace(",", "")
    return [f"potential ( {head} ) {{", f"  data = {said};", "}"]
