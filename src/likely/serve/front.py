"""What people see at the address of a server: the page of the model, or what it is and how to ask it."""

from __future__ import annotations

from collections.abc import Iterable

from likely.errors import LikelyError
from likely.estimator.registry import is_estimator
from likely.format.html_file import html_file
from likely.format.html_table import table_of
from likely.format.markup import Markup, element
from likely.page.page import page_html
from likely.serve.served import Served
from likely.table.column.column import Column

_STYLE = Markup("""
:root {color-scheme: light dark; --line: rgba(128,128,128,.35)}
body {font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem}
h1 {font-size: 1.6rem; margin: 0 0 .2rem}
h2 {font-size: 1.1rem; margin: 2rem 0 .5rem}
pre {overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px;
  font-size: .85rem}
table {border-collapse: collapse; width: 100%}
th, td {border-top: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left;
  vertical-align: top; overflow-wrap: anywhere}
thead th {border: 0}
code {font-size: .9em}
""")
MOST_COLUMNS = 200
_PATHS = {
    "/predict": "rows in, predictions out: JSON, JSON lines or CSV",
    "/explain": "rows in, the evidence behind each prediction out",
    "/ask": "a question in the notation of probability",
    "/next": "which column to ask about next",
    "/schema": "all of this for programs (OpenAPI)",
    "/health": "whether the server is up",
}


def front(served: Served) -> str:
    """The page of the model, worked out in the browser; where a model has none, a plain one."""
    if is_estimator(served.model):
        try:
            return page_html(served.model, about=served.target if served.network else None)
        except LikelyError:
            pass  # too large, or of a sort that browsers do not work out
    return plain_page(served)


def plain_page(served: Served) -> str:
    """The model in words, its columns, and what it can be asked."""
    about = f" of {served.target}" if served.target else ""
    able = {"explain": "/explain", "ask": "/ask", "next_question": "/next"}
    missing = {path for name, path in able.items() if name not in served.able}
    columns = served.schema.columns[:MOST_COLUMNS]
    example = ", ".join(f'"{column.name}": ...' for column in columns[:3])
    return html_file(
        f"{served.kind}{about}",
        element("h1", element("bdi", f"{served.kind}{about}")),
        element("p", "A model of likely, served here. It has no page that works in the browser."),
        element("h2", "Ask it"),
        _table((element("code", p), said) for p, said in _PATHS.items() if p not in missing),
        element("pre", f"curl -H 'Content-Type: application/json' -d '{{{example}}}' ADDRESS/predict"),
        element("h2", "Its columns"),
        _table((element("bdi", column.name), _said(column)) for column in columns),
        *_words(served),
        style=_STYLE,
    )


def _table(rows: Iterable[tuple[object, ...]]) -> Markup:
    return table_of([], ([element("td", cell) for cell in row] for row in rows))


def _said(column: Column) -> Markup:
    levels = [str(level) for level in column.known[:12]] if column.has_levels else []
    more = ", ..." if column.has_levels and len(column.known) > len(levels) else ""
    return element("bdi", f"{column.kind}{': ' if levels else ''}{', '.join(levels)}{more}")


def _words(served: Served) -> list[Markup]:
    """What the model says of itself."""
    ways = [getattr(served.model, name, None) for name in ("describe", "summary", "story")]
    for way in filter(None, ways):
        try:
            return [element("h2", "In words"), element("pre", str(way()))]
        except LikelyError:
            continue
    return []
