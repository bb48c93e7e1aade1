"""A table as HTML that needs nothing outside itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_STYLES = {
    "<": ' style="text-align:left; padding:1px 8px"',
    ">": ' style="text-align:right; padding:1px 8px"',
}


def html_table(
    title: str, head: Sequence[str], body: Sequence[Sequence[str]], foot: Sequence[str] = (), align: str = ""
) -> str:
    """The lines under a title and heads, then notes; every word is escaped.

    `align` has "<" or ">" for each column; without it cells are plain.

    >>> html_table("a < b", ["x"], [["1"]])
    '<div><div style="font-weight:bold">a &lt; b</div><table><thead><tr><th>x</th></tr></thead>\
<tbody><tr><td>1</td></tr></tbody></table></div>'
    """
    styles = [_STYLES[side] for side in align] or [""] * len(head)

    def line(tag: str, cells: Sequence[str]) -> str:
        pairs = zip(styles, cells, strict=True)
        return f"<tr>{''.join(f'<{tag}{style}>{escape(cell)}</{tag}>' for style, cell in pairs)}</tr>"

    close = ' style="border-collapse:collapse"' if align else ""
    return (
        f'<div><div style="font-weight:bold">{escape(title)}</div>'
        f"<table{close}><thead>{line('th', head)}</thead>"
        f"<tbody>{''.join(line('td', cells) for cells in body)}</tbody></table>"
        f"{''.join(f'<div>{escape(said)}</div>' for said in foot)}</div>"
    )
