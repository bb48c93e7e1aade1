"""Timing ours and theirs in turn, so that a busy moment of the machine hits both."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from figures import QUICK, keep
from threadpoolctl import threadpool_limits

REST = 0.3  # seconds between turns: BLAS threads of the turn before go on spinning for a while


@dataclass
class Result:
    name: str
    ours: float
    theirs: float
    wanted: float  # how many times faster we mean to be

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    def show(self) -> None:
        """Print it, and keep it for `make bench`."""
        print(self, flush=True)
        keep(self.name, 1e3 * self.ours, "ms")
        keep(f"{self.name}: times as fast as the peer", self.ratio, "x")

    def __str__(self) -> str:
        line = f"{self.name:44s} ours {self.ours * 1e3:8.1f} ms   theirs {self.theirs * 1e3:8.1f} ms   "
        line += f"ratio {self.ratio:5.1f}"
        if QUICK in os.environ:
            return line
        return f"{line}   wanted {self.wanted:4.1f}   {'met' if self.ratio >= self.wanted else 'MISSED'}"


def compare(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], wanted: float, repeats: int = 5
) -> Result:
    """Best of `repeats`, in turn; the peer with all BLAS threads and with one, whichever is faster.

    As the peer has two tries at each turn, so have we.
    """
    best = {"ours": float("inf"), "theirs": float("inf")}
    ours(), theirs()  # warm up: imports, caches
    turn = (("ours", ours, None), ("theirs", theirs, None), ("ours", ours, None), ("theirs", theirs, 1))
    for _ in range(repeats):
        for key, run, limit in turn:
            gc.collect()
            time.sleep(REST)
            with nullcontext() if limit is None else threadpool_limits(limit):
                start = time.perf_counter()
                run()
                best[key] = min(best[key], time.perf_counter() - start)
    result = Result(name, best["ours"], best["theirs"], wanted)
    result.show()
    return result


def peak_extra_mb(run: Callable[[], object]) -> float:
    """How far the resident memory of this process rises above its present size while `run` runs (Linux)."""
    gc.collect()
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = _status("VmRSS")
    run()
    return (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    with open("/proc/self/status") as status:
        return int(next(line for line in status if line.startswith(field)).split()[1])
