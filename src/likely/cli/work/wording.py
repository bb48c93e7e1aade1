"""Messages that tell what to write in Python, said for the command line."""

from __future__ import annotations

import re

_OPTIONS = {"kinds": "--kind", "families": "--family"}
_BY_COLUMN = re.compile(r"""\b(kinds|families)=\{(['"])(.*?)\2: '([\w ]+)'\}""")
_INDEXED = re.compile(r"""\b(kinds|families)\[(['"])(.*?)\2\]""")
_STDIN = re.compile(r"\S*[/\\]standard-input\.\w+")
_ROW = re.compile(r"(?<!['\"\w-])row (\d+)\b(?!['\"])")  # counted from 0 in Python
_LACKS = re.compile(r"yet now missing:\n((?:- .*\n)+)")
_WORDS = {
    "encoding= ": "--encoding ",
    "decimal= ": "--decimal ",
    "separator=": "--separator ",
    "header=False": "--no-header",
    "folds=": "--folds ",
    "components=": "-k ",
    "states=": "-k ",
    "missing='": "--missing '",
    "prior='default'": "--prior default",
}


def for_the_command_line(message: str) -> str:
    """A message on at most two lines, or three that end in a caret, with options where Python has parameters.

    >>> for_the_command_line("declare kinds={'the age': 'categorical'} to take each value as text.")
    "declare --kind 'the age=categorical' to take each value as text."
    >>> for_the_command_line("the target is missing in row 0")
    'the target is missing in row 1'
    >>> for_the_command_line("one\\ntwo\\n- three")
    'one\\ntwo - three'
    """
    lacks = _LACKS.search(message)
    if lacks:
        names = ", ".join(repr(name) for name in re.findall(r"^- (.*)$", lacks[1], re.MULTILINE))
        message = f"the table lacks what the model was fitted on: {names}.\n{message[lacks.end() :]}"
    message = _BY_COLUMN.sub(lambda m: f"{_OPTIONS[m[1]]} {_quoted(f'{m[3]}={m[4]}')}", message)
    message = _INDEXED.sub(lambda m: f"{_OPTIONS[m[1]]} {m[3]}=...", message)
    message = _STDIN.sub("standard input", _ROW.sub(lambda m: f"row {int(m[1]) + 1}", message))
    for python, option in _WORDS.items():
        message = message.replace(python, option)
    lines = message.strip().splitlines()
    if lines[-1].strip() == "^":  # it stands under a place of the line above
        return "\n".join(lines)
    first, *rest = (line.strip() for line in lines)
    return "\n".join([first, " ".join(rest)]) if rest else first


def _quoted(word: str) -> str:
    return f"'{word}'" if re.search(r"[^\w=.-]", word) else word
