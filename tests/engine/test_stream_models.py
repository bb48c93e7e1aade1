"""Models through every engine: a file is learnt from and answered batch by batch, by the tasks of memory."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import likely
from likely.engine import Chunk, Memory
from likely.engine.stream import FileSource, Stream
from likely.models.groups.record import ClassPosterior
from likely.models.groups.tally import CountInGroups, ReadGrouped
from likely.stats import Groups
from likely.table.frame import Frame

N = 3_000


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    sick = rng.random(N) < 0.3
    weight = rng.normal(70 + 8 * sick, 10)
    weight[rng.random(N) < 0.05] = np.nan
    return {
        "weight": weight,
        "blood": rng.choice(["0", "A", "B"], N),
        "visits": rng.poisson(1 + 2 * sick),
        "sick": np.where(sick, "yes", "no"),
    }


@pytest.fixture(scope="module")
def model(table):
    return likely.NaiveBayes(kinds={"visits": "count"}).fit(table, "sick")


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("stream") / "people.csv"
    likely.write(table, path)
    return path


def source(model, file, rows=700):
    record = model.record_
    schema = replace(record.schema, columns=(*record.schema.columns, record.target))
    return FileSource(file, schema, ReadGrouped(record.parts, record.target), rows=rows)


class ReadBlocks:
    """A batch of a file as the columns that each part reads."""

    def __init__(self, record):
        self.record = record

    def __call__(self, frame):
        return self.record.blocks(frame)


def test_naive_bayes_is_learnt_from_a_file_batch_by_batch(model, file):
    tally = Stream().reduce(source(model, file), CountInGroups(model.record_.parts))
    np.testing.assert_array_equal(tally.groups, model.record_.class_counts)
    for mine, theirs in zip(tally.parts, model.record_.parts, strict=True):
        for name in ("n", "mean", "scatter", "table", "total"):
            if hasattr(theirs.statistic, name):
                np.testing.assert_allclose(
                    getattr(mine.statistic, name), getattr(theirs.statistic, name), rtol=1e-10, err_msg=name
                )


def test_a_file_is_answered_batch_by_batch(model, file, table):
    record = model.record_
    rows = FileSource(file, record.schema, ReadBlocks(record), rows=700)
    task = ClassPosterior(record.predictor, len(record.classes), log=False)
    columns = {name: column for name, column in table.items() if name != "sick"}
    expected = model.predict_proba(columns)
    np.testing.assert_allclose(Stream().map(rows, task)[0], expected, rtol=1e-12)
    batches = [posterior for posterior, _ in Stream(Memory(2)).each(rows, task)]
    assert [len(batch) for batch in batches] == [700, 700, 700, 700, 200]
    np.testing.assert_allclose(np.concatenate(batches), expected, rtol=1e-12)


IN_ANOTHER_PROCESS = """
import pickle, sys
from likely.engine import Memory
from likely.engine.stream import Stream
engine, source, task = pickle.load(sys.stdin.buffer)
found = engine.reduce(source, task)
sys.stdout.buffer.write(pickle.dumps([found.groups, [part.statistic for part in found.parts]]))
"""


@pytest.mark.parametrize("streamed", [False, True])
def test_task_and_source_give_the_same_in_another_process(model, file, table, streamed):
    record = model.record_
    task = CountInGroups(record.parts)
    if streamed:
        engine, rows = Stream(), source(model, file)
    else:
        frame = Frame.of({name: column for name, column in table.items() if name != "sick"})
        groups = Groups.hard((table["sick"] == "yes").astype(np.intp), 2)
        read = ReadGrouped(record.parts, record.target)
        engine, rows = Memory(2), Chunk(read(Frame.of(table)), N, frame.width)
        assert (rows.data.groups.total == groups.total).all()
    here = engine.reduce(rows, task)
    run = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        input=pickle.dumps((engine, rows, task)),
        capture_output=True,
        check=True,
    )
    groups, statistics = pickle.loads(run.stdout)
    assert groups.tobytes() == here.groups.tobytes()
    assert pickle.dumps(statistics) == pickle.dumps([part.statistic for part in here.parts])
