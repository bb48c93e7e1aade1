"""What two fitted models disagree on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from likely.dist.distribution import short
from likely.errors import LikelyError
from likely.estimator.record import Described, Floats, ModelRecord, Quantities
from likely.estimator.state import encode
from likely.format import words

MOST = 1000  # changes that are kept: the largest
TOP = 12  # of the changes of a kind that are shown


@dataclass(frozen=True, slots=True)
class Change:
    """A number that is not the same in both models."""

    column: str
    group: Any  # the class
    what: str
    before: float
    after: float
    size: float  # by which changes are ordered


@dataclass(frozen=True, repr=False)
class Diff:
    """What two models disagree on: `str` for people, `to_dict()` for programs.

    Everything is said from the first model to the second: what is new is only in the second.
    """

    same: bool  # whether the models are the same to the last bit
    estimators: tuple[str, str]
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict)
    classes: tuple[tuple[Any, ...], tuple[Any, ...]] = ((), ())  # new, gone
    columns: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # new, gone
    kinds: dict[str, tuple[str, str]] = field(default_factory=dict)
    families: dict[str, tuple[str, str]] = field(default_factory=dict)
    levels: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = field(default_factory=dict)  # new, gone
    rows: tuple[Change, ...] = ()  # of each class, and the base rates
    counts: tuple[Change, ...] = ()
    probabilities: tuple[Change, ...] = ()  # and other parameters, the largest change first
    described: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # lines of transformers' words: new, gone

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        return {f.name: _ready(getattr(self, f.name)) for f in fields(self)}

    def __str__(self) -> str:
        return text(self)

    __repr__ = __str__


def diff(a: Any, b: Any) -> Diff:
    """What model `b` has learnt otherwise than model `a`.

    Parameters
    ----------
    a, b : estimator
        Two fitted models; they may have different columns and classes.

    Returns
    -------
    Diff
        Columns, levels and classes that are new or gone, and kinds, families, counts and probabilities that
        changed, the largest change first.

    Examples
    --------
    >>> import likely
    >>> table = likely.read("titanic")
    >>> model = likely.NaiveBayes().fit(table, "survived")
    >>> found = likely.diff(model, likely.NaiveBayes(prior=None).fit(table, "survived"))
    >>> found.parameters
    {'prior': ("'default'", 'None')}
    >>> change = found.probabilities[0]
    >>> change.column, change.group, change.what, round(change.before, 4), round(change.after, 4)
    ('age', 'yes', 'P of adult', 0.9187, 0.9198)
    >>> print(likely.diff(model, model))
    the models are the same, to the last bit
    """
    for model in (a, b):
        if not hasattr(model, "_known"):
            raise LikelyError(f"{model!r} is no model of this library: give two fitted ones.")
    one, two = a._known(), b._known()
    for model, record in ((a, one), (b, two)):
        if not hasattr(record, "schema"):
            raise LikelyError(f"a {type(model).__name__} is made of other models: compare those.")
    names = type(a).__name__, type(b).__name__
    settings = [model.get_params(deep=False) for model in (a, b)]
    if names[0] == names[1] and _alike(encode([one, settings[0]]), encode([two, settings[1]])):
        return Diff(True, names)
    columns = [{column.name: column for column in record.schema.columns} for record in (one, two)]
    both = [name for name in columns[0] if name in columns[1]]
    told = {name: (columns[0][name], columns[1][name]) for name in both}
    alike = Diff(
        False,
        names,
        _changed(*({name: repr(value) for name, value in side.items()} for side in settings)),
        _new_and_gone(*(record.classes for record in (one, two))),
        _new_and_gone(tuple(columns[0]), tuple(columns[1])),
        {name: (str(p.kind), str(q.kind)) for name, (p, q) in told.items() if p.kind is not q.kind},
        levels={
            name: levels for name, (p, q) in told.items() if any(levels := _new_and_gone(p.levels, q.levels))
        },
    )
    if not (hasattr(one, "parameters") and hasattr(two, "parameters")):
        # A map of columns or of probabilities has no numbers of columns: what it says of itself tells.
        return replace(alike, described=_new_and_gone(_description(a), _description(b)))
    return replace(
        alike,
        families=_changed(_families(one), _families(two)),
        rows=_row_changes(one, two),
        counts=_changes(one, two, (one.counts(), two.counts())),
        probabilities=_changes(one, two, (one.parameters(), two.parameters())),
    )


def _alike(a: Any, b: Any) -> bool:
    """Whether two plain states are the same; 1 and 1.0 are not."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(_alike(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return bool(a == b)


def _changed(a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (a[name], b[name]) for name in a if name in b and a[name] != b[name]}


