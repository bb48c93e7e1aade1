"""What each term adds to the scores, as SQL: tables that are joined, and formulas of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import Pieces, log_or_impossible
from likely.dist.quadratic_form import QuadraticForm
from likely.errors import LikelyError
from likely.export.form import AnyTerm, Input, JointTerm, Level, LevelTerm, NumberTerm, SharesTerm
from likely.export.sql_text import Dialect

Floats = NDArray[np.float64]
MOST_LISTED = 50  # levels that are sought one by one; more are joined


@dataclass
class TermSQL:
    """The parts of a query that a term needs."""

    at: int  # which term it is
    cells: dict[str, str] = field(default_factory=dict)  # read from the source, by name
    join: str | None = None
    told: list[str] = field(default_factory=list)  # conditions, one for each column: whether it is told
    values: list[str] = field(default_factory=list)  # (g,): what it adds; of cells and of what is joined
    factors: dict[str, list[float]] = field(default_factory=dict)  # (g,) times expressions, added to these

    def value(self, dialect: Dialect, c: int) -> str:
        """All that it adds to the score of a group."""
        parts = [f"{dialect.real(by[c])} * {what}" for what, by in self.factors.items() if by[c]]
        return sum_of(dialect, [self.values[c], *parts])


def term_sql(dialect: Dialect, at: int, term: AnyTerm, inputs: Sequence[Input], factor: float) -> TermSQL:
    """The parts of the query for one term, whose numbers are multiplied by a factor."""
    columns = [inputs[j] for j in term.columns]
    match term:
        case LevelTerm():
            return _levels(dialect, at, term, columns[0], factor)
        case NumberTerm():
            return _number(dialect, at, term, columns[0], factor)
        case JointTerm():
            return _joint(dialect, at, term, columns, factor)
        case SharesTerm():
            return _shares(dialect, at, term, columns, factor)


def number_cell(dialect: Dialect, one: Input, then: str = "{0}", gap: str | None = None) -> str:
    """A column as a number, or a formula of it; NULL (or what is said) if it is missing, NaN or infinite."""
    name = f"q.{dialect.identifier(one.name)}"
    if one.unit is not None:
        if one.unit not in dialect.times:
            raise LikelyError(
                f"column {one.name!r} is read in {one.unit}, for which there is no SQL in the dialect "
                f"{dialect.name}: turn it into a number first, and fit with that."
            )
        name = dialect.times[one.unit].format(name)
    number = f"CAST({name} AS {dialect.double})"
    otherwise = "" if gap is None else f"ELSE {gap} "
    return f"CASE WHEN {dialect.finite.format(number)} THEN {then.format(number)} {otherwise}END"


def _levels(dialect: Dialect, at: int, term: LevelTerm, one: Input, factor: float) -> TermSQL:
    cell, levels = f"l{at}", one.levels or ()
    table, g = factor * term.table, term.table.shape[1]
    missing, unseen = (None if end is None else factor * end for end in (term.missing, term.unseen))
    own = TermSQL(at, {cell: f"q.{dialect.identifier(one.name)}"})
    if set(levels) <= {False, True} and all(isinstance(level, bool) for level in levels):
        own.told = [f"q.{cell} IS NOT NULL"]
        for c in range(g):
            cases = [
                f"WHEN {'' if level else 'NOT '}q.{cell} THEN {dialect.real(table[k, c])}"
                for k, level in enumerate(levels)
            ]
            own.values.append(f"CASE {' '.join(cases)} ELSE {_or_null(dialect, missing, c)} END")
        return own
    if dialect.lists and 0 < len(levels) <= MOST_LISTED and all(isinstance(level, str) for level in levels):
        return _listed(dialect, own, levels, table, missing, unseen)
    if not levels:
        own.told = ["1 = 0"]
        own.values = [
            _ends(f"q.{cell}", _or_null(dialect, missing, c), _or_null(dialect, unseen, c)) for c in range(g)
        ]
        return own
    own.told = [f"t{at}.k IS NOT NULL"]
    keys = [dialect.literal(level) for level in levels]
    own.join = _join(dialect, at, f"q.{cell}", keys, table)
    for c in range(g):
        value, gap = f"t{at}.v{c}", _or_null(dialect, missing, c)
        never = _or_null(dialect, unseen, c)
        if gap == never:
            own.values.append(f"COALESCE({value}, {gap})" if gap != "NULL" else value)
        else:
            known = value if never == "NULL" else f"COALESCE({value}, {never})"
            own.values.append(f"CASE WHEN q.{cell} IS NULL THEN {gap} ELSE {known} END")
    return own


def _listed(
    dialect: Dialect,
    own: TermSQL,
    levels: Sequence[Level],
    table: Floats,
    missing: Floats | None,
    unseen: Floats | None,
) -> TermSQL:
    """Levels by their places in a list: 1 is what it has not, the last what is missing, if that differs.

    A database that works on columns looks up a text once for all its rows where it keeps texts by number.
    """
    apart = not _alike(missing, unseen)
    ((cell, name),) = own.cells.items()
    listed = ", ".join(["NULL", *map(dialect.literal, levels)])
    text = f"CAST({name} AS VARCHAR)"  # a list takes no column of another type
    place = f"{dialect.greatest}(list_position([{listed}], {text}), 1)"
    if apart:
        place = f"CASE WHEN {name} IS NULL THEN {len(levels) + 2} ELSE {place} END"
    own.cells = {cell: place}
    own.told = [f"q.{cell} BETWEEN 2 AND {len(levels) + 1}"]
    ends = [missing] if apart else []
    own.values = [_at_place(dialect, f"q.{cell}", [unseen, *table, *ends], c) for c in range(table.shape[1])]
    return own


def _alike(one: Floats | None, other: Floats | None) -> bool:
    return one is other if one is None or other is None else bool(np.array_equal(one, other))


def _at_place(dialect: Dialect, place: str, rows: Sequence[Floats | None], c: int) -> str:
    """One of some numbers, by its place.

    `array_extract`, as DuckDB 2.0 finds `list_extract` of each row, and this once for all rows of a text.
    """
    numbers = [_or_null(dialect, row, c) for row in rows]
    return numbers[0] if len(set(numbers)) == 1 else f"array_extract([{', '.join(numbers)}], {place})"


def _ends(cell: str, gap: str, never: str) -> str:
    return gap if gap == never else f"CASE WHEN {cell} IS NULL THEN {gap} ELSE {never} END"


def _or_null(dialect: Dialect, values: Floats | None, c: int) -> str:
    return "NULL" if values is None else dialect.real(values[c])


def _join(dialect: Dialect, at: int, on: str, keys: Sequence[str], table: Floats) -> str:
    rows = [
        [key, *(dialect.real(value) for value in row)] for key, row in zip(keys, table.tolist(), strict=True)
    ]
    names = ["k", *(f"v{c}" for c in range(table.shape[1]))]
    return f"LEFT JOIN {dialect.table(f't{at}', names, rows)} ON t{at}.k = {on}"


def _number(dialect: Dialect, at: int, term: NumberTerm, one: Input, factor: float) -> TermSQL:
    pieces, g = term.pieces, term.pieces.n_groups
    gaps = [_or_null(dialect, None if term.missing is None else factor * term.missing, c) for c in range(g)]
    if pieces.stepped and len(pieces.edges):  # the piece that a number is in, and a table of the pieces
        codes = [str(k) for k in range(len(pieces.edges) + 1)]
        if dialect.lists:
            return _listed_pieces(dialect, at, term, one, factor)
        cell = number_cell(dialect, one, nested(dialect, "{0}", pieces.edges, codes))
        join = _join(dialect, at, f"q.b{at}", codes, factor * pieces.powers[..., 0])
        values = [_filled(f"t{at}.v{c}", gaps[c]) for c in range(g)]
        return TermSQL(at, {f"b{at}": cell}, join, [f"q.b{at} IS NOT NULL"], values)
    cell = f"q.x{at}"
    shift, shifted = float(pieces.centre[0, 0]), bool((pieces.centre == pieces.centre[0, 0]).all())
    if len(pieces.edges) or not shifted or not shift:
        shift = 0.0
    one_piece = pieces.logs is None and not len(pieces.edges)
    if dialect.vectors and one_piece and term.missing is not None and (pieces.centre == shift).all():
        return _by_sums(dialect, at, factor * pieces.powers[0], factor * term.missing, one, shift)
    own = TermSQL(at, {f"x{at}": number_cell(dialect, one, minus(dialect, "{0}", shift))})
    own.told = [f"{cell} IS NOT NULL"]
    for c in range(g):
        formula = piece_formula(dialect, cell, pieces, c, shift, factor)
        if cell in formula and not len(pieces.edges):  # NULL makes it NULL
            own.values.append(_filled(formula, gaps[c]))
        else:
            own.values.append(_ends(cell, gaps[c], formula))
    return own


def _listed_pieces(dialect: Dialect, at: int, term: NumberTerm, one: Input, factor: float) -> TermSQL:
    """Pieces of the line by their places in a list; 1 is a gap."""
    pieces, gap = term.pieces, None if term.missing is None else factor * term.missing
    places = [str(k + 2) for k in range(len(pieces.edges) + 1)]
    cell = number_cell(dialect, one, nested(dialect, "{0}", pieces.edges, places), "1")
    own = TermSQL(at, {f"b{at}": cell}, told=[f"q.b{at} > 1"])
    rows = [gap, *(factor * pieces.powers[..., 0])]
    own.values = [_at_place(dialect, f"q.b{at}", rows, c) for c in range(pieces.n_groups)]
    return own


def _by_sums(dialect: Dialect, at: int, powers: Floats, gaps: Floats, one: Input, shift: float) -> TermSQL:
    """Polynomials of a number as plain sums: k is 1 and x the number where there is one, else both are 0.

    A database that works on columns finds x * x once for all groups, and looks at no condition for each.
    """
    x, told, zero = f"q.x{at}", f"q.k{at}_", dialect.real(0.0)
    own = TermSQL(at, told=[f"{told} > {zero}"])
    own.cells = {
        f"x{at}": number_cell(dialect, one, minus(dialect, "{0}", shift), zero),
        f"k{at}_": number_cell(dialect, one, dialect.real(1.0), zero),
    }
    own.values = [dialect.real(gap) for gap in gaps.tolist()]
    by_power = np.column_stack([powers[:, 0] - gaps, powers[:, 1:]])
    own.factors = dict(zip((told, x, f"({x} * {x})"), by_power.T.tolist(), strict=True))
    return own


def sum_of(dialect: Dialect, parts: Sequence[str]) -> str:
    """A sum of expressions."""
    zero = dialect.real(0.0)
    return " + ".join(part for part in parts if part != zero) or zero


def _filled(value: str, gap: str) -> str:
    return value if gap == "NULL" else f"COALESCE({value}, {gap})"


def nested(dialect: Dialect, cell: str, edges: Floats, values: Sequence[str]) -> str:
    """The value of the piece that a number is in, by halving."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    low = nested(dialect, cell, edges[: half - 1], values[:half])
    high = nested(dialect, cell, edges[half:], values[half:])
    return f"CASE WHEN {cell} <= {dialect.real(float(edges[half - 1]))} THEN {low} ELSE {high} END"


