"""Which models the page knows, by what they have learnt."""

from __future__ import annotations

from typing import Any

from likely.models.network.record import NetworkRecord
from likely.page.live import LiveModel
from likely.page.live_form import live_form
from likely.page.live_network import live_network
from likely.page.rare import Rarity
from likely.table.frame import Frame


def live_model(model: Any, frame: Frame | None, rarity: Rarity, about: str | None) -> LiveModel:
    """A fitted model as the browser works it out; refused, with a remedy, where it cannot."""
    record = model._known()
    if isinstance(record, NetworkRecord):
        return live_network(record, frame, rarity, about)
    return live_form(model, record, frame, rarity)
