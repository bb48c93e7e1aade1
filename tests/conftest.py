"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

# Before NumPy is imported: each worker has a core, and idle threads of BLAS and OpenMP would spin on those of
# others (a fifth of the processor time). How many threads our own work has is another matter, and tested.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # each command that is started would compile all modules again

import pytest
from fast import FAST
from hypothesis import HealthCheck, settings
from postgres_server import running_postgres
from seeds import examples

# The same examples in every run, so that a change that passes once passes again; nor does it depend on how
# busy the machine is.
settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")

TESTS = Path(__file__).resolve().parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only the quick selection of tests/fast.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, no other files are even imported."""
    if not config.getoption("--fast") or collection_path.is_dir():
        return None
    path = collection_path.relative_to(TESTS)
    return None if path.as_posix() in FAST or path.parts[0] in FAST else True


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets beside the project; see its INDEX.md."""
    checkout = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("LIKELY_DATA", checkout.parent / "shared" / "data"))
    if not folder.is_dir():
        if os.environ.get("LIKELY_DATA_REQUIRED"):
            pytest.fail(f"the real data sets are required, and {folder} does not exist (set LIKELY_DATA)")
        pytest.skip(f"no real data sets: {folder} does not exist (set LIKELY_DATA)")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capsys, monkeypatch, folder):
    """A command to run there."""
    from drive import Cli

    return Cli(capsys, monkeypatch)


@pytest.fixture(scope="session")
def saved_titanic(tmp_path_factory):
    """The file of a model to ask."""
    import likely

    path = tmp_path_factory.mktemp("models") / "titanic.likely"
    likely.NaiveBayes().fit(likely.read("titanic", into="dict"), "survived").save(path)
    return path


@pytest.fixture
def titanic(saved_titanic, folder):
    """A model in the folder: the name of its file."""
    shutil.copy(saved_titanic, folder / "titanic.likely")
    return "titanic.likely"


@pytest.fixture(scope="session")
def postgres() -> Iterator[int]:
    """The port of a PostgreSQL server that lives as long as the tests."""
    with running_postgres() as port:
        yield port
