"""The picture of a network: nodes with what is believed of them, arcs as wide as they tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.ask.answer import level_words
from likely.draw import GraphArc, GraphNode, GraphPicture, graph
from likely.errors import notice
from likely.infer.node_tables import KnownNodes, TooLargeError, one_hot
from likely.models.network.world import NetworkWorld
from likely.score.entropy import MUTUAL, total

Floats = NDArray[np.float64]


def picture(world: NetworkWorld, evidence: KnownNodes, given: str) -> GraphPicture:
    """Every node with the probabilities of its levels given the evidence; arcs by what they tell, in bits."""
    record = world.record
    try:
        families, _ = world.factors.families(evidence)
    except TooLargeError as why:
        notice(f"{why} The picture shows the graph alone.")
        families = []
    nodes = []
    for i, name in enumerate(record.names):
        levels = [level_words(level) for level in record.levels(i)]
        chances = families[i].reshape(-1, record.sizes[i]).sum(axis=0) if families else np.zeros(0)
        known = levels[evidence.levels[i]] if i in evidence.levels else None
        if known is not None and families:
            chances = one_hot(evidence.levels[i], record.sizes[i])
        nodes.append(GraphNode(name, list(zip(levels, chances.tolist(), strict=False)), known))
    arcs = []
    for i, above in enumerate(record.parents):
        for axis, p in enumerate(above):
            bits = _bits(families[i], axis) if families and record.levels(i) else None
            said = f"{record.names[p]} → {record.names[i]}"
            words = said if bits is None else f"{said}: {bits:.3g} bits"
            arcs.append(GraphArc(record.names[p], record.names[i], bits, words))
    return graph(nodes, arcs, title=f"network{f' given {given}' if given else ''}")


def _bits(family: Floats, axis: int) -> float:
    """I(parent; node | the other parents) in bits, from P(parents and node)."""
    last = family.ndim - 1
    axes = {"x": (axis,), "y": (last,), "given": tuple(a for a in range(last) if a != axis)}

    def mass(roles: tuple[str, ...]) -> Floats:
        kept = {a for role in roles for a in axes[role]}
        return np.asarray(family.sum(axis=tuple(a for a in range(family.ndim) if a not in kept)))

    return total(MUTUAL, mass)[0]
