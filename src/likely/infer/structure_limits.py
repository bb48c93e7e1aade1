"""What a structure may look like: arcs that must be, arcs that may not, tiers in time, most parents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from likely.errors import LikelyError
from likely.infer.graph import topological_order
from likely.infer.structure_score import mask, members

Arc = tuple[int, int]  # from, to


@dataclass(frozen=True, slots=True)
class Limits:
    """The arcs that a structure of d nodes must and may have, as sets of parents, a bit for each.

    >>> limits = Limits.of(3, required=[(0, 1)], forbidden=[(1, 2)], tiers=[[0], [1, 2]])
    >>> limits.required, limits.allowed
    ((0, 1, 0), (0, 5, 1))
    """

    required: tuple[int, ...]  # (d,): the parents that each node must have
    allowed: tuple[int, ...]  # (d,): those that it may have, which contain the required ones
    max_parents: int

    @classmethod
    def of(
        cls,
        d: int,
        required: Iterable[Arc] = (),
        forbidden: Iterable[Arc] = (),
        tiers: Sequence[Iterable[int]] | None = None,
        max_parents: int | None = None,
        names: Sequence[str] | None = None,
    ) -> Limits:
        """Of arcs (from, to) and tiers: no arc goes from a later tier to an earlier one.

        Nodes that are in no tier may stand anywhere. What contradicts itself is refused, by `names`.
        """
        said = [repr(name) for name in names] if names is not None else [str(i) for i in range(d)]
        must, may = [0] * d, [(1 << d) - 1 & ~(1 << i) for i in range(d)]
        for a, b in forbidden:
            may[b] &= ~(1 << a)
        earlier = 0
        for tier in tiers or ():
            own = mask(list(tier))
            if own & earlier:
                raise LikelyError(f"tiers: {said[members(own & earlier)[0]]} stands in two of them.")
            earlier |= own
            for node in range(d):
                if earlier >> node & 1 and not own >> node & 1:
                    may[node] &= ~own
        for a, b in required:
            if not may[b] >> a & 1:
                raise LikelyError(
                    f"required arc {said[a]} -> {said[b]}: it is forbidden, or against the tiers."
                )
            must[b] |= 1 << a
        most = d if max_parents is None else max_parents
        if most < 0:
            raise LikelyError(f"max_parents={max_parents!r}: use a number from 0 on, or None.")
        for node, of in enumerate(must):
            if of.bit_count() > most:
                raise LikelyError(
                    f"{said[node]} has {of.bit_count()} required parents, more than max_parents={most}."
                )
        label: Sequence[Hashable] = range(d) if names is None else names
        topological_order({label[node]: [label[p] for p in members(of)] for node, of in enumerate(must)})
        return cls(tuple(must), tuple(may), most)

    @property
    def d(self) -> int:
        """How many nodes there are."""
        return len(self.required)

    def start(self) -> list[int]:
        """The structure with the required arcs alone, as sets of parents."""
        return list(self.required)

    def refuse(self, parents: Sequence[int]) -> None:
        """Refuse a structure to begin with that is not within these limits."""
        topological_order([members(of) for of in parents])
        for node, of in enumerate(parents):
            if of & ~self.allowed[node] or self.required[node] & ~of or of.bit_count() > self.max_parents:
                raise LikelyError(f"the structure to begin with: the parents of node {node} are not allowed.")
