"""What a fitted model of groups knows: the target, what was seen, and the distributions made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import Categorical
from likely.engine import Answers, Chunk, Engine, MapTask
from likely.errors import LikelyError
from likely.estimator.fitted import OfTarget
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import ScoringForm, WordsTerm
from likely.infer import bayes_rule
from likely.models.groups.check import check
from likely.models.groups.describe import level_tables, story, training
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.groups.group_world import GroupWorld
from likely.models.groups.independent import Independent
from likely.models.groups.scoring import scoring_form, words_terms
from likely.models.groups.tally import (
    GroupTally,
    Settings,
    base_rates,
    drawn_rates,
    levels_counted,
    log_levels_prior,
)
from likely.models.parts.part import Part
from likely.models.parts.plan import Families, Ranking
from likely.stats import Counts
from likely.table.column.block import Block, Numbers
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

UNLIKELIEST = -1e200  # no value that the tables let through makes a row less probable, in nats


@dataclass(frozen=True, eq=False)
class GroupRecord(OfTarget):
    """One fitted model. Its groups are the levels of the target, or several of each, class by class."""

    target: Column
    tally: GroupTally
    settings: Settings
    weighed: tuple[Ranking, ...] = ()  # of the columns whose family was chosen by the data
    components: tuple[int, ...] | None = None  # how many groups each class has; None: one
    evidence: EvidenceWeights | None = None  # how much what a column says counts in a prediction

    @property
    def schema(self) -> Schema:
        """The columns, as every part knows them."""
        return self.parts[0].schema

    @property
    def parts(self) -> tuple[Part, ...]:
        """The columns by the families that describe them, with what was seen of them."""
        return self.tally.parts

    @property
    def family_rankings(self) -> Families:
        """The family of every column, and what it was chosen by."""
        return Families.of(self.parts, self.weighed)

    @property
    def groups(self) -> GroupRecord:
        """What the groups look like: all that this is."""
        return self

    def with_groups(self, record: GroupRecord) -> GroupRecord:
        """The same, with groups that look so."""
        return record

    def with_parts(self, parts: Iterable[Part]) -> GroupRecord:
        """The same, with these parts in place of its own."""
        return replace(self, tally=GroupTally(self.tally.groups, tuple(parts)))

    def with_settings(self, settings: Settings) -> GroupRecord:
        """What was seen, under other settings."""
        parts = (replace(part, estimate=settings.estimate) for part in self.parts)
        return replace(self.with_parts(parts), settings=settings)

    @property
    def of_rows(self) -> bool:
        """Whole rows are modelled."""
        return True

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
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.tally.groups.sum())

    @property
    def class_counts(self) -> Floats:
        """The weight of each class, (c,)."""
        if self.components is None:
            return self.tally.groups
        return np.bincount(self.class_of, self.tally.groups, len(self.classes)).astype(np.float64)

    @property
    def never_seen(self) -> set[int]:
        """The columns of numbers or levels of which the model has seen no value."""
        return {j for part in self.parts for j in part.never_seen()}

    @cached_property
    def core(self) -> Independent:
        """The weights of the groups, and the parts with the distributions of the columns in each."""
        for part in self.parts:
            part.distribution  # noqa: B018  # what cannot be estimated is refused here
        rates = self.rates if self.components is None else self.rates[self.class_of] * self.shares
        with np.errstate(divide="ignore"):
            return Independent(np.log(rates), self.parts, self.components)

    @property
    def predictor(self) -> Independent:
        """The core as predictions use it, whose evidence is weighed; the joint distribution is the core."""
        return self.core if self.evidence is None else replace(self.core, evidence=self.evidence)

    @cached_property
    def rates(self) -> Floats:
        """P(class), (c,)."""
        return base_rates(self.classes, self.class_counts, self.settings)

    @cached_property
    def shares(self) -> Floats:
        """P(group given class), (g,)."""
        if self.components is None:
            return np.ones(len(self.classes))
        categorical: Any = Categorical.estimate(*_shared_out(self), self.settings.estimate)
        return np.reshape(categorical.probs, -1)

    def drawn(self, rng: np.random.Generator, n: int) -> Independent:
        """The parts at n draws of the parameters from their posterior: n * g groups, draw by draw."""
        if self.settings.estimate == "ml":
            raise LikelyError(
                "estimate='ml' takes no prior, so that the parameters have no posterior: "
                "fit with estimate='mean' and a prior."
            )
        rates = drawn_rates(self.classes, self.class_counts, self.settings, rng, n)
        if self.components is not None:
            shares: Any = Categorical.drawn(*_shared_out(self), rng, n)
            rates = rates[:, self.class_of] * np.reshape(shares.probs, (n, -1))
        parts = tuple(part.drawn(rng, n) for part in self.parts)
        with np.errstate(divide="ignore"):
            own = None if self.components is None else self.components * n
            return Independent(np.log(rates).reshape(-1), parts, own, self.evidence)

    def free_parameters(self) -> tuple[int, int]:
        """How many numbers describe each group, and how many all groups together."""
        numbers = [part.free_parameters() for part in self.parts]
        return sum(own for own, _ in numbers), sum(shared for _, shared in numbers)

    @property
    def n_rates(self) -> int:
        """The free probabilities of classes, where they are learnt, and of the groups of each."""
        classes = len(self.classes) - 1 if self.settings.base_rate is None else 0
        return classes + sum(k - 1 for k in self.components or ())

    @property
    def n_parameters(self) -> int:
        """The free numbers of all groups, those that groups share, and the probabilities of the groups."""
        own, shared = self.free_parameters()
        return own * len(self.group_names) + shared + self.n_rates

    @property
    def log_evidence(self) -> float:
        """The log marginal likelihood of all rows and their classes: the parameters are summed out."""
        if self.components is not None:
            raise LikelyError(
                "the evidence of a mixture has no closed form: weigh by the cross-validated 'log_score'."
            )
        if self.settings.estimate == "ml":
            raise LikelyError("estimate='ml' takes no prior, so that there is no evidence: fit with a prior.")
        if self.settings.base_rate is None:
            total = Categorical.log_marginal(*levels_counted(self.class_counts, self.settings))
        else:
            seen = self.class_counts > 0
            with np.errstate(divide="ignore"):
                total = float(self.class_counts[seen] @ np.log(self.rates[seen]))
        return total + sum(part.log_evidence() for part in self.parts)

    @property
    def families(self) -> dict[str, str]:
        """The family of each column by its name; where gaps are described besides, that too."""
        families: dict[str, str] = {}
        for part in self.parts:
            for place in range(len(part.columns)):
                name, own = part.column(place).name, part.family.name
                families[name] = f"{families[name]} and {own}" if name in families else own
        return families

    def counts(self) -> dict[Described, Quantities]:
        """How much was seen of each column."""
        return {key: part.counts(place) for key, part, place in self._described()}

    def parameters(self) -> dict[Described, Quantities]:
        """What is known of each column."""
        return {key: part.parameters(place) for key, part, place in self._described()}

    def _described(self) -> Iterator[tuple[Described, Part, int]]:
        """Every column that a part describes: its name, and how it is described."""
        for part in self.parts:
            for place in range(len(part.columns)):
                yield (part.column(place).name, part.family, type(part)), part, place

    def level_tables(self) -> list[tuple[Column, Floats]]:
        """Each column with its levels, and P(level given class), (c, k); refused of other columns."""
        refuse_components(self, "a joint table")
        return level_tables(self)

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted."""
        check(self)

    def world(self) -> GroupWorld:
        """The classes and columns as a world that can be asked."""
        return GroupWorld(self.schema, self.predictor, self.target, self.class_counts)

    def scoring_form(self, texts: bool = False) -> ScoringForm:
        """How rows are scored, for other programs to work out; with `texts`, those are silent."""
        return scoring_form(self, texts)

    def words_terms(self) -> tuple[WordsTerm, ...]:
        """What the words of texts add, for pages to work out."""
        return words_terms(self)

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the model takes a row to come about."""
        return story(self, model, hidden)

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        return training(self)

    def blocks(self, frame: Frame) -> tuple[Block, ...]:
        """The columns of a table that each part reads."""
        return tuple(part.block(frame) for part in self.parts)

    def posterior(
        self, frame: Frame, engine: Engine, *, log: bool = True
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """P(class given row) or its log, (n, g), and which rows were impossible in every class.

        For those the base rate is all that is left to say.
        """
        rows = Chunk(self.blocks(frame), frame.n, frame.width)
        posterior, impossible = engine.map(rows, ClassPosterior(self.predictor, len(self.classes), log))
        return posterior, impossible


@dataclass(frozen=True, slots=True)
class ClassPosterior(MapTask[tuple[Block, ...]]):
    """P(class given row) or its log; where a row is impossible in every class, the base rate."""

    core: Independent
    n_classes: int
    log: bool

    def width(self, stored: int) -> int:
        """A row's cells, and its answers."""
        return stored + self.n_classes

    def answers(self, n: int) -> Answers:
        """The posterior, (n, g), and which rows are impossible, (n,)."""
        return np.empty((n, self.n_classes)), np.zeros(n, bool)

    def step(self, data: tuple[Block, ...], start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        posterior, impossible = out
        own, log_evidence = class_posterior(self.core, data, start, stop, evidence=False, log=self.log)
        posterior[:] = own
        gone = np.isneginf(log_evidence)
        if gone.any():
            posterior[gone] = self.core.log_rates if self.log else np.exp(self.core.log_rates)
            impossible[:] = gone


def class_posterior(
    core: Independent,
    blocks: tuple[Block, ...],
    start: int,
    stop: int,
    *,
    evidence: bool = True,
    log: bool = True,
) -> tuple[Floats, Floats]:
    """log P(class given row), (b, g), and log P(row), (b,), of rows that no number makes too improbable.

    Without `evidence`, the latter is only right about whether a row is possible at all; without `log`, the
    former is the posterior itself.
    """
    joint, shared = core.log_joint(blocks, start, stop, evidence)
    posterior, log_evidence = bayes_rule(core.by_class(joint), log=log)
    log_evidence += shared
    refuse_extremes(blocks, start, stop, log_evidence)
    return posterior, log_evidence


def refuse_extremes(blocks: Sequence[Block], start: int, stop: int, log_evidence: Floats) -> None:
    """Refuse rows that are as improbable as only numbers can be that no model takes."""
    if not (log_evidence > UNLIKELIEST).all():  # NaN is not, either
        for block in blocks:
            if isinstance(block, Numbers):
                block.refuse_extremes(start, stop)


def _shared_out(record: GroupRecord) -> tuple[Counts, Any]:
    """The groups of each class as a column of levels, and its prior."""
    return levels_counted(record.tally.groups, record.settings, record.components)


def log_rates_prior(record: GroupRecord) -> float:
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


def refuse_components(record: GroupRecord, what: str) -> None:
    """Refuse what takes a class for a single group."""
    if record.components is not None:
        raise LikelyError(
            f"{what} takes one distribution a class, and here a class is a mixture of several: use explain()."
        )
