"""Markup: text is escaped once, markup stays, and attributes are written as HTML writes them."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from likely.format.html_table import html_bar, html_table
from likely.format.markup import Markup, element, joined
from likely.format.svg import bars_svg, share_svg


class Text(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", []
        self.feed(page)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_any_text_comes_back_as_it_was(text):
    page = Text(element("p", text, title=text))
    assert (page.text, page.tags) == (text, ["p"])


def test_markup_is_not_escaped_again():
    inner = element("b", "a & b")
    assert joined("<", inner) == "&lt;<b>a &amp; b</b>"
    assert isinstance(element("p", inner), Markup)
    assert element("p", str(inner)) == "<p>&lt;b&gt;a &amp;amp; b&lt;/b&gt;</p>"


def test_a_table_holds_every_cell_and_indents_what_belongs_to_the_row_above():
    page = html_table("t", ["", "x"], [["a", "<1>"], ["  b", element("i", "2")]], ["note"], "<>")
    assert Text(page).text == "txa<1>b2note"
    assert page.count("24px") == 1
    assert page.count("text-align:right") == 3
    assert "<thead>" not in html_table("t", [], [["a"]], [], "<")


def test_pictures_are_markup():
    assert isinstance(html_bar(float("inf")), Markup)
    assert Text(html_bar(float("nan"))).text == "?"
    assert 'aria-label="50%"' in share_svg(0.5)
    assert Text(bars_svg([1], ["<b>"])).text == "<b>"
