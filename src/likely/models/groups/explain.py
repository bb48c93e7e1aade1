"""From a record and rows to the evidence for one class against another, feature by feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask
from likely.errors import LikelyError
from likely.evidence import LedgerLine, Ledgers, Status
from likely.infer import bayes_rule
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import class_place
from likely.models.parts.part import Lines
from likely.table.accepted import Level
from likely.table.column.block import Block
from likely.table.column.raw import Raw
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def explain(
    record: GroupRecord,
    frame: Frame,
    favoured: Level | None,
    against: Level | None,
    others: bool,
    order: Sequence[str] | None,
    engine: Engine,
) -> Ledgers:
    """One ledger a row: the favoured class against another, or against all others together."""
    classes = record.classes
    if others and (favoured is None or against is not None):
        raise LikelyError("others=True weighs one class against all others: say which class, and no other.")
    adds = not others and record.components is None  # else evidence is no sum over features
    if order is not None and adds:
        raise LikelyError(
            "order= is for others=True: against a single class the order of features is no matter."
        )
    log_posterior = record.posterior(frame, engine)[0]
    mine, theirs = pair(classes, favoured, against, log_posterior)
    names = tuple(record.schema.names)
    steps = None if adds else _order(names, order)
    core = record.predictor
    rests = (part.distribution.rest_name for part in core.parts)
    rest_names = tuple(name for name in rests if name)
    blocks = record.blocks(frame)
    pairs = zip(core.parts, blocks, strict=True)
    inner = {j: lines for part, block in pairs for j, lines in part.lines(block).items()}
    weights = None if record.evidence is None else record.evidence.by_column
    rows = Chunk(WeighedRows(blocks, mine, None if others else theirs), frame.n, frame.width)
    task = EvidenceTerms(core, len(names), len(rest_names), len(classes), steps)
    base, terms, rest, status, counted = engine.map(rows, task)
    return Ledgers(
        classes=classes,
        names=names,
        favoured=mine,
        against=np.full(frame.n, -1) if others else theirs,
        base=base,
        terms=terms,
        rest=rest,
        rest_names=rest_names,
        status=status,
        log_posterior=log_posterior,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        order=None if steps is None else tuple(names[j] for j in steps),
        inside=InnerLines(inner, weights) if adds and inner else None,
        weights=None if weights is None else counted,
        library=frame.library,
    )


def pair(
    classes: Sequence[Any], favoured: Level | None, against: Level | None, log_posterior: Floats
) -> tuple[Ints, Ints]:
    """The classes that each row weighs: as named, or else the most probable that is left."""
    refuse_one_class(classes)
    n = len(log_posterior)
    theirs = None if against is None else np.full(n, class_place(classes, against))
    mine = _best(log_posterior, theirs) if favoured is None else np.full(n, class_place(classes, favoured))
    theirs = _best(log_posterior, mine) if theirs is None else theirs
    if (mine == theirs).any():
        raise LikelyError(f"class {favoured!r} is weighed against itself: name two different classes.")
    return mine, theirs


def two_classes(classes: Sequence[Any], favoured: Level | None, against: Level | None) -> tuple[int, int]:
    """The places of two classes: the last against the first, unless named."""
    refuse_one_class(classes)
    b = None if against is None else class_place(classes, against)
    if favoured is None:
        a = len(classes) - 1 if b != len(classes) - 1 else 0
    else:
        a = class_place(classes, favoured)
    b = (0 if a != 0 else 1) if b is None else b
    if a == b:
        raise LikelyError(f"class {classes[a]!r} is weighed against itself: name two different classes.")
    return a, b


def refuse_one_class(classes: Sequence[Any]) -> None:
    """Refuse to weigh a class against none."""
    if len(classes) < 2:
        raise LikelyError(
            f"the model knows only the class {classes[0]!r}: there is nothing to weigh it against."
        )


def _best(log_posterior: Floats, other_than: Ints | None) -> Ints:
    """The most probable class of each row that is not the given one."""
    order = np.argsort(-log_posterior, axis=1, kind="stable")
    return (
        order[:, 0] if other_than is None else np.where(order[:, 0] == other_than, order[:, 1], order[:, 0])
    )


def _order(names: Sequence[str], order: Sequence[str] | None) -> tuple[int, ...]:
    if order is None:
        return tuple(range(len(names)))
    if sorted(map(str, order)) != sorted(names):
        raise LikelyError(f"order={list(order)!r} must name every feature once: {list(names)!r}.")
    place = {name: j for j, name in enumerate(names)}
    return tuple(place[name] for name in order)


@dataclass(frozen=True, slots=True)
class WeighedRows:
    """The columns that each part reads, and the classes that each row weighs."""

    blocks: tuple[Block, ...]
    mine: Ints  # (n,)
    theirs: Ints | None  # (n,); None for all others together


@dataclass(frozen=True, slots=True)
class EvidenceTerms(MapTask[WeighedRows]):
    """The log-odds of the base rates, and what each feature, and then each rest, adds to them."""

    core: Independent
    n_features: int
    n_rests: int
    n_classes: int
    order: tuple[int, ...] | None  # in which features are added; None where evidence is a sum over features

    def width(self, stored: int) -> int:
        """A number for every feature and class."""
        return self.n_features * self.n_classes

    def answers(self, n: int) -> Answers:
        """Base (n,), terms (n, d), rest (n, r), status and weights of evidence (n, d)."""
        d = self.n_features
        weighed = (n, d if self.core.evidence is not None else 0)
        return (
            np.empty(n),
            np.empty((n, d)),
            np.empty((n, self.n_rests)),
            np.empty((n, d), np.int8),
            np.empty(weighed),
        )

    def step(self, data: WeighedRows, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        base, terms, rest, status, counted = out
        mine = data.mine[start:stop]
        theirs = None if data.theirs is None else data.theirs[start:stop]
        weights_of_rows = self.core.weights(data.blocks, start, stop)
        if weights_of_rows is not None:
            counted[:] = weights_of_rows
        pieces, status[:] = self._pieces(data.blocks, start, stop, counted)
        weights = np.broadcast_to(self.core.log_weights, pieces.shape[:2])
        if self.order is not None:
            base[:], evidence = _telescope(self.core, weights, pieces, self.order, (mine, theirs))
        else:
            assert theirs is not None
            base[:] = _difference(weights, mine, theirs)
            evidence = np.stack(
                [_difference(pieces[:, :, j], mine, theirs) for j in range(pieces.shape[2])], axis=1
            )
        terms[:], rest[:] = evidence[:, : self.n_features], evidence[:, self.n_features :]

    def _pieces(
        self, blocks: tuple[Block, ...], start: int, stop: int, counted: Floats
    ) -> tuple[Floats, NDArray[np.int8]]:
        """What each feature, and then each rest, adds to the log-probability in each class, (b, g, d + r)."""
        d = self.n_features
        pieces = np.zeros((stop - start, len(self.core.log_weights), d + self.n_rests))
        status = np.full((stop - start, d), Status.UNUSED, np.int8)
        rests = d
        for part, block in zip(self.core.parts, blocks, strict=True):
            rows, columns, distribution = block.rows(start, stop), list(part.columns), part.distribution
            own = part.status(rows)
            if own is not None:
                status[:, columns] = own
            weights = np.ones((1, len(columns))) if not counted.shape[1] else counted[:, columns]
            pieces[:, :, columns] += _counted(distribution.relative_terms(rows), weights[:, None, :])
            if distribution.rest_name:
                pieces[:, :, rests] = _counted(distribution.rest(rows), weights[:, :1])
                rests += 1
        return pieces, status


def _counted(said: Floats, weights: Floats) -> Floats:
    """As much of what was said as counts; what does not count at all rules nothing out either."""
    with np.errstate(invalid="ignore"):
        return np.where(np.equal(weights, 0.0), 0.0, said * weights)


def _difference(logs: Floats, mine: Ints, theirs: Ints) -> Floats:
    """The log-odds between two columns of (b, g); two impossibilities say nothing of each other."""
    rows = np.arange(len(logs))
    a, b = logs[rows, mine], logs[rows, theirs]
    both = np.isneginf(a) & np.isneginf(b)
    with np.errstate(invalid="ignore"):
        return np.where(both, 0.0, a - b)


def _telescope(
    core: Independent, weights: Floats, pieces: Floats, steps: tuple[int, ...], pair: tuple[Ints, Ints | None]
) -> tuple[Floats, Floats]:
    """Evidence of features added one after another: how far each moves the log-odds of the classes."""
    moves = np.empty((len(pieces), pieces.shape[2]))
    so_far = weights.copy()
    before = start = _log_odds(core.by_class(so_far), *pair)
    for j in [*steps, *range(len(steps), pieces.shape[2])]:
        so_far = so_far + pieces[:, :, j]
        after = _log_odds(core.by_class(so_far), *pair)
        with np.errstate(invalid="ignore"):
            moves[:, j] = np.where(after == before, 0.0, after - before)
        before = after
    return start, moves


def _log_odds(joint: Floats, mine: Ints, theirs: Ints | None) -> Floats:
    """Of a class against another, or against all others together."""
    if theirs is not None:
        return _difference(joint, mine, theirs)
    rows = np.arange(len(joint))
    others = joint.copy()
    others[rows, mine] = -np.inf
    with np.errstate(invalid="ignore"):
        return joint[rows, mine] - bayes_rule(others)[1]


@dataclass(frozen=True, slots=True)
class InnerLines:
    """What lies inside a cell, as the words of a text, by column."""

    of_column: Mapping[int, Lines]
    weights: Floats | None  # (d,)

    def __call__(self, row: int, j: int, mine: int, theirs: int) -> tuple[LedgerLine, ...]:
        """Of column j in a row; nothing of columns that nothing is inside of."""
        if j not in self.of_column:
            return ()
        lines = self.of_column[j](row, mine, theirs)
        if self.weights is None:
            return lines
        return tuple(replace(line, evidence=line.evidence * self.weights[j]) for line in lines)


@dataclass(frozen=True, slots=True)
class CellValues:
    """The value of a feature in a row, as it came in."""

    raws: tuple[Raw, ...]

    def __call__(self, row: int, j: int) -> Any:
        """Of column j in a row."""
        return self.raws[j].item(row)
