"""Which models the page knows, by what they have learnt."""

from __future__ import annotations

from typing import Any

from likely.codes.classes.record import CodedRecord
from likely.errors import LikelyError
from likely.models.markov.record import ChainRecord
from likely.models.network.record import NetworkRecord
from likely.models.one_dependence.record import PairRecord
from likely.page.live import LiveModel
from likely.page.live_form import live_form
from likely.page.live_network import live_network
from likely.page.live_pairs import live_pairs
from likely.page.rare import Rarity
from likely.pool.pooling import Pool
from likely.table.frame import Frame

KNOWN = (
    "a NaiveBayes, a GaussianClassifier, a Mixture, a Network, a TreeAugmentedNaiveBayes, an AODE, a "
    "LogisticRegression, a LinearRegression, or the default learner"
)
WHY = {
    ChainRecord: "its states follow each other from row to row, and a page asks about one row. Ask it in "
    "Python (predict, predict_proba), or take a Mixture, which has groups without an order",
    CodedRecord: "it codes rows by all that it has read, byte by byte, which a page does not hold. Ask it "
    "in Python (predict_proba, explain), or take a NaiveBayes, whose page weighs the words of texts",
}


def live_model(model: Any, frame: Frame | None, rarity: Rarity, about: str | None) -> LiveModel:
    """A fitted model as the browser works it out; refused, with a remedy, where it cannot."""
    name = type(model).__name__
    record = model._known() if hasattr(model, "_known") else None
    for made, why in WHY.items():
        if isinstance(record, made):
            raise LikelyError(f"a {name} has no page: {why}.")
    if isinstance(record, NetworkRecord):
        return live_network(record, frame, rarity, about)
    if isinstance(record, PairRecord):
        return live_pairs(model, record, frame, rarity)
    if not isinstance(record, Pool) and (record is None or not hasattr(model, "scoring_form")):
        raise LikelyError(f"a {name} has no page: browsers cannot work out its answers. Take {KNOWN}.")
    return live_form(model, record, frame, rarity)
