"""Probabilities of hypotheses at several steps -> panels side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.draw.axes import LETTER, TITLE, literal, need_matplotlib, new_panels, room
from likely.draw.picture import Panels
from likely.format.colours import BLUE, DARK

PANEL, HEIGHT = 2.6, 2.4  # inches of a panel
MOST_LABELS = 12  # hypotheses beyond this are not named


def evolution(names: Sequence[str], steps: Sequence[Sequence[float]], titles: Sequence[str]) -> Panels:
    """A panel for each step: the hypotheses from left to right, and how probable each is.

    >>> panels = evolution(["a", "b"], [[0.5, 0.5], [0.0, 1.0]], ["before", "after"])
    >>> [[float(bar.get_height()) for bar in ax.patches] for ax in panels]
    [[0.5, 0.5], [0.0, 1.0]]
    """
    need_matplotlib()
    named = len(names) <= MOST_LABELS
    upright = named and sum(room(name) + 0.1 for name in names) > PANEL
    below = max((room(name) for name in names), default=0.0) if upright else 0.0
    panels = Panels(new_panels(PANEL * len(steps) + 0.4, HEIGHT + below, 1, len(steps), sharey=True)[0])
    highest = max((max(step, default=0.0) for step in steps), default=0.0) or 1.0
    places = np.arange(len(names))
    for at, (ax, step, title) in enumerate(zip(panels, steps, titles, strict=True)):
        if named:
            ax.bar(places, step, 0.7, color=BLUE)
        else:  # bars of so many would vanish, and take long to draw
            ax.vlines(places, 0, step, color=BLUE, linewidth=1)
        ax.set_ylim(0, 1.05 * highest)
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.set_xticks(places if named else [], [literal(name) for name in names] if named else [])
        ax.tick_params(labelsize=LETTER, colors=DARK)
        if upright:
            ax.tick_params(axis="x", labelrotation=90)
        ax.set_title(literal(title), fontsize=TITLE, loc="left")
        ax.set_xlabel("hypotheses" if named else f"{len(names)} hypotheses", fontsize=LETTER)
        if at == 0:
            ax.set_ylabel("probability", fontsize=LETTER)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    return panels
