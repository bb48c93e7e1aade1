"""Plain state goes into a file and comes back as it was; nothing else comes out of one."""

from __future__ import annotations

import io
import math
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from likely.archive import read, write
from likely.archive.arrays import DTYPES, Layout
from likely.archive.plain import DEEPEST, from_text, pack, to_text, unpack
from likely.errors import LikelyError

PLAIN = {
    "words": ["a", 'q"\\', "größe 😀", "\ud800", "", "\u2028"],
    "numbers": [0, -1, 2**64, 10**40, 0.1, -0.0, 1e-320, 1.7976931348623157e308],
    "odd": [math.inf, -math.inf, math.nan],
    "nothing": [None, True, False, [], {}, [[]]],
    "deep": {"a": {"b": [{"c": 1}]}},
    "many": [str(i) for i in range(1000)],
    "mixed": [1, "a", None, 2.5] * 50,
}


def _equal(a, b) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(_equal(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return repr(a) == repr(b)  # tells -0.0 from 0.0, and NaN is NaN


def _arrays():
    rng = np.random.default_rng(1)
    for dtype in sorted(DTYPES):
        for shape in [(), (0,), (3,), (2, 3), (0, 4), (10, 20), (3, 4, 5), (1, 100)]:
            whole = rng.integers(0, 2 if dtype == "|b1" else 100, shape)
            yield np.asarray(whole, dtype)
    yield np.array([math.nan, math.inf, -math.inf, -0.0, 1e-320])
    yield np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max])
    yield np.full(100, math.nan)


def test_plain_values_come_back(tmp_path):
    write(tmp_path / "a", PLAIN)
    assert _equal(read(tmp_path / "a"), PLAIN)


@pytest.mark.parametrize("order", ["C", "F", "strided", "swapped"])
def test_arrays_come_back_with_their_order(order, tmp_path):
    arrays = []
    for array in _arrays():
        match order:
            case "F":
                array = np.asfortranarray(array)
            case "strided" if array.ndim:
                array = np.repeat(array, 2, axis=0)[::2]
            case "swapped":
                array = array.astype(array.dtype.newbyteorder(">"))
        arrays.append(array)
    write(tmp_path / "a", {"table": arrays})
    found = read(tmp_path / "a")["table"]
    for array, again in zip(arrays, found, strict=True):
        assert again.dtype == array.dtype.newbyteorder("=")
        assert again.shape == array.shape
        assert np.array_equal(again, array, equal_nan=array.dtype.kind == "f")
        if array.ndim == 2 and min(array.shape) > 1:
            assert again.flags.f_contiguous == (order == "F")


def test_arrays_are_numpys_own_files(tmp_path):
    table = np.asfortranarray(np.random.default_rng(2).normal(size=(20, 30)))
    write(tmp_path / "a", {"table": table, "more": {"of": [np.arange(100)]}})
    with zipfile.ZipFile(tmp_path / "a") as archive:
        assert set(archive.namelist()) >= {"arrays/table.npy", "arrays/more.of.0.npy", "model.json"}
        assert np.array_equal(np.load(io.BytesIO(archive.read("arrays/table.npy"))), table)
        assert archive.testzip() is None


def test_names_that_are_no_names_of_files_are_numbered(tmp_path):
    big = np.arange(100)
    state = {"../up": big, "a.b": big + 1, "a": {"b": big + 2}, "ü": big + 3}
    write(tmp_path / "a", state)
    assert _equal(read(tmp_path / "a"), state)
    with zipfile.ZipFile(tmp_path / "a") as archive:
        assert not any(".." in name or name.startswith("/") for name in archive.namelist())


@pytest.mark.parametrize(
    "value",
    [
        {1: 2},
        {"$a": 1},
        (1, 2),
        {1, 2},
        Ellipsis,
        b"bytes",
        1j,
        np.float64(1),
        np.array([None]),
        np.array(["a"]),
        np.array([1j]),
        np.array(["2020-01-01"], "M8[D]"),
    ],
    ids=repr,
)
def test_what_is_not_plain_is_not_written(value, tmp_path):
    with pytest.raises(TypeError):
        write(tmp_path / "a", {"value": value})
    assert list(tmp_path.iterdir()) == []


