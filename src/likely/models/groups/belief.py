"""What a model of groups believes once something is known: sums over the groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.constraint import LINE, Constraint, Levels, Piece, Region
from likely.ask.truncated_mixture import TruncatedMixture, mass
from likely.ask.two_numbers import NumberPair
from likely.dist import MultivariateNormal, MultivariateT, Normal, StudentT
from likely.dist.elliptical import Factor
from likely.errors import LikelyError
from likely.infer import bayes_rule

if TYPE_CHECKING:
    from likely.models.groups.group_world import GroupWorld


Floats = NDArray[np.float64]

FLAT = 1e-14  # of its variance, the least that a column keeps once others are known


def conditional(part: MultivariateNormal | MultivariateT, rows: Floats, place: int) -> Normal | StudentT:
    """The distribution of one column in each group given the cells of rows (n, d) that are not NaN: (n, g).

    The part is a multivariate normal or t, and all rows have the same cells known. A Schur complement
    for each group; of a t the spread also grows with the distance of what is known.

    >>> pair = MultivariateNormal(np.zeros((1, 2)), [[[1.0, 0.8], [0.8, 1.0]]])
    >>> one = conditional(pair, np.array([[2.0, np.nan]]), 1)
    >>> one.mean.round(12), one.sd.round(12)
    (array([[1.6]]), array([[0.6]]))
    """
    if isinstance(part, MultivariateNormal):
        centre, matrix, rest = part.mean, part.covariance, part.mean_rest
    else:
        centre, matrix, rest = part.location, part.scale, part.location_rest
    known = np.flatnonzero(~np.isnan(rows[0]))
    factor = Factor.of(matrix[:, known[:, None], known])
    apart = (rows[:, None, known] - centre[:, known]) - rest[:, known]  # (n, g, p)
    white = np.einsum("gij,ngj->ngi", factor.whiten, apart)
    slope = np.einsum("gij,gj->gi", factor.whiten, matrix[:, place, known])
    own = matrix[:, place, place]
    variance = np.maximum(own - (slope**2).sum(axis=-1), FLAT * own)
    middle = centre[:, place] + np.einsum("ngi,gi->ng", white, slope)
    if isinstance(part, MultivariateNormal):
        return Normal(middle, np.sqrt(variance), rest[:, place])
    df = part.df + len(known)
    spread = variance * (part.df + (white**2).sum(axis=-1)) / df
    return StudentT(df, middle, np.sqrt(spread), rest[:, place])


def log_mass(
    part: MultivariateNormal | MultivariateT,
    row: Floats,
    regions: Mapping[int, tuple[Piece, ...]],
    names: Mapping[int, str],
) -> Floats:
    """log P(all of these columns in their pieces given the known cells of a row (d,)), (g,)."""
    if len(regions) > 2:
        raise LikelyError(
            f"intervals of {', '.join(repr(names[place]) for place in regions)} at once, which the model "
            "describes together: give intervals of two of them at most, and values of the others."
        )
    (first, pieces), *others = regions.items()
    alone = conditional(part, row[None], first).take(0)
    masses = mass(alone, pieces)
    if others:
        place, other_pieces = others[0]
        for group in np.flatnonzero(masses > 0):
            one = TruncatedMixture(np.ones(1), alone.take([group]), pieces)

            def inside(x: Floats, group: int = int(group), one: TruncatedMixture = one) -> Floats:
                rows = np.repeat(row[None], len(x), axis=0)
                rows[:, first] = x
                return one.density(x) * mass(
                    conditional(part, rows, place).take((slice(None), group)), other_pieces
                )

            masses[group] *= min(1.0, max(0.0, one.total(inside)))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(masses))


@dataclass(frozen=True)
class GroupBelief:
    """What is believed once some cells are known, and other variables to lie within constraints."""

    world: GroupWorld
    cells: Mapping[str, Any]  # values and codes of levels that are known
    rows: Mapping[int, Any]  # the same, of each part that has any
    log_groups: Floats  # (g,): log P(group given the known cells)
    known: Mapping[str, Constraint]  # of other variables

    @cached_property
    def log_known(self) -> float:
        """log P(the constraints given the known cells)."""
        return self._log_total(self.known)

    def with_weight(self, name: str, constraint: Constraint, weight: float) -> GroupBelief:
        """What is believed if a constraint that is known counts so much in the belief in the groups."""
        said = self._log_weights({name: constraint}) - self.log_groups
        surplus = (weight - 1.0) * np.where(np.isfinite(said), said, 0.0)  # what rules a group out, does
        return replace(self, log_groups=bayes_rule((self.log_groups + surplus)[None])[0][0])

    def log_prob(self, event: Mapping[str, Constraint]) -> float:
        """log P(event | known), -inf if it cannot be."""
        return self._log_total({**self.known, **event}) - self.log_known

    def _log_total(self, constraints: Mapping[str, Constraint]) -> float:
        return float(bayes_rule(self._log_weights(constraints)[None])[1][0])

    def _log_weights(self, constraints: Mapping[str, Constraint]) -> Floats:
        """log P(group, constraints given the known cells), (g,)."""
        log_weights = self.log_groups.copy()
        regions: dict[int, dict[str, Region]] = {}  # of columns that are described together
        for name, constraint in constraints.items():
            if name in self.cells:  # certain, for the constraint allows what is known
                continue
            if isinstance(constraint, Levels):
                allowed = self.world.level_logs(name)[np.array(constraint.allowed)]
                log_weights += bayes_rule(allowed.T)[1]
            elif isinstance(constraint, Region):
                at = self.world.place[name][0]
                key = at if self._together(at) else -1 - len(regions)
                regions.setdefault(key, {})[name] = constraint
        for together_with in regions.values():
            log_weights += self._log_regions(together_with)
        return log_weights

    def _log_regions(self, regions: Mapping[str, Region]) -> Floats:
        """log P(all regions given group), (g,), of columns of one part: each may be there or missing."""
        log_mass_of_all = np.full(len(self.log_groups), -np.inf)
        for missing in product(
            *((False, True) if region.missing else (False,) for region in regions.values())
        ):
            log_p: Floats = np.zeros(len(self.log_groups))
            pieces = {}
            for (name, region), gone in zip(regions.items(), missing, strict=True):
                log_p = log_p + self.world.gap_logs(name)[gone]
                if not gone and region.pieces != LINE:
                    pieces[name] = region.pieces
            log_mass_of_all = np.logaddexp(log_mass_of_all, log_p + self._log_pieces(pieces))
        return log_mass_of_all

    def _log_pieces(self, pieces: Mapping[str, Any]) -> Floats | float:
        if not pieces:
            return 0.0
        if not all(pieces.values()):
            return -np.inf
        name = next(iter(pieces))
        at, _ = self.world.place[name]
        if self._together(at):
            names = {self.world.place[one][1]: one for one in pieces}
            by_place = {self.world.place[one][1]: own for one, own in pieces.items()}
            return log_mass(self._distribution(at), self._row(at), by_place, names)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(mass(self._parts(name), pieces[name])))

    def _distribution(self, at: int) -> Any:
        return self.world.core.parts[at].distribution

    def _together(self, at: int) -> bool:
        """Whether what a part knows of one column depends on the others."""
        return bool(self._distribution(at).event_axes > 0)

    def _row(self, at: int) -> Floats:
        """The known cells of a part, (d,)."""
        return np.asarray(self.rows.get(at, self.world.core.parts[at].empty())[0], np.float64)

    def _parts(self, name: str) -> Any:
        """The distribution of a number in each group, given what is known of its neighbours, (g,)."""
        at, place = self.world.place[name]
        distribution = self._distribution(at)
        if not self._together(at):
            return distribution.take((slice(None), place))
        for other, constraint in self.known.items():
            near = other != name and self.world.place.get(other, (-1, 0))[0] == at
            if near and isinstance(constraint, Region) and constraint.pieces not in ((), LINE):
                raise LikelyError(
                    f"{name!r} given an interval of {other!r}, which the model describes together, has no "
                    f"closed form: give a value of {other!r}, or ask for an interval of {name!r}."
                )
        return conditional(distribution, self._row(at)[None], place).take(0)

    def table(self, names: Sequence[str]) -> Floats:
        """P(levels | known) of these variables, one axis for each."""
        shape = tuple(len(self.world.variables[name].levels) for name in names)
        half = (len(names) + 1) // 2
        weights, (first, second) = self._joint(names[:half], names[half:])
        table = ((first * weights) @ second.T).reshape(shape)
        return np.asarray(table / table.sum())

    def mixture(self, name: str, by: Sequence[str] = ()) -> TruncatedMixture:
        """The distribution of a number that is not missing, jointly with the levels of other variables."""
        region = self.known.get(name, Region(LINE))
        pieces = ((self.cells[name],) * 2,) if name in self.cells else region.pieces  # type: ignore[union-attr]
        shape = tuple(len(self.world.variables[one].levels) for one in by)
        weights, (joint,) = self._joint(by, known={**self.known, name: Region(pieces)})
        joint = joint * weights
        if not joint.sum() > 0:
            raise LikelyError(f"{name!r} is known to be missing: there is no number to ask for.")
        return TruncatedMixture((joint / joint.sum()).reshape(*shape, -1), self._parts(name), pieces)

    def pair(self, first: str, second: str) -> NumberPair:
        """Two numbers that are not missing."""
        pieces = {name: self._pieces(name) for name in (first, second)}
        both = {name: Region(own) for name, own in pieces.items()}
        weights, _ = self._joint(known={**self.known, **both})
        one, two = (TruncatedMixture(weights, self._parts(name), own) for name, own in pieces.items())
        (at, place), (other_at, other) = self.world.place[first], self.world.place[second]
        if at != other_at or not self._together(at):
            return NumberPair(one, two)

        def given(x: Floats) -> Any:
            rows = np.repeat(self._row(at)[None], len(x), axis=0)
            rows[:, place] = x
            return conditional(self._distribution(at), rows, other)

        return NumberPair(one, two, given)

    def _pieces(self, name: str) -> tuple[Piece, ...]:
        """Where a number is known to lie."""
        region = self.known.get(name)
        return region.pieces if isinstance(region, Region) else LINE

    def _joint(
        self, *parts: Sequence[str], known: Mapping[str, Constraint] | None = None
    ) -> tuple[Floats, list[Floats]]:
        """P(group | known), (g,), the names left aside; and for each list P(levels | group), (cells, g)."""
        known = self.known if known is None else known
        named = {name for names in parts for name in names}
        log_weights = self._log_weights({n: c for n, c in known.items() if n not in named})
        tables = []
        for names in parts:
            cells = np.ones((1, len(self.log_groups)))
            for name in names:
                cells = (cells[:, None, :] * self._masses(name)).reshape(-1, cells.shape[1])
            tables.append(cells)
        return np.exp(bayes_rule(log_weights[None])[0][0]), tables

    def _masses(self, name: str) -> Floats:
        """P(level given group) of the levels that are possible, (k, g)."""
        if name in self.cells:
            return np.asarray(np.eye(len(self.world.variables[name].levels))[self.cells[name]][:, None])
        masses, constraint = np.exp(self.world.level_logs(name)), self.known.get(name)
        if isinstance(constraint, Levels):
            masses[~np.array(constraint.allowed)] = 0.0
        return masses
