"""A model as one HTML file with live evidence, to be opened from disk, clicked and shared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.compare import CrossValidation, OutcomeValidation, cross_validate, cross_validate_outcomes
from likely.errors import LikelyError, notice
from likely.estimator.fitted import told_codes
from likely.format.markup import element
from likely.format.words import many
from likely.page.card import card_of, contents, many_rows, rows_of
from likely.page.columns import cells_of, text_of
from likely.page.facts import facts_of
from likely.page.judged import judged_classes, judged_numbers
from likely.page.live import LiveModel
from likely.page.live_model import live_model
from likely.page.rare import LEAST_ROWS, Rarity
from likely.page.render import render
from likely.page.table_panel import table_panel
from likely.report.profile.profiling import profile
from likely.table.column.kinds import Kind, says_truth
from likely.table.frame import Frame, without
from likely.table.write.whole_file import whole_file

Floats = NDArray[np.float64]
Validation = CrossValidation | OutcomeValidation


@dataclass(frozen=True, repr=False)
class Page:
    """One HTML file that works a model out in the browser; `save` writes it, notebooks show it.

    >>> import likely
    >>> page = likely.NaiveBayes().fit(likely.read("titanic"), "survived").page()
    >>> page.contains[0]
    'No rows: nothing in this file is a row of the table.'
    """

    html: str
    contains: tuple[str, ...]  # what the file holds, in words

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all."""
        if Path(path).suffix.lower() not in (".html", ".htm") and str(path) != "-":
            raise LikelyError(f"{path} cannot be written: a page is HTML; end the name in .html")
        with whole_file(path) as file:
            file.write(self.html.encode())

    def _repr_html_(self) -> str:
        return element(
            "iframe",
            srcdoc=self.html,
            sandbox="allow-scripts",
            style="width:100%; height:720px; border:1px solid rgba(128,128,128,.4); border-radius:8px",
        )

    def __repr__(self) -> str:
        size = f"{len(self.html) / 1000:.0f} kB"
        return f"<page of {size}; in a notebook it shows itself, save('page.html') writes it>"


def page_html(
    model: object, table: object = None, *, about: str | None = None, show_rare: bool = False, folds: int = 0
) -> str:
    """The page of a fitted model as text; with a table, what that holds too."""
    return make_page(model, table, about=about, show_rare=show_rare, folds=folds).html


def make_page(
    model: Any,
    table: object = None,
    *,
    about: str | None = None,
    show_rare: bool = False,
    folds: int = 0,
    validation: Validation | None = None,
    title: str | None = None,
    left_out: Sequence[str] = (),
) -> Page:
    """The page of a fitted model.

    Parameters
    ----------
    model :
        A fitted model.
    table :
        The table that it was learnt from, with its target: adds what the rows hold of each value, the
        profile of the table and, with `folds`, how good the model is on rows that it had not seen.
    about :
        Of a network: the node that is asked about at first.
    show_rare :
        Show values and bins that fewer than ten rows have.
    folds :
        Parts of cross-validation; 0 for none.
    validation :
        A cross-validation that was made already.
    title :
        What to call the page.
    left_out :
        Columns that nothing was learnt from: the model card names them.
    """
    rarity = Rarity(0 if show_rare else LEAST_ROWS)
    frame = None if table is None else Frame.of(table)
    live = live_model(model, frame, rarity, about)
    y = None if frame is None else _outcome(model, live, frame)
    if folds and validation is None and y is not None:
        validation = _validated(model, table, folds)
    judged = None if validation is None or y is None else _judged(validation, y, rarity)
    data = _data(live, model, frame, y, rarity, judged)
    name = type(model).__name__
    panel = None if frame is None else table_panel(_profile(frame, live), rarity)
    lines = contents(live, rarity, frame is not None, judged is not None)
    heading = title or _heading(live)
    parts = [("case", "Your case"), ("answer", "Answer"), ("evidence", "Evidence")]
    parts += [("structure", live.structure.removeprefix("The ").capitalize())] * bool(live.structure)
    parts += [("quality", "Quality")] * (judged is not None) + [("table", "Table")] * (panel is not None)
    page = {
        "title": f"{heading} · likely",
        "kicker": "" if title else _kicker(live),
        "heading": heading,
        "lead": _lead(name, model, live),
        "parts": [*parts, ("card", "Model card")],
        "said": live.said,
        "structure": live.structure,
        "judged": judged is not None,
        "table": panel,
        "card": card_of(name, model, live, left_out),
        "contains": lines,
        "version": import_module("likely").__version__,
    }
    return Page(render(page, data), tuple(lines))


