"""The evidence behind one prediction: a first line and terms that add up to the log posterior odds."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.evidence import render
from likely.format.words import factor, json_ready, shown
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class LedgerLine:
    """One term of a ledger."""

    name: str
    value: object
    evidence: float  # nats that it adds to the log-odds
    note: str = ""  # or "missing", "never seen", "not used"
    feature: bool = True  # False: a term of no single feature
    parts: tuple[LedgerLine, ...] = ()  # what it is the sum of: the words of a text, strongest first
    marks: tuple[tuple[str, float], ...] = ()  # a text in pieces, as it stands, and what each piece adds


@dataclass(frozen=True)
class Ledger:
    """The evidence behind one prediction: `base` and the evidence of the `lines` sum to `total`.

    >>> lines = (LedgerLine("sex", "female", 1.02), LedgerLine("class", "first", 0.95))
    >>> lines += (LedgerLine("age", None, 0.0, "missing"),)
    >>> ledger = Ledger("yes", "no", -0.74, lines, 1.23, {"no": 0.226, "yes": 0.774})
    >>> print(ledger)
    yes against no
    <BLANKLINE>
               value    evidence (nats)    odds
    base rate                     -0.74    0.48      ██████│
    sex        female             +1.02  x 2.8             │████████▌
    class      first              +0.95  x 2.6             │███████▌
    age        missing             0.00  x 1               │
    total                         +1.23  = 3.4             │██████████
    P(yes) = 0.77
    """

    favoured: object  # the class that positive evidence speaks for
    against: object | None  # the class it is weighed against; None: all others together
    base: float  # log-odds before any of the lines
    lines: tuple[LedgerLine, ...]
    total: float  # log posterior odds
    probabilities: dict[Any, float]  # class -> P(class given row)
    order: tuple[str, ...] | None = None  # features were added one after another, in this order
    library: str = "numpy"
    base_name: str = "base rate"  # what `base` is

    def opened(self) -> Ledger:
        """The same ledger with the words of a text in the place of its line: the sum still holds.

        >>> parts = (LedgerLine("a", 3, -2.08), LedgerLine("b", 1, 0.92))
        >>> mail = LedgerLine("mail", "a a a b", -1.16, parts=parts)
        >>> ledger = Ledger("spam", "ham", 0.0, (mail,), -1.16, {})
        >>> [(line.name, line.evidence) for line in ledger.opened().lines]
        [('mail: a', -2.08), ('mail: b', 0.92)]
        """
        lines = [
            part
            for line in self.lines
            for part in ([replace(w, name=f"{line.name}: {w.name}") for w in line.parts] or [line])
        ]
        return replace(self, lines=tuple(lines))

    def text(self, *, order: str = "size", bits: bool = False, top: int | None = None) -> str:
        """A table in plain text; with `top`, the smaller features share one line, so the sum still holds.

        `order` is "size" (strongest evidence first) or "table" (as the columns stand).

        >>> lines = (LedgerLine("a", 1, 0.5), LedgerLine("b", 2, -1.5))
        >>> ledger = Ledger("yes", "no", 0.0, lines, -1.0, {"yes": 0.27})
        >>> print(ledger.text(top=1, bits=True))
        yes against no
        <BLANKLINE>
                         value  evidence (bits)    odds
        base rate                          0.00    1               │
        b                2                -2.16  x 0.22  ██████████│
        1 other feature                   +0.72  x 1.6             │███▌
        total                             -1.44  = 0.37     ▐██████│
        P(yes) = 0.27
        """
        return render.text(render.face_of(self, order, bits, top))

    def __str__(self) -> str:
        return self.text(top=render.TOP)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return render.html(render.face_of(self, "size", False, render.TOP), self.lines)

    def to_frame(self) -> Any:
        """One row per term, in the order of the table; values as text, for a column has one type.

        `opened().to_frame()` has a row for each word of a text.

        >>> Ledger("yes", "no", 0.0, (LedgerLine("a", 1, 0.0),), 0.0, {"yes": 0.5}).to_frame()["odds"]
        array([1.])
        """
        evidence = np.array([line.evidence for line in self.lines], np.float64)
        columns = {
            "name": np.array([line.name for line in self.lines], object),
            "value": np.array([_cell(line.value) for line in self.lines], object),
            "evidence": evidence,
            "odds": factor(evidence),
            "note": np.array([line.note for line in self.lines], object),
        }
        return to_table(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """The ledger in plain Python, ready for JSON: infinities become "inf" and "-inf", NaN None.

        >>> Ledger(True, None, 0.0, (), -np.inf, {False: 1.0, True: 0.0}).to_dict()["total"]
        '-inf'
        """
        return {
            "for": json_ready(self.favoured),
            "against": json_ready(self.against),
            self.base_name: json_ready(self.base),
            "lines": [_plain_line(line) for line in self.lines],
            "total": json_ready(self.total),
            "probabilities": {str(label): json_ready(p) for label, p in self.probabilities.items()},
            "order": None if self.order is None else list(self.order),
        }

    def plot(self, ax: Axes | None = None, *, top: int | None = render.TOP) -> Axes:
        """A waterfall: from the first line, term after term, to the log posterior odds.

        >>> ledger = Ledger("yes", "no", 0.5, (LedgerLine("a", 1, 1.0),), 1.5, {"yes": 0.8, "no": 0.2})
        >>> [float(bar.get_width()) for bar in ledger.plot().patches]
        [0.5, 1.0, 1.5]
        """
        return render.plot(self, ax, top)


def _plain_line(line: LedgerLine) -> dict[str, Any]:
    said = {
        "name": line.name,
        "value": json_ready(line.value),
        "evidence": json_ready(line.evidence),
        "note": line.note,
    }
    return said | {"words": [_plain_line(part) for part in line.parts]} if line.parts else said


def _cell(value: object) -> str | None:
    return shown(value, sys.maxsize) or None
