"""A posterior as text, as a table, as draws and as a picture; and how it changes as data come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.distribution import short
from likely.draw.densities import Band, DensityCurve, posteriors
from likely.errors import LikelyError
from likely.format.words import many, table
from likely.models.posterior.prob import find
from likely.models.posterior.quantity import Quantity, share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likely.models.posterior.posterior import Posterior


Floats = NDArray[np.float64]

SHOWN = 12  # quantities that are printed
POINTS = 401
EDGE = 1e-4  # of the mass is not drawn on either side
WHOLE = 0.2  # of a bounded range: what is wider than this is drawn on the whole of it
MOST_CURVES = 12


def text(quantities: Sequence[Quantity], distribution: object, n: float, level: float) -> str:
    """A title, and a line for each quantity."""
    lines = [["", "mean", "MAP", "sd", f"{100 * level:g} % interval"]]
    for quantity in quantities[:SHOWN]:
        lower, upper = quantity.equal_tailed(level)
        numbers = [short(number) for number in (quantity.mean, quantity.mode, quantity.sd)]
        lines.append([quantity.name, *numbers, f"{short(lower)} to {short(upper)}"])
    about = quantities[0].name if len(quantities) == 1 else many(len(quantities), "quantity")
    about = about.replace("quantitys", "quantities")
    observed = many(int(n), "observation") if float(n).is_integer() else f"{n:g} observations"
    more = len(quantities) - SHOWN
    rest = [f"and {more} more: to_frame() has all"] if more > 0 else []
    title = (
        f"{about} after {observed}: {distribution!r}" if len(quantities) < 4 else f"{about} after {observed}"
    )
    return "\n".join([title, "", table(lines, "<>>>>"), *rest])


def frame(quantities: Sequence[Quantity], level: float) -> dict[str, Any]:
    """A column of names, and columns of numbers."""
    ends = [quantity.equal_tailed(level) for quantity in quantities]
    return {
        "quantity": np.array([quantity.name for quantity in quantities], object),
        "mean": np.array([quantity.mean for quantity in quantities]),
        "map": np.array([quantity.mode for quantity in quantities]),
        "sd": np.array([quantity.sd for quantity in quantities]),
        "lower": np.array([end.lower for end in ends]),
        "upper": np.array([end.upper for end in ends]),
    }


def columns_of_draws(drawn: Floats, names: Sequence[str]) -> dict[str, Floats]:
    """Draws of parameters as one array for each quantity."""
    if drawn.ndim == 1:
        return {names[0]: drawn}
    if drawn.ndim == 3:  # mean and covariance of each column
        at = np.arange(drawn.shape[1])
        triples = np.stack([drawn[:, at, 0], drawn[:, at, 1 + at], np.sqrt(drawn[:, at, 1 + at])], axis=-1)
        drawn = triples.reshape(len(drawn), -1)
    elif names[-1] == "sd" and drawn.shape[1] == 2:
        drawn = np.column_stack([drawn, np.sqrt(drawn[:, 1])])
    return dict(zip(names, drawn.T, strict=True))


def reach(quantities: Sequence[Quantity]) -> tuple[float, float]:
    """Where to draw: what nearly all of the mass covers; the whole range, if that is not much more."""
    low = min(float(q.quantile(EDGE)) for q in quantities)
    high = max(float(q.quantile(1 - EDGE)) for q in quantities)
    ends = [float(quantities[0].quantile(end)) for end in (0.0, 1.0)]
    if np.isfinite(ends).all() and high - low > WHOLE * (ends[1] - ends[0]):
        return ends[0], ends[1]
    return low, high


def curve(quantity: Quantity, label: str, ends: tuple[float, float]) -> DensityCurve:
    """The density between two ends; what is infinite there is left out."""
    x = np.linspace(*ends, POINTS)
    y = np.exp(quantity.log_density(x))
    finite = np.isfinite(y)
    return DensityCurve(label, x[finite].tolist(), y[finite].tolist())


def plot(quantity: Quantity, level: float, ax: Axes | None) -> Axes:
    """The density, and the interval of highest density beneath it."""
    lower, upper = quantity.highest(share("level", level))
    band = Band(lower, upper, f"{100 * level:g} %, from {short(lower)} to {short(upper)}")
    own = curve(quantity, "", reach([quantity]))
    return posteriors([own], [quantity.mode], band=band, title="", xlabel=quantity.name, ax=ax)


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
