"""How a ledger shows itself, and which evidence is the strongest: rows, then text, HTML or a picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.draw import WaterfallStep, waterfall
from likely.errors import LikelyError
from likely.format import words
from likely.format.html_table import html_bar, html_table
from likely.format.markup import Markup, element
from likely.format.screen import screen_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from likely.evidence.ledger_of_row import Ledger, LedgerLine

TOP = 20  # features that a ledger shows when nobody says how many
TOP_WORDS = 10  # words that it shows of a text
ALIGN = "<<><<"  # of its columns
SHORT_BAR = 6  # characters on each side of the centre, where there is little room


def strongest(evidence: Sequence[float]) -> list[int]:
    """The places of evidence by strength; what is undefined counts as infinite, for it needs a look.

    >>> strongest([1.0, -2.0, math.nan, 0.0])
    [2, 1, 0, 3]
    """
    return sorted(
        range(len(evidence)), key=lambda i: -math.inf if math.isnan(evidence[i]) else -abs(evidence[i])
    )


def first(top: int | None, places: list[int]) -> list[int]:
    """The first `top` places, or all.

    >>> first(2, [5, 3, 4]), first(None, [5, 3, 4])
    ([5, 3], [5, 3, 4])
    """
    if top is not None and top < 0:
        raise LikelyError(f"top is {top}: the number to show is 0 or more, or None for all")
    return places[:top]


def shares(amounts: Sequence[float]) -> list[float]:
    """Amounts as shares of the largest finite one; infinities stay infinite.

    >>> shares([1.0, -4.0, -math.inf])
    [0.25, -1.0, -inf]
    """
    largest = max((abs(a) for a in amounts if math.isfinite(a)), default=0.0) or 1.0
    return [a / largest for a in amounts]


@dataclass(frozen=True)
class Row:
    """A row of the printed table."""

    name: str
    value: str
    log_odds: float
    sign: str  # before the odds: " " for the first line, "x" for a factor, "=" for the product
    part: bool = False  # whether it is a part of a row above, whose factors are its own

    @property
    def odds(self) -> str:
        """The odds or their factor, so that the column reads as a product from top to bottom."""
        text = words.odds(self.log_odds)
        return f"{self.sign if math.isfinite(self.log_odds) else ' '} {text}"


@dataclass(frozen=True)
class Face:
    """What a printed ledger says, before it is text or HTML."""

    title: str
    unit: str
    rows: tuple[Row, ...]
    foot: tuple[str, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The words above the columns."""
        return ("", "value", f"evidence ({self.unit})", "odds")

    def amount(self, row: Row) -> str:
        """The signed evidence of a row in the unit of the face."""
        return words.signed(row.log_odds / (words.LOG_2 if self.unit == "bits" else 1))

    def shares(self) -> list[float]:
        """Each row's evidence as a share of the largest finite one; infinities stay infinite."""
        return shares([row.log_odds for row in self.rows])

    def body(self, bar: Callable[[float], str]) -> list[list[str]]:
        """The cells of the table, each row with a bar for its share."""
        return [
            [f"  {row.name}" if row.part else row.name, row.value, self.amount(row), row.odds, bar(share)]
            for row, share in zip(self.rows, self.shares(), strict=True)
        ]


def face_of(ledger: Ledger, order: str, bits: bool, top: int | None) -> Face:
    """The title, rows and last lines of a ledger."""
    rows = (
        Row(ledger.base_name, "", ledger.base, " "),
        *_term_rows(ledger.lines, order, top),
        Row("total", "", ledger.total, "="),
    )
    foot = (*order_words(ledger.order), probability_words(ledger))
    return Face(title(ledger.favoured, ledger.against), "bits" if bits else "nats", rows, foot)


def _term_rows(lines: Sequence[LedgerLine], order: str, top: int | None) -> list[Row]:
    """The terms in order; features past the strongest `top` share one row with their sum."""
    if order not in ("size", "table"):
        raise LikelyError(f"order is {order!r}: it is 'size' (strongest first) or 'table'")
    by_size = strongest([line.evidence for line in lines])
    features = [i for i in by_size if lines[i].feature]
    hidden = set(features) - set(first(top, features))
    kept = [lines[i] for i in (by_size if order == "size" else range(len(lines))) if i not in hidden]
    rows = [row for line in kept for row in _line_rows(line)]
    if hidden:
        # A plain sum, not fsum: that one raises where both infinities meet and the sum is NaN.
        others = sum(lines[i].evidence for i in sorted(hidden))
        rows.append(Row(words.many(len(hidden), "other feature"), "", others, "x"))
    return rows


