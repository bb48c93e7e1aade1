"""The pages on the command line say what the command says."""

from __future__ import annotations

import re
import runpy
import shlex
from importlib.metadata import version

import pytest
from checkout import DOCS


@pytest.mark.skipif(
    version("click").startswith("8.1."), reason="click writes the lines of usage otherwise before 8.2"
)
def test_the_reference_is_current():
    page = runpy.run_path(str(DOCS / "cli_reference.py"))["page"]()
    stored = (DOCS / "command-line-reference.md").read_text(encoding="utf-8")
    assert stored == page, "run: python docs/cli_reference.py"


SESSIONS = re.findall(
    r"^\$ likely (.*)\n((?:(?!```|\$ ).*\n)*)", (DOCS / "command-line.md").read_text(), re.MULTILINE
)


@pytest.mark.parametrize(("typed", "printed"), SESSIONS, ids=[typed for typed, _ in SESSIONS])
def test_what_the_page_shows_is_what_is_printed(cli, titanic, typed, printed):
    line, _, head = typed.partition(" | head -n ")
    out = cli.ok(*shlex.split(line))
    lines = out.splitlines()[: int(head) if head else None]
    assert rounded("\n".join(lines).rstrip()) == rounded(printed.rstrip())


def rounded(text: str) -> str:
    """Numbers of many digits to twelve: the last ones differ between processors."""
    return re.sub(r"\d\.\d{13,}", lambda number: f"{float(number[0]):.12g}", text)
