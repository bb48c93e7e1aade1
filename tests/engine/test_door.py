"""The door of the engines: the same task over the same rows gives the same result behind each of them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from likely.engine import Chunk, Engine, MapTask, Memory, ReduceTask, by_pieces, engine_for, memory
from likely.engine.stream import FileSource, Stream
from likely.errors import LikelyError
from likely.stats import Groups, Moments
from likely.table.frame import Frame
from likely.table.schema import Schema


@dataclass(frozen=True)
class Spread(ReduceTask):
    """Moments of every column, after a shift."""

    shift: float

    def step(self, data, start, stop):
        return Moments.collect(data[start:stop] + self.shift, Groups.one(stop - start))


@dataclass(frozen=True)
class Scores(MapTask):
    """A weighted sum of the columns, and whether it is positive."""

    weights: tuple[float, ...]

    def width(self, stored):
        return stored + 2

    def answers(self, n):
        return np.full(n, np.nan), np.zeros(n, bool)

    def step(self, data, start, stop, out):
        scores, positive = out
        scores[:] = data[start:stop] @ np.array(self.weights)
        positive[:] = scores > 0


@dataclass(frozen=True)
class Pieces:
    """A source of several chunks."""

    rows: np.ndarray
    size: int

    def chunks(self):
        for start in range(0, max(len(self.rows), 1), self.size):
            some = self.rows[start : start + self.size]
            yield Chunk(some, len(some), some.shape[1])


@dataclass(frozen=True)
class ReadNumbers:
    """A batch of a file as a matrix of numbers."""

    schema: Schema

    def __call__(self, frame):
        return self.schema.numbers(frame, range(len(self.schema.columns))).rows(0, frame.n).copy()


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(300_000, 4))


def bits(moments):
    return [getattr(moments, name).tobytes() for name in ("n", "mean", "scatter")]


def whole(rows):
    return Chunk(rows, *rows.shape)


def test_the_number_of_threads_changes_no_bit(rows):
    sums = [bits(Memory(n).reduce(whole(rows), Spread(3.0))) for n in (1, 2, 3, 7)]
    assert sums[0] == sums[1] == sums[2] == sums[3]
    answers = [Memory(n).map(whole(rows), Scores((1.0, 2.0, 0.5, -1.0))) for n in (1, 2, 3, 7)]
    for scores, positive in answers:
        assert scores.tobytes() == answers[0][0].tobytes()
        assert positive.tobytes() == answers[0][1].tobytes()
    assert not np.isnan(answers[0][0]).any()


@pytest.mark.parametrize("task", [Spread(3.0), Scores((1.0, 2.0, 0.5, -1.0))])
def test_a_task_survives_pickling(rows, task):
    again = pickle.loads(pickle.dumps(task))
    assert again == task
    if isinstance(task, Spread):
        assert bits(Memory().reduce(whole(rows), again)) == bits(Memory().reduce(whole(rows), task))
    else:
        for mine, theirs in zip(
            Memory().map(whole(rows), again), Memory().map(whole(rows), task), strict=True
        ):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("engine", [Stream(), Stream(Memory(3))])
def test_a_stream_gives_what_memory_gives(rows, engine: Engine):
    source = Pieces(rows, 70_001)
    streamed, held = engine.reduce(source, Spread(3.0)), Memory().reduce(whole(rows), Spread(3.0))
    np.testing.assert_array_equal(streamed.n, held.n)
    np.testing.assert_allclose(streamed.scatter, held.scatter, rtol=1e-12)
    task = Scores((1.0, 2.0, 0.5, -1.0))
    for mine, theirs in zip(engine.map(source, task), Memory().map(whole(rows), task), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert [len(scores) for scores, _ in engine.each(source, task)] == [70_001] * 4 + [19_996]


def test_a_stream_of_one_chunk_has_the_bits_of_memory(rows):
    assert bits(Stream().reduce(whole(rows), Spread(0.0))) == bits(Memory().reduce(whole(rows), Spread(0.0)))


def test_a_file_is_a_source(tmp_path):
    table = np.random.default_rng(1).normal(size=(2_500, 3))
    path = tmp_path / "numbers.csv"
    np.savetxt(path, table, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    schema = Schema.learn(Frame.of({name: table[:, j] for j, name in enumerate("abc")}))
    source = FileSource(path, schema, ReadNumbers(schema), rows=1_000)
    assert [chunk.n for chunk in source.chunks()] == [1_000, 1_000, 500]
    assert pickle.loads(pickle.dumps(source)) == source
    streamed = Stream().reduce(source, Spread(0.0))
    held = Memory().reduce(whole(table), Spread(0.0))
    np.testing.assert_allclose(streamed.mean, held.mean, rtol=1e-12)
    np.testing.assert_allclose(streamed.scatter, held.scatter, rtol=1e-12)
    scores, _ = Stream().map(source, Scores((1.0, 1.0, 1.0)))
    np.testing.assert_allclose(scores, table.sum(axis=1), rtol=0, atol=1e-14)


def test_no_rows_are_what_a_step_makes_of_none():
    empty = np.empty((0, 4))
    assert Memory().reduce(whole(empty), Spread(0.0)).n.tolist() == [[0.0] * 4]
    assert Stream().reduce(Pieces(empty, 10), Spread(0.0)).n.tolist() == [[0.0] * 4]
    scores, positive = Stream().map(Pieces(empty, 10), Scores((1.0,) * 4))
    assert len(scores) == len(positive) == 0


@pytest.mark.parametrize("size", [1, 1_000, 70_001, 10**6])
def test_pieces_of_a_chunk_are_its_rows(rows, size):
    some = rows if size > 1 else rows[:50]
    chunk, task = whole(some), Scores((1.0, 2.0, 0.5, -1.0))
    pieces = list(chunk.pieces(size))
    assert [piece.first for piece in pieces] == list(range(0, len(some), size))
    assert sum(piece.n for piece in pieces) == len(some)
    answers = by_pieces(chunk, size, lambda piece: Memory(2).map(piece, task))
    for mine, theirs in zip(answers, Memory().map(chunk, task), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    last = pieces[-1]
    part = whole(some[last.first :])
    assert bits(Memory().reduce(last, Spread(1.0))) == bits(Memory().reduce(part, Spread(1.0)))


def test_memory_refuses_what_is_not_in_memory(rows):
    with pytest.raises(LikelyError, match="stream engine"):
        Memory().reduce(Pieces(rows, 10), Spread(0.0))


def test_the_width_of_a_task_decides_the_blocks(rows):
    seen = []

    @dataclass(frozen=True)
    class Wide(ReduceTask):
        def width(self, stored):
            return stored * memory.CELLS

        def step(self, data, start, stop):
            seen.append(stop - start)
            return 0

    assert engine_for(None).reduce(Chunk(None, 1_000, 1), Wide()) == 0
    assert set(seen[:-1]) == {memory.LEAST_ROWS}
