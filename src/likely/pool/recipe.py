"""Which members a budget buys, in which order; and why a member cannot be had."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likely.engine.memory import progress
from likely.errors import LikelyError, notice
from likely.pool.members.additive import AdditiveMember
from likely.pool.members.boost import BoostMember
from likely.pool.members.evidence import EvidenceMember
from likely.pool.members.forest import ForestMember
from likely.pool.members.kernel import KernelMember
from likely.pool.members.net import NetMember
from likely.pool.members.repeated import RepeatedMember
from likely.pool.members.symmetric import SymmetricMember
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows

Floats = NDArray[np.float64]

NUMBERS = 60_000_000  # that a member may hold at once


class Member(Protocol):
    """A fitted model that sees rows as the pool reads them."""

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t): log-odds, or log-probabilities up to what all classes share; or a number."""

    def by_fold(self, view: View) -> Floats | None:
        """By models that had not seen the rows of one fold each, (folds, n, t); None: there are none."""


Fit = Callable[[TaughtRows], tuple[Member, Floats]]

MEMBERS: dict[str, Fit] = {
    "additive": AdditiveMember.fit,
    "lines": AdditiveMember.fit_lines,
    "evidence": EvidenceMember.fit,
    "net": NetMember.fit,
    "kernel": KernelMember.fit,
    "forest": ForestMember.fit,
    "symmetric": SymmetricMember.fit,
    "boost": BoostMember.fit,
    "extra": ForestMember.fit_extra,
    "net-2": lambda rows: NetMember.fit(replace(rows, seed=rows.seed + 1)),
    "net-3": lambda rows: NetMember.fit(replace(rows, seed=rows.seed + 2)),
    "boost-2": BoostMember.fit_small,
}
BUDGETS: dict[str, tuple[str, ...]] = {
    "additive": ("additive",),
    "fast": ("additive", "evidence", "net"),
    "default": (
        *("additive", "lines", "evidence", "net", "kernel", "forest", "symmetric", "boost", "extra"),
    ),
    "best": tuple(name for name in MEMBERS if not name.startswith("net-")),
}
REPEATS = 3  # of each member, with other folds, for the budget "best"
MOST_REPEATED = 5000  # rows: of more, folds leave less to chance


@dataclass(frozen=True)
class Fitted:
    """Members, and scores of the rows by models that had not seen them."""

    names: tuple[str, ...]
    members: tuple[Member, ...]
    scores: Floats  # (m, n, t)
    left_out: tuple[str, ...]  # which members, and why


def kinship(names: Sequence[str]) -> Floats:
    """What part of a member each is: of columns that add up there are two, which are one if both are there.

    >>> kinship(("additive", "lines", "net")).tolist(), kinship(("lines", "net")).tolist()
    ([0.5, 0.5, 1.0], [1.0, 1.0])
    """
    both = {"additive", "lines"} <= set(names)
    return np.array([0.5 if both and name in ("additive", "lines") else 1.0 for name in names])


@dataclass(frozen=True)
class MemberPlan:
    """The members to fit, how often each, and how many seconds that may take."""

    names: tuple[str, ...]
    repeats: int = 1
    seconds: float = np.inf

    @classmethod
    def of(cls, budget: str | float, members: Sequence[str] | None, n: int) -> MemberPlan:
        """What a budget buys for n rows."""
        if isinstance(budget, bool) or not isinstance(budget, str | int | float) or not _is_budget(budget):
            raise LikelyError(
                f"budget={budget!r}: give {', '.join(map(repr, BUDGETS))}, or a number of seconds above 0."
            )
        repeats = REPEATS if budget == "best" and n <= MOST_REPEATED else 1
        seconds = np.inf if isinstance(budget, str) else float(budget)
        if members is None:
            names = BUDGETS[budget] if isinstance(budget, str) else tuple(MEMBERS)
            return cls(names, repeats, seconds)
        names = tuple(members) if not isinstance(members, str) else (members,)
        for name in names:
            if name not in MEMBERS:
                raise LikelyError(
                    f"members: there is no {name!r}; there are {', '.join(map(repr, MEMBERS))}."
                )
        if not names or len(set(names)) < len(names):
            raise LikelyError("members: name one or more, each once.")
        return cls(names, repeats, seconds)


def _is_budget(budget: str | float) -> bool:
    return budget in BUDGETS if isinstance(budget, str) else budget > 0


def fit_members(rows: TaughtRows, plan: MemberPlan) -> Fitted:
    """Fit one after another; when time is up, or the user interrupts, what is there is enough."""
    names = plan.names
    began = time.monotonic()
    done: list[str] = []
    members: list[Member] = []
    held: list[Floats] = []
    left_out: list[str] = []
    with progress("learning", total=len(names)) as tell:
        for place, name in enumerate(names):
            tell(place, name)
            why = why_not(name, rows)
            if members and why is None and time.monotonic() - began > plan.seconds:
                why = "time was up"
            if why is not None:
                left_out.append(f"{name}: {why}")
                continue
            try:
                member, scores = _fit(name, rows, plan.repeats)
            except KeyboardInterrupt:
                if not members:
                    raise
                notice(f"interrupted while {name} was fitted: the pool is of {', '.join(done)}.")
                left_out += [f"{rest}: interrupted" for rest in names[place:]]
                break
            done.append(name)
            members.append(member)
            held.append(scores)
    if not members:
        raise LikelyError(f"no member can be had: {'; '.join(left_out)}. Allow others.")
    return Fitted(tuple(done), tuple(members), np.stack(held), tuple(left_out))


def _fit(name: str, rows: TaughtRows, repeats: int) -> tuple[Member, Floats]:
    if repeats == 1:
        return MEMBERS[name](rows)
    members, scores = zip(*(MEMBERS[name](rows.again(r)) for r in range(repeats)), strict=True)
    return RepeatedMember(members), np.mean(scores, axis=0)


def why_not(name: str, rows: TaughtRows) -> str | None:
    """Why a member cannot be had for these rows; None if it can."""
    n, g, d = rows.n, rows.n_groups, len(rows.reading.n_bins)
    kind = name.partition("-")[0]
    if kind == "lines" and rows.reading.n_numbers == 0:
        return "there are no columns of numbers"
    if kind == "evidence" and rows.is_number:
        return "it is of classes"
    if kind == "evidence" and n * d * g * 2 > NUMBERS:
        return f"{d} columns of {n} rows and {g} classes are too many"
    if kind in ("forest", "extra") and 100 * n * g > NUMBERS * 2:
        return f"{g} classes of {n} rows are too many"
    if kind in ("symmetric", "boost") and g > 30:
        return f"{g} classes are too many"
    if kind in ("symmetric", "boost") and n < 20:
        return f"{n} rows are too few"
    if kind == "net" and d > 2000:
        return f"{d} columns are too many"
    return None