def _heading(live: LiveModel) -> str:
    if live.about is not None:
        return many(len(live.columns), "node")
    return "Hidden groups" if live.hidden else text_of(live.target)


def _kicker(live: LiveModel) -> str:
    if live.about is not None:
        return "A network of "
    return "" if live.hidden else "Predicting "


def _lead(name: str, model: Any, live: LiveModel) -> str:
    n = rows_of(model)
    rows = f", learnt from {many_rows(n)}" if n else ""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    what = words if live.about is not None else f"{words} of {many(len(live.columns), 'column')}"
    return f"{what}{rows or ', from tables that were given'}"


def _data(
    live: LiveModel, model: Any, frame: Frame | None, y: Floats | None, rarity: Rarity, judged: Any
) -> dict[str, Any]:
    """What the script works on."""
    columns = []
    schema = getattr(model.record_, "nodes", None) or model.record_.schema
    for j, shown in enumerate(live.columns):
        record = shown.to_dict(rarity)
        if frame is not None and shown.column.name in frame.position and not shown.why and not shown.words:
            outcome = np.zeros(frame.n) if y is None else y
            classes = 1 if y is None else 0 if live.numeric else len(live.outcomes)
            cells = cells_of(schema, frame.only([shown.column.name]), j)
            record["facts"] = facts_of(shown, cells, outcome, classes, rarity)
        columns.append(record)
    return {
        "target": text_of(live.target),
        "numeric": live.numeric,
        "outcomes": list(live.outcomes),
        "about": live.about,
        "columns": columns,
        "model": live.model,
        "spread": live.spread,
        "said": live.said,
        "quality": judged,
        "groups": live.groups,
        "picture": live.picture,
    }


def _outcome(model: Any, live: LiveModel, frame: Frame) -> Floats | None:
    """What came true in each row: the code of its class, or its number; None if the table does not say."""
    if model._hidden or live.target not in frame.position:
        return None
    raw = frame.raw(live.target)
    if live.numeric:
        return np.asarray(raw.numbers(), np.float64)
    record = model.record_
    column = record.target if live.about is None else record.nodes.columns[live.about]
    codes = told_codes(column, raw).astype(np.float64)
    return np.where(codes < 0, np.nan, codes)


def _profile(frame: Frame, live: LiveModel) -> Any:
    """The table's profile, by the kinds of the model, with what each column tells of the target."""
    kinds = {
        shown.column.name: str(shown.column.kind)
        for shown in live.columns
        if shown.column.name in frame.position
        and shown.column.kind is not Kind.ORDINAL
        and not says_truth(frame.raw(shown.column.name))  # its words would be lost if it were declared
    }
    return profile(frame, live.target if live.target in frame.position else None, kinds=kinds)


def _validated(model: Any, table: object, folds: int) -> Validation | None:
    """Cross-validation of the same sort of model."""
    target = model.record_.target_name
    if not target or not hasattr(model, "predict"):
        return None
    frame = Frame.of(table)
    X, y = without(table, target), frame.values(target)
    try:
        if model.record_.classes:
            return cross_validate(model, X, y, folds=folds)
        return cross_validate_outcomes(model, X, y, folds=folds)
    except LikelyError as error:
        notice(f"no cross-validation on the page: {error}")
        return None


def _judged(validation: Validation, y: Floats, rarity: Rarity) -> dict[str, Any]:
    if isinstance(validation, CrossValidation):
        return judged_classes(validation, np.nan_to_num(y, nan=-1).astype(np.intp), rarity)
    return judged_numbers(validation, y, rarity)