def _line_rows(line: LedgerLine) -> list[Row]:
    """A line, and below it its strongest words; the others share one row with their sum."""
    rows = [Row(words.shown(line.name), value_words(line), line.evidence, "x")]
    rows += [
        Row(words.shown(part.name), value_words(part), part.evidence, "·", part=True)
        for part in line.parts[:TOP_WORDS]
    ]
    others = line.parts[TOP_WORDS:]
    if others:
        said = words.many(len(others), "other word")
        rows.append(Row(said, "", sum(part.evidence for part in others), "·", part=True))
    return rows


def value_words(line: LedgerLine) -> str:
    """The value of a line and what is to be said of it."""
    if line.note == "missing":
        return line.note
    return f"{words.shown(line.value)} ({line.note})".strip() if line.note else words.shown(line.value)


def title(favoured: object, against: object | None) -> str:
    """Which class the evidence is for, and which it is weighed against."""
    return f"{words.shown(favoured)} against {'all others' if against is None else words.shown(against)}"


def probability_words(ledger: Ledger) -> str:
    """The probabilities in the end: of the class, and of its rival where there are more than two."""
    labels = [ledger.favoured]
    if ledger.against is not None and len(ledger.probabilities) > 2:
        labels.append(ledger.against)
    said = []
    for label in labels:
        others = sum(p for other, p in ledger.probabilities.items() if other != label)
        said.append(f"P({words.shown(label)}) = {words.probability(ledger.probabilities[label], others)}")
    return ", ".join(said)


def order_words(order: Sequence[str] | None) -> tuple[str, ...]:
    """A warning that belongs to terms that were added one after another."""
    if order is None:
        return ()
    first = ", ".join(words.shown(name) for name in order[:5]) + (", ..." if len(order) > 5 else "")
    return (f"Terms depend on the order in which features were added: {first}",)


def text(face: Face) -> str:
    """The ledger as plain text."""
    head, room = [*face.heads[:-1], f"  {face.heads[-1]}", ""], screen_width()
    lines = words.table([head, *face.body(words.bar)], ALIGN)
    if room is not None and max(map(len, lines.split("\n"))) > room:
        lines = _narrow(face, room)
    return "\n".join([face.title, "", lines, *face.foot])


def _narrow(face: Face, room: int) -> str:
    """The lines for a terminal with little room: short bars, and values cut to what they leave."""
    body = face.body(lambda share: words.bar(share, SHORT_BAR))
    rows = [["", "value", face.unit, "  odds", ""], *body]
    others = words.table([[name, "", *rest] for name, _, *rest in rows], ALIGN).split("\n")
    widest = max(room - max(map(len, others)), len("value"))
    return words.table([[name, words.shown(value, widest), *rest] for name, value, *rest in rows], ALIGN)


def html(face: Face, lines: Sequence[LedgerLine] = ()) -> str:
    """The ledger as a table that needs nothing outside itself; every word of the data is escaped.

    Below it stand the texts among the lines whose pieces are marked by what they add.
    """
    table = html_table(face.title, [*face.heads, ""], face.body(html_bar), face.foot, ALIGN)
    marked = [element("p", f"{words.shown(line.name)}: ", marked_text(line)) for line in lines if line.marks]
    return element("div", table, *marked) if marked else table


def marked_text(line: LedgerLine) -> Markup:
    """A text whose pieces are coloured by what they add: blue for, orange against, the stronger the more.

    Pointing at a piece shows how much.
    """
    strength = shares([added for _, added in line.marks])
    pieces = []
    for (piece, added), share in zip(line.marks, strength, strict=True):
        colour = "0,114,178" if share > 0 else "230,159,0"
        shade = f"background:rgba({colour},{min(abs(share), 1.0):.2f})"
        pieces.append(element("span", piece, style=shade, title=words.signed(added)))
    return element("span", *pieces, style="white-space:pre-wrap")


def plot(ledger: Ledger, ax: Axes | None, top: int | None) -> Axes:
    """The ledger as a waterfall."""
    face = face_of(ledger.opened(), "size", False, top)
    steps = [
        WaterfallStep(" = ".join(filter(None, (row.name, row.value))), row.log_odds, face.amount(row))
        for row in face.rows
    ]
    *warning, result = face.foot
    return waterfall(
        steps[:-1],
        steps[-1],
        title=f"{face.title}: {result}",
        xlabel=". ".join([f"evidence for {words.shown(ledger.favoured)} (nats of log-odds)", *warning]),
        ax=ax,
    )
