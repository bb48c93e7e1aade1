"""Sequences in files that are larger than memory: Baum-Welch as in memory, whatever the parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from seeds import first

import likely
from likely.engine.scan import sequences as module
from likely.engine.scan.executors import LocalExecutor
from likely.engine.scan.sequences import SequenceScan, run_starts
from likely.errors import LikelyError

MOVES = np.array([[0.9, 0.1, 0.0], [0.05, 0.8, 0.15], [0.2, 0.0, 0.8]])


def sequences(n: int, seed: int = 0) -> pa.Table:
    """Two columns made by three hidden states, in sequences of 1 to 120 rows, some cells missing."""
    rng = np.random.default_rng(seed)
    lengths = []
    while sum(lengths) < n:
        lengths.append(int(rng.integers(1, 121)))
    lengths[-1] -= sum(lengths) - n
    states = np.empty(n, int)
    firsts = np.append(0, np.cumsum(lengths)[:-1])
    chances = rng.random(n)
    for i in range(n):
        shares = np.array([0.5, 0.3, 0.2]) if i in set(firsts.tolist()) else MOVES[states[i - 1]]
        states[i] = min(int(np.searchsorted(np.cumsum(shares), chances[i])), 2)
    x = rng.normal(3.0 * states, 1.0)
    x[rng.random(n) < 0.05] = np.nan
    word = np.array(["a", "b", "c"], object)[(states + (rng.random(n) < 0.3)) % 3]
    names = np.repeat(rng.permutation(len(lengths)), lengths)
    return pa.table(
        {"x": pa.array(x, from_pandas=True), "word": word.tolist(), "who": [f"s{k}" for k in names]}
    )


@pytest.fixture(scope="module")
def rows():
    return sequences(2_400)


@pytest.fixture(scope="module")
def lake(rows, tmp_path_factory):
    """Files and row groups that end in the middle of sequences, some shorter than a sequence."""
    folder = tmp_path_factory.mktemp("sequences")
    for i, (start, stop) in enumerate([(0, 900), (900, 930), (930, 940), (940, 2_400)]):
        pq.write_table(rows.slice(start, stop - start), folder / f"{i}.parquet", row_group_size=260)
    pq.write_table(rows.slice(0, 0), folder / "9.parquet")
    return folder


@pytest.fixture(scope="module")
def begun(rows):
    """A model that both ways begin with."""
    return likely.HiddenMarkov(3, random_state=0, max_iter=2).fit(rows.slice(0, 700), groups="who")


@pytest.mark.parametrize(
    ("prior", "most"), first(2, [("default", 100), ("default", 1 << 17), (None, 100), (None, 1 << 17)])
)
def test_each_step_is_that_of_memory(lake, rows, begun, prior, most, monkeypatch):
    monkeypatch.setattr(module, "LARGE", most)  # rows of a block
    how = {"init": begun, "prior": prior, "max_iter": 6, "tol": 0.0}
    files = replace(likely.scan(lake), executor=LocalExecutor(here=False))
    mine = likely.HiddenMarkov(3, **how).fit(files, groups="who")
    held = likely.HiddenMarkov(3, **how).fit(rows, groups="who")
    np.testing.assert_allclose(mine.history_, held.history_, rtol=1e-11)
    np.testing.assert_allclose(mine.transitions_, held.transitions_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(mine.initial_, held.initial_, rtol=0, atol=1e-9)
    asked = rows.slice(0, 300)
    p, q = (model.predict_proba(asked, groups="who") for model in (mine, held))
    np.testing.assert_allclose(p, q, rtol=0, atol=1e-9)
    assert mine.record_.n == pytest.approx(len(rows))


def test_few_rows_begin_as_in_memory(lake, rows):
    """All sequences are the sample: what EM comes to there, it goes on from."""
    how = {"random_state": 0, "tol": 1e-9}
    mine = likely.HiddenMarkov(3, **how).fit(likely.scan(lake), groups="who")
    held = likely.HiddenMarkov(3, **how).fit(rows, groups="who")
    assert mine.history_[-1] >= held.history_[-1] - 1e-9 * len(rows)
    assert mine.history_[-1] == pytest.approx(held.history_[-1], rel=1e-6)


def test_a_start_from_some_of_the_sequences(lake, rows, monkeypatch):
    monkeypatch.setattr("likely.models.markov.large.SAMPLE", 1_200)
    mine = likely.HiddenMarkov(3, random_state=0).fit(likely.scan(lake), groups="who")
    held = likely.HiddenMarkov(3, random_state=0).fit(rows, groups="who")
    assert mine.history_[-1] == pytest.approx(held.history_[-1], abs=1e-4 * len(rows))
    assert (np.diff(mine.history_) > -1e-8).all()


def test_parts_hold_whole_sequences_once(lake, rows):
    found = SequenceScan.of(likely.scan(lake), "who")
    names = rows["who"].to_pylist()
    assert found.n == len(set(names))
    assert found.rows == len(rows)
    read = []
    for part in found.scan.parts:
        for frame in part.frames(None):
            own = frame.raw("who").items()
            assert len(run_starts(frame, "who")) == len(set(own))
            read += own
    assert read == names


def test_a_reader_and_names_that_are_numbers(rows, begun):
    numbered = rows.set_column(2, "who", pa.array([int(name[1:]) for name in rows["who"].to_pylist()]))
    how = {"init": begun, "max_iter": 3}
    mine = likely.HiddenMarkov(3, **how).fit(numbered.to_reader(700), groups="who")
    held = likely.HiddenMarkov(3, **how).fit(numbered, groups="who")
    np.testing.assert_allclose(mine.history_, held.history_, rtol=1e-11)


def written(folder, *tables):
    """A scan of files, each of one row group."""
    for i, table in enumerate(tables):
        pq.write_table(table, folder / f"{i}.parquet")
    return likely.scan(folder)


def test_names_that_are_large_numbers_are_told_apart(rows, tmp_path):
    """Floats of that size are 256 apart: read as floats, all sequences would be one."""
    numbers = [(1 << 60) + int(name[1:]) for name in rows["who"].to_pylist()]
    numbered = rows.set_column(2, "who", pa.array(numbers))
    found = SequenceScan.of(written(tmp_path, numbered.slice(0, 700), numbered.slice(700)), "who")
    assert found.n == len(set(numbers))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("by_number", [False, True])
@pytest.mark.parametrize("other", [[0, 3, 1, 4, 2], [None] * 5], ids=["whole", "nothing"])
def test_files_that_hold_a_column_in_other_types(tmp_path, other, by_number, turned):
    """The fourth sequence goes on in another file, where the column has another type, or the names have."""
    who = [f"s{i // 10}" for i in range(70)]
    fractions = pa.array(np.random.default_rng(0).normal(2.0 * (np.arange(35) % 20 > 9), 1.0))
    columns = [pa.array(other * 7), fractions][:: -1 if turned else 1]
    names = [pa.array(who[:35]), pa.array(who[35:])]
    held = {"x": pa.chunked_array([column.cast(pa.float64()) for column in columns]).to_pylist(), "who": who}
    if by_number:
        names[0] = names[0].dictionary_encode()
    parts = [pa.table({"x": column, "who": name}) for column, name in zip(columns, names, strict=True)]
    begun = likely.HiddenMarkov(2, random_state=0, max_iter=2).fit(held, groups="who")
    how = {"init": begun, "max_iter": 3, "tol": 0.0}
    mine = likely.HiddenMarkov(2, **how).fit(written(tmp_path, *parts), groups="who")
    theirs = likely.HiddenMarkov(2, **how).fit(held, groups="who")
    np.testing.assert_allclose(mine.history_, theirs.history_, rtol=1e-11)


def test_files_without_rows(rows, tmp_path):
    with pq.ParquetWriter(tmp_path / "9.parquet", rows.schema):  # not even an empty row group
        pass
    with pytest.raises(LikelyError, match="0 sample"):
        likely.HiddenMarkov(2).fit(likely.scan(tmp_path), groups="who")
    found = SequenceScan.of(written(tmp_path, rows), "who")
    assert found.rows == len(rows)
    assert likely.scan(tmp_path).n == len(rows)


def test_what_cannot_be_read_as_sequences_is_said(lake, rows, tmp_path):
    files = likely.scan(lake)
    model = likely.HiddenMarkov(2)
    for groups in (None, "zz", ["a"]):
        with pytest.raises(LikelyError, match=r"groups=.*name the column.*'who'"):
            model.fit(files, groups=groups)
    with pytest.raises(LikelyError, match="no lengths"):
        likely.HiddenMarkov("auto").fit(files, groups="who")
    with pytest.raises(LikelyError, match="no lengths"):
        model.fit(files, lengths=[2_400])
    twice = tmp_path / "twice.parquet"
    pq.write_table(pa.concat_tables([rows.slice(0, 700), rows.slice(0, 10)]), twice)
    with pytest.raises(LikelyError, match=r"'who'.*do not stand together"):
        model.fit(likely.scan(twice), groups="who")
    gap = tmp_path / "gap.parquet"
    pq.write_table(pa.table({"x": [1.0, 2.0], "who": ["a", None]}), gap)
    with pytest.raises(LikelyError, match=r"'who'.*missing"):
        model.fit(likely.scan(gap), groups="who")
    likely.write(rows, tmp_path / "rows.csv")
    with pytest.raises(LikelyError, match="read from Parquet"):
        model.fit(likely.scan(tmp_path / "rows.csv"), groups="who")
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(LikelyError, match="read from Parquet"):
        model.fit(duckdb.from_arrow(rows), groups="who")
