"""Parts: what was seen of columns adds, whatever way they are read; and records answer to one protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pytest

import likely
from likely.engine import Memory
from likely.estimator.record import ModelRecord
from likely.models.groups.file_form import Record
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally, tally_rows
from likely.models.markov.record import ChainRecord
from likely.models.parts.cells import LevelsPart, NumbersPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.part import Part
from likely.models.parts.plan import learn_schema, plan
from likely.models.parts.words import WordsPart
from likely.stats import Groups
from likely.table.frame import Frame

N = 60
KINDS = {"text": "text"}


def table() -> dict[str, list[object]]:
    """A column of every way of reading, with gaps."""
    rng = np.random.default_rng(0)
    return {
        "x": [None if i % 7 == 0 else float(rng.normal()) for i in range(N)],
        "level": [None if i % 11 == 0 else "abc"[i % 3] for i in range(N)],
        "text": [None if i % 13 == 0 else f"one two{i % 2} three" for i in range(N)],
    }


def rows(start: int, stop: int) -> dict[str, list[object]]:
    return {name: column[start:stop] for name, column in table().items()}


@pytest.fixture(scope="module")
def planned() -> tuple[Part, ...]:
    frame = Frame.of(table())
    return plan(learn_schema(frame, KINDS, "level"), frame, KINDS, None, "default", "level", "mean")


def counted(planned: tuple[Part, ...], start: int, stop: int, weight: float = 1.0) -> GroupTally:
    codes = np.arange(start, stop) % 2
    groups = Groups.hard(codes, 2, np.full(stop - start, weight))
    return tally_rows(planned, Frame.of(rows(start, stop)), groups, Memory())


def arrays(tally: GroupTally) -> Iterator[np.ndarray]:
    yield tally.groups
    for part in tally.parts:
        for field in fields(part.statistic):
            value = getattr(part.statistic, field.name)
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                yield value


def assert_same(one: GroupTally, other: GroupTally) -> None:
    for mine, theirs in zip(arrays(one), arrays(other), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


def test_every_way_of_reading_is_planned(planned: tuple[Part, ...]) -> None:
    assert [type(part) for part in planned] == [NumbersPart, LevelsPart, WordsPart, MissingPart]
    assert [part.columns for part in planned] == [(0,), (1,), (2,), (0,)]


class TestLaws:
    def test_pieces_add_up_to_the_whole(self, planned: tuple[Part, ...]) -> None:
        assert_same(counted(planned, 0, 20) + counted(planned, 20, N), counted(planned, 0, N))

    def test_what_is_taken_out_leaves_the_rest(self, planned: tuple[Part, ...]) -> None:
        assert_same(counted(planned, 0, N) - counted(planned, 20, N), counted(planned, 0, 20))

    def test_a_row_of_weight_two_is_the_row_twice(self, planned: tuple[Part, ...]) -> None:
        once = counted(planned, 0, N)
        assert_same(counted(planned, 0, N, weight=2.0), once + once)
        assert_same(once * 2.0, once + once)

    def test_groups_are_moved_with_their_statistics(self, planned: tuple[Part, ...]) -> None:
        tally = counted(planned, 0, N)
        swapped = tally.regroup(np.array([1, 0]), 2)
        assert_same(swapped.regroup(np.array([1, 0]), 2), tally)
        assert_same(swapped.only(np.array([0])), tally.only(np.array([1])))


class TestDistributions:
    def test_are_made_once(self, planned: tuple[Part, ...]) -> None:
        for part in counted(planned, 0, N).parts:
            assert part.distribution is part.distribution

    def test_are_made_anew_of_what_is_seen_anew(self, planned: tuple[Part, ...]) -> None:
        tally = counted(planned, 0, N)
        first = [part.distribution for part in tally.parts]
        again = [part.distribution for part in (tally + counted(planned, 0, N)).parts]
        assert all(one is not other for one, other in zip(first, again, strict=True))

    def test_drawn_parameters_are_those_of_the_part(self, planned: tuple[Part, ...]) -> None:
        rng = np.random.default_rng(1)
        part = counted(planned, 0, N).parts[0]
        drawn = part.drawn(rng, 3)
        assert drawn.distribution.mean.shape == (6, 1)
        assert drawn.with_statistic(part.statistic).distribution.mean.shape == (2, 1)

    @pytest.mark.parametrize(
        ("missing", "expected"), [("ignore", [True, True, False]), ("level", [True, False, False, False])]
    )
    def test_only_missing_cells_are_filled(self, missing: str, expected: list[bool]) -> None:
        frame, shares = Frame.of(table()), np.full((N, 2), 0.5)
        parts = plan(learn_schema(frame, KINDS, missing), frame, KINDS, None, "default", missing, "mean")
        filled = [
            part.fill(part.block(frame).rows(0, N), shares, None, None) is not None
            for part in counted(parts, 0, N).parts
        ]
        assert filled == expected


@pytest.mark.parametrize("record", [GroupRecord, ChainRecord])
def test_records_answer_to_the_protocol(record: type) -> None:
    asked = [name for name in vars(ModelRecord) if not name.startswith("_")]
    assert len(asked) > 10
    assert [name for name in asked if not hasattr(record, name)] == []


def test_what_a_file_holds_is_the_record() -> None:
    record = likely.NaiveBayes(kinds=KINDS, missing="level").fit(table(), ["u", "v"] * (N // 2)).record_
    form = Record.of(record)
    assert [slot.reads.name for slot in form.slots] == ["NUMBERS", "CODES", "WORDS", "GAPS"]
    again = form.restored(2)
    assert_same(again.tally, record.tally)
    assert [type(part) for part in again.parts] == [type(part) for part in record.parts]


def test_the_schema_is_learnt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from likely.table.schema import Schema

    learn, times = Schema.learn, []

    def counting(*args: object, **options: object) -> Schema:
        times.append(args)
        return learn(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Schema, "learn", counting)
    numbers = {"x": [1.0, 2.5, 3.0, 5.0], "k": [1, 2, 1, 4]}
    for model in (likely.NaiveBayes(families={"x": "auto", "k": "poisson"}), likely.GaussianClassifier()):
        times.clear()
        model.fit(numbers, list("aabb"))
        assert len(times) == 1
    for hidden in (likely.Mixture(2, random_state=0), likely.HiddenMarkov(2, random_state=0)):
        times.clear()
        hidden.fit(numbers)
        assert len(times) == 1


def test_means_of_times_are_dates():
    day = np.datetime64("2024-01-01") + np.arange(40) % 10
    at = np.datetime64("2024-03-01T12:00:00") + (3600 * np.arange(40) % 36000)
    table = {"day": day, "at": at, "late": np.arange(40) % 2 == 1, "x": np.arange(40.0)}
    for model in (likely.NaiveBayes(families="classical"), likely.NaiveBayes()):
        said = str(model.fit(table, "late").describe())
        assert "since 1970" not in said
        assert "mean 2024-01-0" in said
        assert "mean 2024-03-01 " in said
        assert " days" in said
        assert " hours" in said
    groups = likely.Mixture(2, random_state=0).fit(
        {"day": np.where(table["late"], day, day + np.timedelta64(500, "D"))}
    )
    said = str(groups.describe())
    assert "mean 2024-01-0" in said
    assert "mean 2025-05-1" in said
    assert "since 1970" not in said
