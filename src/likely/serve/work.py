"""Requests as plain work, off the event loop: bytes in, bytes out; nothing here knows HTTP."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from likely.errors import heard
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


def predict(served: Served, limits: RequestLimits, job: Job) -> bytes:
    """Every row with the probabilities of its classes, or its number."""
    job.refuse_others("about", "level")
    about, level = job.parameter("about"), _level(job.parameter("level"))

    def answered(table: object) -> RowAnswers:
        job.go_on()
        answers = served.predict(table, about, level)
        job.rows += len(answers.answer)
        return answers

    with heard() as notes:
        if job.form == CSV:
            with tempfile.TemporaryDirectory(prefix="likely-") as folder:
                pairs = _csv_pairs(served, limits, job, Path(folder), answered)
                return _PUT[job.wanted](pairs, False, notes)
        single, blocks = json_rows(job.body, limits.rows)
        if served.together:
            blocks = iter([[record for block in blocks for record in block]])
        return _PUT[job.wanted](_json_pairs(served, blocks, answered), single, notes)


Pairs = Iterator[tuple[Any, RowAnswers]]  # of some rows: the rows as they came, and the answers


def _csv_pairs(
    served: Served, limits: RequestLimits, job: Job, folder: Path, answered: Callable[[object], RowAnswers]
) -> Pairs:
    if job.body.startswith(_GZIP):
        raise unreadable("the body is compressed: send the plain text.")
    path = folder / "body.csv"
    path.write_bytes(job.body)
    for batch in csv_rows(path, served.schema, limits.rows, served.together):
        yield batch.rows, answered(batch.table)


def _json_pairs(
    served: Served, blocks: Iterator[list[dict[str, Any]]], answered: Callable[[object], RowAnswers]
) -> Pairs:
    start = 0
    for block in blocks:
        if block:
            table = table_of(block, served.schema, start)
            yield table, answered(table)
            start += len(block)


def _put_json(pairs: Pairs, single: bool, notes: list[str]) -> bytes:
    """One answer, or all of them; and what there is to note."""
    texts = [json_text(record) for _, answers in pairs for record in answers.records()]
    noted = f'"notes": {json_text(notes)}}}' if notes else "}"
    if single:
        return encoded(texts[0][:-1] + (", " if notes else "") + noted)
    return encoded(f'{{"predictions": [{", ".join(texts)}]{", " if notes else ""}{noted}')


def _put_lines(pairs: Pairs, _: bool, __: list[str]) -> bytes:
    return encoded("".join(f"{json_text(record)}\n" for _, answers in pairs for record in answers.records()))


def _put_csv(pairs: Pairs, _: bool, __: list[str]) -> bytes:
    """The rows as they came, with the answers as columns to their right."""
    with tempfile.TemporaryDirectory(prefix="likely-") as folder:
        path = Path(folder, "answers.csv")
        with Writer(path) as out:
            for rows, answers in pairs:
                out.write(_named(rows), answers.columns(set(Frame.of(rows).names)))
        return path.read_bytes()


def _named(rows: Any) -> Any:
    """Rows as a table that can be written."""
    return {name: rows.values(name) for name in rows.names} if isinstance(rows, Frame) else rows


_PUT: dict[str, Callable[[Pairs, bool, list[str]], bytes]] = {
    JSON: _put_json,
    LINES: _put_lines,
    CSV: _put_csv,
}


def explain(served: Served, limits: RequestLimits, job: Job) -> bytes:
    """The ledger of a record, or those of several."""
    job.refuse_others("about", "for", "against")
    wanted = job.parameter("about"), job.parameter("for"), job.parameter("against")
    with heard() as notes:
        single, blocks = json_rows(job.body, limits.explained)
        ledgers: list[dict[str, Any]] = []
        for block in blocks:
            job.go_on()
            if block:
                ledgers += served.explain(table_of(block, served.schema, len(ledgers)), *wanted)
    job.rows = len(ledgers)
    return _noted(ledgers[0] if single else {"ledgers": ledgers}, notes)


def ask(served: Served, _: RequestLimits, job: Job) -> bytes:
    """The answer to a question in the notation of probability."""
    job.refuse_others()
    said = _object(job, "question")
    question = said.get("question")
    if not isinstance(question, str) or not question.strip():
        raise unusable('question is missing: give {"question": "P(a=x | b=y)"}.')
    if len(question) > LONGEST_QUESTION:
        raise unusable(f"the question has {len(question)} characters: {LONGEST_QUESTION} are allowed.")
    with heard() as notes:
        return _noted(served.ask(question), notes)


def next_question(served: Served, _: RequestLimits, job: Job) -> bytes:
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
    with heard() as notes:
        return _noted(served.next_question(given, costs, job.parameter("about")), notes)


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
