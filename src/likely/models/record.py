"""What a fitted model knows: the schema, the target, what was seen, and the distributions made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical, Laplace
from likely.engine import map_rows, reduce_rows
from likely.errors import LikelyError
from likely.infer import bayes_rule
from likely.models.independent import Independent, Tally
from likely.models.slots import Slot
from likely.stats import Counts, Groups
from likely.table.block import Block, Numbers
from likely.table.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]

UNLIKELIEST = -1e200  # no value that the tables let through makes a row less probable, in nats


@dataclass(frozen=True, slots=True)
class Settings:
    """How distributions are made of what was seen."""

    estimate: str = "mean"
    prior: Any = "default"
    base_rate: Any = None  # None: learnt; "uniform"; a probability for each class


@dataclass(frozen=True)
class Record:
    """One fitted model. Its groups are the levels of the target."""

    schema: Schema
    target: Column
    slots: tuple[Slot, ...]
    tally: Tally
    settings: Settings

    @property
    def classes(self) -> tuple[Any, ...]:
        """The levels of the target, in order."""
        return self.target.levels or ()

    @cached_property
    def core(self) -> Independent:
        """The distributions, made of what was seen."""
        pairs = zip(self.slots, self.tally.parts, strict=True)
        parts = tuple(slot.estimate(part, self.schema, self.settings.estimate) for slot, part in pairs)
        with np.errstate(divide="ignore"):
            return Independent(np.log(base_rates(self.classes, self.tally, self.settings)), parts)

    def blocks(self, frame: Frame) -> tuple[Block, ...]:
        """The columns of a table that each slot reads."""
        return tuple(slot.block(self.schema, frame) for slot in self.slots)

    def each(
        self, frame: Frame, step: Callable[[int, int, Floats, Floats], None], n_jobs: int | None
    ) -> None:
        """Call step(start, stop, log posterior, log evidence) for every block of rows."""
        blocks = self.blocks(frame)

        def on_block(start: int, stop: int) -> None:
            joint, shared = self.core.log_joint(blocks, start, stop)
            log_posterior, log_evidence = bayes_rule(joint)
            log_evidence += shared
            if not (log_evidence > UNLIKELIEST).all():  # NaN is not, either
                for block in blocks:
                    if isinstance(block, Numbers):
                        block.refuse_extremes(start, stop)
            step(start, stop, log_posterior, log_evidence)

        map_rows(frame.n, frame.width + len(self.classes), on_block, n_jobs=n_jobs)

    def posterior(self, frame: Frame, n_jobs: int | None, *, log: bool = True) -> tuple[Floats, int]:
        """P(class given row) or its log, (n, g), and how many rows were impossible in every class.

        For those the base rate is all that is left to say.
        """
        out = np.empty((frame.n, len(self.classes)))
        impossible = np.zeros(frame.n, bool)

        def step(start: int, stop: int, log_posterior: Floats, log_evidence: Floats) -> None:
            gone = np.isneginf(log_evidence)
            if gone.any():
                log_posterior[gone] = self.core.log_weights
                impossible[start:stop] = gone
            out[start:stop] = log_posterior if log else np.exp(log_posterior, out=log_posterior)

        self.each(frame, step, n_jobs)
        return out, int(impossible.sum())


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


def base_rates(classes: tuple[Any, ...], tally: Tally, settings: Settings) -> Floats:
    """P(class): learnt as any categorical column is, or given."""
    given = settings.base_rate
    if given is None:
        prior = settings.prior
        plain = prior is None or isinstance(prior, int | float | np.number | Laplace)
        counts = Counts(tally.groups[None, :], (len(classes),))
        learnt: Any = Categorical.estimate(counts, prior if plain else "default", settings.estimate)
        return np.asarray(learnt.probs, np.float64).reshape(-1)
    if isinstance(given, str) and given == "uniform":
        return np.full(len(classes), 1 / len(classes))
    if not isinstance(given, Mapping):
        raise LikelyError(
            f"base_rate={given!r}: give 'uniform', or a probability for each class such as "
            f"{{{', '.join(f'{c!r}: {1 / len(classes):.2g}' for c in classes[:3])}}}."
        )
    return _given_rates(classes, given)


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
