"""Who reads the parts of a table: this process, or the workers of Dask, Spark or Ray.

An executor runs a picklable function over parts, and gives the results in the order of the parts. A worker
that dies takes nothing with it: what it was at, and what it held, is done again by another, from the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from likely.errors import LikelyError

P = TypeVar("P")
T = TypeVar("T")

RETRIES = 4  # times that a part is tried again before the run is given up
NAMES = ("local", "dask", "spark", "ray")


class Executor(Protocol):
    """Runs a function over parts."""

    @property
    def here(self) -> bool:
        """Whether that is in this process, so that parts need not be files."""

    def run(self, work: Callable[[P], T], parts: Sequence[P]) -> Iterator[T]:
        """What the function makes of each part, in order."""


@dataclass(frozen=True)
class LocalExecutor:
    """One part after another, in this process."""

    here: bool = True

    def run(self, work: Callable[[P], T], parts: Sequence[P]) -> Iterator[T]:
        """What the function makes of each part, in order."""
        return map(work, parts)


@dataclass(frozen=True)
class DaskExecutor:
    """Tasks of a Dask cluster: that of an address, that of this process, or a new one on this machine.

    Plain tasks, no actors: an actor is lost with its worker.
    """

    address: str | None = None
    here: bool = False

    def run(self, work: Callable[[P], T], parts: Sequence[P]) -> Iterator[T]:
        """What the function makes of each part, in order."""
        with self._client() as client:
            shared = client.scatter(work, broadcast=True, hash=False)
            futures = client.map(_applied, list(parts), work=shared, retries=RETRIES, pure=False)
            try:
                for future in futures:
                    yield future.result()
            finally:
                client.cancel(futures)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            from dask.distributed import Client, get_client
        except ImportError as error:
            raise not_installed("dask", "dask") from error
        if self.address is not None:
            with Client(self.address, set_as_default=False) as client:
                yield client
            return
        try:
            yield get_client()
        except ValueError:
            with Client(
                n_workers=2, threads_per_worker=1, dashboard_address=None, set_as_default=False
            ) as own:
                yield own


@dataclass(frozen=True)
class SparkExecutor:
    """Tasks of a Spark session: that of a master's address, or the one of this process.

    A local session tries again what failed only if it is told to: "local[2,4]", not "local[2]".
    """

    address: str | None = None
    here: bool = False

    def run(self, work: Callable[[P], T], parts: Sequence[P]) -> Iterator[T]:
        """What the function makes of each part, in order."""
        try:
            from pyspark.sql import SparkSession
        except ImportError as error:
            raise not_installed("spark", "pyspark") from error
        builder: Any = SparkSession.builder
        active = SparkSession.getActiveSession() if self.address is None else None
        master = self.address or f"local[*,{RETRIES}]"
        session = active or builder.master(master).config("spark.ui.enabled", "false").getOrCreate()
        context = session.sparkContext
        # A task of Python takes a while to start: some for each core, so that all have work to the end.
        tasks = min(max(len(parts), 1), 4 * context.defaultParallelism)
        rows = context.parallelize(list(parts), tasks)
        yield from rows.map(work).collect()


@dataclass(frozen=True)
class RayExecutor:
    """Tasks of a Ray cluster."""

    address: str | None = None
    here: bool = False

    def run(self, work: Callable[[P], T], parts: Sequence[P]) -> Iterator[T]:
        """What the function makes of each part, in order."""
        try:
            import ray
        except ImportError as error:
            raise not_installed("ray", "ray") from error
        if not ray.is_initialized():
            ray.init(address=self.address, log_to_driver=False, include_dashboard=False)
        remote = ray.remote(max_retries=RETRIES)(_applied)
        shared = ray.put(work)
        for part in [remote.remote(part, shared) for part in parts]:
            yield ray.get(part)


def _applied(part: Any, work: Callable[[Any], Any]) -> Any:
    return work(part)


def executor(name: str | Executor, address: str | None = None) -> Executor:
    """The executor of a name, or the one that was made already."""
    if not isinstance(name, str):
        return name
    kinds: dict[str, Callable[[str | None], Executor]] = {
        "local": lambda address: LocalExecutor(),
        "dask": DaskExecutor,
        "spark": SparkExecutor,
        "ray": RayExecutor,
    }
    if name not in kinds:
        raise LikelyError(f"engine={name!r} is unknown: use one of {', '.join(NAMES)}.")
    if name == "local" and address is not None:
        raise LikelyError(f"address={address!r} is of a cluster: name its engine, such as engine='dask'.")
    return kinds[name](address)


def not_installed(name: str, package: str) -> LikelyError:
    """What to say of a cluster engine that is not there."""
    extra = f"pip install 'likely[{name}]'" if name in ("dask", "spark") else f"pip install {package}"
    return LikelyError(f"engine={name!r} needs the package {package}, which is not installed: {extra}.")
