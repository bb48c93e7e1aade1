"""A part of a model is one thing: nobody asks how it reads, or keeps its pieces in lists side by side."""

from __future__ import annotations

import re
from pathlib import Path

import likely

HOME = Path(likely.__file__).parent
FILES = {"models/groups/file_form.py", "estimator/model_rows.py"}  # the form that model files have


def test_how_a_part_reads_is_its_class() -> None:
    asking = {
        path.relative_to(HOME).as_posix()
        for path in HOME.rglob("*.py")
        if re.search(r"\bReads\b|\.slots\b", path.read_text(encoding="utf-8"))
    }
    assert asking <= FILES


def test_parts_are_not_kept_in_lists_side_by_side() -> None:
    beside = re.compile(r"zip\([^)]*\.parts\b[^)]*\.parts\b")
    allowed = {"models/groups/tally.py"}  # two tallies of the same parts, which add
    zipping = {
        path.relative_to(HOME).as_posix()
        for path in HOME.rglob("*.py")
        if beside.search(path.read_text(encoding="utf-8"))
    }
    assert zipping <= allowed | FILES
