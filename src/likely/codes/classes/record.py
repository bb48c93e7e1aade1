"""What a classifier by compression knows: what codes a row under each class, and how much that counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.target_world import TargetWorld
from likely.codes.classes.coders import LOG_2, CharacterCoder, CompressorCoder, ModelCoder
from likely.engine import Engine, engine_for
from likely.estimator.check_column import check_schema, check_target, demand
from likely.estimator.record import Described, Quantities, Story
from likely.estimator.registry import is_estimator
from likely.format import words
from likely.infer import bayes_rule
from likely.infer.sized_weights import counted_of
from likely.models.groups.counted_classes import CountedClasses
from likely.models.groups.tally import BaseRate, Settings
from likely.stats.character_runs import LONGEST
from likely.table.column.column import Column
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
RowCoder = CharacterCoder | ModelCoder | CompressorCoder
LISTED = 100  # columns that are listed for people who look into a file
HEAVIEST = 1e100


@dataclass(frozen=True, eq=False)
class CodedRecord(CountedClasses):
    """The columns, the classes, and what codes the parts of a row under each class."""

    schema: Schema
    target: Column
    class_counts: Floats  # (g,)
    settings: Settings  # of the base rate
    coders: tuple[RowCoder, ...]  # (u,)
    weights: Floats | None = None  # (u,) see `counted_of`; None: all evidence counts

    @property
    def log_rates(self) -> Floats:
        """log P(class), (g,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.rates)

    @property
    def n_parameters(self) -> int:
        """Those of all codes, and the base rate."""
        return self.rate_parameters + sum(coder.n_parameters for coder in self.coders)

    @property
    def log_evidence(self) -> None:
        """None: it depends on the models inside."""
        return None

    def under_base_rate(self, base_rate: BaseRate) -> CodedRecord:
        """What would be said, had the classes these shares."""
        return replace(self, settings=replace(self.settings, base_rate=base_rate))

    def logs(self, frame: Frame, engine: Engine) -> list[Floats]:
        """log P(part of the row given class) by each coder, (n, g)."""
        return [coder.logs(frame, engine) for coder in self.coders]

    def bits(self, frame: Frame, engine: Engine) -> Floats:
        """The bits of each class and of the row under it, (n, g)."""
        return np.asarray(-(self.log_rates + np.sum(self.logs(frame, engine), axis=0)) / LOG_2)

    def shares(self, frame: Frame) -> Floats:
        """How much of the evidence of each coder counts in each row, (n, u)."""
        sizes = np.stack([coder.sizes(frame) for coder in self.coders], axis=1)
        return np.ones(sizes.shape) if self.weights is None else counted_of(self.weights, sizes)

    def posterior(self, frame: Frame, engine: Engine) -> tuple[Floats, Bools]:
        """Log P(class given row), (n, g), and which rows were impossible in every class.

        For those the base rate is all that is left to say.
        """
        joint = np.tile(self.log_rates, (frame.n, 1))
        pairs = zip(self.logs(frame, engine), self.shares(frame).T, strict=True)
        for logs, share in pairs:
            joint += relative(logs) * share[:, None]
        log_posterior, log_evidence = bayes_rule(joint)
        gone = np.isneginf(log_evidence)
        log_posterior[gone] = self.log_rates
        return log_posterior, gone

    def counts(self) -> dict[Described, Quantities]:
        """The rows of each class."""
        return {("",): Quantities(["rows"], self.class_counts[:, None])}

    def parameters(self) -> dict[Described, Quantities]:
        """The base rate."""
        return {("",): Quantities([("P", self.target_name)], self.rates[:, None])}

    def check(self) -> None:
        """Refuse a record of which no model could have been fitted."""
        check_target(self.target)
        check_schema(self.schema)
        g, names = len(self.classes), set(self.schema.names)
        counts = self.class_counts
        demand(counts.shape == (g,), "it does not count every class")
        demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()) and counts.sum() > 0, "a count is no count")
        demand(len(self.coders) > 0, "nothing codes its rows")
        if self.weights is not None:
            demand(self.weights.shape == (len(self.coders),), "its evidence has no weights")
            demand(bool(((self.weights > 0) & (self.weights < HEAVIEST)).all()), "a weight is no weight")
        for coder in self.coders:
            demand(set(coder.columns) <= names, "it codes other columns")
            _check_coder(coder, g)

    def world(self) -> TargetWorld:
        """The target given columns, as a world that can be asked."""
        engine = engine_for(None)
        return TargetWorld(
            "classifier by compression",
            self.schema,
            self.target,
            lambda frame, untold: self.posterior(frame, engine)[0],
        )

    def story(self, model: str, hidden: bool = False) -> Story:
        """How the model takes a row to come about."""
        target = words.shown(self.target_name)
        steps = [f"Draw {target}: P({target})."]
        for coder in self.coders:
            names = ", ".join(words.shown(name) for name in coder.columns[:10])
            if isinstance(coder, CharacterCoder):
                how = f"write {names} character by character, each by the {coder.seen.order} bytes before it"
            elif isinstance(coder, ModelCoder):
                how = f"draw {names} from a {type(coder.models[0]).__name__}"
            else:
                how = f"write {names} as the compressor expects after the texts of the class"
            steps.append(f"Given {target}, {how}.")
        formula = f"{target} is the class for which the bits of the class and of the row are fewest."
        return Story(model, tuple(steps), formula, "Fewest bits are the highest probability.")

    def trained_on(self) -> dict[str, Any]:
        """What the model was trained on, for people who look into its file."""
        pairs = zip(self.classes, self.class_counts.tolist(), strict=True)
        columns = self.schema.columns
        return {
            "target": self.target_name,
            "weight_of_rows": self.n,
            "classes": [{"class": words.json_ready(label), "weight": weight} for label, weight in pairs],
            "columns": [{"name": c.name, "kind": str(c.kind)} for c in columns[:LISTED]],
            "number_of_columns": len(columns),
        }


