"""How a comparison of two models shows itself as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likely.dist.distribution import short
from likely.format import words

if TYPE_CHECKING:
    from likely.estimator.diff import Change, Diff

TOP = 12  # of the changes of a kind that are shown


def text(difference: Diff) -> str:
    """What the models disagree on, line by line."""
    if difference.same:
        return "the models are the same, to the last bit"
    lines = list(_lines(difference))
    return "\n".join(lines or ["the models differ in nothing that is listed here, such as the last bits"])


def _lines(difference: Diff) -> Iterator[str]:
    before, after = difference.estimators
    if before != after:
        yield f"model: {before} -> {after}"
    yield from _pairs("parameter", difference.parameters)
    yield from _new_and_gone("class", difference.classes)
    yield from _new_and_gone("column", difference.columns)
    yield from _pairs("kind of", difference.kinds)
    yield from _pairs("family of", difference.families)
    for column, levels in difference.levels.items():
        yield from _new_and_gone(f"level of {words.shown(column)}", levels)
    yield from _table("classes", difference.rows)
    yield from _table("counts", difference.counts)
    yield from _table("probabilities and parameters", difference.probabilities)


def _pairs(what: str, pairs: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    for name, (before, after) in list(pairs.items())[:TOP]:
        yield f"{what} {words.shown(name)}: {words.shown(before, 60)} -> {words.shown(after, 60)}"
    if len(pairs) > TOP:
        yield f"{what} {words.many(len(pairs) - TOP, 'more column')}: changed"


def _new_and_gone(what: str, sides: tuple[Sequence[Any], Sequence[Any]]) -> Iterator[str]:
    for word, items in zip(("new", "gone"), sides, strict=True):
        if items:
            named = ", ".join("missing" if item is None else words.shown(item) for item in items[:TOP])
            more = f" and {len(items) - TOP} more" if len(items) > TOP else ""
            yield f"{word} {what}: {named}{more}"


def _table(title: str, changes: Sequence[Change]) -> Iterator[str]:
    if not changes:
        return
    shown = f", the largest {TOP} changes" if len(changes) > TOP else ""
    rows = [["  column", "class", "what", "before", "after"]]
    for change in changes[:TOP]:
        labels = [f"  {words.shown(change.column)}", words.shown(change.group), change.what]
        rows.append([*labels, *_apart(change.before, change.after)])
    yield f"{title}{shown}"
    yield words.table(rows, "<<<>>")


def _apart(before: float, after: float) -> tuple[str, str]:
    """Two different numbers with as many figures as it takes to tell them apart."""
    said = short(before), short(after)
    figures = 4
    while said[0] == said[1] and figures <= 17:
        said = f"{before:.{figures}g}", f"{after:.{figures}g}"
        figures += 1
    return said
