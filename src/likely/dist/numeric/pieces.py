"""Functions of one number that any program can work out: pieces of the line, and a short formula on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.stats.bins import bin_codes
from likely.stats.groups import Floats, Ints

Bools = NDArray[np.bool_]

LARGE = 1e300
IMPOSSIBLE = -LARGE  # the log of 0: sums and shares of it stay finite, and nothing possible comes near


@dataclass(frozen=True, eq=False)
class Pieces:
    """A function for each of g groups: constant + slope u + square u^2 + k log(1 + a u + b u^2).

    u is x less a centre. The line is cut at the edges; a number at an edge belongs to the piece below. The
    log of a probability of 0 is `IMPOSSIBLE`, a number, so that every language can hold and add it.

    >>> steps = Pieces.steps([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> steps(np.array([0.0, 0.5, 7.0]))
    array([[1., 2.],
           [3., 4.],
           [5., 6.]])
    """

    edges: Floats  # (m - 1,), rising
    centre: Floats  # (m, g)
    powers: Floats  # (m, g, 3): constant, slope, square
    logs: Floats | None = None  # (m, g, 3): k, a, b

    @classmethod
    def steps(cls, edges: ArrayLike, values: ArrayLike) -> Pieces:
        """Constants (m, g) between edges (m - 1,)."""
        constants = np.asarray(values, np.float64)
        powers = np.zeros((*constants.shape, 3))
        powers[..., 0] = constants
        return cls(np.asarray(edges, np.float64), np.zeros(constants.shape), powers)

    @classmethod
    def line(cls, constant: ArrayLike, slope: ArrayLike, centre: ArrayLike = 0.0) -> Pieces:
        """One piece: constants (g,) and slopes (g,) from a centre on."""
        return cls.quadratic(constant, slope, np.zeros_like(slope, np.float64), centre)

    @classmethod
    def quadratic(
        cls, constant: ArrayLike, slope: ArrayLike, square: ArrayLike, centre: ArrayLike = 0.0
    ) -> Pieces:
        """One piece: a quadratic for each group, (g,), around a centre."""
        powers = np.stack(np.broadcast_arrays(constant, slope, square), axis=-1).astype(np.float64)
        middle = np.broadcast_to(np.asarray(centre, np.float64), powers.shape[:1])
        return cls(np.zeros(0), middle[None].copy(), powers[None])

    @classmethod
    def beside(cls, groups: Sequence[Pieces]) -> Pieces:
        """The functions of several, whose edges may differ, side by side.

        >>> both = Pieces.beside([Pieces.steps([0.0], [[1.0], [2.0]]), Pieces.steps([], [[5.0]])])
        >>> both(np.array([-1.0, 1.0]))
        array([[1., 5.],
               [2., 5.]])
        """
        edges = np.unique(np.concatenate([one.edges for one in groups]))
        cut = [one.cut(edges) for one in groups]
        logs = None
        if any(one.logs is not None for one in groups):
            blank = [np.zeros_like(one.powers) if one.logs is None else one.logs for one in cut]
            logs = np.concatenate(blank, axis=1)
        return cls(
            edges,
            np.concatenate([one.centre for one in cut], axis=1),
            np.concatenate([one.powers for one in cut], axis=1),
            logs,
        )

    def cut(self, edges: Floats) -> Pieces:
        """The same functions, cut at these edges, which have those of its own among them."""
        at = bin_codes(self.edges, np.append(edges, np.inf), below=True)
        logs = None if self.logs is None else self.logs[at]
        return Pieces(edges, self.centre[at], self.powers[at], logs)

    def only(
        self, above: float | None = None, up_to: float | None = None, groups: Bools | bool = True
    ) -> Pieces:
        """The same functions, those of some groups (g,) impossible at and below `above`, and beyond `up_to`.

        >>> Pieces.line([1.0], [2.0]).only(above=0.0)(np.array([0.0, 3.0]))
        array([[-1.e+300],
               [ 7.e+000]])
        """
        ends = [end for end in (above, up_to) if end is not None]
        cut = self.cut(np.unique(np.concatenate([self.edges, ends])))
        last = np.append(cut.edges, np.inf)  # the greatest number of each piece
        out = np.zeros(len(last), bool)
        if above is not None:
            out |= last <= above
        if up_to is not None:
            out |= last > up_to
        where = (out[:, None] & groups)[..., None]
        never = np.array([IMPOSSIBLE, 0.0, 0.0])
        logs = None if cut.logs is None else np.where(where, 0.0, cut.logs)
        return Pieces(cut.edges, cut.centre, np.where(where, never, cut.powers), logs)

    @property
    def n_groups(self) -> int:
        """How many functions these are."""
        return int(self.centre.shape[1])

    @property
    def stepped(self) -> bool:
        """Whether all pieces are constant."""
        return self.logs is None and not self.powers[..., 1:].any()

    def place(self, x: Floats) -> Ints:
        """The piece that each number is in."""
        return bin_codes(self.edges, x, below=True)

    def __call__(self, x: Floats) -> Floats:
        """The functions of numbers (n,), (n, g)."""
        at = self.place(x)
        u = x[:, None] - self.centre[at]
        constant, slope, square = np.moveaxis(self.powers[at], -1, 0)
        out = constant + u * (slope + u * square)
        if self.logs is not None:
            k, a, b = np.moveaxis(self.logs[at], -1, 0)
            out = out + k * np.log1p(u * (a + u * b))
        return np.asarray(out)

    def relative(self) -> Pieces:
        """The same functions less what all groups share of each piece."""
        powers = self.powers.copy()
        same = (self.centre == self.centre[:, :1]).all(axis=1)
        possible = powers[..., 0] > IMPOSSIBLE / 2
        for at in range(len(powers)):
            own = powers[at][possible[at]]
            if len(own):
                shared = own[0].copy()
                shared[1:] *= bool(same[at] and possible[at].all())
                powers[at][possible[at]] -= shared
        return Pieces(self.edges, self.centre, powers, self.logs)

    def merged(self) -> Pieces:
        """The same functions, alike neighbours taken together."""
        alike = np.ones(len(self.powers) - 1, bool)
        for array in (self.powers, self.centre, *(() if self.logs is None else (self.logs,))):
            alike &= (array[1:] == array[:-1]).all(axis=tuple(range(1, array.ndim)))
        keep = np.append(~alike, True)
        logs = None if self.logs is None or not self.logs.any() else self.logs[keep]
        return Pieces(self.edges[keep[:-1]], self.centre[keep], self.powers[keep], logs)


def just_below(x: ArrayLike) -> Floats:
    """The greatest number below x: an edge that x itself is above.

    Below 0 it is one that every program can write: the very next are so small that some take them for 0.

    >>> just_below([1.0, 0.0])
    array([ 1.e+000, -1.e-300])
    """
    value = np.asarray(x, np.float64)
    return np.where(value == 0, -1 / LARGE, np.nextafter(value, -np.inf))


def first_of_codes(code: Callable[[Floats], Ints], near: Floats, first: int) -> Floats:
    """The least numbers that have the codes `first`, `first` + 1 and so on, all of them near these numbers.

    Rounding decides on which side of an edge a number lies: the edge is where the codes say it is.

    >>> first_of_codes(lambda x: np.floor(x / 0.1).astype(int), np.array([0.1, 0.2, 0.3]), 1) / 0.1
    array([1., 2., 3.])
    """
    edges, codes = near.copy(), first + np.arange(len(near))
    while len(low := np.flatnonzero(code(edges) < codes)):
        edges[low] = np.nextafter(edges[low], np.inf)
    while len(high := np.flatnonzero(code(np.nextafter(edges, -np.inf)) >= codes)):
        edges[high] = np.nextafter(edges[high], -np.inf)
    return edges


def log_or_impossible(p: ArrayLike) -> Floats:
    """The logs of probabilities, with a number for that of 0.

    >>> log_or_impossible([1.0, 0.0])
    array([ 0.e+000, -1.e+300])
    """
    share = np.asarray(p, np.float64)
    return np.where(share > 0, np.log(np.where(share > 0, share, 1.0)), IMPOSSIBLE)
