"""Words for "missing" in columns that are numbers otherwise: n/a, null, unknown."""

from __future__ import annotations

from collections.abc import Mapping

from likely.errors import notice

# What may stand for an amount is none of them: "none" children are 0, and so is "-" in accounts.
WORDS = (
    *("n/a", "#n/a", "n.a.", "na", "<na>", "n/k", "null", "#null!", "#value!", "#div/0!", "#ref!"),
    *("missing", "unknown", "not available", "not applicable", ".", "..", "--", "---"),
)
GAPS = frozenset(form for word in WORDS for form in (word, word.upper(), word.capitalize(), word.title()))


def say_gaps(words: Mapping[str, str]) -> None:
    """One notice of the columns in which a word among numbers was read as missing."""
    if not words:
        return
    (name, word), more = next(iter(words.items())), len(words) - 1
    beside = f" (and in {more} more column{'s' if more > 1 else ''})" if more else ""
    notice(f"{word!r} in column {name!r}, which is numbers otherwise{beside}, is read as missing.")
