"""How the belief in each hypothesis changes as data come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw.densities import evolution as draw
from likely.draw.picture import Panels
from likely.errors import LikelyError

if TYPE_CHECKING:
    from likely.models.hypotheses.belief import Belief

Floats = NDArray[np.float64]

MOST_CELLS = 50_000_000  # of the table of steps and hypotheses: 400 MB
MOST_PANELS = 4


@dataclass(frozen=True, eq=False, repr=False)
class Evolution:
    """The posterior of each hypothesis before the first observation, and after each of them.

    Of data without noise, the inconsistent hypotheses fall to 0 and the others rise.
    """

    names: tuple[str, ...]  # (h,)
    posteriors: Floats  # (n + 1, h)
    log_evidence: Floats  # (n + 1,) log P(data so far)

    def __len__(self) -> int:
        """One more than there are observations."""
        return len(self.posteriors)

    def to_frame(self) -> dict[str, Any]:
        """One line for each step, one column for each hypothesis."""
        return {"step": np.arange(len(self)), **dict(zip(self.names, self.posteriors.T, strict=True))}

    def plot(self, steps: Sequence[int] | None = None) -> Panels:
        """Draw the belief over the hypotheses at some steps (by default at most four), side by side."""
        if steps is None:
            steps = np.unique(np.linspace(0, len(self) - 1, MOST_PANELS).round().astype(int)).tolist()
        for step in steps:
            if not 0 <= step < len(self):
                raise LikelyError(f"steps={list(steps)!r}: there are steps 0 to {len(self) - 1}.")
        titles = ["before any data" if step == 0 else f"after {step}" for step in steps]
        return draw(self.names, [self.posteriors[step].tolist() for step in steps], titles)

    def __repr__(self) -> str:
        left = int((self.posteriors[-1] > 0).sum())
        return f"Evolution of {len(self.names)} hypotheses over {len(self) - 1} observations; {left} are left"


def evolution(belief: Belief, rows: Sequence[Any], update: Callable[[Any, Any], Any]) -> Evolution:
    """The posteriors of a belief that is updated by one row after another."""
    if (len(rows) + 1) * len(belief) > MOST_CELLS:
        raise LikelyError(
            f"history of {len(rows)} observations and {len(belief)} hypotheses is too long to keep: "
            "give fewer observations, or update() with all of them at once."
        )
    steps = [belief]
    for row in rows:
        steps.append(update(steps[-1], row))
    return Evolution(
        tuple(map(str, belief.hypotheses)),
        np.stack([step.posterior for step in steps]),
        np.array([step.log_evidence for step in steps]),
    )