def relative(logs: Floats) -> Floats:
    """Logs beside the highest of each row; -inf of rows that no class allows."""
    best = logs.max(axis=1, keepdims=True)
    return np.asarray(np.where(np.isneginf(best), -np.inf, logs - np.where(np.isfinite(best), best, 0.0)))


def _check_coder(coder: RowCoder, g: int) -> None:
    if isinstance(coder, CharacterCoder):
        seen, m = coder.seen, len(coder.seen.keys)
        demand(0 <= seen.order <= LONGEST and seen.n_groups == g, "it codes other classes")
        demand(seen.groups.shape == seen.weights.shape == (m,) and seen.texts.shape == (g,), "counts lack")
        demand(bool((np.diff(seen.keys.astype(np.float64)) >= 0).all()), "its runs are not in order")
        demand(m == 0 or (seen.groups.min() >= 0 and seen.groups.max() < g), "it counts other classes")
        strength, shared = coder.expected.strength, coder.expected.shared
        demand(0 < strength < HEAVIEST and 0 <= shared <= 1, "what it expects of a byte is no expectation")
        sound = ((seen.weights > 0) & (seen.weights < HEAVIEST)).all() and (seen.texts >= 0).all()
        demand(bool(sound and np.isfinite(seen.texts).all()), "a count is no count")
    elif isinstance(coder, ModelCoder):
        demand(coder.n_classes == g, "it codes other classes")
        demand(len(coder.models) in (1, g), "it has not one model a class")
        demand(all(is_estimator(model) for model in coder.models), "it codes by no model that is known")
        if coder.joint:
            known = coder.models[0].classes_.tolist()
            demand(known == list(range(g)), "its model knows other classes")
        for model in coder.models:
            demand(hasattr(model, "log_prob"), "its model codes no rows")
            same = tuple(model.record_.schema.names) == coder.names
            demand(same, "its model is of other columns")
    else:
        demand(len(coder.texts) == g, "it has not one text a class")
        demand(isinstance(coder.compressor, str), "its compressor has no name")
