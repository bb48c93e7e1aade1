"""Hidden states in words: what each looks like, how long it lasts, and what follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.dist.distribution import short
from likely.format import words
from likely.models.markov.record import ChainRecord
from likely.models.mixture.describe import Portraits

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
