"""XDSL, the files of GeNIe and SMILE."""

from __future__ import annotations

from math import prod

import numpy as np

from likely.archive.network_files.identifiers import IDENTIFIER, identifiers, originals
from likely.archive.network_files.record import PlainNetwork, PlainVariable
from likely.archive.network_files.tables import Draft
from likely.archive.network_files.xml_tree import XmlNode, XmlWriter, parse


def read(text: str) -> PlainNetwork:
    """The network of an XDSL text: nodes with tables (`cpt`) and deterministic ones.

    >>> rain = '<cpt id="rain"><state id="no"/><state id="yes"/><probabilities>0.8 0.2</probabilities></cpt>'
    >>> read(f'<smile id="lawn"><nodes>{rain}</nodes></smile>').variables[0].table
    array([0.8, 0.2])
    """
    root, draft = parse(text), Draft()
    if root.tag != "smile":
        root.fail(f"expected <smile>, not <{root.tag}>", remedy="is it another format?")
    pictures = [genie for extensions in root.all("extensions") for genie in extensions.all("genie")]
    word = root.attributes.get("id", "")
    titles = [genie.attributes["name"] for genie in pictures if "name" in genie.attributes]
    draft.name = originals({word: titles[0] if titles else word})[word]
    shown = {
        node.attributes.get("id", ""): name.text
        for genie in pictures
        for node in _all_nodes(genie)
        for name in node.all("name")
    }
    nodes = list(root.one("nodes").children)
    places = {word: place for place, word in enumerate(shown)}  # nodes themselves stand after their parents
    nodes.sort(key=lambda node: places.get(node.attribute("id"), len(places)))
    names = originals({word: shown.get(word, word) for word in (node.attribute("id") for node in nodes)})
    by_name: dict[str, XmlNode] = {}
    for node in nodes:
        name = names[node.attribute("id")]
        if name in by_name:
            node.fail(f"the node {name!r} is described a second time", remedy="leave one of them out")
        if node.tag not in ("cpt", "deterministic"):
            node.fail(f"{name!r} is a <{node.tag}>, and only <cpt> can be read", remedy="make it a table")
        by_name[name] = node
        states = [state.attribute("id") for state in node.all("state")]
        labels = (state.attributes.get("label", state.attribute("id")) for state in node.all("state"))
        known = originals(dict(zip(states, labels, strict=True)))
        draft.states[name] = tuple(known[state] for state in states)
        draft.of_variables[name] = {p.attribute("id"): p.text for p in node.all("property")}
    for name, node in by_name.items():
        words = [word for parents in node.all("parents") for word in parents.text.split()]
        for word in words:
            if word not in names:
                node.one("parents").fail(f"there is no node {word!r}", remedy="add it, or take it out here")
        draft.parents[name] = tuple(names[word] for word in words)
    draft.check(len(text))
    # pyAgrum has the first parent vary fastest, GeNIe and all others the last.
    first_fastest = any(genie.attributes.get("app", "").startswith("aGrUM") for genie in pictures)
    where = {}
    for name, node in by_name.items():
        if node.tag == "cpt":
            where[name] = node.one("probabilities")
            shape = draft.shape(name)
            flat = where[name].numbers(prod(shape), name)
            if first_fastest:
                flat = np.moveaxis(flat.reshape(*shape[-2::-1], shape[-1]).T, 0, -1).ravel()
            draft.tables[name] = flat.reshape(shape)
        else:
            where[name] = node.one("resultingstates")
            _deterministic(where[name], node, draft, name)
    draft.check_numbers({name: node.fail for name, node in where.items()})
    return draft.network()


def _all_nodes(genie: XmlNode) -> list[XmlNode]:
    """The nodes of GeNIe's picture, also those in submodels."""
    waiting, nodes = [genie], list[XmlNode]()
    while waiting:
        here = waiting.pop()
        nodes += here.all("node")
        waiting += here.all("submodel")
    return nodes


def _deterministic(results: XmlNode, node: XmlNode, draft: Draft, name: str) -> None:
    """A table of zeros and ones from the state that each configuration of the parents results in."""
    words = results.text.split()
    codes = {state.attribute("id"): i for i, state in enumerate(node.all("state"))}
    shape = draft.shape(name)
    if len(words) != prod(shape[:-1]):
        results.fail(f"{len(words)} states stand here and {name!r} needs {prod(shape[:-1])}")
    for word in words:
        if word not in codes:
            results.fail(f"expected a state of {name!r}, not {word[:40]}")
    draft.tables[name] = np.eye(shape[-1])[[codes[word] for word in words]].reshape(shape)


def text(network: PlainNetwork) -> str:
    """A network as XDSL; names that are no identifiers are kept as labels."""
    title = network.name or "network"
    words = identifiers(variable.name for variable in network.variables)
    writer = XmlWriter("smile", version="1.0", id=identifiers([title])[title])
    nodes = writer.add(writer.root, "nodes")
    for variable in _parents_first(network):
        node = writer.add(nodes, "cpt", id=words[variable.name])
        for state, word in identifiers(variable.states).items():
            labels = {} if state == word else {"label": state}
            writer.add(node, "state", id=word, **labels)
        if variable.parents:
            writer.add(node, "parents", " ".join(words[parent] for parent in variable.parents))
        writer.add(node, "probabilities", " ".join(map(repr, variable.table.ravel().tolist())))
        for key, value in variable.properties.items():
            if IDENTIFIER.fullmatch(key):
                writer.add(node, "property", value, id=key)
    extensions = writer.add(writer.root, "extensions")
    genie = writer.add(extensions, "genie", version="1.0", app="likely", name=title)
    for place, variable in enumerate(network.variables):
        node = writer.add(genie, "node", id=words[variable.name])
        writer.add(node, "name", variable.name)
        left, top = 30 + 130 * (place % 8), 30 + 80 * (place // 8)
        writer.add(node, "position", f"{left} {top} {left + 100} {top + 50}")
    return writer.text()


def _parents_first(network: PlainNetwork) -> list[PlainVariable]:
    """The variables, each after its parents, as SMILE reads them; else in their own order."""
    by_name = {variable.name: variable for variable in network.variables}
    written: dict[str, PlainVariable] = {}
    for variable in network.variables:
        waiting = [variable]
        while waiting:
            missing = [by_name[name] for name in waiting[-1].parents if name not in written]
            if missing:
                waiting.append(missing[0])
            else:
                last = waiting.pop()
                written[last.name] = last
    return list(written.values())
