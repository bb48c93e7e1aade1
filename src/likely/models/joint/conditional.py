"""A table of conditional probabilities, P(some variables given others)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.models.joint import render
from likely.models.joint.rows import conditional_cells
from likely.models.joint.variables import Columns, known_name, listed_names, places, several, together
from likely.table.accepted import TableLike

Floats = NDArray[np.float64]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Conditional:
    """P(of | given) for every combination of levels of the variables given.

    Parameters
    ----------
    of : str or list of str
        The variable, or the variables, whose probabilities add up to 1.
    table : mapping, array or frame
        A mapping from the level given to a mapping from level to probability; without `given` the latter
        alone. For several variables, keys are tuples. Levels that are left out have probability 0. Or an
        array whose axes are the variables given and then those of, with `levels`; or a frame with a column
        for every variable and one for the probability.
    given : str or list of str
        The variables given, if any.
    levels : mapping
        The levels of variables by name: needed for an array; for a mapping it sets their order.
    prob : str
        The column of a frame that holds the probabilities.

    Examples
    --------
    >>> test = {"sick": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
    >>> Conditional("test", test, given="state")
    P(test | state)
    <BLANKLINE>
    state     +     -
    sick   0.98  0.02
    well   0.03  0.97
    """

    columns: Columns  # the variables given, then the others: one axis each
    n_given: int
    probs: Floats  # NaN where what is given has probability 0
    library: str

    def __init__(
        self,
        of: str | Sequence[str],
        table: TableLike,
        given: str | Sequence[str] = (),
        *,
        levels: Mapping[str, Iterable[Any]] | None = None,
        prob: str = "p",
    ) -> None:
        own, known = listed_names(of), listed_names(given)
        if not own or len({*own, *known}) < len(own) + len(known):
            raise LikelyError(f"P({said(own, known)}): name one variable at least, and each of them once.")
        columns, probs, library = conditional_cells(own, known, table, levels, prob)
        self._set(columns, len(known), probs, library)

    @classmethod
    def made(cls, columns: Columns, n_given: int, probs: Floats, library: str) -> Conditional:
        """One whose probabilities are right by construction."""
        new = cls.__new__(cls)
        new._set(columns, n_given, probs, library)
        return new

    def _set(self, columns: Columns, n_given: int, probs: Floats, library: str) -> None:
        probs.flags.writeable = False
        # Frozen for everyone but the constructor.
        for name, value in (
            ("columns", columns),
            ("n_given", n_given),
            ("probs", probs),
            ("library", library),
        ):
            object.__setattr__(self, name, value)

    @property
    def of(self) -> tuple[str, ...]:
        """The variables whose probabilities add up to 1."""
        return tuple(column.name for column in self.columns[self.n_given :])

    @property
    def given(self) -> tuple[str, ...]:
        """The variables given."""
        return tuple(column.name for column in self.columns[: self.n_given])

    @property
    def levels(self) -> dict[str, tuple[Any, ...]]:
        """The levels of each variable, in the order of the axes of `probs`."""
        return {column.name: column.levels or () for column in self.columns}

    def prob(self, values: Mapping[str, Any] | None = None, /, **named: object) -> float:
        """P(of | given) at one level of every variable.

        >>> Conditional("b", {True: {"x": 1.0}, False: {"x": 0.5, "y": 0.5}}, given="a").prob(a=True, b="x")
        1.0
        """
        probability = float(self.probs[self._at(together(values, named), self.given + self.of)])
        if np.isnan(probability):
            raise LikelyError(f"{self.title} is undefined where what is given has probability 0.")
        return probability

    def likelihood(self, values: Mapping[str, Any] | None = None, /, **named: object) -> dict[Any, float]:
        """How probable values are under each combination given: the largest is the maximum likelihood.

        Keys are levels, or tuples of levels if several variables are given. Combinations that have
        probability 0 are left out.

        >>> test = {"sick": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
        >>> Conditional("test", test, given="state").likelihood(test="+")
        {'sick': 0.98, 'well': 0.03}
        """
        likelihoods = self.probs[self._at(together(values, named), self.of)].ravel().tolist()
        keys = product(*(column.levels or () for column in self.columns[: self.n_given]))
        pairs = ((key[0] if self.n_given == 1 else key, p) for key, p in zip(keys, likelihoods, strict=True))
        return {key: p for key, p in pairs if p == p}

    def to_frame(self, library: str | None = None, prob: str = "p") -> Any:
        """One row a combination, in the library that came in, or "pandas", "polars", "pyarrow", "dict"."""
        return render.frame_of(self.columns, self.probs, prob, library or self.library)

    @property
    def title(self) -> str:
        """As people write it: P(test | state)."""
        return f"P({said(self.of, self.given)})"

    def _at(self, values: Mapping[str, Any], needed: Sequence[str]) -> tuple[Any, ...]:
        """The place of values, one for each variable needed."""
        for name in values:
            known_name(name, needed)
        for name in needed:
            if name not in values or several(values[name]):
                raise LikelyError(f"{self.title} needs one level of {name!r}: give one.")
        return tuple(
            places(column, values[column.name])[0] if column.name in values else slice(None)
            for column in self.columns
        )

    def __repr__(self) -> str:
        return render.text_of_conditional(self.title, self.columns, self.n_given, self.probs)

    def _repr_html_(self) -> str:
        return render.html_of_conditional(self.title, self.columns, self.n_given, self.probs)


def said(of: Sequence[str], given: Sequence[str]) -> str:
    """As people write it: "a, b | c"."""
    return ", ".join(of) + (f" | {', '.join(given)}" if given else "")
