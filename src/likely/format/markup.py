"""Elements of HTML and SVG: the only place where text becomes markup, and is escaped."""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is markup already; all other text is escaped when it enters an element."""

    __slots__ = ()


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """An element with its attributes and what is in it; text is escaped, markup stays as it is.

    An attribute that is a Python word ends in an underscore, and inner underscores are hyphens; one that is
    None is left out.

    >>> element("p", "a < b, ", element("b", "really"), class_="faint", title=None)
    '<p class="faint">a &lt; b, <b>really</b></p>'
    >>> element("line", x1=0, stroke_width=2)
    '<line x1="0" stroke-width="2"/>'
    """
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if not content and tag in _EMPTY:
        return Markup(f"<{tag}{said}/>")
    return Markup(f"<{tag}{said}>{joined(*content)}</{tag}>")


def joined(*content: object) -> Markup:
    """Text and markup one after the other, as markup.

    >>> joined("1 < 2", element("br"))
    '1 &lt; 2<br/>'
    """
    return Markup("".join(part if isinstance(part, Markup) else escape(str(part)) for part in content))


_EMPTY = {
    "br",
    "circle",
    "line",
    "meta",
    "path",
    "polyline",
    "rect",
}  # written without an end where they hold nothing
