"""Real clusters on this machine: the same sums as here, and a worker that is killed takes nothing with it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lazy_engines import spark_session
from sklearn.base import clone

import likely
from likely.engine.memory import ReduceTask
from likely.engine.scan.executors import DaskExecutor, Executor, LocalExecutor, RayExecutor, SparkExecutor
from likely.engine.scan.scan import WithoutColumns
from likely.table.frame import Frame
from likely.table.schema import Schema

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
N = 40_000
HERE = LocalExecutor(here=False)


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lake")
    rng = np.random.default_rng(0)
    for i in range(4):
        group = rng.integers(0, 3, N // 4)
        x = rng.normal(size=(N // 4, 3)) + 4.0 * np.eye(3)[group]
        rows = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": np.array(["p", "q", "r"])[group]}
        pq.write_table(pa.table(rows), folder / f"part-{i}.parquet", row_group_size=N // 16)
    return likely.scan(str(folder))


@dataclass(frozen=True)
class SlowSum(ReduceTask[Frame, float]):
    """The sum of a column, and a while for somebody to be killed in."""

    folder: str

    def step(self, data: Frame, start: int, stop: int) -> float:
        with open(f"{self.folder}/{os.getpid()}-{time.monotonic_ns()}", "w"):
            pass
        time.sleep(0.3)
        return float(np.sum(data.raw("a").values[start:stop]))


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def kill_the_first_to_work(folder, spared: set[int], kill: Callable[[int], None] = kill) -> threading.Thread:
    """End, by SIGKILL, the process that is seen at work first; only one of the cluster's own workers."""

    def watch() -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            at_work = {int(path.name.split("-")[0]) for path in folder.iterdir()} - spared
            if at_work:
                kill(at_work.pop())
                return
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def fits(lake, executor):
    """A model in closed form and one that iterates."""
    elsewhere = replace(lake, executor=executor)
    counted = likely.NaiveBayes(families="classical", evidence_weights=None).fit(elsewhere, "y")
    return counted, likely.LogisticRegression(prior=likely.Normal(0, 1)).fit(elsewhere, "y")


def assert_same_bits(mine, theirs):
    for a, b in zip(mine[0].record_.parts, theirs[0].record_.parts, strict=True):
        np.testing.assert_array_equal(a.statistic.scatter, b.statistic.scatter)
    np.testing.assert_allclose(mine[1].coef_, theirs[1].coef_, rtol=1e-12)
    assert mine[1].record_.log_likelihood == pytest.approx(theirs[1].record_.log_likelihood, rel=1e-12)


def check_killed(lake, executor, tmp_path, spared=()):
    elsewhere = replace(lake, executor=executor)
    schema = Schema.learn(Frame.of({"a": [1.0, 2.0]}))
    expected = (
        replace(lake, executor=HERE)
        .engine()
        .reduce(lake.source(schema, WithoutColumns()), SlowSum(str(tmp_path)))
    )
    for path in tmp_path.iterdir():
        path.unlink()
    killer = kill_the_first_to_work(tmp_path, {os.getpid(), *spared})
    total = elsewhere.engine().reduce(elsewhere.source(schema, WithoutColumns()), SlowSum(str(tmp_path)))
    killer.join()
    assert total == pytest.approx(expected, rel=1e-12)
    steps = len(list(tmp_path.iterdir()))
    assert len(lake.parts) < steps <= 2 * len(lake.parts)  # somebody was killed, and no pass was lost


def test_dask(lake, tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="Dask is not installed: the extra `dask`")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster):
        executor = DaskExecutor(cluster.scheduler_address)
        assert_same_bits(fits(lake, executor), fits(lake, HERE))
        check_killed(lake, executor, tmp_path)
        model = likely.Mixture(3, random_state=0, prior=None)
        mine = clone(model).fit(replace(lake, executor=executor))
        theirs = clone(model).fit(replace(lake, executor=HERE))
        assert mine.history_[-1] == pytest.approx(theirs.history_[-1], rel=1e-12)


REAL_FITS = {
    "newton": (likely.LogisticRegression(prior=likely.Normal(0, 1)), "y"),
    "em": (likely.Mixture(3, random_state=0, prior=None, max_iter=12, tol=0), None),
}


def objective(model):
    """What the fit climbs, at its end."""
    return model.history_[-1] if hasattr(model, "history_") else model.record_.log_likelihood


@dataclass(frozen=True)
class SlowWork:
    """What is done with a part, and a while before it for somebody to be killed in."""

    work: Callable[[Any], Any]
    folder: str

    def __call__(self, part: Any) -> Any:
        with open(f"{self.folder}/{os.getpid()}-{time.monotonic_ns()}", "w"):
            pass
        time.sleep(0.3)
        return self.work(part)


@dataclass(frozen=True)
class KillingExecutor:
    """A cluster of which a process is killed in the middle of a pass, while it has a part to read."""

    cluster: Executor
    folder: Path
    at: int  # in which pass; 0: in none
    kill: Callable[[int], None] = kill
    passes: list[int] = field(default_factory=list)
    here: bool = False

    def run(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
        self.passes.append(len(parts))
        if len(self.passes) != self.at:
            yield from self.cluster.run(work, parts)
            return
        killer = kill_the_first_to_work(self.folder, {os.getpid()}, self.kill)
        yield from self.cluster.run(SlowWork(work, str(self.folder)), parts)
        killer.join()


def assert_a_fit_goes_on(lake, cluster, name, folder, kill=kill):
    """The same objective to 1e-12, and not a pass more than without."""
    model, y = REAL_FITS[name]
    table = lake if y else lake.drop("y")
    quiet, killing = KillingExecutor(cluster, folder, 0), KillingExecutor(cluster, folder, 5, kill)
    undisturbed = clone(model).fit(replace(table, executor=quiet), *([y] if y else []))
    disturbed = clone(model).fit(replace(table, executor=killing), *([y] if y else []))
    assert len(killing.passes) == len(quiet.passes) > 5
    tried = len(list(folder.iterdir()))
    assert len(lake.parts) < tried <= 2 * len(lake.parts)  # somebody was killed, and no pass was lost
    assert objective(disturbed) == pytest.approx(objective(undisturbed), rel=1e-12)


@pytest.mark.parametrize("name", REAL_FITS)
def test_a_fit_goes_on_without_a_worker_of_dask(lake, name, tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="Dask is not installed: the extra `dask`")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster):
        assert_a_fit_goes_on(lake, DaskExecutor(cluster.scheduler_address), name, tmp_path)


def test_spark(lake, tmp_path):
    spark_session()
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # its workers do not see the tests
    os.environ.setdefault("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    executor = SparkExecutor()
    check_killed(lake, executor, tmp_path)
    assert_same_bits(fits(lake, executor), fits(lake, HERE))
    for name in REAL_FITS:
        own = tmp_path / name
        own.mkdir()
        assert_a_fit_goes_on(lake, executor, name, own)


def test_ray(lake, tmp_path):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        assert_same_bits(fits(lake, RayExecutor()), fits(lake, HERE))
        check_killed(lake, RayExecutor(), tmp_path)
        for name in REAL_FITS:
            own = tmp_path / name
            own.mkdir()
            assert_a_fit_goes_on(lake, RayExecutor(), name, own)
    finally:
        ray.shutdown()
