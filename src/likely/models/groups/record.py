"""What a fitted model knows: the schema, the target, what was seen, and the distributions made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical, Smoothing
from likely.engine import map_rows, reduce_rows
from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.infer.powers import powers
from likely.models.groups.independent import Independent, Tally
from likely.models.parts.families import Ranking
from likely.models.parts.part import Slot
from likely.stats import Counts, Groups
from likely.table.block import Block, Numbers
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

UNLIKELIEST = -1e200  # no value that the tables let through makes a row less probable, in nats


@dataclass(frozen=True, slots=True)
class Settings:
    """How distributions are made of what was seen."""

    estimate: str = "mean"
    prior: Any = "default"
    base_rate: Any = None  # None: learnt; "uniform"; a probability for each class


@dataclass(frozen=True)
class Record:
    """One fitted model. Its groups are the levels of the target, or several of each, class by class."""

    schema: Schema
    target: Column
    slots: tuple[Slot, ...]
    tally: Tally
    settings: Settings
    weighed: tuple[Ranking, ...] = ()  # of the columns whose family was chosen by the data
    components: tuple[int, ...] | None = None  # how many groups each class has; None: one

    @property
    def groups(self) -> Record:
        """What the groups look like: all that this is."""
        return self

    def with_groups(self, record: Record) -> Record:
        """The same, with groups that look so."""
        return record

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order."""
        return self.target.levels or ()

    @property
    def class_of(self) -> Ints:
        """The class of each group, (g,)."""
        return np.repeat(np.arange(len(self.classes)), 1 if self.components is None else self.components)

    @property
    def group_names(self) -> list[Any]:
        """What to call each group: its class, and which of the class's groups it is if that has several."""
        if self.components is None:
            return list(self.classes)
        pairs = zip(self.classes, self.components, strict=True)
        return [f"{label} ({i + 1} of {k})" if k > 1 else label for label, k in pairs for i in range(k)]

    @property
    def class_counts(self) -> Floats:
        """The weight of each class, (c,)."""
        if self.components is None:
            return self.tally.groups
        return np.bincount(self.class_of, self.tally.groups, len(self.classes)).astype(np.float64)

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """The distributions of the columns in every group, made of what was seen."""
        pairs = zip(self.slots, self.tally.parts, strict=True)
        return tuple(slot.estimate(part, self.schema, self.settings.estimate) for slot, part in pairs)

    @cached_property
    def core(self) -> Independent:
        """The weights of the groups, and the distributions of the columns in each."""
        rates = self.rates if self.components is None else self.rates[self.class_of] * self.shares
        with np.errstate(divide="ignore"):
            return Independent(np.log(rates), self.parts, self.components)

    @cached_property
    def rates(self) -> Floats:
        """P(class), (c,)."""
        return base_rates(self.classes, self.class_counts, self.settings)

    @cached_property
    def shares(self) -> Floats:
        """P(group given class), (g,)."""
        if self.components is None:
            return np.ones(len(self.classes))
        found: Any = Categorical.estimate(*_shared_out(self), self.settings.estimate)
        return np.reshape(found.probs, -1)

    def drawn(self, rng: np.random.Generator, n: int) -> Independent:
        """The distributions at n draws of the parameters from their posterior: n * g groups, draw by draw."""
        if self.settings.estimate == "ml":
            raise LikelyError(
                "estimate='ml' takes no prior, so that the parameters have no posterior: "
                "fit with estimate='mean' and a prior."
            )
        rates = drawn_rates(self.classes, self.class_counts, self.settings, rng, n)
        if self.components is not None:
            shares: Any = Categorical.drawn(*_shared_out(self), rng, n)
            rates = rates[:, self.class_of] * np.reshape(shares.probs, (n, -1))
        pairs = zip(self.slots, self.tally.parts, strict=True)
        parts = tuple(slot.drawn(part, self.schema, rng, n) for slot, part in pairs)
        with np.errstate(divide="ignore"):
            own = None if self.components is None else self.components * n
            return Independent(np.log(rates).reshape(-1), parts, own)

    def blocks(self, frame: Frame) -> tuple[Block, ...]:
        """The columns of a table that each slot reads."""
        return tuple(slot.block(self.schema, frame) for slot in self.slots)

    def each(
        self,
        frame: Frame,
        step: Callable[[int, int, Floats, Floats], None],
        n_jobs: int | None,
        *,
        evidence: bool = True,
    ) -> None:
        """Call step(start, stop, log posterior, log evidence) for every block of rows.

        If the evidence is not asked for, it is only right about whether a row is possible at all.
        """
        blocks = self.blocks(frame)

        def on_block(start: int, stop: int) -> None:
            joint, shared = self.core.log_joint(blocks, start, stop, evidence)
            log_posterior, log_evidence = bayes_rule(self.core.by_class(joint), spare=True)
            log_evidence += shared
            refuse_extremes(blocks, start, stop, log_evidence)
            step(start, stop, log_posterior, log_evidence)

        map_rows(frame.n, frame.width + len(self.classes), on_block, n_jobs=n_jobs)

    def posterior(
        self, frame: Frame, n_jobs: int | None, *, log: bool = True
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """P(class given row) or its log, (n, g), and which rows were impossible in every class.

        For those the base rate is all that is left to say.
        """
        out = np.empty((frame.n, len(self.classes)))
        impossible = np.zeros(frame.n, bool)

        def step(start: int, stop: int, log_posterior: Floats, log_evidence: Floats) -> None:
            gone = np.isneginf(log_evidence)
            if gone.any():
                log_posterior[gone] = self.core.log_rates
                impossible[start:stop] = gone
            out[start:stop] = log_posterior if log else powers(log_posterior, out=log_posterior)

        self.each(frame, step, n_jobs, evidence=False)
        return out, impossible


def refuse_extremes(blocks: Sequence[Block], start: int, stop: int, log_evidence: Floats) -> None:
    """Refuse rows that are as improbable as only numbers can be that no model takes."""
    if not (log_evidence > UNLIKELIEST).all():  # NaN is not, either
        for block in blocks:
            if isinstance(block, Numbers):
                block.refuse_extremes(start, stop)


def tally_rows(
    schema: Schema, slots: tuple[Slot, ...], frame: Frame, groups: Groups, n_jobs: int | None
) -> Tally:
    """Count a table in groups."""
    blocks = [slot.block(schema, frame) for slot in slots]

    def step(start: int, stop: int) -> Tally:
        mine = groups.rows(start, stop)
        parts = zip(slots, blocks, strict=True)
        return Tally(
            mine.total, tuple(slot.collect(block, mine, schema, start, stop) for slot, block in parts)
        )

    tally = reduce_rows(frame.n, frame.width, step, n_jobs=n_jobs)
    return step(0, 0) if tally is None else tally


def base_rates(classes: tuple[Any, ...], counts: Floats, settings: Settings) -> Floats:
    """P(class): learnt as any categorical column is, or given."""
    given = settings.base_rate
    if given is None:
        learnt: Any = Categorical.estimate(*levels_counted(counts, settings), settings.estimate)
        return np.asarray(learnt.probs, np.float64).reshape(-1)
    if isinstance(given, str) and given == "uniform":
        return np.full(len(classes), 1 / len(classes))
    if not isinstance(given, Mapping):
        raise LikelyError(
            f"base_rate={given!r}: give 'uniform', or a probability for each class such as "
            f"{{{', '.join(f'{c!r}: {1 / len(classes):.2g}' for c in classes[:3])}}}."
        )
    return _given_rates(classes, given)


def drawn_rates(
    classes: tuple[Any, ...], counts: Floats, settings: Settings, rng: np.random.Generator, n: int
) -> Floats:
    """P(class) at n draws from its posterior, (n, g); what was given is known."""
    if settings.base_rate is not None:
        return np.tile(base_rates(classes, counts, settings), (n, 1))
    found: Any = Categorical.drawn(*levels_counted(counts, settings), rng, n)
    if found is None:
        raise LikelyError(
            f"prior={settings.prior!r} learns the base rate by maximum likelihood: it has no posterior. "
            "Fit with a prior, such as prior='default', or give the base_rate."
        )
    return np.asarray(found.probs, np.float64)


def levels_counted(
    counts: Floats, settings: Settings, sizes: tuple[int, ...] | None = None
) -> tuple[Counts, Any]:
    """Classes, groups or states as columns of levels, and their prior.

    It is that of all columns, if that says the same of any levels: None, a strength, or a smoothing without
    shares of its own. What is said of particular columns or levels says nothing of these.
    """
    prior = settings.prior
    plain = prior is None or isinstance(prior, int | float | np.number)
    plain = plain or (isinstance(prior, Smoothing) and prior.even)
    return Counts(counts[None, :], sizes or (len(counts),)), prior if plain else "default"


def _shared_out(record: Record) -> tuple[Counts, Any]:
    """The groups of each class as a column of levels, and its prior."""
    return levels_counted(record.tally.groups, record.settings, record.components)


def log_rates_prior(record: Record) -> float:
    """The log prior density of what is learnt of the weights of groups, on the natural scale."""
    if record.settings.estimate == "ml":
        return 0.0
    total = 0.0
    if record.settings.base_rate is None:
        counted = levels_counted(record.class_counts, record.settings)
        total += log_levels_prior(*counted, record.rates)
    if record.components is not None:
        total += log_levels_prior(*_shared_out(record), record.shares)
    return total


def log_levels_prior(counts: Counts, prior: Any, probs: Floats) -> float:
    """The log prior density of the probabilities of levels that were counted, on the natural scale."""
    chosen: Any = Categorical.choose_prior(counts, prior)
    return 0.0 if chosen is None else float(Categorical(probs[None], counts.sizes).log_natural(chosen).sum())


def log_evidence(record: Record) -> float:
    """The log marginal likelihood of all rows and their classes: the parameters are summed out."""
    if record.components is not None:
        raise LikelyError(
            "the evidence of a mixture has no closed form: weigh by the cross-validated 'log_score'."
        )
    if record.settings.estimate == "ml":
        raise LikelyError("estimate='ml' takes no prior, so that there is no evidence: fit with a prior.")
    if record.settings.base_rate is None:
        total = Categorical.log_marginal(*levels_counted(record.class_counts, record.settings))
    else:
        rates = base_rates(record.classes, record.class_counts, record.settings)
        seen = record.class_counts > 0
        with np.errstate(divide="ignore"):
            total = float(record.class_counts[seen] @ np.log(rates[seen]))
    pairs = zip(record.slots, record.tally.parts, strict=True)
    return total + sum(slot.log_evidence(part, record.schema) for slot, part in pairs)


def refuse_components(record: Record, what: str) -> None:
    """Refuse what takes a class for a single group."""
    if record.components is not None:
        raise LikelyError(
            f"{what} takes one distribution a class, and here a class is a mixture of several: use explain()."
        )


def _given_rates(classes: tuple[Any, ...], given: Mapping[Any, float]) -> Floats:
    for label in given:
        class_place(classes, label, "base_rate names")
    left_out = [label for label in classes if label not in given]
    if left_out:
        raise LikelyError(
            f"base_rate has no probability for class {left_out[0]!r}: give one for every class."
        )
    rates = np.array([float(given[label]) for label in classes])
    if not (rates >= 0).all() or not np.isclose(rates.sum(), 1, rtol=0, atol=1e-9):
        raise LikelyError(
            f"base_rate {dict(given)!r} adds up to {rates.sum():g}: probabilities must be 0 or more and "
            "add up to 1."
        )
    return rates


def class_place(classes: Sequence[Any], label: Any, who: str = "you name") -> int:
    """Where a class stands among the classes."""
    for place, known in enumerate(classes):
        if known == label:
            return place
    near = get_close_matches(str(label), [str(known) for known in classes], 1)
    likeliest = [known for known in classes if near and str(known) == near[0]]
    hint = f"did you mean {likeliest[0]!r}?" if likeliest else f"the classes are {list(classes)[:10]!r}."
    raise LikelyError(f"{who} class {label!r}, which the model does not know: {hint}")
