"""Requests as plain work, off the event loop: bytes in, blocks of bytes out; nothing here knows HTTP."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from threading import Event
from typing import Any

from likely.estimator.row_answers import LEVEL, RowAnswers
from likely.format.words import json_text
from likely.serve.limits import RequestLimits, too_busy, unreadable, unusable
from likely.serve.rows import csv_rows, json_rows, json_value, table_of
from likely.serve.served import Served
from likely.table.frame import Frame
from likely.table.names import nearest
from likely.table.write.write import Writer

JSON, LINES, CSV = "application/json", "application/x-ndjson", "text/csv"
LONGEST_QUESTION = 10_000  # characters
_GZIP = b"\x1f\x8b"


@dataclass
class Job:
    """One request that is worked on: what it says, and whether anybody still waits for the answer."""

    body: bytes
    form: str  # of the body
    wanted: str  # of the answer
    query: Mapping[str, str]
    rows: int = 0  # that were answered
    notes: list[str] = field(default_factory=list)  # what deserves a look
    stopped: Event = field(default_factory=Event)

    def parameter(self, name: str) -> str | None:
        """What the address says of this, if anything."""
        return self.query.get(name)

    def refuse_others(self, *names: str) -> None:
        """Refuse what the address says of anything else."""
        for name in self.query:
            if name not in names:
                hint = nearest(name, names, "parameters") if names else "there are none."
                raise unusable(f"there is no parameter {name!r}: {hint}")

    def go_on(self) -> None:
        """Stop between two blocks of rows if nobody waits any more."""
        if self.stopped.is_set():
            raise too_busy("the request was given up.")


def predict(served: Served, limits: RequestLimits, job: Job) -> Iterator[bytes]:
    """Every row with the probabilities of its classes, or its number, some rows at a time.

    All rows are looked through before the first are answered: what cannot be used is refused as a whole, and
    an answer that has begun goes to its end.
    """
    job.refuse_others("about", "level")
    about, level = job.parameter("about"), _level(job.parameter("level"))
    with tempfile.TemporaryDirectory(prefix="likely-") if job.form == CSV else nullcontext() as folder:
        single = False
        if folder is not None:
            tables = partial(_csv_tables, served, limits, job, _body_file(job, folder))
        else:
            single, _ = json_rows(job.body, limits.rows)
            tables = partial(_json_tables, served, limits, job)
        begun = tables()
        first = list(islice(begun, 2))
        if len(first) == 2:
            for _ in tables():
                job.go_on()

        def pairs() -> Pairs:
            for rows, table in chain(first, begun):
                job.go_on()
                answers = served.predict(table, about, level)
                job.rows += len(answers.answer)
                yield rows, answers

        yield from _PUT[job.wanted](pairs(), single, job.notes)


Tables = Iterator[tuple[Any, Any]]  # of some rows: as they came, and as the model takes them
Pairs = Iterator[tuple[Any, RowAnswers]]  # of some rows: as they came, and the answers


def _body_file(job: Job, folder: str) -> Path:
    if job.body.startswith(_GZIP):
        raise unreadable("the body is compressed: send the plain text.")
    path = Path(folder, "body.csv")
    path.write_bytes(job.body)
    return path


def _csv_tables(served: Served, limits: RequestLimits, job: Job, path: Path) -> Tables:
    for batch in csv_rows(path, served.schema, limits.rows, served.together):
        yield batch.rows, batch.table


def _json_tables(served: Served, limits: RequestLimits, job: Job) -> Tables:
    _, blocks = json_rows(job.body, limits.rows)
    if served.together:
        blocks = iter([[record for block in blocks for record in block]])
    start = 0
    for block in blocks:
        if block:
            table = table_of(block, served.schema, start)
            yield table, table
            start += len(block)


def _put_json(pairs: Pairs, single: bool, notes: list[str]) -> Iterator[bytes]:
    """One answer, or all of them; and what there is to note."""
    before = "" if single else '{"predictions": ['
    for _, answers in pairs:
        texts = ", ".join(json_text(record) for record in answers.records())
        yield encoded(before + (texts[:-1] if single else texts))
        before = ", "
    noted = f', "notes": {json_text(notes)}}}' if notes else "}"
    end = noted if single else f"]{noted}"
    yield encoded(end if before == ", " else before + end)


def _put_lines(pairs: Pairs, _: bool, __: list[str]) -> Iterator[bytes]:
    for _, answers in pairs:
        yield encoded("".join(f"{json_text(record)}\n" for record in answers.records()))


def _put_csv(pairs: Pairs, _: bool, __: list[str]) -> Iterator[bytes]:
    """The rows as they came, with the answers as columns to their right."""
    part = io.BytesIO()
    with Writer(part, like="answers.csv") as out:
        for rows, answers in pairs:
            out.write(_named(rows), answers.columns(set(Frame.of(rows).names)))
            yield part.getvalue()
            part.seek(0)
            part.truncate()


def _named(rows: Any) -> Any:
    """Rows as a table that can be written."""
    return {name: rows.values(name) for name in rows.names} if isinstance(rows, Frame) else rows


_PUT: dict[str, Callable[[Pairs, bool, list[str]], Iterator[bytes]]] = {
    JSON: _put_json,
    LINES: _put_lines,
    CSV: _put_csv,
}


def explain(served: Served, limits: RequestLimits, job: Job) -> Iterator[bytes]:
    """The ledger of a record, or those of several."""
    job.refuse_others("about", "for", "against")
    wanted = job.parameter("about"), job.parameter("for"), job.parameter("against")
    single, blocks = json_rows(job.body, limits.explained)
    ledgers: list[dict[str, Any]] = []
    for block in blocks:
        job.go_on()
        if block:
            ledgers += served.explain(table_of(block, served.schema, len(ledgers)), *wanted)
    job.rows = len(ledgers)
    yield _noted(ledgers[0] if single else {"ledgers": ledgers}, job.notes)


def ask(served: Served, _: RequestLimits, job: Job) -> Iterator[bytes]:
    """The answer to a question in the notation of probability."""
    job.refuse_others()
    said = _object(job, "question")
    question = said.get("question")
    if not isinstance(question, str) or not question.strip():
        raise unusable('question is missing: give {"question": "P(a=x | b=y)"}.')
    if len(question) > LONGEST_QUESTION:
        raise unusable(f"the question has {len(question)} characters: {LONGEST_QUESTION} are allowed.")
    yield _noted(served.ask(question), job.notes)


def next_question(served: Served, _: RequestLimits, job: Job) -> Iterator[bytes]:
    """Which column to ask about, given what is known."""
    job.refuse_others("about")
    said = _object(job, "given", "costs")
    given, costs = (_mapping(said, name) for name in ("given", "costs"))
    for name, cost in costs.items():
        if isinstance(cost, bool) or not isinstance(cost, int | float):
            raise unusable(f"costs: column {name!r} costs {cost!r}: give a number above 0.")
    for name, value in given.items():
        if isinstance(value, list | dict):
            raise unusable(f"given: column {name!r} holds {value!r}: give one value.")
    yield _noted(served.next_question(given, costs, job.parameter("about")), job.notes)


def _object(job: Job, *names: str) -> dict[str, Any]:
    """The object that a body holds, with these names alone."""
    said = json_value(job.body)
    if not isinstance(said, dict):
        raise unusable(f"the body is no object: give one with {' and '.join(names)}.")
    for name in said:
        if name not in names:
            raise unusable(f"the body names {name!r}: {nearest(name, names, 'names')}")
    return said


def _mapping(said: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = said.get(name) or {}
    if not isinstance(value, dict):
        raise unusable(f"{name} is {value!r}: give an object, as {{column: value}}.")
    return value


def _level(word: str | None) -> float:
    """The probability that an interval covers."""
    try:
        level = LEVEL if word is None else float(word)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise unusable(f"level={word!r}: give a probability between 0 and 1, such as 0.9.")
    return level


def _noted(answer: Mapping[str, Any], notes: list[str]) -> bytes:
    return encoded(json_text({**answer, "notes": notes} if notes else answer))


def encoded(text: str) -> bytes:
    """JSON as bytes; halves of characters, which JSON may hold and UTF-8 may not, stay escaped."""
    return text.encode("utf-8", "backslashreplace")