def test_the_names_of_the_file_itself_are_taken(tmp_path):
    with pytest.raises(TypeError, match="'arrays' is a name of the file's own"):
        write(tmp_path / "a", {"arrays": []})


def test_the_same_state_gives_the_same_bytes(tmp_path):
    for name in "ab":
        write(tmp_path / name, PLAIN | {"table": np.ones((9, 9))})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_text_is_json_that_people_can_read():
    import json

    said = to_text({"name": "age", "levels": list(range(40)), "parts": [{"a": "x" * 60}, {"b": "y" * 60}]})
    assert json.loads(said)["levels"] == list(range(40))
    lines = said.splitlines()
    assert lines[1] == '  "name": "age",'
    assert lines[3] == "    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,"
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize(
    "said", ["", "{", "NaN", "[Infinity]", '{"a": 1, "a": 2}', "1" * 5000, "[" * 100_000]
)
def test_text_that_is_not_strict_json_is_refused(said):
    with pytest.raises(LikelyError):
        from_text(said)


@pytest.mark.parametrize(
    "tree",
    [
        {"$float": "1e5"},
        {"$float": None},
        {"$array": "a"},
        {"$array": 3},
        {"$values": [1], "dtype": "|O", "shape": [1], "order": "C"},
        {"$values": [1], "dtype": "<f8", "shape": [2], "order": "C"},
        {"$values": [1], "dtype": "<f8", "shape": [-1], "order": "C"},
        {"$values": [1], "dtype": "<f8", "shape": [True], "order": "C"},
        {"$values": [1], "dtype": "<f8", "shape": [1], "order": "K"},
        {"$values": ["1"], "dtype": "<f8", "shape": [1], "order": "C"},
        {"$values": [10**400], "dtype": "<f8", "shape": [1], "order": "C"},
        {"$values": [300], "dtype": "|u1", "shape": [1], "order": "C"},
        {"$values": [1.5], "dtype": "<i8", "shape": [1], "order": "C"},
        {"$values": [1], "dtype": "|b1", "shape": [1], "order": "C"},
        {"$values": 1, "dtype": "<f8", "shape": [], "order": "C"},
        {"$values": [], "dtype": "<f8", "shape": [10**9, 10**9], "order": "C"},
        {"$values": [], "dtype": "<f8", "shape": [0, 10**15, 10**15], "order": "C"},
        {"$values": [1]},
    ],
    ids=str,
)
def test_trees_that_stand_for_nothing_are_refused(tree):
    with pytest.raises(LikelyError):
        unpack({"a": [tree]}, {})


def test_nesting_has_an_end():
    tree: object = 1
    for _ in range(DEEPEST + 2):
        tree = [tree]
    with pytest.raises(LikelyError, match="nested"):
        unpack(tree, {})


def test_only_the_array_that_was_announced_is_accepted():
    layout = Layout.of(np.zeros((2, 3)))
    content = b"".join(layout.pieces(np.ones((2, 3))))
    assert layout.array(content).tolist() == np.ones((2, 3)).tolist()
    out = io.BytesIO()
    np.save(out, np.array([{}], object), allow_pickle=True)
    for wrong in (content[:-1], content + b"0", content[:-8], b"", pickle.dumps({}), out.getvalue()):
        with pytest.raises(LikelyError):
            layout.array(wrong)
    with pytest.raises(LikelyError):
        Layout("<f8", (3, 2), "C").array(content)


