"""Whether the record of a hidden Markov model fits together: what a file says is not believed before."""

from __future__ import annotations

from likely.estimator.check_column import demand
from likely.models.groups.check import check
from likely.models.groups.check_statistic import HEAVIEST
from likely.models.markov.record import ChainRecord


def check_chain(record: ChainRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
    check(record.states)
    s = len(record.states.classes)
    demand(record.states.components is None, "its states are no states")
    demand(record.first.shape == (s,) and record.moves.shape == (s, s), "it does not count every move")
    for counts in (record.first, record.moves):
        demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()), "the count of a move is no count")
    demand(record.allowed.dtype == bool and record.allowed.shape == (1 + s, s), "it does not say which moves")
    demand(bool(record.allowed.any(axis=1).all()), "a state has nothing that may follow it")
    impossible = (record.first[~record.allowed[0]], record.moves[~record.allowed[1:]])
    demand(not any(counts.any() for counts in impossible), "it counts moves that cannot be")
