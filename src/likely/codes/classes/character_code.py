"""What a text costs byte by byte, under what was seen of each class: a code that learns as it goes.

The byte that follows a context (the bytes before it) has a Dirichlet prior whose mean is what is expected
after the shorter context, and so on down to no context at all and all bytes alike. What was seen of the class
updates it, and so does the text itself up to there: every byte is coded by its posterior predictive.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.stats.character_runs import CharacterRuns, Characters, Keys

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

STRENGTH = 20.0  # bytes that the shorter context is worth
ALL = 256  # bytes that there are


def character_logs(seen: CharacterRuns, texts: Characters) -> Floats:
    """log P(byte given the bytes before it and the class), (b, g): rows are the bytes of all texts.

    >>> from likely.stats import Groups
    >>> seen = CharacterRuns.collect(Characters.of(["aaaa", "bbbb"]), Groups.hard([0, 1], 2), 2)
    >>> logs = character_logs(seen, Characters.of(["aa"]))
    >>> logs.shape, bool((logs[:2, 0] > logs[:2, 1]).all())
    ((3, 2), True)
    """
    runs = texts.runs(seen.order)
    first = texts.place == 0
    p = np.full((len(runs), seen.n_groups), 1 / ALL)
    # The context of a byte is the run that ends with the byte before it, one shorter.
    context = np.broadcast_to(seen.total, p.shape)
    met_context = texts.place.astype(np.float64)
    for order in range(seen.order + 1):
        counts = seen.counts_of(seen.rows_of(runs, order), order)
        met = _met_before(runs >> np.uint64(56 - 8 * order), texts.text)
        p = (counts + met[:, None] + STRENGTH * p) / (context + met_context[:, None] + STRENGTH)
        context = np.where(first[:, None], seen.texts, np.roll(counts, 1, axis=0))
        met_context = np.where(first, 0.0, np.roll(met, 1))
    return np.asarray(np.log(p))


def text_logs(logs: Floats, texts: Characters) -> Floats:
    """The logs of bytes, or of anything about them, summed over each text, (n, g); 0 of missing texts."""
    sums = np.concatenate([np.zeros((1, logs.shape[1])), np.cumsum(logs, axis=0)])
    return np.asarray(sums[texts.starts[1:]] - sums[texts.starts[:-1]])


def _met_before(runs: Keys, text: Ints) -> Floats:
    """How often each run was met before in its own text, (b,)."""
    order = np.lexsort((runs, text))  # stable: equals stay as they follow each other
    run, own = runs[order], text[order]
    new = np.append(True, (run[1:] != run[:-1]) | (own[1:] != own[:-1]))[: len(run)]
    begins = np.flatnonzero(new)
    met = np.arange(len(run)) - np.repeat(begins, np.diff(np.append(begins, len(run))))
    counts = np.empty(len(run))
    counts[order] = met
    return counts
