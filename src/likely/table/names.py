"""What to say where columns, or classes, are not those that a model knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from likely.errors import LikelyError


def columns_absent(missing: Sequence[str], extra: Sequence[str] = ()) -> str:
    """What to say of columns that the model knows and a table does not have.

    >>> columns_absent(["sex"], ["Sex"])
    "column 'sex' is not there: taken as missing, so that it adds no evidence. Is 'Sex' the column 'sex'? \
Rename it."
    """
    said = f"{', '.join(map(repr, missing[:5]))}{', ...' if len(missing) > 5 else ''}"
    said = (
        f"columns {said} are not there: taken as missing, so that they add no evidence."
        if len(missing) > 1
        else f"column {said} is not there: taken as missing, so that it adds no evidence."
    )
    return " ".join([said, *(hint[0].upper() + hint[1:] for hint in _renamed(extra, missing))])


def _renamed(extra: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Which columns may be meant by other names."""
    folded = {name.casefold(): name for name in extra}
    near = (
        (m, [folded[m.casefold()]] if m.casefold() in folded else get_close_matches(m, extra, 1))
        for m in missing[:3]
    )
    return [f"is {close[0]!r} the column {name!r}? Rename it." for name, close in near if close]


def names_differ(extra: Sequence[str], missing: Sequence[str]) -> str:
    """What is wrong with the names of a table, in the words of scikit-learn, and a hint."""
    said = ["The feature names should match those that were passed during fit."]
    for title, names in (
        ("Feature names unseen at fit time:", extra),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if names:
            said += [title, *(f"- {name}" for name in sorted(names)[:5])]
            said += ["- ..."] if len(names) > 5 else []
    hints = _renamed(extra, missing)
    return "\n".join(said + (hints or ["Add the missing columns (with missing values, if need be)."])) + "\n"


def class_named(word: str, classes: Iterable[Any]) -> Any:
    """The class that is written like this: 1 is the number where the classes are numbers.

    >>> class_named("1", [0, 1])
    1
    """
    by_name = {str(label): label for label in classes}
    if word not in by_name:
        raise LikelyError(f"there is no class {word!r}: {nearest(word, by_name, 'classes')}")
    return by_name[word]


def nearest(name: str, columns: Iterable[str], what: str = "columns") -> str:
    """A hint at the right name: the nearest, or all.

    >>> nearest("Sex", ["age", "sex"]), nearest("height", ["age", "sex"])
    ("did you mean 'sex'?", "the columns are 'age', 'sex'.")
    """
    known = list(columns)
    plain = {column.casefold(): column for column in known}
    near = get_close_matches(name.casefold(), plain, 1)
    if near:
        return f"did you mean {plain[near[0]]!r}?"
    return f"the {what} are {', '.join(map(repr, known[:20]))}{', ...' if len(known) > 20 else '.'}"
