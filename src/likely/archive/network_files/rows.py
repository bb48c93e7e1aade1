"""The tables of BIF and its kin: `probability ( child | parents ) { (states) numbers; ... }`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files.record import are_probabilities, wrong_number
from likely.archive.network_files.source import NetworkText
from likely.archive.network_files.tables import Draft, NotANumberError, numbers, row_index

Codes = Sequence[Mapping[str, int]]  # for each parent, the number of the state that a token stands for


class Body(NamedTuple):
    """Where the tokens of a `probability` are: its child, its first parent, what is between its braces."""

    at: int
    parents_at: int
    start: int
    stop: int


def take_header(source: NetworkText, draft: Draft, bodies: dict[str, Body]) -> None:
    """`( child | parents ) {` and where the body is; the bar may be missing, as in old files."""
    source.expect("(")
    at, name = source.at, source.name("the name of a variable")
    if name in bodies:
        source.fail(f"{name!r} has a second table", at, remedy="leave one of them out")
    if source.peek() == "|":
        source.expect("|")
    parents_at = source.at
    draft.parents[name] = source.names_until(")", "the name of a parent")
    source.expect("{")
    start = source.at
    source.until("}")
    bodies[name] = Body(at, parents_at, start, source.at - 1)


def check_names(source: NetworkText, draft: Draft, bodies: Mapping[str, Body]) -> None:
    """Refuse tables of variables, or with parents, that the file does not describe."""
    for name, body in bodies.items():
        places = [(name, body.at), *((p, body.parents_at + i) for i, p in enumerate(draft.parents[name]))]
        for known, at in places:
            if known not in draft.states:
                source.fail(f"there is no variable {known!r}", at, remedy="describe it with `variable`")


class RowsTable:
    """The table of a variable while its rows are read, (rows, states).

    After the states of a row comes `)`, and in some formats one more sign.
    """

    def __init__(
        self, source: NetworkText, draft: Draft, name: str, body: Body, codes: Codes, after_states: str = ")"
    ) -> None:
        self.source, self.draft, self.name, self.body = source, draft, name, body
        self.parents, self.shape = draft.parents[name], draft.shape(name)
        self.codes, self.after_states = codes, after_states
        self.values = np.zeros((prod(self.shape[:-1]), self.shape[-1]))
        self.places = np.full(len(self.values), -1)  # of the token that each row begins with; -1 without one
        self.rest: NDArray[np.float64] | None = None  # the row of those that are not given

    def take(self, stop: int) -> bool:
        """Take rows up to a token; False and nothing taken where anything else is, or a row comes again."""
        start, p, k = self.source.at, len(self.parents), self.shape[-1]
        signs = {0: "(", **{p + 1 + i: sign for i, sign in enumerate(self.after_states)}}
        length = len(signs) + p + k + 1
        signs[length - 1] = ";"
        chunk = self.source.tokens[start:stop]
        n = len(chunk) // length
        if not n or n * length != len(chunk):
            return False
        if any(chunk[i::length].count(sign) != n for i, sign in signs.items()):
            return False
        try:
            columns = [chunk[i + 1 :: length] for i in range(p)]
            rows = row_index(self.codes, columns, self.shape[:-1])
            cells = np.array(chunk, object).reshape(n, length)  # (rows, tokens)
            values = cells[:, length - k - 1 : -1].astype(np.float64)
        except (KeyError, ValueError):
            return False
        where = np.arange(start, stop, length)
        places = self.places.copy()
        places[rows] = where
        if (self.places[rows] >= 0).any() or (places[rows] != where).any():
            return False
        self.values[rows], self.places = values, places
        self.source.at = stop
        return True

    def take_one(self) -> None:
        """Take the row that comes next; an error if it is none."""
        try:
            end = self.source.tokens.index(";", self.source.at, self.body.stop) + 1
        except ValueError:
            end = self.body.stop
        if not self.take(end):
            self._explain()

    def _explain(self) -> NoReturn:
        source, k, start = self.source, self.shape[-1], self.source.at
        source.expect("(")
        for parent, code in zip(self.parents, self.codes, strict=True):
            if source.peek() not in code:
                known = ", ".join(list(code)[:9])
                source.fail(f"expected a state of {parent!r} ({known})")
            source.take()
        source.expect(*self.after_states)
        for _ in range(k):
            try:
                numbers([source.peek()])
            except NotANumberError:
                source.fail(f"expected {k} numbers, one for each state of {self.name!r}")
            source.take()
        source.expect(";")
        again = f"this row of {self.name!r} is given a second time"
        source.fail(again, start, remedy="leave one of them out")

    def take_rest(self) -> None:
        """Take the numbers of all rows that are not given by themselves."""
        self.rest = self._numbers(self.shape[-1])

    def take_all(self) -> None:
        """Take the numbers of all rows, one after another, in the order that the file has for them."""
        self.places[:] = self.source.at
        flat = self._numbers(self.values.size)
        self.values[:] = flat.reshape(self.values.shape)
        if self.parents:
            self.draft.flat[self.name] = flat

    def _numbers(self, wanted: int) -> NDArray[np.float64]:
        """So many numbers, `;`."""
        start = self.source.at
        words = self.source.until(";")
        try:
            flat = numbers(words)
        except NotANumberError as cause:
            self.source.fail("expected a number", start + cause.index)
        if len(flat) != wanted:
            self.source.fail(f"{len(flat)} numbers stand here and {self.name!r} needs {wanted}", start)
        return flat

    def table(self) -> NDArray[np.float64]:
        """The table, if there is nothing that it lacks."""
        if self.rest is not None:
            self.values[self.places < 0] = self.rest
        elif self.places.min() < 0:
            self._missing(int(self.places.argmin()))
        return self.values.reshape(self.shape)

    def _missing(self, row: int) -> NoReturn:
        states = np.unravel_index(row, self.shape[:-1])
        pairs = zip(self.parents, states, strict=True)
        named = ", ".join(self.draft.states[parent][int(i)] for parent, i in pairs)
        said = f"{self.name!r} has no numbers" + (f" for ({named})" if named else "")
        self.source.fail(said, self.body.stop, remedy="add them, or a `default`")

    def check(self) -> None:
        """Raise the error for the first row that is no distribution."""
        for row, at in zip(self.draft.tables[self.name].reshape(self.values.shape), self.places, strict=True):
            why = wrong_number(row)
            if why:
                start = self.body.start if at < 0 else int(at)
                self.source.fail(f"the table of {self.name!r}: {why}", start, remedy="correct it")


def check_rows(tables: Sequence[RowsTable], draft: Draft) -> None:
    """Raise the error for the first row of all tables that is no distribution."""
    if not are_probabilities(draft.tables.values()):
        for table in tables:
            table.check()
