"""The ledger of a classifier by compression: what every column, word and character adds to the log-odds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.codes.classes.character_code import character_logs
from likely.codes.classes.coders import CharacterCoder, ModelCoder, columns_of, read_texts
from likely.codes.classes.record import CodedRecord, relative
from likely.engine import Engine
from likely.evidence import LedgerLine, Ledgers, Status
from likely.evidence.render import strongest
from likely.models.groups.explain import CellValues, pair
from likely.stats.character_runs import Characters
from likely.table.accepted import Level
from likely.table.frame import Frame

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
TOGETHER = "columns together"


def explain(
    record: CodedRecord, frame: Frame, favoured: Level | None, against: Level | None, engine: Engine
) -> Ledgers:
    """One ledger a row: the favoured class against another."""
    log_posterior, _ = record.posterior(frame, engine)
    mine, theirs = pair(record.classes, favoured, against, log_posterior)
    names = tuple(record.schema.names)
    place = {name: j for j, name in enumerate(names)}
    every = np.arange(frame.n)
    shares = record.shares(frame)
    terms, weights = np.zeros((frame.n, len(names))), np.ones((frame.n, len(names)))
    rest = np.zeros((frame.n, 1))
    status = np.zeros((frame.n, len(names)), np.int8)
    for j, name in enumerate(names):
        status[frame.raw(name).missing(), j] = Status.MISSING
    inner: dict[int, MarkedTexts] = {}
    for u, coder in enumerate(record.coders):
        logs, share = relative(coder.logs(frame, engine)), shares[:, u]
        both = np.isneginf(logs[every, mine]) & np.isneginf(logs[every, theirs])
        with np.errstate(invalid="ignore"):
            total = np.where(both, 0.0, logs[every, mine] - logs[every, theirs]) * share
        columns = [place[name] for name in coder.columns]
        weights[:, columns] = share[:, None]
        if len(columns) == 1:
            terms[:, columns[0]] = total
            if isinstance(coder, CharacterCoder):
                inner[columns[0]] = MarkedTexts(coder, frame, share)
            continue
        if isinstance(coder, ModelCoder) and coder.joint and hasattr(coder.models[0], "explain"):
            for a, b in {*zip(mine.tolist(), theirs.tolist(), strict=True)}:
                rows = np.flatnonzero((mine == a) & (theirs == b))
                told = coder.models[0].explain(columns_of(frame.at(rows), coder.columns), a, b)
                terms[np.ix_(rows, np.array(columns))] = told.terms * share[rows, None]
        with np.errstate(invalid="ignore"):
            left = total - terms[:, columns].sum(axis=1)
        rest[:, 0] += np.where(np.isfinite(left), left, 0.0)
    shown = bool((np.abs(rest) > 1e-9).any())
    with np.errstate(invalid="ignore"):
        base = record.log_rates[mine] - record.log_rates[theirs]
    return Ledgers(
        classes=record.classes,
        names=names,
        favoured=mine,
        against=theirs,
        base=base,
        terms=terms,
        rest=rest if shown else rest[:, :0],
        rest_names=(TOGETHER,) if shown else (),
        status=status,
        log_posterior=log_posterior,
        value=CellValues(tuple(frame.raw(name) for name in names)),
        inside=InnerWords(inner) if inner else None,
        marks=InnerMarks(inner) if inner else None,
        weights=weights if record.weights is not None else None,
        library=frame.library,
    )


@dataclass(frozen=True)
class MarkedTexts:
    """The texts of a column, and what each of their characters adds."""

    coder: CharacterCoder
    frame: Frame
    share: Floats  # (n,)

    def marks(self, row: int, mine: int, theirs: int) -> tuple[tuple[str, float], ...]:
        """The characters of a text in order, its end last, and what each adds to the log-odds."""
        (text,) = read_texts(self.frame.at(np.array([row])), self.coder.column)
        if text is None:
            return ()
        (logs,) = character_logs(self.coder.seen, Characters.of([text]), (self.coder.expected,))
        added = (logs[:, mine] - logs[:, theirs]) * self.share[row]
        sizes = [len(letter.encode("utf-8", "surrogatepass")) for letter in text] + [1]
        starts = np.cumsum([0, *sizes[:-1]], dtype=np.intp)
        sums = np.add.reduceat(added, starts)
        return tuple(zip([*text, ""], sums.tolist(), strict=True))

    def words(self, row: int, mine: int, theirs: int) -> tuple[LedgerLine, ...]:
        """The words of a text, each with the blank after it, strongest first; those alike share a line."""
        evidence: dict[str, float] = defaultdict(float)
        often: dict[str, int] = defaultdict(int)
        word, sum_of_word = "", 0.0
        for letter, added in self.marks(row, mine, theirs):
            sum_of_word += added
            if letter and letter != " ":
                word += letter
                continue
            evidence[word] += sum_of_word
            often[word] += 1
            word, sum_of_word = "", 0.0
        names = list(evidence)
        order = strongest([evidence[name] for name in names])
        return tuple(LedgerLine(names[i] or "the end", often[names[i]], evidence[names[i]]) for i in order)


@dataclass(frozen=True)
class InnerWords:
    """The words of a text as lines of a ledger."""

    texts: dict[int, MarkedTexts]

    def __call__(self, row: int, column: int, mine: int, theirs: int) -> tuple[LedgerLine, ...]:
        """Of a row and a column; none of what is no text."""
        return self.texts[column].words(row, mine, theirs) if column in self.texts else ()


@dataclass(frozen=True)
class InnerMarks:
    """The characters of a text, each with what it adds."""

    texts: dict[int, MarkedTexts]

    def __call__(self, row: int, column: int, mine: int, theirs: int) -> tuple[tuple[str, float], ...]:
        """Of a row and a column; none of what is no text."""
        return self.texts[column].marks(row, mine, theirs) if column in self.texts else ()
