"""The tests on every Python we support, and with the oldest packages we allow: `make test-all`.

An interpreter that is not installed is skipped, and nox says so; pyenv's are found without its shims.
"""

from __future__ import annotations

import os
from pathlib import Path

import nox

PYPROJECT = nox.project.load_toml("pyproject.toml")
LANGUAGE = "Programming Language :: Python :: 3."
PYTHONS = [line.rsplit(" ")[-1] for line in PYPROJECT["project"]["classifiers"] if line.startswith(LANGUAGE)]

nox.options.error_on_missing_interpreters = False
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"

# pyenv keeps its interpreters beside each other, and its shims run only those that are switched on.
for folder in sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin")):
    os.environ["PATH"] += os.pathsep + str(folder)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The tests of `make test`, or what is given after `--`."""
    session.install("--editable", ".[all]", *nox.project.dependency_groups(PYPROJECT, "test"))
    session.run("python", "-m", "pytest", *(session.posargs or ["-m", "not long"]))


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """The oldest packages we allow, on the oldest Python: it alone has wheels of them.

    Old packages warn of one another, so warnings are no errors here; nor is a check of scikit-learn that
    passes in its old form, though it is excused in the new one.
    """
    session.install("uv")
    python = str(Path(session.virtualenv.location) / "bin" / "python")
    install = ("uv", "pip", "install", "--python", python, "--resolution", "lowest-direct")
    session.run(*install, "--editable", ".[all]", "--group", "test")
    lenient = ("-W", "default", "-o", "xfail_strict=false")
    session.run("python", "-m", "pytest", *lenient, *(session.posargs or ["-m", "not long"]))
