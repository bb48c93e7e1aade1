"""Whether the graph makes nodes independent, with the path that connects them if it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from likely.infer.graph import arrows


@dataclass(frozen=True, repr=False)
class Separation:
    """True if the nodes are d-separated: independent, whatever the tables are.

    >>> graph = {"storm": (), "fire": ("storm",)}
    >>> Separation(("storm",), ("fire",), (), graph, ("storm", "fire"))
    storm and fire are connected: storm -> fire
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    given: tuple[str, ...]
    graph: Mapping[Any, tuple[Any, ...]]
    path: tuple[Any, ...]  # that connects them; none if they are separated

    def __bool__(self) -> bool:
        return not self.path

    def __repr__(self) -> str:
        sides = f"{', '.join(self.a)} and {', '.join(self.b)}"
        known = f" given {', '.join(self.given)}" if self.given else ""
        if not self.path:
            return f"{sides} are independent{known}"
        return f"{sides} are connected{known}: {arrows(self.graph, self.path)}"
