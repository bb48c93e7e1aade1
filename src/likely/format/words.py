"""Numbers and values -> the words and small bars that ledgers are printed with."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

LOG_2 = math.log(2)
BAR = 10  # characters on each side of the centre
WIDEST = 32  # longer names and values are cut in print


def plain(value: object) -> Any:
    """A value of plain Python, for a NumPy scalar.

    >>> plain(np.int64(3))
    3
    """
    return value.item() if isinstance(value, np.generic) else value


def json_ready(value: object) -> Any:
    """What JSON can hold: infinities as words, NaN as nothing, dates and others as text.

    >>> json_ready(np.float64(-np.inf)), json_ready(float("nan")), json_ready(True)
    ('-inf', None, True)
    """
    value = plain(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else f"{value}"
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def json_text(data: object, indent: int | None = None) -> str:
    """JSON that every reader takes: no NaN, no infinity; keys are words.

    >>> json_text({True: [np.float64(0.5), float("inf")]})
    '{"True": [0.5, "inf"]}'
    """
    return json.dumps(_strict(data), ensure_ascii=False, allow_nan=False, indent=indent)


def _strict(data: object) -> Any:
    if isinstance(data, Mapping):
        return {str(json_ready(key)): _strict(value) for key, value in data.items()}
    return [_strict(value) for value in data] if isinstance(data, list | tuple) else json_ready(data)


def shown(value: object, widest: int = WIDEST) -> str:
    """A value or label as people write it, on one line and not too long.

    >>> shown(29.0), shown("a\\nb"), shown(None), shown(True)
    ('29', 'a b', '', 'True')
    """
    value = plain(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else " ".join(str(value).split())
    text = text.removesuffix(" 00:00:00") if isinstance(value, datetime) else text
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= widest else text[: widest - 1] + "…"


def different(labels: Sequence[str]) -> list[str]:
    """Labels of which no two are the same: one that was there before gets a number.

    >>> different(["a", "a", "a (2)", "b"])
    ['a', 'a (2)', 'a (2) (2)', 'b']
    """
    times: dict[str, int] = {}
    taken: set[str] = set()
    out = []
    for label in labels:
        times[label] = times.get(label, 0) + 1
        own = label
        while own in taken:
            times[label] = max(times[label], 2)
            own = f"{label} ({times[label]})"
            times[label] += own in taken
        taken.add(own)
        out.append(own)
    return out


def signed(evidence: float) -> str:
    """Evidence with its sign, two decimals.

    >>> signed(1.018), signed(-0.001), signed(-math.inf), signed(math.nan), signed(-2e7)
    ('+1.02', '0.00', '-inf', 'nan', '-2e+07')
    """
    if math.isnan(evidence):
        return "nan"
    if abs(evidence) >= 1e6:
        return f"{evidence:+.3g}"
    text = f"{evidence:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def odds(log_odds: float) -> str:
    """Odds, or a factor of the odds, to two digits; what no longer is a number gets a word.

    >>> [odds(math.log(v)) for v in (9.34, 0.48, 1234, 0.00012)], odds(1000.0)
    (['9.3', '0.48', '1200', '1.2e-04'], '2.0e+434')
    >>> odds(-math.inf), odds(math.inf), odds(math.nan)
    ('impossible', 'certain', 'undefined')
    """
    if not math.isfinite(log_odds):
        return "undefined" if math.isnan(log_odds) else ("certain" if log_odds > 0 else "impossible")
    power, rest = divmod(log_odds / math.log(10), 1)
    if -3 <= power < 4:
        return f"{float(f'{math.exp(log_odds):.2g}'):g}"
    mantissa = f"{10**rest:.1f}"
    return f"{mantissa}e{int(power):+03d}" if mantissa != "10.0" else f"1.0e{int(power) + 1:+03d}"


def factor(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The factors by which evidence multiplies the odds; infinite where they are too large for a float."""
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(log_odds)


def probability(p: float, others: float) -> str:
    """A probability that never rounds to certainty: `others` is what is left for the other classes.

    >>> [probability(p, 1 - p) for p in (0.7312, 0.00123, 0.961, 0.99982, 1.0)], probability(1.0, 3e-14)
    (['0.73', '0.0012', '0.96', '0.99982', '1'], '1 - 3e-14')
    >>> probability(0.99999, 9.999e-6)
    '0.9999900'
    """
    if math.isnan(p):
        return "undefined"
    if p <= 0.5:
        return f"{p:.2f}" if p >= 0.01 else f"{p:.2g}"
    if others <= 0:
        return "1"
    if others < 1e-6:
        return f"1 - {others:.2g}"
    return f"{1 - others:.{2 if others >= 0.01 else 1 - math.floor(math.log10(others))}f}"


def text_width(words: str, letter: float) -> float:
    """The pixels that words take across in a common sans serif whose letters are so high; rather too many.

    >>> text_width("ill", 12) < text_width("low", 12) < text_width("LOW", 12)
    True
    """
    return letter * sum(_WIDTHS.get(c, 0.72 if c.isupper() or ord(c) > 0x2E80 else 0.62) for c in words)


_WIDTHS = {
    **dict.fromkeys("ijl.,:;'|!()[] ", 0.36),
    **dict.fromkeys('frt-"/', 0.42),
    **dict.fromkeys("mwMW@%…", 0.98),
}


def figures(value: float, digits: int = 4) -> str:
    """A number to so many figures, with all its digits before the point up to a billion.

    >>> figures(68174.56), figures(0.66421), figures(9999.7), figures(1e300), figures(2721.3, 2)
    ('68175', '0.6642', '10000', '1e+300', '2721')
    """
    whole = 10 ** (digits - 1) <= abs(value) < 1e9
    return f"{value:.0f}" if whole else f"{value:.{digits}g}"


def bar(share: float, reach: int = BAR) -> str:
    """A bar to the left or right of a centre, for a share in [-1, 1]; infinite shares end in an arrow.

    >>> bar(0.25), bar(-0.25), bar(-math.inf)
    ('          │██▌', '       ▐██│', '◀█████████│')
    """
    if math.isnan(share):
        return f"{'?':>{reach}}│?"
    full, half = divmod(round(2 * reach * min(abs(share), 1)), 2)
    if share >= 0:
        return " " * reach + "│" + ("█" * (reach - 1) + "▶" if math.isinf(share) else "█" * full + "▌" * half)
    return ("◀" + "█" * (reach - 1) if math.isinf(share) else f"{'▐' * half + '█' * full:>{reach}}") + "│"


def right_bar(share: float) -> str:
    """The right half of a bar, for amounts that are never negative; undefined shares leave it empty.

    >>> right_bar(0.25)
    '██▌'
    """
    return "" if math.isnan(share) else bar(abs(share))[BAR + 1 :]


def many(number: int, thing: str) -> str:
    """So many of a thing.

    >>> many(1, "row"), many(17, "other feature")
    ('1 row', '17 other features')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def table(rows: Sequence[Sequence[str]], align: str) -> str:
    """Rows of cells in columns, two spaces apart, each aligned to the left "<" or right ">".

    >>> print(table([["a", "1"], ["name", "10"]], "<>"))
    a      1
    name  10
    """
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(_pad(cell, width, side) for cell, width, side in zip(row, widths, align, strict=True))
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def _width(text: str) -> int:
    # Terminals draw East Asian wide characters two cells wide, and combining marks none.
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def _pad(text: str, width: int, side: str) -> str:
    gap = " " * (width - _width(text))
    return text + gap if side == "<" else gap + text
