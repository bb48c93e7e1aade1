"""What a network counts of a table whose engine counts it: a query for each family, or each pair of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from likely.engine.query.levels import joint_counts
from likely.engine.scan.asked_levels import AskedLevels
from likely.estimator.fitted import told_codes
from likely.models.network.e_step import NodeTally
from likely.models.network.record import NetworkRecord
from likely.models.network.rows import NodeRows, configurations, known
from likely.stats.level_pairs import LevelPairs
from likely.table.lazy.table import LazyTable

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AskedNodes:
    """A network, and a table of its nodes that answers queries."""

    record: NetworkRecord
    table: LazyTable

    @classmethod
    def of(cls, record: NetworkRecord, asked: AskedLevels | None, whole: Sequence[int]) -> AskedNodes | None:
        """None if not all nodes are levels that a query counted, or if one that is to be whole has gaps."""
        if asked is None or not set(record.names) <= {*asked.counts, asked.target}:
            return None
        gaps = asked.gaps & {record.names[i] for i in whole}
        return None if gaps else cls(record, asked.table)

    def _counted(self, families: Sequence[tuple[int, ...]]) -> Iterator[tuple[Ints, Floats]]:
        """The levels of all nodes, (d, lines), those of a family alone known, and how often they came."""
        names = self.record.names
        for answer, n in joint_counts(self.table, [[names[i] for i in family] for family in families]):
            target, given = self.record.target, {}
            if target is not None and names[target] in answer.position:
                given[target] = told_codes(self.record.nodes.columns[target], answer.raw(names[target]))
            yield NodeRows.of(self.record, answer, given).levels(0, answer.n), n

    def families(self) -> NodeTally:
        """How often each level of each node came with each of its parents, which have no gaps."""
        record, counts, rows = self.record, {}, 0.0
        asked = [(*above, i) for i, above in enumerate(record.parents)]
        for i, (levels, n) in enumerate(self._counted(asked)):
            q, k = record.groups(i), record.sizes[i]
            here = known(record, i, levels)
            place = (configurations(record, i, levels) * k + levels[i])[here]
            counts[i] = np.bincount(place, n[here], q * k).reshape(q, k).astype(np.float64)
            rows = float(n.sum())
        return NodeTally(counts, {}, 0.0, rows)

    def pairs(self, pairs: LevelPairs, target: int | None) -> LevelPairs:
        """How often two levels came together, in each level of a target, into empty `pairs`; without gaps."""
        given, sizes, g = () if target is None else (target,), pairs.sizes, len(pairs.table)
        asked = list(combinations(range(len(sizes)), 2)) or [(0, 0)]
        families = [tuple(dict.fromkeys((*pair, *given))) for pair in asked]
        for (i, j), (levels, n) in zip(asked, self._counted(families), strict=True):
            group = np.zeros(len(n), np.intp) if target is None else levels[target]
            place = (group * sizes[i] + levels[i]) * sizes[j] + levels[j]
            both = np.bincount(place, n, g * sizes[i] * sizes[j]).reshape(g, sizes[i], sizes[j])
            pairs.pair(i, j)[:] = both
            pairs.pair(j, i)[:] = both.transpose(0, 2, 1)
            if i != j:
                for at, alone in ((i, both.sum(axis=2)), (j, both.sum(axis=1))):
                    pairs.pair(at, at)[:] = alone[:, :, None] * np.eye(sizes[at])
        return pairs
