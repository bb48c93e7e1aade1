"""Names for formats that allow letters, digits and underscores alone, and the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def identifiers(names: Iterable[str]) -> dict[str, str]:
    """An identifier for each name, its own if it is one; no two names get the same.

    >>> identifiers(["age", "Asy/Patch", "Asy Patch", "2nd"])
    {'age': 'age', 'Asy/Patch': 'Asy_Patch', 'Asy Patch': 'Asy_Patch_2', '2nd': 'x2nd'}
    """
    given = list(names)
    chosen = {name: name for name in given if IDENTIFIER.fullmatch(name)}
    taken, last = set(chosen.values()), dict[str, int]()
    for name in given:
        if name not in chosen:
            plain = _plain(name)
            number = last.get(plain, 1)
            while (word := plain if number == 1 else f"{plain}_{number}") in taken:
                number += 1
            chosen[name], last[plain] = word, number
            taken.add(word)
    return {name: chosen[name] for name in given}


def originals(labels: Mapping[str, str]) -> dict[str, str]:
    """The name behind each identifier: its label, if the identifier was made from it; else itself.

    >>> originals({"Asy_Patch_2": "Asy Patch", "N1": "Age"})
    {'Asy_Patch_2': 'Asy Patch', 'N1': 'N1'}
    """
    names = {word: label if _made_from(word, label) else word for word, label in labels.items()}
    return names if len(set(names.values())) == len(names) else {word: word for word in labels}


def _plain(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if IDENTIFIER.fullmatch(plain) else f"x{plain}"


def _made_from(word: str, label: str) -> bool:
    if IDENTIFIER.fullmatch(label):
        return False
    plain = _plain(label)
    return word == plain or re.fullmatch(re.escape(plain) + r"_[0-9]+", word) is not None