def _new_and_gone(
    a: Sequence[Any] | None, b: Sequence[Any] | None
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    old, new = dict.fromkeys(a or ()), dict.fromkeys(b or ())
    return tuple(x for x in new if x not in old), tuple(x for x in old if x not in new)


def _description(model: Any) -> list[str]:
    """What a transformer says becomes of each column, without its own name and options; else nothing."""
    said = model.describe() if hasattr(model, "describe") else None
    return [line.strip() for line in said.splitlines()[1:]] if isinstance(said, str) else []


def _families(record: ModelRecord) -> Mapping[str, str]:
    """The family of each column, of models whose columns have families."""
    families: Mapping[str, str] = getattr(record, "families", {})
    return families


def _row_changes(one: ModelRecord, two: ModelRecord) -> tuple[Change, ...]:
    """The rows of each class, or all of them; and the base rates."""
    changes: list[Change] = []
    for what, values in (("rows", _rows), ("base rate", _rates)):
        sides = [values(record) for record in (one, two)]
        if all(side is not None for side in sides):
            named = [Quantities([what], np.asarray(side)[:, None]) for side in sides]
            changes += _between("", [record.classes or ("",) for record in (one, two)], named)
    return tuple(changes)


def _rows(record: ModelRecord) -> Floats:
    counts: Floats = getattr(record, "class_counts", np.array([record.n]))
    return counts


def _rates(record: ModelRecord) -> Floats | None:
    return getattr(record, "rates", None)


def _changes(
    one: ModelRecord, two: ModelRecord, sides: Sequence[Mapping[Described, Quantities]]
) -> tuple[Change, ...]:
    """The changes of every column that both models describe in the same way, the largest first."""
    changes: list[Change] = []
    for key in sides[0]:
        if key in sides[1]:
            groups = (one.group_names, two.group_names)
            changes += _between(key[0], groups, [side[key] for side in sides])
    return tuple(sorted(changes, key=lambda change: -change.size)[:MOST])


def _between(column: str, classes: Sequence[Any], sides: Sequence[Quantities]) -> list[Change]:
    """The numbers of one column that changed, the largest change first."""
    groups, chosen = _common(*classes), _common(*(side.names for side in sides))
    if not groups or not chosen:
        return []
    at = [np.ix_([pair[k] for pair in groups], [pair[k] for pair in chosen]) for k in range(2)]
    before, after = (side.values[place] for side, place in zip(sides, at, strict=True))
    unit = np.broadcast_to(sides[0].unit, sides[0].values.shape)[at[0]]
    changed = (before != after) & ~(np.isnan(before) & np.isnan(after))
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.where(changed, np.nan_to_num(np.abs(after - before) / unit, nan=np.inf), -1.0)
    order = np.argsort(-size, axis=None, kind="stable")[: min(MOST, int(changed.sum()))]
    changes = []
    for row, place in zip(*np.unravel_index(order, size.shape), strict=True):
        label, what = classes[0][groups[row][0]], _named(sides[0].names[chosen[place][0]])
        numbers = (float(array[row, place]) for array in (before, after, size))
        changes.append(Change(column, label, what, *numbers))
    return changes


def _common(a: Sequence[Any], b: Sequence[Any]) -> list[tuple[int, int]]:
    """The places in both of what both have."""
    place = {item: i for i, item in enumerate(b)}
    return [(i, place[item]) for i, item in enumerate(a) if item in place]


def _named(name: str | tuple[str, Any]) -> str:
    if isinstance(name, str):
        return name
    what, level = name
    return f"{what} {'missing' if level is None else words.shown(level)}"


def _ready(value: object) -> Any:
    if isinstance(value, Change):
        return {f.name: words.json_ready(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: _ready(item) for key, item in value.items()}
    return [_ready(item) for item in value] if isinstance(value, tuple) else words.json_ready(value)


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
    yield from _said_new_and_gone("class", difference.classes)
    yield from _said_new_and_gone("column", difference.columns)
    yield from _pairs("kind of", difference.kinds)
    yield from _pairs("family of", difference.families)
    for column, levels in difference.levels.items():
        yield from _said_new_and_gone(f"level of {words.shown(column)}", levels)
    for word, lines in zip(("new", "gone"), difference.described, strict=True):
        yield from (f"{word}: {line}" for line in lines[:TOP])
        if len(lines) > TOP:
            yield f"{word}: {words.many(len(lines) - TOP, 'more line')}"
    yield from _table("classes", difference.rows)
    yield from _table("counts", difference.counts)
    yield from _table("probabilities and parameters", difference.probabilities)


def _pairs(what: str, pairs: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    for name, (before, after) in list(pairs.items())[:TOP]:
        yield f"{what} {words.shown(name)}: {words.shown(before, 60)} -> {words.shown(after, 60)}"
    if len(pairs) > TOP:
        yield f"{what} {words.many(len(pairs) - TOP, 'more column')}: changed"


def _said_new_and_gone(what: str, sides: tuple[Sequence[Any], Sequence[Any]]) -> Iterator[str]:
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
