"""BIF 0.15, the Bayesian Interchange Format, which most programs read and most public networks come in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from math import prod
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files.record import PlainNetwork, PlainVariable, are_probabilities, wrong_number
from likely.archive.network_files.source import Grammar, Source, quoted
from likely.archive.network_files.tables import Draft, NotANumberError, either_way, numbers, row_index

GRAMMAR = Grammar("BIF", "{}()[];|", r"//[^\n]*+|/\*.*?(?:\*/|\Z)", ("//", "/*"))
BARE = re.compile(r"[\w.+/<>=:%$#@&*!?^~'-]+")  # what needs no quotes
KEYWORDS = frozenset(
    ["network", "variable", "probability", "property", "type", "discrete", "table", "default"]
)


class _Body(NamedTuple):
    """Where the tokens of a `probability` are: its child, its first parent, what is between its braces."""

    at: int
    parents_at: int
    start: int
    stop: int


def read(text: str) -> PlainNetwork:
    """The network of a BIF text.

    >>> rain = "variable rain { type discrete [ 2 ] { no, yes }; } probability ( rain ) { table 0.8, 0.2; }"
    >>> read("network lawn { } " + rain).variables[0].table
    array([0.8, 0.2])
    """
    source, draft = Source(text, GRAMMAR), Draft()
    bodies: dict[str, _Body] = {}
    while source.peek():
        keyword = source.take()
        if keyword == "network":
            draft.name = "" if source.peek() == "{" else source.name("the name of the network")
            source.expect("{")
            _properties(source, draft.properties)
        elif keyword == "variable":
            _variable(source, draft)
        elif keyword == "probability":
            _header(source, draft, bodies)
        else:
            source.fail("expected 'network', 'variable' or 'probability'", source.at - 1)
    _check_names(source, draft, bodies)
    draft.check(len(text))
    tables = [_Table(source, draft, name, body) for name, body in bodies.items()]
    draft.tables = {table.name: table.read() for table in tables}
    if not are_probabilities(draft.tables.values()):
        for table in tables:
            table.check()
    return draft.network()


def _properties(source: Source, properties: dict[str, str]) -> None:
    """Properties up to the end of a block."""
    while source.peek() == "property":
        _property(source, properties)
    source.expect("}")


def _property(source: Source, properties: dict[str, str]) -> None:
    source.expect("property")
    name, is_said, value = source.words_until(";").partition("=")
    properties[name.strip()] = value.strip() if is_said else ""


def _variable(source: Source, draft: Draft) -> None:
    at, name = source.at, source.name("the name of a variable")
    if name in draft.states:
        source.fail(f"the variable {name!r} is described a second time", at, remedy="leave one of them out")
    source.expect("{")
    properties: dict[str, str] = {}
    while source.peek() == "property":
        _property(source, properties)
    source.expect("type")
    if source.peek() != "discrete":
        source.fail(f"expected 'discrete' as the type of {name!r}", remedy="cut its values into bins first")
    source.expect("discrete", "[")
    stated = source.name("the number of states")
    source.expect("]", "{")
    at = source.at
    draft.states[name] = source.names_until("}", f"a state of {name!r}")
    n = len(draft.states[name])
    if not stated.isdecimal() or len(stated) > 9 or int(stated) != n:
        source.fail(
            f"{name!r} says that it has {stated[:9]} states and names {n}", at, remedy="correct either"
        )
    source.expect(";")
    _properties(source, properties)
    draft.of_variables[name] = properties


def _header(source: Source, draft: Draft, bodies: dict[str, _Body]) -> None:
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
    bodies[name] = _Body(at, parents_at, start, source.at - 1)


def _check_names(source: Source, draft: Draft, bodies: Mapping[str, _Body]) -> None:
    """Refuse tables of variables, or with parents, that the file does not describe."""
    for name, body in bodies.items():
        places = [(name, body.at), *((p, body.parents_at + i) for i, p in enumerate(draft.parents[name]))]
        for known, at in places:
            if known not in draft.states:
                source.fail(f"there is no variable {known!r}", at, remedy="describe it with `variable`")


class _Table:
    """The table of a variable while its rows are read, (rows, states)."""

    def __init__(self, source: Source, draft: Draft, name: str, body: _Body) -> None:
        self.source, self.draft, self.name, self.body = source, draft, name, body
        self.parents = draft.parents[name]
        self.shape = draft.shape(name)
        self.values = np.zeros((prod(self.shape[:-1]), self.shape[-1]))
        self.places = np.full(len(self.values), -1)  # of the token that each row begins with; -1 without one
        self.codes = [
            {GRAMMAR.as_token(state): i for i, state in enumerate(draft.states[parent])}
            for parent in self.parents
        ]

    def read(self) -> NDArray[np.float64]:
        """Everything up to the end of the body."""
        source, stop = self.source, self.body.stop
        source.at, rest = self.body.start, None
        if not self._take_rows(stop):  # all of them at once, as files mostly are
            while source.at < stop:
                token = source.peek()
                if token == "property":
                    _property(source, self.draft.of_variables[self.name])
                elif token == "table":
                    self.places[:] = source.at
                    self.values[:] = either_way(self._numbers(self.values.size), self.shape).reshape(
                        self.values.shape
                    )
                elif token == "default":
                    rest = self._numbers(self.shape[-1])
                elif token != "(":
                    source.fail("expected '(', 'table' or 'default'")
                elif not self._take_rows(self._end_of_row()):
                    self._explain()
        if rest is not None:
            self.values[self.places < 0] = rest
        elif self.places.min() < 0:
            self._missing(int(self.places.argmin()))
        return self.values.reshape(self.shape)

    def _end_of_row(self) -> int:
        try:
            return self.source.tokens.index(";", self.source.at, self.body.stop) + 1
        except ValueError:
            return self.body.stop

    def _take_rows(self, stop: int) -> bool:
        """Take rows `(states) numbers;` up to a token; False and nothing taken where anything else is."""
        start, p, k = self.source.at, len(self.parents), self.shape[-1]
        length = p + k + 3
        chunk = self.source.tokens[start:stop]
        signs = {0: "(", p + 1: ")", length - 1: ";"}
        n = len(chunk) // length
        if not n or n * length != len(chunk):
            return False
        if any(chunk[i::length].count(sign) != n for i, sign in signs.items()):
            return False
        try:
            columns = [chunk[i + 1 :: length] for i in range(p)]
            rows = row_index(self.codes, columns, self.shape[:-1])
            # (states, rows)
            values = np.array([numbers(chunk[p + 2 + i :: length]) for i in range(k)])
        except (KeyError, NotANumberError):
            return False
        where = np.arange(start, stop, length)
        again = self.places[rows] >= 0
        if again.any() or (n > 1 and len(np.unique(rows)) < n):
            return False
        self.values[rows], self.places[rows] = values.T, where
        self.source.at = stop
        return True

    def _explain(self) -> None:
        """Raise the error for the row that comes next, which could not be taken."""
        source, k = self.source, self.shape[-1]
        start = source.at
        source.expect("(")
        for parent, code in zip(self.parents, self.codes, strict=True):
            if source.peek() not in code:
                known = ", ".join(self.draft.states[parent][:9])
                source.fail(f"expected a state of {parent!r} ({known})")
            source.take()
        source.expect(")")
        for _ in range(k):
            try:
                numbers([source.peek()])
            except NotANumberError:
                source.fail(f"expected {k} numbers, one for each state of {self.name!r}")
            source.take()
        source.expect(";")
        source.fail(
            f"this row of {self.name!r} is given a second time", start, remedy="leave one of them out"
        )

    def _numbers(self, wanted: int) -> NDArray[np.float64]:
        """`table` or `default`, so many numbers, `;`."""
        source, start = self.source, self.source.at
        source.take()
        words = source.until(";")
        try:
            flat = numbers(words)
        except NotANumberError as cause:
            source.fail("expected a number", start + 1 + cause.index)
        if len(flat) != wanted:
            source.fail(f"{len(flat)} numbers stand here and {self.name!r} needs {wanted}", start)
        return flat

    def _missing(self, row: int) -> NoReturn:
        states = np.unravel_index(row, self.shape[:-1])
        pairs = zip(self.parents, states, strict=True)
        named = ", ".join(self.draft.states[parent][int(i)] for parent, i in pairs)
        said = f"{self.name!r} has no numbers" + (f" for ({named})" if named else "")
        self.source.fail(said, self.body.stop, remedy="add them, or a `default`")

    def check(self) -> None:
        """Raise the error for the first row that is no distribution."""
        for row, at in zip(self.values, self.places, strict=True):
            why = wrong_number(row)
            if why:
                start = self.body.start if at < 0 else int(at)
                self.source.fail(f"the table of {self.name!r}: {why}", start, remedy="correct it")


def text(network: PlainNetwork) -> str:
    """A network as BIF."""
    states = {variable.name: variable.states for variable in network.variables}
    lines = [f"network {_word(network.name or 'unknown')} {{", *_said(network.properties), "}"]
    for variable in network.variables:
        named = ", ".join(map(_word, variable.states))
        lines += [
            f"variable {_word(variable.name)} {{",
            f"  type discrete [ {len(variable.states)} ] {{ {named} }};",
            *_said(variable.properties),
            "}",
        ]
    for variable in network.variables:
        lines += _probability(variable, states)
    return "\n".join(lines) + "\n"


def _probability(variable: PlainVariable, states: Mapping[str, tuple[str, ...]]) -> list[str]:
    rows = variable.table.reshape(-1, len(variable.states)).tolist()
    said = (", ".join(map(repr, row)) for row in rows)
    if not variable.parents:
        return [f"probability ( {_word(variable.name)} ) {{", f"  table {next(said)};", "}"]
    given = ", ".join(map(_word, variable.parents))
    configurations = product(*([_word(state) for state in states[parent]] for parent in variable.parents))
    return [
        f"probability ( {_word(variable.name)} | {given} ) {{",
        *(f"  ({', '.join(c)}) {row};" for c, row in zip(configurations, said, strict=True)),
        "}",
    ]


def _said(properties: Mapping[str, str]) -> list[str]:
    return [
        f"  property {name} = {value};" if value else f"  property {name};"
        for name, value in properties.items()
    ]


def _word(name: str) -> str:
    bare = BARE.fullmatch(name) and name not in KEYWORDS and "//" not in name and "/*" not in name
    return name if bare else quoted(name)
