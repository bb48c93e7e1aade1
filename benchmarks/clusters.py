"""Clusters on this machine: naive Bayes on Spark beside MLlib's, on Dask by blocks and by queries, and passes
by one worker and by two.

python benchmarks/clusters.py [rows] [folder]

The table of scale.py. CPU seconds of the fit, of this process and of all that it started (Java, workers),
which run before the clock starts; each way in a process of its own. What is not installed is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import scale
from figures import keep

Fit = Callable[[], object]
LEVELS = [f"c{j}" for j in range(10)]
NUMBERS = [f"x{j}" for j in range(10)]


def family_seconds() -> float:
    """CPU seconds so far of this process, its children, theirs, and those of them that ended."""
    parents, seconds = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has just ended
            continue
        pid = int(stat.parent.name)
        parents[pid], seconds[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(seconds[pid] for pid in family) / os.sysconf("SC_CLK_TCK")


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    started = builder.config("spark.driver.memory", "2g").getOrCreate()
    started.sparkContext.setLogLevel("OFF")
    started.range(1000).selectExpr("sum(id)").collect()
    return started


def spark(folder: str) -> Fit:
    rows = session().read.parquet(f"{folder}/*.parquet")
    return lambda: scale.classical().fit(rows, "y")


def mllib(folder: str) -> Fit:
    """Gaussian naive Bayes of the numbers, Bernoulli's of one column for each level; gaps filled."""
    rows = session().read.parquet(f"{folder}/*.parquet")

    def fit() -> None:
        from pyspark.ml import Pipeline
        from pyspark.ml.classification import NaiveBayes
        from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler

        filled = rows.fillna(0.0, NUMBERS).fillna("missing", LEVELS)
        codes, ones = [f"{name}_code" for name in LEVELS], [f"{name}_one" for name in LEVELS]
        stages = [
            StringIndexer(inputCols=["y", *LEVELS], outputCols=["label", *codes]),
            OneHotEncoder(inputCols=codes, outputCols=ones, dropLast=False),
            VectorAssembler(inputCols=ones, outputCol="levels"),
            VectorAssembler(inputCols=NUMBERS, outputCol="numbers"),
            NaiveBayes(modelType="bernoulli", featuresCol="levels", predictionCol="a").setProbabilityCol("b"),
            NaiveBayes(modelType="gaussian", featuresCol="numbers", predictionCol="c").setProbabilityCol("d"),
        ]
        stages[-2].setRawPredictionCol("e")
        stages[-1].setRawPredictionCol("f")
        Pipeline(stages=stages).fit(filled)

    return fit


def dask_cluster(workers: int) -> AbstractContextManager[Any]:
    from dask.distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0")
    client = Client(cluster)
    client.wait_for_workers(workers)
    list(client.map(_loaded, range(10 * workers), pure=False))
    return client


def _loaded(_: int) -> int:
    import likely.models  # noqa: F401  # before the clock starts

    return os.getpid()


def dask_queries(folder: str) -> Fit:
    import dask.dataframe as dd

    dask_cluster(2)
    rows = dd.read_parquet(f"{folder}/part-*.parquet", split_row_groups=True)
    return lambda: scale.classical().fit(rows, "y")


def _dask_blocks(folder: str, workers: int, model: Any) -> Fit:
    import likely

    dask_cluster(workers)
    lake = likely.scan(f"{folder}/*.parquet", engine="dask")
    return lambda: model.fit(lake, "y")


def dask_blocks(folder: str) -> Fit:
    return _dask_blocks(folder, 2, scale.classical())


def newton_of_one(folder: str) -> Fit:
    return _dask_blocks(f"{folder}/{scale.NUMBERS}", 1, scale.regression())


def newton_of_two(folder: str) -> Fit:
    return _dask_blocks(f"{folder}/{scale.NUMBERS}", 2, scale.regression())


WAYS: dict[str, tuple[str, Callable[[str], Fit]]] = {
    "MLlib, gaussian and one-hot": ("pyspark", mllib),
    "fit in Spark": ("pyspark", spark),
    "fit in Dask by queries": ("distributed", dask_queries),
    "blocks by Dask": ("distributed", dask_blocks),
    "Newton by Dask, 1 worker": ("distributed", newton_of_one),
    "Newton by Dask, 2 workers": ("distributed", newton_of_two),
}


def one(way: str, folder: str) -> None:
    fit = WAYS[way][1](folder)
    before, began = family_seconds(), time.monotonic()
    fit()
    wall = time.monotonic() - began
    print(json.dumps({"cpu": family_seconds() - before, "wall": wall}), flush=True)


def measured(way: str, folder: str) -> dict[str, float]:
    command = [sys.executable, "-W", "ignore", __file__, "--one", way, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answers = [line for line in done.stdout.splitlines() if line.startswith("{")]
    answer: dict[str, float] = json.loads(answers[-1])
    return answer


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:4])
        return
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 2_000_000
    with tempfile.TemporaryDirectory(prefix="likely-clusters-") as temporary:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary)
        scale.lake(rows, folder)
        print(f"{rows:,} rows x 20 columns\n{'':31}{'CPU s':>8}{'wall s':>8}")
        for way, (package, _) in WAYS.items():
            if find_spec(package) is None:
                print(f"{way:31} skipped: {package} is not installed")
                continue
            figure = measured(way, str(folder))
            print(f"{way:31}{figure['cpu']:8.2f}{figure['wall']:8.2f}", flush=True)
            keep(f"clusters: {way}", figure["cpu"], "s")


if __name__ == "__main__":
    main()
