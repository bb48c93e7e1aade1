"""The tests of a folder lie in the folder of the same name; what tests several lies in the one above them."""

from __future__ import annotations

from pathlib import Path

from source import ROOT, folders

TESTS = ROOT / "tests"
WITHOUT_MIRROR = {"house": "laws of the source tree itself"}
# Folders whose tests lie elsewhere, and where.
TESTED_ELSEWHERE = {
    "cli/work": "tests/cli: the work is tested through the commands that do it",
    "dist/predictive": "tests/dist: predictive distributions are rows of its table of cases",
    "pool/members": "tests/pool: members are tested as parts of a pool",
    "pool/reading": "tests/pool: the reading is tested with the members that share it",
}


def strangers(of_tests: set[str], of_src: set[str]) -> set[str]:
    """Folders of tests that no folder of the source has the name of."""
    return of_tests - of_src - set(WITHOUT_MIRROR)


def untested(of_tests: set[str], of_src: set[str]) -> set[str]:
    """Folders without a folder of tests: a test in a folder inside counts."""
    wanted = of_src - set(TESTED_ELSEWHERE)
    return {name for name in wanted if not any((t + "/").startswith(name + "/") for t in of_tests)}


def test_folders_of_tests_are_folders_of_the_source():
    assert strangers(folders(TESTS), folders()) == set()


def test_every_folder_has_tests():
    assert untested(folders(TESTS), folders()) == set()
    assert set(TESTED_ELSEWHERE) <= folders() - folders(TESTS)


def test_names_of_test_files_are_unique():
    """Test files are imported by their names alone."""
    names = [path.name for path in TESTS.rglob("*.py") if path.name not in ("conftest.py",)]
    assert sorted(names) == sorted(set(names))


def test_the_law_sees_strangers_and_rooms_without_tests(tmp_path: Path):
    for name in ("table/read", "misc"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "test_it.py").touch()
    of_src = {"table", "table/read", "stats", "models/markov"}
    assert strangers(folders(tmp_path), of_src) == {"misc"}
    assert untested(folders(tmp_path), of_src) == {"stats", "models/markov"}
    assert untested({"table/read"}, {"table", "table/read", "table/write"}) == {"table/write"}
