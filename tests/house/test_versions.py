"""The version, the Pythons and the addresses are said in several files, and the same in all of them."""

from __future__ import annotations

import re
import tomllib

from source import ROOT

import likely

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_one_version():
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    changes = re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert citation
    assert changes
    assert {PROJECT["version"], citation[1], changes[1]} == {likely.__version__}


def test_every_python_is_tested():
    classified = [line.split()[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix
    assert re.findall(r"3\.\d+", matrix[1]) == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"


def test_the_project_says_where_it_is():
    """All at the address that a citation names; files are there."""
    urls = PROJECT["urls"]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= urls.keys()
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    home = re.search(r"^repository-code: (https://\S+)$", citation, re.M)
    assert home
    assert {urls["Homepage"], urls["Source"]} == {home[1]}
    for name, url in urls.items():
        kind, _, path = url.removeprefix(home[1]).strip("/").partition("/main/")
        assert url.startswith(home[1]), name
        assert not kind or kind == "issues" or (kind in ("blob", "tree") and (ROOT / path).exists()), name
