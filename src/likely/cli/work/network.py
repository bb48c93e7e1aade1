"""Belief networks on the command line: their files, one of their nodes, and a row as what is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from likely.archive import network_files
from likely.cli.work import MODEL_SUFFIX
from likely.errors import LikelyError
from likely.models.network.network import Network
from likely.models.network.predicting import OneNode
from likely.table.batch.batches import batches
from likely.table.frame import Frame
from likely.table.names import nearest
from likely.table.schema import Schema


def network_of(model: Any, path: str) -> Network:
    """The model, if it is a network."""
    if not isinstance(model, Network):
        raise LikelyError(
            f"{path} holds a {type(model).__name__} and not a network: learn one with --model network, or "
            "name a file such as alarm.bif."
        )
    return model


def node_of(model: Any, about: str | None) -> str | None:
    """The node that --about names; that of a network without a target must be named. None: no network."""
    if not isinstance(model, Network):
        if about is not None:
            raise LikelyError(f"--about {about}: a {type(model).__name__} is about its target alone.")
        return None
    record = model.record_
    if about is not None and about not in record.names:
        raise LikelyError(f"--about {about}: there is no such node; {nearest(about, record.names, 'nodes')}")
    if about is None and record.target is None:
        raise LikelyError(f"--about is missing: name a node, {nearest('', record.names, 'nodes')}")
    return about or record.target_name


def predicting(model: Any, about: str | None, file: str) -> Any:
    """The model; of a network the node that is asked about, given those columns of FILE that are nodes."""
    node = node_of(model, about)
    if node is None or node == model.record_.target_name:
        return model
    return OneNode(model, node, schema_in(model, file, own=node))


def schema_in(network: Network, file: str, own: str = "") -> Schema:
    """The nodes that FILE has columns of; of what was learnt from a table, all but the node itself."""
    record = network.record_
    names = set(Frame.of(next(iter(batches(file, rows=1))).rows).names)
    optional = {own} if record.n else set(record.names)
    columns = tuple(c for c in record.schema.columns if c.name in names or c.name not in optional)
    if not names & {column.name for column in columns} - {own}:
        raise LikelyError(
            f"no column of {file} is a node of the network, {nearest('', record.names, 'nodes')}"
        )
    return replace(record.schema, columns=columns)


def known_cells(network: Network, table: Any, node: str) -> dict[str, Any]:
    """What a row says of the nodes but one: the cells that are not missing."""
    frame = Frame.of(table)
    known = {}
    for name in network.record_.names:
        if name != node and name in frame.position:
            value = frame.raw(name).item(0)
            if value is not None and value == value:
                known[name] = value
    return known


def convert(source: str, target: Path) -> dict[str, Any]:
    """Write a network in another format: what a file of another program says stays word for word."""
    if network_files.is_network_file(source) and network_files.is_network_file(target):
        plain = network_files.read(source)
        network_files.write(target, plain)
        return {"nodes": len(plain.variables), "arcs": len(plain.arcs)}
    from likely.cli.work.models import load_model

    network = network_of(load_model(source), source)
    if target.suffix == MODEL_SUFFIX:
        network.save(target)
    else:
        network.write(target)
    return {"nodes": len(network.record_.names), "arcs": len(network.arcs_)}


def said_of(names: Sequence[str], network: Network, option: str) -> None:
    """Refuse a name that is no node."""
    for name in names:
        if name not in network.record_.names:
            nodes = nearest(name, network.record_.names, "nodes")
            raise LikelyError(f"{option} {name}: there is no such node; {nodes}")