def minus(dialect: Dialect, cell: str, shift: float) -> str:
    """A number less another."""
    return cell if shift == 0 else f"({cell} - {dialect.real(shift)})"


def piece_formula(
    dialect: Dialect, cell: str, pieces: Pieces, c: int, shift: float = 0.0, factor: float = 1.0
) -> str:
    """The function of one group, of a number that was shifted already."""
    formulas = []
    for k in range(len(pieces.edges) + 1):
        constant, slope, square = (factor * pieces.powers[k, c]).tolist()
        u = minus(dialect, cell, float(pieces.centre[k, c]) - shift)
        sums = [] if constant == 0 else [dialect.real(constant)]
        if square:
            inner = f"{dialect.real(square)} * {u}"
            sums.append(f"{u} * ({dialect.real(slope)} + {inner})" if slope else f"{u} * ({inner})")
        elif slope:
            sums.append(f"{dialect.real(slope)} * {u}")
        if pieces.logs is not None and pieces.logs[k, c, 0]:
            of_log, a, b = pieces.logs[k, c].tolist()
            inner = f"{dialect.real(a)} + {dialect.real(b)} * {u}" if b else dialect.real(a)
            sums.append(f"{dialect.real(factor * of_log)} * LN({dialect.real(1.0)} + {u} * ({inner}))")
        formulas.append(" + ".join(sums) or dialect.real(0.0))
    return nested(dialect, cell, pieces.edges, formulas)


