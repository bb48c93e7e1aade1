"""A fit is a short walk: who follows one with a debugger passes few files."""

from __future__ import annotations

import runpy
import types

import pytest
from limits import FILES_PASSED
from source import ROOT

import likely

WALKS = runpy.run_path(str(ROOT / "benchmarks" / "walks.py"))


@pytest.mark.parametrize("name", FILES_PASSED)
def test_a_fit_passes_few_files(name: str):
    files = WALKS["walk"](WALKS["ours"]()[name], likely).files
    print(f"{name}: {len(files)} files")
    assert len(files) <= FILES_PASSED[name], "\n".join(files)


def test_every_fit_has_a_limit():
    assert WALKS["ours"]().keys() == FILES_PASSED.keys()


def test_the_law_sees_the_files_that_are_passed(tmp_path):
    """Of a made-up library of two files: that of the function, and that of what it calls; each once."""
    library = types.ModuleType("made_up")
    library.__file__ = str(tmp_path / "__init__.py")
    inner, outer = str(tmp_path / "inner.py"), str(tmp_path / "outer.py")
    exec(compile("def g():\n    return [1]\n", inner, "exec"), library.__dict__)
    exec(compile("def f():\n    return g() + g() + sorted([2])\n", outer, "exec"), library.__dict__)
    walked = WALKS["walk"](library.f, library)
    assert walked.files == [inner, outer]
    assert len(walked.functions) == 2
