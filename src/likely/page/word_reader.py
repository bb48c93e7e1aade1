"""How the words of a text are found, for the script: the same letters, capitals, runs and stop words."""

from __future__ import annotations

import re
from typing import Any

from likely.table.column.words import Words

_WORD = r"\p{L}\p{N}_"  # what Python takes for letters, digits and underscores
_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_EDGE = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_OUTSIDE = {
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\d": r"\p{Nd}",
    r"\s": f"[{_SPACE}]",
    r"\S": f"[^{_SPACE}]",
    r"\b": _EDGE,
    ".": r"[^\n]",
}
_INSIDE = {r"\w": _WORD, r"\d": r"\p{Nd}", r"\s": _SPACE}
# What means the same in both languages, or is put in other words; a text of other things is not imitated.
_PART = re.compile(
    r"(?P<flag>\A\(\?u\))|(?P<open>\(\?:)|(?P<close>\))|(?P<either>\|)"
    r"|(?P<times>(?:[*+?]|\{\d+(?:,\d*)?\})\??(?![+*?]))"
    r"|\[(?P<negated>\^?)(?P<some>(?:\\.|[^\]\[\\])+)\]"
    r"|(?P<kind>\\[wWdsSb]|\.)|\\(?P<escaped>[^\w\s])|(?P<plain>[^\\\[\](){}*+?^$|.])",
    re.DOTALL,
)
_MEMBER = re.compile(
    r"(?P<kind>\\[wds])|\\(?P<escaped>[^\w\s])|(?P<range>[^\\-]-[^\\-])|(?P<plain>[^\\^&~|\[-])|(?P<last>-\Z)"
)


def reader_of(words: Words) -> dict[str, Any] | None:
    """Pattern, capitals, runs and stop words; None of a pattern that browsers do not read alike.

    >>> reader_of(Words())["pattern"]
    '[\\\\p{L}\\\\p{N}_]+'
    >>> reader_of(Words(pattern="(?<=x)y+")) is None
    True
    """
    pattern = browser_pattern(words.pattern)
    if pattern is None:
        return None
    stop = sorted(words.stop_words())
    return {"pattern": pattern, "lowercase": words.lowercase, "ngrams": words.ngrams, "stop": stop}


def browser_pattern(pattern: str) -> str | None:
    """A regular expression of Python in the language of browsers, with their flag u; None if it is not known.

    >>> browser_pattern(r"\\d+") == r"\\p{Nd}+", browser_pattern("(a)") is None
    (True, True)
    """
    if re.search(pattern, "") is not None:  # both find it between letters, but not equally often
        return None
    out, at = [], 0
    while at < len(pattern):
        part = _PART.match(pattern, at)
        said = None if part is None else _put(part)
        if part is None or said is None:
            return None
        out.append(said)
        at = part.end()
    return "".join(out)


def _put(part: re.Match[str]) -> str | None:
    if part["some"] is not None:
        inside = _members(part["some"])
        return None if inside is None else f"[{part['negated']}{inside}]"
    if part["kind"]:
        return _OUTSIDE[part["kind"]]
    if part["escaped"] or part["plain"]:
        return _letter(part["escaped"] or part["plain"])
    return "" if part["flag"] else part[0]


def _members(some: str) -> str | None:
    out, at = [], 0
    while at < len(some):
        member = _MEMBER.match(some, at)
        if member is None:
            return None
        if member["kind"]:
            out.append(_INSIDE[member["kind"]])
        elif member["range"]:
            out.append(f"{_letter(member['range'][0])}-{_letter(member['range'][2])}")
        else:
            out.append(_letter(member["escaped"] or member["plain"] or "-"))
        at = member.end()
    return "".join(out)


def _letter(letter: str) -> str:
    return letter if letter.isascii() and letter.isalnum() else f"\\u{{{ord(letter):x}}}"
