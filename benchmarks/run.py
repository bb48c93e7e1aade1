"""Every benchmark, or those named: its figures beside the last ones, then kept in results.json.

python benchmarks/run.py [names of benchmarks]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import figures

HERE = Path(__file__).parent
SHARED = {"figures", "run", "side_by_side"}  # modules of the benchmarks, and none themselves
DATA = Path(os.environ.get("LIKELY_DATA", HERE.resolve().parents[1] / "shared" / "data"))
ARGUMENTS = {
    name: [str(DATA)] for name in ("accuracy", "calibrated_tables", "logistic_prior", "networks", "structure")
}


def benchmarks() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in SHARED)


def run(name: str) -> figures.Figures | None:
    """The figures of a benchmark in a process of its own; none if it cannot run or fails."""
    if name in ARGUMENTS and not DATA.is_dir():
        print(f"skipped: no real data sets in {DATA} (set LIKELY_DATA)")
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures"
        command = [sys.executable, str(HERE / f"{name}.py"), *ARGUMENTS.get(name, [])]
        done = subprocess.run(command, env=os.environ | {figures.COLLECT: str(path)}, check=False)
        if done.returncode:
            print(f"{name} ended with {done.returncode}")
        return figures.collected(path)


def main(names: list[str]) -> None:
    results = figures.last()
    for name in names or benchmarks():
        print(f"\n== {name}", flush=True)
        if measured := run(name):
            before = results.get(name, {}).get("figures", {})
            print(f"-- {name}: now and last", *figures.changes(before, measured), sep="\n", flush=True)
            results[name] = {"with": figures.surroundings(), "figures": measured}
            figures.write(results)


if __name__ == "__main__":
    main(sys.argv[1:])
