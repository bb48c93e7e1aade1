"""Models as pages: one HTML file with live evidence. The room that makes them stands above all models."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from likely.table.accepted import TableLike


class Paged:
    """A fitted model that can be opened in a browser."""

    def page(self, *, show_rare: bool = False, **options: Any) -> Any:
        """The model as one HTML file that works it out in the browser; `save` writes it, notebooks show it.

        It holds counts and parameters, never rows. Values that fewer than ten rows have are put together,
        unless `show_rare`. Of a network, `about` names the node that is asked about at first.

        >>> import likely
        >>> likely.NaiveBayes().fit(likely.read("titanic"), "survived").page()  # doctest: +ELLIPSIS
        <page of ... kB; in a notebook it shows itself, save('page.html') writes it>
        """
        return import_module("likely.page").make_page(self, show_rare=show_rare, **options)

    def report(self, table: TableLike, *, folds: int = 5, show_rare: bool = False, **options: Any) -> Any:
        """The page of the model with what a table holds, as a rule the one that it was learnt from.

        Beside `page()` it has the rows of every value with the shares of outcomes among them, the profile of
        the table, and how good such a model is on rows that it has not seen (cross-validated in so many
        folds; 0 for none).
        """
        return import_module("likely.page").make_page(
            self, table, folds=folds, show_rare=show_rare, **options
        )
