"""What estimators that look for hidden groups share: how they search, and for how many groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.dist.families.multivariate_normal import MultivariateNormal
from likely.dist.families.normal import Normal
from likely.draw import path
from likely.engine import Chunk, Engine, ReduceTask
from likely.engine.memory import SHORT_BLOCKS
from likely.errors import LikelyError
from likely.estimator.fitted import FittedModel
from likely.format.words import many
from likely.infer import EM
from likely.models.groups.estimator import GroupModel
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord, class_posterior
from likely.models.groups.tally import Settings
from likely.models.mixture.e_step import HiddenRows
from likely.models.mixture.em_search import EMSearch, PlannedTable
from likely.models.parts.plan import Families
from likely.table.frame import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
P = TypeVar("P")  # what is learnt: a record

CRITERIA = ("bic", "icl", "mdl")
PATIENCE = 3  # numbers of groups without a gain, after which no more are tried; one less if there is no hope
MOST = 30
LOOK = 10_000  # rows from which the step of a column's numbers is taken


@dataclass(frozen=True, slots=True)
class Tried:
    """One number of groups: what it comes to."""

    components: int
    log_likelihood: float
    parameters: int
    bits: float  # by the criterion; the least is the best


@dataclass(frozen=True)
class Curve:
    """The numbers of groups that were tried, and the bits of each by a criterion."""

    criterion: str
    tried: tuple[Tried, ...]

    @property
    def best(self) -> int:
        """The number of groups with the fewest bits."""
        return min(self.tried, key=lambda one: one.bits).components

    def __repr__(self) -> str:
        lines = [f"{'groups':>6}  {'parameters':>10}  {'log-likelihood':>15}  {self.criterion + ' bits':>13}"]
        for one in self.tried:
            mark = "  <- fewest" if one.components == self.best else ""
            numbers = f"{one.parameters:>10}  {one.log_likelihood:>15.2f}  {one.bits:>13.1f}"
            lines.append(f"{one.components:>6}  {numbers}{mark}")
        return "\n".join(lines)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The bits of each number of groups, the fewest marked."""
        return path(
            [one.components for one in self.tried],
            [one.bits for one in self.tried],
            marked=self.best,
            title=f"{self.best} groups take the fewest bits",
            xlabel="groups",
            ylabel=f"bits ({self.criterion})",
            ax=ax,
        )


def choose_components(
    fit: Callable[[int], EM[P]], tried_as: Callable[[P], Tried], most: int, criterion: str, least: int = 1
) -> tuple[EM[P], Curve]:
    """Try 1, 2, 3 groups and so on, until three more in a row make it no better, or it is interrupted.

    Two are enough if the last group does not pay for half of its parameters. Where labels name some groups,
    there are at least as many.
    """
    if criterion not in CRITERIA:
        raise LikelyError(f"criterion={criterion!r} is unknown: use one of {', '.join(CRITERIA)}.")
    best: EM[P] | None = None
    tried: list[Tried] = []
    fewest = np.inf
    for k in range(least, max(min(MOST, most), least) + 1):
        run = fit(k)
        tried.append(tried_as(run.parameters))
        if best is None or tried[-1].bits < fewest:  # as many as are told, if no number describes anything
            best, fewest = run, tried[-1].bits
        elif k - Curve(criterion, tuple(tried)).best >= PATIENCE - _hopeless(*tried[-2:]):
            break
        if run.interrupted:  # whoever has pressed Ctrl-C wants no more of them
            break
    assert best is not None  # one number is tried at least
    return best, Curve(criterion, tuple(tried))


def _hopeless(before: Tried, last: Tried) -> bool:
    """Whether a group more took off less than half of the bits that its parameters cost."""
    taken_off = (last.log_likelihood - before.log_likelihood) / np.log(2)
    return bool(last.bits - before.bits > taken_off)


def choose_groups(
    fit: Callable[[int], EM[GroupRecord]],
    frame: Frame,
    weight: Floats | None,
    criterion: str,
    engine: Engine,
    told: NDArray[np.intp] | None = None,
) -> tuple[EM[GroupRecord], Curve]:
    """The number of groups of a mixture, of which some rows may have told theirs, (n,), -1 for nothing."""
    least = 1 if told is None else max(int(told.max(initial=0)) + 1, 1)

    def tried(record: GroupRecord) -> Tried:
        return bargain(record, frame, weight, criterion, engine, told)

    return choose_components(fit, tried, rows_that_count(frame, weight), criterion, least)


def rows_that_count(frame: Frame, weight: Floats | None) -> int:
    """How many rows have a weight."""
    return frame.n if weight is None else int(np.count_nonzero(weight))


def refuse_more(groups: int, rows: int, what: str = "components") -> None:
    """Refuse more groups than rows: there would be some that nothing is in.

    >>> refuse_more(9, 4)
    Traceback (most recent call last):
    likely.errors.LikelyError: components=9, but the table has 4 rows (n_samples=4), and a group needs one: \
give components=4 or fewer, or 'auto'.
    """
    if groups > rows:
        raise LikelyError(
            f"{what}={groups}, but the table has {many(rows, 'row')} (n_samples={rows}), and a group needs "
            f"one: give {what}={rows} or fewer, or 'auto'."
        )


