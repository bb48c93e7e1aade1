"""Whether the record of a network can be: what a file says is not believed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.dist import Bernoulli
from likely.estimator.check_column import check_schema, demand
from likely.infer.graph import topological_order
from likely.models.groups.check import HEAVIEST, check_part, check_statistic
from likely.models.parts.missing import MissingPart

if TYPE_CHECKING:
    from likely.models.network.record import NetworkRecord

MOST_GROUPS = 2**27  # combinations of parents' levels of one node: 1 GiB of each number


def check(record: NetworkRecord) -> None:
    """Refuse nodes, arcs and parts that do not go together."""
    check_schema(record.nodes)
    d = len(record.nodes.columns)
    demand(
        len(record.parents) == len(record.parts) == d, "it does not have the parents and part of every node"
    )
    demand(0 <= record.n < HEAVIEST, "the weight of its rows is no weight")
    demand(0 <= record.n_hidden < d, "it has more hidden nodes than nodes")
    visible = d - record.n_hidden
    demand(record.target in (None, visible - 1), "its target is not the last of its columns")
    demand(visible > (record.target is not None), "it has no columns")
    for i, above in enumerate(record.parents):
        distinct = len(set(above)) == len(above) and i not in above
        demand(distinct and all(0 <= p < d for p in above), "a node has parents that are none")
    topological_order(record.parents)
    for i, part in enumerate(record.parts):
        demand(part.schema is record.nodes and part.columns == (i,), "a part is not of its node")
        demand(not isinstance(part, MissingPart), "a part is of missing cells")
        demand(not any(p in record.leaves for p in record.parents[i]), "a number or text is a parent")
        demand(record.groups(i) <= MOST_GROUPS, "a node has too many combinations of parents")
        if i not in record.leaves:
            demand(part.coded or part.family is Bernoulli, "a part is of no levels")
        check_part(part)
        check_statistic(part, record.groups(i))