def _joint(dialect: Dialect, at: int, term: JointTerm, columns: Sequence[Input], factor: float) -> TermSQL:
    own = TermSQL(at, {f"x{at}_{i}": number_cell(dialect, one) for i, one in enumerate(columns)})
    cells = [f"q.x{at}_{i}" for i in range(len(columns))]
    own.told = [f"{cell} IS NOT NULL" for cell in cells]
    for c in range(len(term.forms[0].constant)):
        cases = []
        for form in term.forms:
            there = [f"{cell} IS {'NOT ' if i in form.known else ''}NULL" for i, cell in enumerate(cells)]
            known = [cells[i] for i in form.known]
            cases.append(f"WHEN {' AND '.join(there)} THEN {_form(dialect, form, known, c, factor)}")
        own.values.append(f"CASE {' '.join(cases)} END")
    return own


def _form(dialect: Dialect, form: QuadraticForm, cells: Sequence[str], c: int, factor: float) -> str:
    sums = [dialect.real(factor * form.constant[c])]
    if form.slope is not None:
        sums += [
            f"{dialect.real(factor * slope)} * {minus(dialect, cell, middle)}"
            for slope, cell, middle in zip(form.slope[c], cells, form.middle.tolist(), strict=True)
            if slope
        ]
    if form.whiten is not None:
        apart = [
            minus(dialect, minus(dialect, cell, centre), rest)
            for cell, centre, rest in zip(cells, form.centre[c].tolist(), form.rest[c].tolist(), strict=True)
        ]
        squares = [f"POWER({line}, 2)" for line in _lines(dialect, form.whiten[c], apart)]
        q, k = " + ".join(squares), dialect.real(factor * form.k[c])
        if form.df is None:
            sums.append(f"{k} * ({q})")
        else:
            sums.append(f"{k} * LN({dialect.real(1.0)} + ({q}) / {dialect.real(form.df[c])})")
    return " + ".join(sums)


