"""The engine: every row once, the same bits for any number of threads, and one thread for BLAS."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seeds import examples
from threadpoolctl import threadpool_info, threadpool_limits

from likely.engine import Chunk, MapTask, ReduceTask, engine_for, memory, threads
from likely.errors import LikelyError
from likely.stats import Groups, Moments, Scatter

WIDE = memory.CELLS  # so wide that a block has LEAST_ROWS rows
jobs = pytest.mark.parametrize("n_jobs", [1, 2, 3, 7])


@dataclass(frozen=True)
class Sum(ReduceTask):
    """What a function gives of (start, stop), added up."""

    function: Callable

    def step(self, data, start, stop):
        return self.function(start, stop)


@dataclass(frozen=True)
class Call(MapTask):
    """A function of (start, stop) that is called for every block, and answers nothing."""

    function: Callable

    def answers(self, n):
        return ()

    def step(self, data, start, stop, out):
        self.function(start, stop)


def reduced(n, width, step, *, n_jobs=None):
    return engine_for(n_jobs).reduce(Chunk(None, n, width), Sum(step))


def mapped(n, width, step, *, n_jobs=None):
    engine_for(n_jobs).map(Chunk(None, n, width), Call(step))


def same_bits(found, expected):
    for name in ("n", "mean", "scatter"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name


@settings(derandomize=True, deadline=None, max_examples=examples(200))
@given(n=st.integers(0, 300_000), width=st.integers(0, 1_000_000))
def test_blocks_cover_every_row_once(n, width):
    parts = memory.blocks(n, width)
    assert [start for start, _ in parts] == [0, *(stop for _, stop in parts)][: len(parts)]
    assert (parts[-1][1] if parts else 0) == n
    assert all(0 < stop - start <= memory.MOST_ROWS for start, stop in parts)
    assert all(
        (stop - start) * width <= memory.CELLS or stop - start <= memory.LEAST_ROWS for start, stop in parts
    )
    assert len({stop - start for start, stop in parts[:-1]}) <= 1


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
def test_moments_have_the_same_bits_for_any_number_of_threads(soft, order):
    rng = np.random.default_rng(0)
    n = 300_000
    rows = np.asarray(rng.normal(size=(n, 6)) * 10.0 ** np.arange(-3, 3), order=order)
    rows[:, 5] = 0.1  # takes the second look
    rows[rng.random(n) < 0.01, 2] = np.nan
    groups = (
        Groups.softly(rng.random((n, 3))) if soft else Groups.hard(rng.integers(0, 3, n), 3, rng.random(n))
    )

    def step(start, stop):
        return Moments.collect(rows[start:stop], groups.rows(start, stop))

    parts = memory.blocks(n, 6, memory.MOST_SUMMED)
    runs = [parts[i : i + memory.RUN] for i in range(0, len(parts), memory.RUN)]
    assert len(runs) > 2
    expected = reduce(add, [reduce(add, [step(*part) for part in run]) for run in runs])
    for n_jobs in (1, 2, 3, 7, 7):
        same_bits(reduced(n, 6, step, n_jobs=n_jobs), expected)
    whole = step(0, n)
    np.testing.assert_allclose(expected.scatter, whole.scatter, rtol=1e-12)
    np.testing.assert_allclose(expected.n, whole.n, rtol=1e-12)


def test_matrix_products_have_the_same_bits_for_any_number_of_threads():
    rng = np.random.default_rng(1)
    rows, groups = rng.normal(size=(20_000, 30)), Groups.one(20_000)
    found = [
        reduced(20_000, 30, lambda a, b: Scatter.collect(rows[a:b], groups.rows(a, b)), n_jobs=n_jobs)
        for n_jobs in (1, 2, 3, 7)
    ]
    for other in found[1:]:
        same_bits(other, found[0])


@jobs
def test_parts_are_added_in_the_order_of_the_rows(n_jobs):
    def step(start, stop):
        time.sleep(0.003 if start == 0 else 0)  # the first comes last
        return [(start, stop)]

    n = 40 * memory.LEAST_ROWS - 3
    assert reduced(n, WIDE, step, n_jobs=n_jobs) == memory.blocks(n, WIDE)


@jobs
def test_map_fills_every_row_once(n_jobs):
    n = 37 * memory.LEAST_ROWS + 5
    times, answers = np.zeros(n, int), np.full(n, np.nan)

    def step(start, stop):
        times[start:stop] += 1
        answers[start:stop] = np.arange(start, stop) ** 2

    mapped(n, WIDE, step, n_jobs=n_jobs)
    assert (times == 1).all()
    np.testing.assert_array_equal(answers, np.arange(n) ** 2)


def test_no_rows_are_no_work():
    def step(start, stop):
        raise AssertionError("there is nothing to do")

    mapped(0, 5, step)


@jobs
@pytest.mark.parametrize("run", [reduced, mapped])
def test_an_error_of_a_step_comes_out_and_stops_the_rest(run, n_jobs):
    begun = []

    def step(start, stop):
        begun.append(start)
        if start == 3 * memory.LEAST_ROWS:
            raise ZeroDivisionError("block 3")
        time.sleep(0.1 if start > 3 * memory.LEAST_ROWS else 0)  # so those not begun are seen not to begin
        return 0

    with pytest.raises(ZeroDivisionError, match="block 3"):
        run(500 * memory.LEAST_ROWS, WIDE, step, n_jobs=n_jobs)
    # Every other thread may be in the midst of a run of blocks, and have begun with one more.
    most = 4 if n_jobs == 1 else 5 + n_jobs + (2 * n_jobs * memory.RUN if run is reduced else 0)
    assert len(begun) <= most
    done = len(begun)
    time.sleep(0.01)
    assert len(begun) == done  # nobody works on


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_error_of_the_addition_comes_out_and_stops_the_rest(n_jobs):
    begun = []

    def step(start, stop):
        begun.append(start)
        return object()  # which cannot be added

    with pytest.raises(TypeError):
        reduced(500 * memory.LEAST_ROWS, WIDE, step, n_jobs=n_jobs)
    assert 2 <= len(begun) <= 4 + 3 * n_jobs


@pytest.mark.parametrize("n_jobs", [0, 1.5, 2.0, "2", "all", [1], np.float64(2)])
def test_n_jobs_must_be_a_number_of_threads(n_jobs):
    with pytest.raises(LikelyError, match="n_jobs="):
        threads(n_jobs)
    with pytest.raises(LikelyError, match="number of threads"):
        reduced(10, 1, lambda a, b: 0, n_jobs=n_jobs)


def test_n_jobs_counts_cores_from_the_end(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    asked = {
        None: 1,
        -1: 8,
        -2: 7,
        -7: 2,
        -8: 1,
        -100: 1,
        1: 1,
        3: 3,
        20: 20,
        np.int64(5): 5,
        np.int32(-2): 7,
    }
    assert {n_jobs: threads(n_jobs) for n_jobs in asked} == asked
    assert type(threads(np.int64(5))) is int
    for told, allowed in {"3": 3, "100": 8, "0": 8, "": 8, "many": 8}.items():
        monkeypatch.setenv("OMP_NUM_THREADS", told)
        assert (threads(-1), threads(-2), threads(5)) == (allowed, max(allowed - 1, 1), 5)


def test_no_more_steps_at_once_than_asked_for():
    running, most, lock = 0, 0, threading.Lock()

    def step(start, stop):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.002)
        with lock:
            running -= 1

    mapped(30 * memory.LEAST_ROWS, WIDE, step, n_jobs=3)
    assert 2 <= most <= 3


def blas_threads():
    """Of NumPy's own library: that of SciPy may be loaded at any time, and is not called from blocks."""
    return {lib["num_threads"] for lib in threadpool_info() if "numpy" in lib["filepath"]}


