"""A model as the browser works it out: its columns, its numbers, and what it says of what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from likely.page.columns import ShownColumn


@dataclass(frozen=True, eq=False)
class LiveModel:
    """What the script needs to answer, and what it needs to show the answer."""

    target: str
    outcomes: tuple[str, ...]  # none if a number is predicted
    columns: tuple[ShownColumn, ...]
    model: Mapping[str, Any]  # the scoring form, or the plan of a network
    about: int | None = None  # the node that is asked about, of a network
    spread: Mapping[str, Any] | None = None  # how far the answer is known
    said: str = ""  # what the answer leaves out
    groups: list[dict[str, Any]] | None = None  # hidden groups in words
    picture: dict[str, Any] | None = None  # where the boxes of a network stand
    parameters: tuple[str, ...] = field(default=())  # what numbers of the model the page holds, in words

    @property
    def numeric(self) -> bool:
        """Whether a number is predicted."""
        return not self.outcomes and self.about is None

    @property
    def hidden(self) -> bool:
        """Whether the outcomes are groups that nobody has seen."""
        return bool(self.groups) and self.model.get("components") is None

    @property
    def levels_apart(self) -> bool:
        """Whether rare levels are not put together, for tables of other columns go by them."""
        return self.about is not None or self.model.get("kind") == "pairs"

    @property
    def structure(self) -> str:
        """What to call the panel of what hangs together; "" for none."""
        return "The groups" if self.groups else "The network" if self.picture else ""
