"""What the benchmarks measured, kept in results.json and compared with the time before."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).with_name("results.json")
COLLECT = "LIKELY_FIGURES"  # the file where a benchmark that `make bench` runs leaves its figures
QUICK = "LIKELY_QUICK"  # set where sizes are smaller than those that bars are of
PACKAGES = [
    "likely",
    "numpy",
    "scipy",
    "scikit-learn",
    "hmmlearn",
    "statsmodels",
    "pandas",
    "polars",
    "duckdb",
]

Figures = dict[str, tuple[float, str]]  # the name of a figure: its value and unit


def keep(name: str, value: float, unit: str) -> None:
    """Leave a figure for `make bench`; a benchmark that someone runs alone, at any size, leaves none."""
    if COLLECT in os.environ:
        with open(os.environ[COLLECT], "a", encoding="utf-8") as lines:
            lines.write(json.dumps([name, float(value), unit]) + "\n")


def collected(path: Path) -> Figures:
    """What a benchmark has left."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: (value, unit) for name, value, unit in map(json.loads, lines)}


def changes(before: Mapping[str, tuple[float, str]], now: Figures) -> Iterator[str]:
    """A line for each figure: what it is, what it was and by how much it changed."""
    for name, (value, unit) in now.items():
        line = f"{name:60s} {value:10.4g} {unit:5s}"
        if name in before and before[name][1] == unit:
            was = before[name][0]
            line += f" was {was:10.4g}  {value / was - 1:+7.1%}" if was else f" was {was:10.4g}"
        else:
            line += " new"
        yield line
    yield from (f"{name:60s} gone" for name in before if name not in now)


def last() -> dict[str, dict[str, Figures]]:
    """The results that are kept: for each benchmark where it ran and its figures."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def write(results: Mapping[str, object]) -> None:
    """Keep the results, a figure a line."""
    RESULTS.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n", encoding="utf-8")


def surroundings() -> dict[str, str]:
    """What a figure depends on besides our code."""
    packages = {"python": platform.python_version(), "cores": str(os.cpu_count()), "platform": sys.platform}
    for package in PACKAGES:
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            packages[package] = "not installed"
    return packages
