"""What a text costs byte by byte, under what was seen of each class: a code that learns as it goes.

The byte after a context (the bytes before it) has a Dirichlet prior. Its mean is what follows the shorter
context in the texts of the class, and so on down to no context at all and all bytes alike; and, to a part,
what follows the same context in the texts of all classes: where a class never was, it writes as all do.
What was seen of the class updates it, and so does the text itself up to there: every byte is coded by its
posterior predictive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.stats.character_runs import CharacterRuns, Characters, Keys

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

ALL = 256  # bytes that there are
COMMON = 5.0  # bytes that the shorter context is worth where all classes are taken together


@dataclass(frozen=True, slots=True)
class BytePrior:
    """What is expected of a byte before texts of its class show it."""

    strength: float  # bytes that it is worth
    shared: float  # the part of it that all classes have in common; the rest is the class's shorter context


USUAL = BytePrior(25.0, 0.2)
OLD = BytePrior(20.0, 0.0)  # of model files that do not say it
# One of these is chosen by held-out rows. Of few texts, or of classes that share their words, what is common
# should count; where the way a class writes is known well, it only blurs.
WAYS = tuple(BytePrior(strength, shared) for strength in (20.0, 80.0) for shared in (0.0, 0.2, 0.5))


def character_logs(
    seen: CharacterRuns, texts: Characters, ways: Sequence[BytePrior] = (USUAL,)
) -> tuple[Floats, ...]:
    """log P(byte given the bytes before it and the class), (b, g), of each way; rows are bytes of all texts.

    >>> from likely.stats import Groups
    >>> seen = CharacterRuns.collect(Characters.of(["aaaa", "bbbb"]), Groups.hard([0, 1], 2), 2)
    >>> (logs,) = character_logs(seen, Characters.of(["aa"]))
    >>> logs.shape, bool((logs[:2, 0] > logs[:2, 1]).all())
    ((3, 2), True)
    """
    runs = texts.runs(seen.order)
    first = texts.place == 0
    each = [np.full((len(runs), seen.n_groups), 1 / ALL) for _ in ways]
    common = np.full(len(runs), 1 / ALL)
    # The context of a byte is the run that ends with the byte before it, one shorter.
    context = np.broadcast_to(seen.total, each[0].shape)
    met_context = texts.place.astype(np.float64)
    for order in range(seen.order + 1):
        counts = seen.counts_of(seen.rows_of(runs, order), order)
        met = _met_before(runs >> np.uint64(56 - 8 * order), texts.text)
        total = context.sum(axis=1) + met_context + COMMON
        common = (counts.sum(axis=1) + met + COMMON * common) / total
        told, tried = counts + met[:, None], context + met_context[:, None]
        for p, way in zip(each, ways, strict=True):
            p *= way.strength * (1 - way.shared)
            p += (way.strength * way.shared * common)[:, None]
            p += told
            p /= tried + way.strength
        context = np.where(first[:, None], seen.texts, np.roll(counts, 1, axis=0))
        met_context = np.where(first, 0.0, np.roll(met, 1))
    return tuple(np.log(p, out=p) for p in each)


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
