"""Every benchmark, or those named: its figures beside the last ones, then kept in results.json.

python benchmarks/run.py [--full] [names of benchmarks]

As a rule sizes are a tenth of those that the docs speak of, and real tables a few: enough to see that
something has become slower, in a quarter of an hour. `--full` takes all, and hours. Results are one
machine's, and of no use on another: git does not keep the file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import figures

HERE = Path(__file__).parent
SHARED = {"figures", "run", "side_by_side"}  # modules of the benchmarks, and none themselves
DATA = Path(os.environ.get("LIKELY_DATA", HERE.resolve().parents[1] / "shared" / "data"))
ON_TABLES = (
    "accuracy",
    "calibrated_tables",
    "logistic_prior",
    "naive_bayes_defaults",
    "networks",
    "number_targets",
    "structure",
)
QUICK = {
    "accuracy": ["hepatitis", "--peers"],  # of larger tables a peer takes minutes a fold
    "clusters": ["200000"],
    "compression": ["car", "tic_tac_toe"],
    "gaussian": ["30000"],
    "hidden_markov": ["gaussian 4", "categorical 4"],
    "logistic_prior": ["pima_diabetes", "wine"],
    "mixtures": ["0.1"],
    "naive_bayes": ["100000"],
    "scale": ["200000"],
    "naive_bayes_defaults": ["titanic", "hepatitis", "iris"],
    "number_targets": ["penguins"],
    "predict_file": ["300000"],
    "regression": ["0.1", "linear", "sharp", "1"],
    "scoring_sql": ["200000"],
    "text_classes": ["sms_spam"],
}


def benchmarks() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in SHARED)


def arguments(name: str, full: bool) -> list[str]:
    """What a benchmark is called with: the folder of the tables, and how much of it all."""
    return [*([str(DATA)] if name in ON_TABLES else []), *([] if full else QUICK.get(name, []))]


def run(name: str, full: bool) -> tuple[figures.Figures, int]:
    """The figures of a benchmark in a process of its own, and how that ended: none, and well, if skipped."""
    if name in ON_TABLES and not DATA.is_dir():
        print(f"skipped: no real data sets in {DATA} (set LIKELY_DATA)")
        return {}, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures"
        command = [sys.executable, str(HERE / f"{name}.py"), *arguments(name, full)]
        env = os.environ | {figures.COLLECT: str(path), "LIKELY_DATA": str(DATA)}
        env |= {} if full else {figures.QUICK: "1"}
        done = subprocess.run(command, env=env, check=False)
        return figures.collected(path), done.returncode


def main(names: list[str], full: bool) -> None:
    """Run all, whatever becomes of each; ends with an error if one failed."""
    results, failed = figures.last(), []
    for name in names or benchmarks():
        print(f"\n== {name}", flush=True)
        started, key = time.perf_counter(), f"{name}, full" if full else name
        measured, code = run(name, full)
        if code:
            print(f"{name} ended with {code}")
            failed.append(name)
        if measured:
            before = results.get(key, {}).get("figures", {})
            print(f"-- {name}: now and last", *figures.changes(before, measured), sep="\n", flush=True)
            results[key] = {"with": figures.surroundings(), "figures": measured}
            figures.write(results)
        print(f"-- {name}: {time.perf_counter() - started:.0f} s", flush=True)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    words = sys.argv[1:]
    main([word for word in words if word != "--full"], "--full" in words)
