"""XMLBIF 0.3: BIF in XML, written by JavaBayes, Weka and others."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from xml.etree.ElementTree import Element

from likely.archive.network_files.record import PlainNetwork
from likely.archive.network_files.tables import Draft
from likely.archive.network_files.xml_tree import XmlNode, XmlWriter, parse


def read(text: str) -> PlainNetwork:
    """The network of an XMLBIF text.

    >>> rain = "<VARIABLE><NAME>rain</NAME><OUTCOME>no</OUTCOME><OUTCOME>yes</OUTCOME></VARIABLE>"
    >>> rain += "<DEFINITION><FOR>rain</FOR><TABLE>0.8 0.2</TABLE></DEFINITION>"
    >>> read(f"<BIF><NETWORK><NAME>lawn</NAME>{rain}</NETWORK></BIF>").variables[0].table
    array([0.8, 0.2])
    """
    root, draft = parse(text), Draft()
    if root.tag != "bif":
        root.fail(f"expected <BIF>, not <{root.tag}>", remedy="is it another format?")
    network = root.one("network")
    names = list(network.all("name"))
    draft.name = names[0].text if names else ""
    draft.properties = _properties(network)
    for node in network.all("variable"):
        _variable(node, draft)
    definitions: dict[str, XmlNode] = {}
    for node in network.all("definition", "probability"):
        _definition(node, draft, definitions)
    draft.check(len(text))
    for name, node in definitions.items():
        draft.flat[name] = node.one("table").numbers(prod(draft.shape(name)), name)
    draft.settle(child_first=False)
    draft.check_numbers({name: node.one("table").fail for name, node in definitions.items()})
    return draft.network()


def _properties(node: XmlNode) -> dict[str, str]:
    parts = (child.text.partition("=") for child in node.all("property"))
    return {name.strip(): value.strip() for name, _, value in parts}


def _variable(node: XmlNode, draft: Draft) -> None:
    name = node.one("name").text
    kind = next((v for key, v in node.attributes.items() if key.lower() == "type"), "nature")
    if kind.lower() not in ("nature", "discrete"):
        node.fail(f"{name!r} is of type {kind[:40]!r}, and only 'nature' can be read", remedy="take it out")
    if name in draft.states:
        node.fail(f"the variable {name!r} is described a second time", remedy="leave one of them out")
    draft.states[name] = tuple(child.text for child in node.all("outcome", "value"))
    draft.of_variables[name] = _properties(node)


def _definition(node: XmlNode, draft: Draft, definitions: dict[str, XmlNode]) -> None:
    child = node.one("for")
    for known in (child, *node.all("given")):
        if known.text not in draft.states:
            known.fail(f"there is no variable {known.text!r}", remedy="describe it with <VARIABLE>")
    if child.text in definitions:
        child.fail(f"{child.text!r} has a second table", remedy="leave one of them out")
    definitions[child.text] = node
    draft.parents[child.text] = tuple(parent.text for parent in node.all("given"))
    draft.of_variables[child.text].update(_properties(node))


def text(network: PlainNetwork) -> str:
    """A network as XMLBIF."""
    writer = XmlWriter("BIF", VERSION="0.3")
    inside = writer.add(writer.root, "NETWORK")
    writer.add(inside, "NAME", network.name)
    _write_properties(writer, inside, network.properties)
    for variable in network.variables:
        node = writer.add(inside, "VARIABLE", TYPE="nature")
        writer.add(node, "NAME", variable.name)
        for state in variable.states:
            writer.add(node, "OUTCOME", state)
        _write_properties(writer, node, variable.properties)
    for variable in network.variables:
        node = writer.add(inside, "DEFINITION")
        writer.add(node, "FOR", variable.name)
        for parent in variable.parents:
            writer.add(node, "GIVEN", parent)
        writer.add(node, "TABLE", " ".join(map(repr, variable.table.ravel().tolist())))
    return writer.text()


def _write_properties(writer: XmlWriter, node: Element, properties: Mapping[str, str]) -> None:
    for name, value in properties.items():
        writer.add(node, "PROPERTY", f"{name} = {value}" if value else name)