def _lines(dialect: Dialect, matrix: Floats, cells: Sequence[str]) -> Iterator[str]:
    """Each row of a matrix times the cells."""
    for row in matrix.tolist():
        yield " + ".join(f"{dialect.real(w)} * {cell}" for w, cell in zip(row, cells, strict=True) if w)


def _shares(dialect: Dialect, at: int, term: SharesTerm, columns: Sequence[Input], factor: float) -> TermSQL:
    own = TermSQL(at, {f"x{at}_{i}": number_cell(dialect, one) for i, one in enumerate(columns)})
    cells, zero = [f"q.x{at}_{i}" for i in range(len(columns))], dialect.real(0.0)
    own.told = [f"{cell} IS NOT NULL" for cell in cells]
    words = " + ".join(f"COALESCE({cell}, {zero})" for cell in cells)
    logs = factor * log_or_impossible(term.shares)
    for c in range(term.shares.shape[1]):
        sums = [
            f"{dialect.real(log)} * COALESCE({cell}, {zero})"
            for cell, log in zip(cells, logs[:, c], strict=True)
        ]
        whole = " AND ".join(own.told)
        mass = " + ".join(
            f"CASE WHEN {told} THEN {dialect.real(share)} ELSE {zero} END"
            for told, share in zip(own.told, term.shares[:, c], strict=True)
        )
        least = dialect.real(1e-300)  # where the kinds that are known have no share at all
        rest = f"{dialect.real(factor)} * ({words}) * LN({dialect.greatest}({mass}, {least}))"
        own.values.append(f"{' + '.join(sums)} - CASE WHEN {whole} THEN {zero} ELSE {rest} END")
    return own
