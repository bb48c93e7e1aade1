"""What is said about columns on the command line -> what a model takes: kinds, families and the prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from likely.cli.work.pairs import known_column, pair
from likely.errors import LikelyError, notice
from likely.table.column.column import Column
from likely.table.frame import Frame

MANY = 20  # values; fewer need not come back often to say something


def columns_of(table: Mapping[str, Any], kinds: Sequence[str], drop: Sequence[str]) -> tuple[Frame, Any]:
    """The columns that `--drop` leaves, and what `--kind` says of them."""
    for name in drop:
        known_column(name, list(table), "--drop")
    frame = Frame.of({name: column for name, column in table.items() if name not in drop})
    if not frame.names:
        raise LikelyError("no column is left to learn from: drop fewer.")
    return frame, kinds_of(kinds, frame)


def kinds_of(declared: Sequence[str], frame: Frame) -> Any:
    """`--kind`: one kind for all, COLUMN=KIND, or COLUMN=LOW<MIDDLE<HIGH for levels in order.

    >>> frame = Frame.of({"size": ["s", "l"], "stars": [1, 5]})
    >>> kinds_of(["size=s<m<l", "stars=1<2<5"], frame)
    {'size': ['s', 'm', 'l'], 'stars': [1, 2, 5]}
    >>> kinds_of(["categorical"], frame), kinds_of([], frame)
    ('categorical', None)
    """
    kinds = _by_column(declared, frame.names, "--kind")
    if not isinstance(kinds, dict):
        return kinds
    return {name: _levels(name, what, frame) if "<" in what else what for name, what in kinds.items()}


def warn_of_identifiers(frame: Frame, columns: Sequence[Column]) -> None:
    """Say which columns of levels are names of rows rather than properties."""
    for column in columns:
        coded = column.levels is not None and column.words is None
        if coded and frame.n > MANY and len(column.known) > frame.n / 2:
            notice(
                f"column {column.name!r} has {len(column.known)} different values in {frame.n} rows, as "
                f"names do: --drop {column.name!r} leaves it out; --kind {column.name!r}=text reads words."
            )


def without_identifiers(
    table: dict[str, Any], target: str, keep: Sequence[str], flag: str = "--keep"
) -> dict[str, Any]:
    """The table without the columns that name or number its rows, and a notice of each."""
    names = names_of_rows(Frame.of(table), target, keep, flag)
    return {name: column for name, column in table.items() if name not in names}


def names_of_rows(frame: Frame, target: str, keep: Sequence[str], flag: str = "--keep") -> list[str]:
    """The columns that name or number rows and are to be left out, and a notice of each."""
    from likely.report.profile.identifiers import identifiers

    for name in keep:
        known_column(name, list(frame.names), flag)
    names = identifiers(frame, [name for name in frame.names if name != target and name not in keep])
    if len(names) > len(frame.names) - 2:
        return []  # nothing else is left
    for name, seen in names.items():
        all_the_same = f"{name!r}=categorical" if flag == "--kind" else repr(name)
        notice(
            f"column {name!r} is left out: {seen}, as names or numbers of rows have. {flag} {all_the_same} "
            f"learns from it; --kind {name!r}=text from its words."
        )
    return list(names)


def named_in(declared: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The columns that something is declared of."""
    return [name for name in columns if any(text.startswith(f"{name}=") for text in declared)]


def families_of(declared: Sequence[str], columns: Sequence[str]) -> Any:
    """`--family`: one family for all, or COLUMN=FAMILY.

    >>> families_of(["auto"], ["age"]), families_of(["age=kernel"], ["age"])
    ('auto', {'age': 'kernel'})
    """
    return _by_column(declared, columns, "--family")


def prior_of(word: str) -> Any:
    """`--prior`: default, none, or a strength.

    >>> prior_of("default"), prior_of("none"), prior_of("0.5")
    ('default', None, 0.5)
    """
    if word in ("default", "none"):
        return None if word == "none" else word
    try:
        return float(word)
    except ValueError:
        raise LikelyError(
            f"--prior {word!r}: give 'default', 'none' (maximum likelihood), or the strength of the default "
            "as a number."
        ) from None


def coefficient_prior_of(word: str) -> Any:
    """`--prior` of a regression: default, none, auto, validated, jeffreys, or the sd of a normal prior.

    >>> coefficient_prior_of("auto"), coefficient_prior_of("none"), coefficient_prior_of("2")
    ('auto', None, Normal(mean=0.0, sd=2.0))
    """
    if word in ("default", "none", "auto", "validated", "jeffreys"):
        return None if word == "none" else word
    from likely.dist import Normal

    try:
        return Normal(0, float(word))
    except ValueError:
        raise LikelyError(
            f"--prior {word!r}: give 'default', 'none' (maximum likelihood), 'auto', or for logistic "
            "regression 'validated' or 'jeffreys', or the standard deviation of a normal prior of the "
            "coefficients as a number above 0."
        ) from None


def _by_column(declared: Sequence[str], columns: Sequence[str], option: str) -> Any:
    if len(declared) == 1 and "=" not in declared[0]:
        return declared[0]
    return dict(pair(text, columns, option) for text in declared) or None


def _levels(name: str, what: str, frame: Frame) -> list[Any]:
    """Levels as the column has them: those of numbers are numbers."""
    values = {str(value): value for value in frame.raw(name).distinct()[1]}
    numbers = bool(values) and all(isinstance(value, int | float) for value in values.values())
    return [values.get(text, _number(text) if numbers else text) for text in map(str.strip, what.split("<"))]


def _number(text: str) -> Any:
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        return text
