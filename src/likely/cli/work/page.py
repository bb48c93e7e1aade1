"""The page of a model that was learnt or loaded, and where it is written to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.cli.work.learn import Training

if TYPE_CHECKING:
    from likely.page import Page


def training_page(training: Training, show_rare: bool = False) -> Page:
    """The page of a model, with the table that it was learnt from and its cross-validation."""
    from likely.page import make_page  # which takes half a second to load: most who learn want no page

    frame = training.frame
    table: dict[str, Any] = {name: frame.values(name) for name in frame.names}
    table[training.target] = training.y
    return make_page(
        training.fitted,
        table,
        show_rare=show_rare,
        validation=training.validation,
        left_out=training.left_out,
    )


def write_page(path: Path | None, page: Page | None) -> dict[str, Any]:
    """Write the page, if one is wanted; what JSON says of it."""
    if path is None or page is None:
        return {}
    page.save(path)
    return {"page": str(path), "page contains": list(page.contains)}


def said_of(path: Path, page: Path | None) -> str:
    """What was written, in a line."""
    return f"saved {path}" + ("" if page is None else f", wrote {page}")