@pytest.fixture
def two_blas_threads():
    with threadpool_limits(2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("no BLAS whose threads can be set")
        yield


@pytest.mark.usefixtures("two_blas_threads")
class TestBlas:
    @jobs
    def test_is_held_to_one_thread_and_given_back(self, n_jobs):
        seen = []
        mapped(9 * memory.LEAST_ROWS, WIDE, lambda a, b: seen.append(blas_threads()), n_jobs=n_jobs)
        assert seen == [{1}] * 9
        assert blas_threads() == {2}

    @pytest.mark.parametrize("n_jobs", [1, 3])
    def test_is_given_back_after_an_error(self, n_jobs):
        def step(start, stop):
            assert blas_threads() == {1}
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            mapped(9 * memory.LEAST_ROWS, WIDE, step, n_jobs=n_jobs)
        assert blas_threads() == {2}
        with pytest.raises(TypeError):
            reduced(9 * memory.LEAST_ROWS, WIDE, lambda a, b: object(), n_jobs=n_jobs)
        assert blas_threads() == {2}

    def test_is_given_back_once_by_a_run_inside_a_run(self):
        seen = []

        def step(start, stop):
            mapped(10, 1, lambda a, b: seen.append(blas_threads()), n_jobs=1)
            seen.append(blas_threads())

        mapped(2 * memory.LEAST_ROWS, WIDE, step, n_jobs=1)
        assert seen == [{1}] * 4
        assert blas_threads() == {2}

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_is_given_back_by_the_last_of_two_runs_that_overlap(self, n_jobs):
        second_runs, first_done, second_done = (threading.Event() for _ in range(3))
        seen = []

        def first():
            mapped(5, 1, lambda a, b: second_runs.wait(5), n_jobs=n_jobs)
            first_done.set()
            second_done.wait(5)  # this thread, which set BLAS first, lives on

        def step_of_second(start, stop):
            second_runs.set()
            seen.append(first_done.wait(5))
            seen.append(blas_threads())

        one = threading.Thread(target=first)
        two = threading.Thread(target=mapped, args=(5, 1, step_of_second), kwargs={"n_jobs": n_jobs})
        one.start()
        time.sleep(0.02)
        two.start()
        two.join(5)
        found = blas_threads()
        second_done.set()
        one.join(5)
        assert seen == [True, {1}]  # the first to end took nothing away from the second
        assert found == {2}
        mapped(5, 1, lambda a, b: seen.append(blas_threads()))
        assert seen[2:] == [{1}]
        assert blas_threads() == {2}


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread")
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_interrupt_comes_out_at_once(n_jobs):
    """Ctrl-C while blocks are worked on: only those under way are finished (all take 5 s / n_jobs)."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    begun = []

    def step(start, stop):
        begun.append(start)
        if start == 2 * memory.LEAST_ROWS:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.05)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    clock = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            mapped(100 * memory.LEAST_ROWS, WIDE, step, n_jobs=n_jobs)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.perf_counter() - clock < 1.0
    assert 3 <= len(begun) <= 3 + 4 * n_jobs


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_interrupt_raised_in_a_step_comes_out(n_jobs):
    def step(start, stop):
        if start:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mapped(50 * memory.LEAST_ROWS, WIDE, step, n_jobs=n_jobs)
