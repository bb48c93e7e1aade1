"""The page: a model as one HTML file with live evidence, which works without a network."""

from likely.page.page import Page, make_page, page_html

__all__ = ["Page", "make_page", "page_html"]
