"""The face of a ledger as HTML that needs nothing outside itself."""

from __future__ import annotations

import math
from html import escape

from likely.evidence.render import Face
from likely.format.colours import BLUE, ORANGE


def html(face: Face) -> str:
    """The ledger as a table that needs nothing outside itself; every word of the data is escaped."""
    cell = '<td style="text-align:{}; padding:1px 8px">{}</td>'
    rows = []
    for row, share in zip(face.rows, face.shares(), strict=True):
        cells = [("left", row.name), ("left", row.value), ("right", face.amount(row)), ("left", row.odds)]
        filled = "".join(cell.format(side, escape(text)) for side, text in cells)
        if row.part:
            filled = filled.replace("padding:1px 8px", "padding:1px 8px 1px 24px", 1)
        rows.append(f"<tr>{filled}{_html_bar(share)}</tr>")
    head = "".join(
        f'<th style="text-align:center; padding:1px 8px">{word}</th>' for word in (*face.heads, "")
    )
    foot = "".join(f"<div>{escape(line)}</div>" for line in face.foot)
    return (
        f'<div><div style="font-weight:bold">{escape(face.title)}</div>'
        f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>{foot}</div>"
    )


def _html_bar(share: float) -> str:
    """A bar of up to 80 pixels on either side of the middle of its cell."""
    if math.isnan(share):
        return '<td style="text-align:center">?</td>'
    length = round(80 * min(abs(share), 1))
    start, colour = (80, BLUE) if share >= 0 else (80 - length, ORANGE)
    end = "right" if share > 0 else "left"
    arrow = ("▶" if share > 0 else "◀") if math.isinf(share) else ""
    return (
        '<td style="padding:1px 8px"><div style="width:160px; background:linear-gradient('
        'to right, transparent 79px, #888 79px, #888 81px, transparent 81px)">'
        f'<div style="margin-left:{start}px; width:{length}px; background:{colour}; color:white; '
        f'line-height:1em; height:1em; text-align:{end}">{arrow}</div></div></td>'
    )
