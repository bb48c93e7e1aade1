"""The promises of the package as a whole."""

from __future__ import annotations

import ast
import importlib
import re
import runpy
import subprocess
import sys
from types import ModuleType

import pytest
from checkout import ROOT
from seeds import rarely

import likely


def test_importing_is_light():
    code = (
        "import sys, likely; print(sorted(set(sys.modules) & "
        "{'sklearn', 'scipy', 'pandas', 'polars', 'duckdb', 'matplotlib', 'numpy'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_exists_and_is_documented():
    documented = set(re.findall(r"^::: likely\.(\w+)", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE))
    assert documented == set(likely.__all__)
    for name in likely.__all__:
        assert getattr(likely, name).__doc__


def test_every_public_name_of_a_module_exists_and_is_documented():
    api = (ROOT / "docs" / "api.md").read_text()
    found = {name: getattr(likely, name) for name in likely.__all__}
    modules = {name: value for name, value in found.items() if isinstance(value, ModuleType)}
    assert list(modules) == [
        "calibrate",
        "codes",
        "compare",
        "decide",
        "hypotheses",
        "score",
        "serve",
        "textbook",
    ]
    for public, module in modules.items():
        documented = re.findall(rf"^::: likely\.{public}\.(\w+)", api, re.MULTILINE)
        assert sorted(documented) == sorted(module.__all__)
        for name in module.__all__:
            assert getattr(module, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        likely.nonsense  # noqa: B018
    assert set(dir(likely)) == {*likely.__all__, "__version__"}


# What takes seconds, and stands elsewhere too: examples of the textbook, comparisons of many models, and
# scripts beside which a page of the docs does nearly the same.
SLOW = {"docs/selecting.md", "docs/textbook.md", "docs/which-model.md", "selection.py", "stranger.py"}
SLOW |= {"hidden_markov.py", "missing.py", "mixtures.py", "regression.py", "serve.py", "textbook.py"}


def slow_last(names):
    """In order, those that take seconds for the long checks."""
    return [*(name for name in names if name not in SLOW), *rarely(*(name for name in names if name in SLOW))]


@pytest.mark.parametrize(
    "page", slow_last(["README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))])
)
def test_code_blocks_run(page, monkeypatch, tmp_path):
    """All Python blocks of a page, one after another, as a reader would run them."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    if page == "README.md":
        assert len(blocks) >= 3


@pytest.mark.parametrize("script", slow_last(sorted(path.name for path in (ROOT / "examples").glob("*.py"))))
def test_examples_run(script, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / script), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_type_checkers_and_the_docs_see_every_public_name():
    """Names that are loaded when they are used are listed for those who read the source only."""
    tree = ast.parse((ROOT / "src" / "likely" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    names = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    families = set(vars(importlib.import_module("likely.dist"))) | {"__version__"}
    assert set(likely.__all__) - names - families == set()
