"""The command in a process of its own that need not import: a copy of one that has imported all it needs.

Most of the time of a short command is imports, a second or two for each. What the installed command alone can
show (that it is installed, what the environment tells Python, signals) is tested with it.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

COPIES = multiprocessing.get_context("forkserver")
# `likely` gives its names when they are asked for: what commands ask for is named here.
MODELS = ["naive_bayes.classifier", "mixture.mixture", "regression.logistic.regression"]
PARTS = [
    "likely.cli.learn",
    "likely.cli.work.learn",
    "likely.cli.work.learn_report",
    "likely.table.read.read",
]
COPIES.set_forkserver_preload([*PARTS, *(f"likely.models.{name}" for name in MODELS), "duckdb", "forked"])


def forked(
    arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], ends: Sequence[str | Path]
) -> BaseProcess:
    """Start the command; `ends` are the files or terminals of its input, output and errors."""
    process = COPIES.Process(target=_child, args=(list(arguments), str(cwd), dict(environment), list(ends)))
    process.start()
    return process


def _child(arguments: list[str], cwd: str, environment: dict[str, str], ends: list[str | Path]) -> None:
    """What the shell and Python do before the command starts, then the command."""
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, end in enumerate(ends):
        flags = (
            os.O_RDONLY if number == 0 and os.path.isfile(end) else os.O_RDWR
        )  # a terminal: the first is ours
        os.dup2(os.open(end, flags), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - they live as long as the process
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
    from likely.cli import main

    main(arguments)
