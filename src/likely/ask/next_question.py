"""The next best question: which unknown variable is expected to tell most, for what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.ask.answer import TOP
from likely.ask.believe import believe
from likely.ask.constraint import Constraint, Exactly, Region
from likely.ask.resolve import as_conditions, find
from likely.ask.uncertainty import information
from likely.ask.world import Nature, Variable, World, WorldBelief
from likely.draw import bars
from likely.errors import LikelyError
from likely.format import words
from likely.format.html_table import html_right_bar, html_table
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEADS = ("", "bits", "cost", "bits per cost", "")
_ALIGN = "<>>><"

DUST = 1e-9  # bits: less is what rounding leaves of nothing


@dataclass(frozen=True, slots=True)
class Option:
    """A variable that could be looked up: what it is expected to tell, and what it costs."""

    name: str
    bits: float
    cost: float

    @property
    def bits_per_cost(self) -> float:
        """What it is ranked by."""
        return self.bits / self.cost


@dataclass(frozen=True, repr=False)
class NextQuestion:
    """Unknown variables, the best first. `left_out` are those whose information cannot be computed.

    >>> NextQuestion("play", "", (Option("outlook", 0.25, 1.0), Option("windy", 0.05, 1.0)))
    what to ask next about play
    <BLANKLINE>
             bits  cost  bits per cost
    outlook  0.25     1           0.25  ██████████
    windy    0.05     1           0.05  ██
    """

    about: str
    given: str
    options: tuple[Option, ...]
    left_out: tuple[str, ...] = ()
    library: str = "dict"

    @property
    def best(self) -> str | None:
        """The variable to ask for first; None if none is unknown."""
        return self.options[0].name if self.options else None

    def to_frame(self) -> Any:
        """Columns name, bits, cost and bits per cost, the best first, in the library of the model."""
        names = np.empty(len(self.options), object)
        names[:] = [option.name for option in self.options]
        columns = {
            "name": names,
            "bits": np.array([option.bits for option in self.options]),
            "cost": np.array([option.cost for option in self.options]),
            "bits per cost": np.array([option.bits_per_cost for option in self.options]),
        }
        return to_table(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """The same, ready for JSON."""
        rows = [
            {"name": o.name, "bits": o.bits, "cost": o.cost, "bits per cost": o.bits_per_cost}
            for o in self.options
        ]
        return {"about": self.about, "given": self.given, "options": rows, "left out": list(self.left_out)}

    def _rows(self, bar: Callable[[float], str]) -> list[list[str]]:
        most = max((option.bits_per_cost for option in self.options), default=0.0) or 1.0
        return [
            [
                words.shown(option.name),
                f"{option.bits:.3g}",
                f"{option.cost:g}",
                f"{option.bits_per_cost:.3g}",
                bar(option.bits_per_cost / most),
            ]
            for option in self.options[:TOP]
        ]

    @property
    def _title(self) -> str:
        return f"what to ask next about {self.about}{f' given {self.given}' if self.given else ''}"

    def _foot(self) -> list[str]:
        more = len(self.options) - TOP
        said = [f"and {words.many(more, 'other variable')}, each with less"] if more > 0 else []
        if self.left_out:
            said.append(f"Left out, for their information cannot be computed: {', '.join(self.left_out)}")
        return said

    def __repr__(self) -> str:
        rows = self._rows(words.right_bar)
        body = words.table([_HEADS, *rows], _ALIGN) if rows else "Nothing is left to ask."
        return "\n".join([self._title, "", body, *self._foot()])

    def plot(self, ax: Axes | None = None) -> Axes:
        """A bar for each variable, the best first: the bits that it is expected to tell, per cost.

        >>> ax = NextQuestion("play", "", (Option("outlook", 0.5, 2.0), Option("windy", 0.05, 1.0))).plot()
        >>> [float(bar.get_width()) for bar in ax.patches]
        [0.25, 0.05]
        """
        shown = self.options[:TOP]
        costly = any(option.cost != 1 for option in shown)
        return bars(
            [words.shown(option.name) for option in shown],
            [option.bits_per_cost for option in shown],
            [f"{option.bits:.3g} bits" + f", cost {option.cost:g}" * costly for option in shown],
            title=self._title,
            xlabel=". ".join(["expected information, bits" + " per cost" * costly, *self._foot()]),
            ax=ax,
        )

    def _repr_html_(self) -> str:
        return html_table(self._title, _HEADS, self._rows(html_right_bar), self._foot(), _ALIGN)


def next_question(
    world: World, about: str, given: Any = None, costs: Mapping[str, float] | None = None
) -> NextQuestion:
    """Rank what is not known by the information about a variable that it is expected to bring, per cost."""
    target = find(world.variables, about)
    if target.nature is Nature.SHOWN:
        raise LikelyError(
            f"about={about!r} is {target.column.kind}: the model knows it only as evidence, so "
            "ask about another variable."
        )
    conditions = as_conditions(given)
    belief, known = believe(world, conditions)
    prices = _prices(world, costs)
    settled = {name for name, constraint in known.items() if _is_settled(constraint)}
    options, left_out = [], []
    for name, variable in world.variables.items():
        if name == target.name or name in settled:
            continue
        bits = _expected(world, belief, target, variable)
        if bits is None:
            left_out.append(name)
        else:
            options.append(Option(name, bits, prices.get(name, 1.0)))
    options.sort(key=lambda option: -option.bits_per_cost)
    said = ", ".join(map(str, conditions))
    return NextQuestion(target.name, said, tuple(options), tuple(left_out), world.library)


def _is_settled(constraint: Constraint) -> bool:
    """Whether one value is left; that a number is missing is one."""
    if isinstance(constraint, Region) and not constraint.pieces:
        return True
    return isinstance(constraint, Exactly) or constraint.only is not None


def _expected(world: World, belief: WorldBelief, target: Variable, variable: Variable) -> float | None:
    """Mutual information in bits; None if it cannot be computed."""
    if variable.nature is Nature.SHOWN or (target.numeric and variable.numeric):
        return None
    if any(v.nature is Nature.LEVELS and not v.levels for v in (target, variable)):
        return 0.0
    bits = information(world.variables, belief, [target.name], [variable.name])
    return bits if bits > DUST else 0.0


def _prices(world: World, costs: Mapping[str, float] | None) -> dict[str, float]:
    prices = {}
    for name, cost in (costs or {}).items():
        find(world.variables, str(name))
        if isinstance(cost, bool) or not isinstance(cost, int | float | np.number) or not 0 < cost < np.inf:
            raise LikelyError(
                f"costs={{{name!r}: {cost!r}}}: a cost is a number above 0, 1 where none is given."
            )
        prices[str(name)] = float(cost)
    return prices
