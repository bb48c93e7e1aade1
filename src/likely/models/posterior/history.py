"""How a belief changes as data come in, one observation after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw.posteriors import posteriors
from likely.errors import LikelyError
from likely.models.posterior.prob import find
from likely.models.posterior.render import curve, reach

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likely.models.posterior.posterior import Posterior

MOST_CURVES = 12


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """The posterior before the first observation, and after each of them.

    >>> import likely
    >>> told = likely.posterior(likely.Beta(1, 1)).history([0, 1, 1, 1, 1])
    >>> [round(step.map, 3) for step in told][1:]
    [0.0, 0.5, 0.667, 0.75, 0.8]
    """

    steps: tuple[Any, ...]  # of Posterior

    def __len__(self) -> int:
        """One more than there are observations."""
        return len(self.steps)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.steps)

    def __getitem__(self, place: int) -> Any:
        """The posterior after so many observations."""
        return self.steps[place]

    def to_frame(self, level: float = 0.9) -> dict[str, Any]:
        """One line for each step and quantity."""
        frames = [step.to_frame(level) for step in self.steps]
        steps = np.repeat(np.arange(len(frames)), [len(own["quantity"]) for own in frames])
        return {"step": steps, **{name: np.concatenate([own[name] for own in frames]) for name in frames[0]}}

    def plot(self, of: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw the density of a quantity at each step, from faint to dark; of many steps, some."""
        known = self.steps[0].quantities
        if of is None and len(known) > 1:
            raise LikelyError(f"plot: there are several quantities: name one, as in of={known[0].name!r}.")
        name = known[0].name if of is None else find(known, of).name
        few = np.unique(np.linspace(0, len(self.steps) - 1, MOST_CURVES).round().astype(int))
        chosen = [(step, find(self.steps[step].quantities, name)) for step in few.tolist()]
        ends = reach([quantity for _, quantity in chosen])
        curves = [curve(quantity, f"{step}", ends) for step, quantity in chosen]
        return posteriors(
            curves,
            [quantity.mode for _, quantity in chosen],
            title=f"{name} after each observation",
            xlabel=name,
            ax=ax,
        )

    def __repr__(self) -> str:
        return f"History of {len(self) - 1} observations; the last: {self.steps[-1]!r}"


def history(start: Posterior, data: Iterable[Any]) -> History:
    """The posterior after each observation."""
    steps = [start]
    for value in data:
        steps.append(steps[-1].update([value]))
    return History(tuple(steps))
