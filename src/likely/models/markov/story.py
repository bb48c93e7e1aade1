"""How a hidden Markov model takes a sequence to come about."""

from __future__ import annotations

from likely.dist.distribution import short
from likely.estimator.story import OPTIMAL, Story
from likely.format import words
from likely.models.groups.story import drawn_columns
from likely.models.markov.record import ChainRecord


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
