"""What a change passes before it counts: hooks, workflow, coverage gate, long checks, templates."""

from __future__ import annotations

import re
import tomllib

from source import ROOT

TOOLS = {"ruff check", "ruff format", "mypy", "lint-imports"}
JOBS = {"lint", "tests", "lowest", "docs", "coverage"}
GATE = 95  # per cent of the lines of `src`


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def hooks_lacking(config: str) -> set[str]:
    """Tools that no hook runs; a hook that is fetched from elsewhere counts for none."""
    if re.search(r"repo: (?!local)", config):
        return TOOLS
    entries = re.findall(r"entry: \.venv/bin/(.*)$", config, re.MULTILINE)
    return {tool for tool in TOOLS if not any(entry.startswith(tool) for entry in entries)}


def jobs_lacking(workflow: str) -> set[str]:
    """Jobs that a push does not start."""
    jobs = set(re.findall(r"^  ([a-z]+):$", workflow.partition("\njobs:\n")[2], re.MULTILINE))
    return JOBS - jobs


def recipe(makefile: str, target: str) -> str:
    """What a target of the Makefile runs."""
    lines = makefile.partition(f"\n{target}:")[2].split("\n")[1:]
    return "\n".join(line for line in lines[: next(i for i, x in enumerate(lines) if not x.startswith("\t"))])


def left_out_of_long_checks(makefile: str) -> list[str]:
    """Why `make check-long` would not run every test there is, with every example."""
    said = recipe(makefile, "check-long")
    faults = [] if "LIKELY_LONG=1" in said else ["draws few examples"]
    faults += [] if "LIKELY_DATA_REQUIRED=1" in said else ["skips what real data is absent for"]
    return [*faults, *(["selects by mark"] if re.search(r"pytest.* -m ", said) else [])]


def test_hooks_run_what_the_lint_runs():
    assert hooks_lacking(read(".pre-commit-config.yaml")) == set()
    lint = recipe(read("Makefile"), "lint")
    assert {tool for tool in TOOLS if f"$(BIN)/{tool}" not in lint} == set()


def test_the_workflow_has_every_job():
    assert jobs_lacking(read(".github/workflows/test.yml")) == set()


def test_every_test_is_in_the_long_checks():
    assert left_out_of_long_checks(read("Makefile")) == []


def test_the_gate_of_coverage():
    coverage = tomllib.loads(read("pyproject.toml"))["tool"]["coverage"]
    assert coverage["report"]["fail_under"] >= GATE
    assert coverage["run"]["source"] == ["likely"]
    assert "--cov" in recipe(read("Makefile"), "coverage")


def test_layers_have_no_exemptions():
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    assert [contract["name"] for contract in contracts if "ignore_imports" in contract] == []
    (inside,) = (contract for contract in contracts if contract.get("containers") == ["likely.models"])
    assert inside["exhaustive"]


def test_templates_and_release_notes_are_there():
    for name in (".github/PULL_REQUEST_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.yml", "CITATION.cff"):
        assert read(name).strip(), name
    assert "## Unreleased" in read("CHANGELOG.md")


def test_the_laws_see_what_lacks():
    local = "repos:\n  - repo: local\n    hooks:\n      - id: a\n        entry: .venv/bin/ruff check\n"
    assert hooks_lacking(local) == TOOLS - {"ruff check"}
    assert hooks_lacking(local.replace("local", "https://elsewhere")) == TOOLS
    assert jobs_lacking("on:\n  push:\n\njobs:\n  lint:\n    steps:\n  docs:\n") == JOBS - {"lint", "docs"}
    short = "\ntest:\n\tpytest\n\ncheck-long: test\n\tLIKELY_LONG=1 pytest -q -m long\n\n"
    assert left_out_of_long_checks(short) == ["skips what real data is absent for", "selects by mark"]
    assert recipe(short, "test") == "\tpytest"
