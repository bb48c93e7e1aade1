"""Tables as HTML that need nothing outside themselves, and the style of reports, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from likely.format.markup import Markup, element
from likely.format.svg import BLUE, ORANGE

_SIDES = {"<": "left", ">": "right"}
_HALF = 80  # pixels of a bar on either side of the middle
_LINE = "rgba(128,128,128,.35)"


def html_table(
    title: str, head: Sequence[str], body: Sequence[Sequence[str]], foot: Sequence[str], align: str
) -> Markup:
    """The rows under a title and heads, then notes; every word that is not markup is escaped.

    `align` has "<" or ">" for each column. Without heads there is no head row. A first cell that begins with
    two spaces is indented: its row belongs to the one above.

    >>> html_table("a < b", ["x"], [["1"]], [], ">")  # doctest: +ELLIPSIS
    '<div><div style="font-weight:bold">a &lt; b</div><table style="border-collapse:collapse"><thead>...
    """

    def line(tag: str, cells: Sequence[str]) -> list[Markup]:
        return [_cell(tag, i, side, cell) for i, (side, cell) in enumerate(zip(align, cells, strict=True))]

    return element(
        "div",
        element("div", title, style="font-weight:bold"),
        table_of(
            line("th", head) if head else [],
            (line("td", cells) for cells in body),
            style="border-collapse:collapse",
        ),
        *(element("div", note) for note in foot),
    )


def table_of(head: Sequence[Markup], rows: Iterable[Iterable[Markup]], **attributes: str) -> Markup:
    """A table of cells that are elements already."""
    heads = [element("thead", element("tr", *head))] if head else []
    body = element("tbody", *(element("tr", *cells) for cells in rows))
    return element("table", *heads, body, **attributes)


def html_bar(share: float) -> Markup:
    """A bar to the left or right of the middle, for a share in [-1, 1]; infinite shares end in an arrow.

    >>> "width:40px" in html_bar(-0.5)
    True
    """
    if math.isnan(share):
        return element("div", "?", style="text-align:center")
    length = round(_HALF * min(abs(share), 1))
    start, colour = (_HALF, BLUE) if share >= 0 else (_HALF - length, ORANGE)
    bar = element(
        "div",
        ("▶" if share > 0 else "◀") if math.isinf(share) else "",
        style=f"margin-left:{start}px; width:{length}px; background:{colour}; color:white; "
        f"line-height:1em; height:1em; text-align:{'right' if share > 0 else 'left'}",
    )
    middle = f"transparent {_HALF - 1}px, #888 {_HALF - 1}px, #888 {_HALF + 1}px, transparent {_HALF + 1}px"
    return element("div", bar, style=f"width:{2 * _HALF}px; background:linear-gradient(to right, {middle})")


def html_right_bar(share: float) -> Markup:
    """A bar that grows to the right, for amounts that are never negative; infinite ones end in an arrow.

    >>> "width:80px" in html_right_bar(0.5)
    True
    """
    if math.isnan(share):
        return element("div", "")
    style = f"width:{round(2 * _HALF * min(abs(share), 1))}px; background:{BLUE}; color:white; height:1em"
    return element(
        "div", "▶" if math.isinf(share) else "", style=f"{style}; line-height:1em; text-align:right"
    )


def _cell(tag: str, column: int, side: str, text: str) -> Markup:
    style = f"text-align:{_SIDES[side]}; padding:1px 8px"
    if column == 0 and text.startswith("  "):
        return element(tag, text[2:], style=f"{style} 1px 24px")
    return element(tag, text, style=style)


_STYLE = Markup(f"""
.likely-profile {{font: 13px/1.4 system-ui, sans-serif; max-width: 1160px}}
.likely-profile h3 {{font-size: 16px; margin: 0 0 2px}}
.likely-profile .faint {{opacity: .72}}
.likely-profile table.all {{border-collapse: collapse; width: 100%; margin-top: 10px; font: inherit;
  color: inherit}}
.likely-profile table.all > * > tr > * {{border: 0; border-top: 1px solid {_LINE}; padding: 7px 10px 7px 0;
  text-align: left; vertical-align: top; background: none}}
.likely-profile thead th {{font-weight: 600; opacity: .72}}
.likely-profile .wide {{overflow-x: auto}}
.likely-profile table.all > tbody > tr > .more {{border-top: 0; padding: 0 0 8px}}
.likely-profile .name {{font-weight: 600; white-space: nowrap}}
.likely-profile .name div {{margin-top: 2px}}
.likely-profile .number {{font-variant-numeric: tabular-nums; white-space: nowrap}}
.likely-profile .words {{min-width: 220px; overflow-wrap: break-word}}
.likely-profile .badge {{border: 1px solid {_LINE}; border-radius: 9px; padding: 0 7px; font-size: 11px;
  font-weight: 400; white-space: nowrap}}
.likely-profile .warn {{border-left: 3px solid {ORANGE}; padding-left: 7px; margin-top: 5px; max-width: 62em;
  white-space: pre-wrap}}
.likely-profile svg {{display: block}}
.likely-profile .facts {{display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 8px 0}}
""")


def styled(*content: Markup) -> Markup:
    """What is in a report, with its style before it."""
    return Markup(element("style", _STYLE) + element("div", *content, class_="likely-profile"))