def _rewritten(path: Path, method: int = zipfile.ZIP_STORED, **changed: bytes | None) -> None:
    """The file again, with some parts changed or left out."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in (parts | changed).items():
            if content is not None:
                archive.writestr(name, content)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.likely"
    write(path, {"table": np.arange(65, dtype=np.int8), "words": ["a", "b"]})
    return path


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "other"
    path.write_bytes(b"not a zip file")
    with pytest.raises(
        LikelyError, match=r"cannot load '.*other': it is not a zip file, or it was cut short\."
    ):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(LikelyError, match=r"'model\.json' is missing"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", "{}")
    with pytest.raises(LikelyError, match="not a likely model"):
        read(path)
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(LikelyError, match="not a zip file"):
        read(path)
    with pytest.raises(LikelyError, match=r"cannot read '.*absent': No such file"):
        read(tmp_path / "absent")
    with pytest.raises(LikelyError, match="cannot read"):
        read(tmp_path)


def test_a_newer_format_is_said_to_be_newer(file):
    with zipfile.ZipFile(file) as archive:
        text = archive.read("model.json")
    _rewritten(file, **{"model.json": text.replace(b'"format_version": 2', b'"format_version": 3')})
    with pytest.raises(LikelyError, match=r"written by a newer likely \(format 3.*upgrade"):
        read(file)


def test_what_was_changed_or_taken_away_is_noticed(file):
    content = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        text = archive.read("model.json")
        array = archive.read("arrays/table.npy")
    for changed, said in (
        ({"model.json": text.replace(b'"a"', b'"c"')}, "changed after it was written"),
        ({"arrays/table.npy": array[:-1] + b"\1"}, "changed after it was written"),
        ({"arrays/table.npy": None}, "'arrays/table.npy' is missing"),
        ({"model.json.sha256": None}, "'model.json.sha256' is missing"),
        ({"model.json": b"\xff"}, "not text"),
    ):
        file.write_bytes(content)
        _rewritten(file, **changed)
        with pytest.raises(LikelyError, match=said):
            read(file)


def test_one_flipped_bit_anywhere_never_changes_the_state(file):
    content, expected = file.read_bytes(), read(file)
    for at in range(0, len(content)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :])
        try:
            found = read(file)
        except LikelyError:
            continue
        assert _equal(found, expected)  # what says nothing, such as the time of a part


def test_a_file_cut_short_anywhere_is_refused(file):
    content = file.read_bytes()
    for length in range(len(content)):
        file.write_bytes(content[:length])
        with pytest.raises(LikelyError):
            read(file)


def test_a_zip_bomb_is_refused_unopened(file, monkeypatch):
    _rewritten(file, zipfile.ZIP_DEFLATED, **{"model.json": b" " * 50_000_000})
    assert file.stat().st_size < 100_000
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was opened"))
    with pytest.raises(LikelyError, match="compressed"):
        read(file)


def test_parts_that_lie_over_each_other_are_refused(file):
    with zipfile.ZipFile(file, "a") as archive:
        first = archive.infolist()[0]
        for i in range(3):  # the same bytes again under other names
            again = zipfile.ZipInfo(f"again{i}")
            for name in ("header_offset", "file_size", "compress_size", "CRC"):
                setattr(again, name, getattr(first, name))
            archive.filelist.append(again)
            archive.NameToInfo[again.filename] = again
        archive._didModify = True
    with pytest.raises(LikelyError, match="overlap"):
        read(file)


def test_two_parts_of_one_name_are_refused(file):
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("model.json", "{}")
    with pytest.raises(LikelyError, match="same name"):
        read(file)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(file, monkeypatch):
    content = file.read_bytes()

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("likely.table.write.whole_file.os.fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        write(file, {"new": 1})
    assert file.read_bytes() == content
    assert list(file.parent.iterdir()) == [file]


def test_a_full_disk_is_an_error_with_the_name(file, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("likely.table.write.whole_file.os.replace", full)
    with pytest.raises(LikelyError, match=r"cannot write '.*some\.likely': No space left on device"):
        write(file, {"new": 1})
    assert list(file.parent.iterdir()) == [file]
    with pytest.raises(LikelyError, match="No such file or directory"):
        write(file.parent / "no" / "folder", {})


def test_a_link_stays_a_link(file):
    link = file.parent / "link"
    link.symlink_to(file)
    write(link, {"new": 1})
    assert link.is_symlink()
    assert read(file) == {"new": 1}


def test_packing_refers_only_to_what_there_is():
    tree, arrays = pack({"a": np.zeros(100), "b": [np.zeros(3)]})
    assert list(arrays) == ["a"]
    assert _equal(unpack(tree, arrays), {"a": np.zeros(100), "b": [np.zeros(3)]})
