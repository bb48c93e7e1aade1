"""A hidden Markov model in words: what each state looks like, lasts and is followed by; and its story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.dist.distribution import short
from likely.estimator.record import OPTIMAL, Story
from likely.format import words
from likely.models.groups.describe import drawn_columns
from likely.models.mixture.describe import Portraits

if TYPE_CHECKING:
    from likely.models.markov.record import ChainRecord

LEAST = 0.01  # of the chances of what follows: less is not named
MOST = 3  # that are named


@dataclass(frozen=True, repr=False)
class ChainPortraits(Portraits):
    """A fitted hidden Markov model in words: each state by what sets it apart, then every column."""

    chain: ChainRecord

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        return {
            **super().to_dict(),
            "initial": self.chain.initial.tolist(),
            "transitions": self.chain.transitions.tolist(),
        }

    @property
    def n_parameters(self) -> int:
        """How many free numbers the model has."""
        return self.chain.n_parameters

    def _title(self) -> str:
        sequences = short(self.chain.first.sum())
        many = "1 sequence" if sequences == "1" else f"{sequences} sequences"
        return f"{super()._title()} in {many}"

    def _groups(self) -> str:
        said = []
        for line, state in zip(super()._groups().splitlines(), range(len(self.chain.first)), strict=True):
            said += [line, f"  {self._course(state)}"]
        return "\n".join(said)

    def _course(self, state: int) -> str:
        """How a state begins, lasts and ends."""
        moves, names = self.chain.transitions[state], self.record.group_names
        stay = moves[state]
        rest = np.delete(np.arange(len(moves)), state)
        after = sorted(rest[moves[rest] > 0], key=lambda other: -moves[other])
        lasts = f"lasts {short(1 / (1 - stay))} rows on average" if after else "lasts to the end"
        chances = [(names[other], moves[other] / moves[rest].sum()) for other in after[:MOST]]
        told = ", ".join(f"{words.shown(name)} ({_percent(p)})" for name, p in chances if p >= LEAST)
        then = f", then comes {told}" if told else ""
        return f"{lasts}{then}; {_percent(self.chain.initial[state])} of sequences begin in it"


def _percent(p: float) -> str:
    return f"{100 * p:.0f} %"


def chain_story(record: ChainRecord, model: str) -> Story:
    """A first state, moves from state to state, and in each state a row."""
    states = record.states
    names = [words.shown(name) for name in states.classes]
    begins = ", ".join(f"{name} {short(p)}" for name, p in zip(names, record.initial, strict=True))
    steps = (
        f"Draw the hidden state of the first row from {begins}.",
        "Draw each next state given the one before, and nothing else: each stays with probability "
        + ", ".join(
            f"{name} {short(p)}" for name, p in zip(names, record.transitions.diagonal(), strict=True)
        )
        + ".",
        drawn_columns(states, "state"),
    )
    formula = (
        "P(rows) = sum over all ways through the states of P(first) x product of P(next | state) x "
        "product of P(column | state)."
    )
    optimal = f"{OPTIMAL}: the next state depends on the last alone, and a row on its state alone."
    return Story(model, steps, formula, optimal, "a sequence")