def bargain(
    record: GroupRecord,
    frame: Frame,
    weight: Floats | None,
    criterion: str,
    engine: Engine,
    told: NDArray[np.intp] | None = None,
) -> Tried:
    """What a model takes to describe the rows, and the groups that they have told, in bits.

    BIC takes half log2 n for every parameter; MDL takes for those of a group half log2 of the group's rows,
    which is as exact as they can be known; ICL is BIC and the bits to name the group of each row.
    """
    weights = np.ones(frame.n) if weight is None else weight
    rows = Chunk(HiddenRows(record.blocks(frame), weight, told), frame.n, frame.width)
    log_likelihood, doubt = engine.reduce(rows, FitAndDoubt(record.core, len(record.classes))).tolist()
    n, groups = float(weights.sum()), record.tally.groups
    own, shared = record.free_parameters()
    shared += record.n_rates
    own_rows = np.maximum(groups, 1.0) if criterion == "mdl" else np.full(len(groups), n)
    nats = -log_likelihood + 0.5 * (own * np.log(own_rows).sum() + shared * np.log(n))
    nats += doubt if criterion == "icl" else 0.0
    return tried_with(len(groups), log_likelihood, own * len(groups) + shared, float(nats), record, frame)


@dataclass(frozen=True, slots=True)
class FitAndDoubt(ReduceTask[HiddenRows, Floats]):
    """The log-likelihood of rows, and the nats that it takes to name their groups where these are hidden."""

    core: Independent
    n_classes: int

    def width(self, stored: int) -> int:
        """A row's cells and its groups, in blocks as short as those of answers."""
        return max(stored + self.n_classes, SHORT_BLOCKS)

    def step(self, data: HiddenRows, start: int, stop: int) -> Floats:
        """Of some rows, (2,)."""
        log_posterior, log_evidence = class_posterior(self.core, data.blocks, start, stop)
        with np.errstate(invalid="ignore"):
            named = np.where(np.isneginf(log_posterior), 0.0, np.exp(log_posterior) * log_posterior)
        named = named.sum(axis=1)
        if data.label is not None:  # which is no more in doubt, but is one more thing to describe
            label = data.label[start:stop]
            rows = np.flatnonzero(label >= 0)
            log_evidence[rows] += log_posterior[rows, label[rows]]
            named[rows] = 0.0
        weight = 1.0 if data.weight is None else data.weight[start:stop]
        return np.array([(log_evidence * weight).sum(), -(named * weight).sum()])


def tried_with(
    groups: int, log_likelihood: float, parameters: int, nats: float, record: GroupRecord, frame: Frame
) -> Tried:
    """What a number of groups comes to, with `nats` by the criterion.

    Groups that have more parameters than the table has cells describe nothing, however well they fit, and
    a group that stands on a single written value fits without bound.
    """
    texts = any(column.words is not None for column in record.schema.columns)  # nobody counts their words
    too_many = parameters > frame.n * len(frame.names) and not texts
    refused = groups > 1 and (too_many or _narrower_than_written(record, frame))
    return Tried(groups, log_likelihood, parameters, np.inf if refused else nats / float(np.log(2)))


def _narrower_than_written(record: GroupRecord, frame: Frame) -> bool:
    """Whether a normal group varies less than the rounding of its column's numbers: step / sqrt(12)."""
    for part in record.parts:
        if isinstance(part.distribution, Normal | MultivariateNormal):
            rows = part.block(frame).rows(0, min(frame.n, LOOK))
            if isinstance(rows, np.ndarray):
                steps = np.array([_step(column) for column in rows.T])
                if (part.distribution.sd < steps / np.sqrt(12)).any():
                    return True
    return False


def _step(cells: Floats) -> float:
    """The least difference between two numbers that rounding of floats does not explain; 0 if there is none.

    >>> _step(np.array([0.1 + 0.2, 0.3, 0.8, np.nan])), _step(np.array([4.0, 4.0]))
    (0.5, 0.0)
    """
    values = np.unique(cells[np.isfinite(cells)])
    gaps = np.diff(values)
    gaps = gaps[gaps > 1e-9 * np.abs(values).max(initial=0.0)]
    return float(gaps.min(initial=np.inf)) if gaps.size else 0.0


class Searching(FittedModel):
    """How an estimator looks for hidden groups, and what it takes for a table."""

    kinds: Any
    families: Any
    covariance: str
    prior: Any
    missing: str
    max_iter: int
    tol: float
    restarts: int
    init: Any
    random_state: Any
    base_rate: Mapping[Any, float] | str | None = None

    def _planned(self, frame: Frame, weight: NDArray[np.float64] | None) -> PlannedTable:
        """The table with its columns planned."""
        if isinstance(self.families, str) and self.families == "auto":
            raise LikelyError(
                "families='auto' weighs families within classes that are told, and here groups are hidden: "
                "name the family of a column, as families={'income': 'poisson'}, or leave them to the kinds."
            )
        return PlannedTable.of(
            frame,
            weight,
            self._settings(),
            kinds=self.kinds,
            families=self.families,
            covariance=self.covariance,
            missing=self.missing,
            engine=self._engine,
        )

    def _settings(self) -> Settings:
        return Settings("ml" if self.prior is None else "mean", self.prior, self.base_rate)

    def _how(self, hard: bool = False) -> EMSearch:
        init = getattr(self.init, "record_", self.init)
        if hasattr(init, "fit"):
            raise LikelyError(
                f"init={init!r} is not fitted: fit it first, or give the `record_` of one that is."
            )
        return EMSearch(self.max_iter, self.tol, self.restarts, init, hard, self.random_state, self._engine)


class ByEM(Searching, GroupModel):
    """An estimator whose groups are found by EM."""

    def _keep(self, run: EM[GroupRecord]) -> None:
        """Be the model that a search came to."""
        self.history_, self.n_iter_, self.converged_ = run.history, run.n_iter, run.converged
        self._take(run.parameters)

    @property
    def families_(self) -> Families:
        """The family of every column."""
        return self._known().family_rankings


def whole_number(components: object, what: str = "components") -> int:
    """A number of groups."""
    if not isinstance(components, int | np.integer) or isinstance(components, bool) or components < 1:
        raise LikelyError(f"{what}={components!r}: give the number of groups, from 1, or 'auto'.")
    return int(components)
