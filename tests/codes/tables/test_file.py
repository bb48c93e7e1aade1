"""What comes out is byte for byte what went in, or a clear error and nothing."""

from __future__ import annotations

import gzip
import io
import lzma
import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import likely
from likely import codes
from likely.codes.tables import file, segment
from likely.codes.tables.stream import StateWriter, squeezed

CELLS = st.one_of(
    st.integers(-(10**18), 10**18).map(str),
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.decimals(-1000, 1000, places=2).map(str),
    st.sampled_from(["", "NA", "?", "yes", "no", "-0", "007", "+1", "0.10", '"a,b"', '"a""b"', '"x\ny"']),
    st.sampled_from(
        ["\0", "a\0b", "\ufeffid", "Zoë", "東京", "🙂", '"', '6" nail', "\r", " 1 ", "1e5", "1,5"]
    ),
    st.text(max_size=6),
)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A table as people write them, and then some: ragged, quoted, with odd ends of lines."""
    d = draw(st.integers(1, 5))
    columns = [draw(st.lists(CELLS, min_size=1, max_size=4)) for _ in range(d)]  # values that come back
    rows = [
        [draw(st.sampled_from(column)) for column in columns[: draw(st.sampled_from([d] * 9 + [1]))]]
        for _ in range(draw(st.integers(0, 12)))
    ]
    between = draw(st.sampled_from([",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    lines = [between.join(row) for row in rows]
    for at in draw(st.lists(st.integers(0, 12), max_size=2)):
        lines.insert(at, "")
    text = end.join(lines) + draw(st.sampled_from(["", end]))
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=15, deadline=None)
@given(tables())
@example(b"")
@example(b"\n")
@example(b"\0")
@example(b"a")
@example(b"a,b\r\n1,2")
@example(b"\xff\xfe\x00,\x80\n")
@example(b'a,b\n"1,2\n3')
@example(b"x\n" + b"9" * 400 + b"\n")
def test_any_text_comes_back(text: bytes) -> None:
    assert codes.decompress(codes.compress(text)) == text


@pytest.mark.long
@settings(max_examples=10_000, deadline=None)
@given(st.one_of(tables(), st.binary(max_size=60)))
def test_ten_thousand_texts_come_back(text: bytes) -> None:
    assert codes.decompress(codes.compress(text)) == text


def _flights(n: int, rng: np.random.Generator) -> bytes:
    """Rows in order of time, numbers that are made of others, words among numbers, many distinct ones."""
    start = np.sort(rng.integers(0, 1440, n))
    late = np.maximum(rng.normal(0, 20, n), -start).astype(int)
    off = np.minimum(start + late, 1439)
    rows = []
    for i in range(n):
        clock = [f"{m // 60}{m % 60:02d}".lstrip("0") or "0" for m in (int(start[i]), int(off[i]))]
        lost = rng.random() < 0.02
        rows.append(
            [
                *clock,
                "NA" if lost else str(off[i] - start[i]),
                str(rng.integers(0, 10**9)),
                f"{rng.normal(50, 9):.3f}",
                "ABC"[int(start[i]) % 3],
                str(1000 + i),
            ]
        )
    return ("plan,off,late,id,load,line,number\n" + "\n".join(map(",".join, rows)) + "\n").encode()


@pytest.mark.parametrize("n", [1, 300])
def test_small_tables(n: int) -> None:
    text = _flights(n, np.random.default_rng(n))
    assert codes.decompress(codes.compress(text)) == text


def test_what_columns_hang_on_is_found_and_the_bill_adds_up() -> None:
    n = 4200
    text = _flights(n, np.random.default_rng(0))
    small = codes.compress(text)
    assert codes.decompress(small) == text
    bill = _bill(text)
    assert bill.to_frame()["column"].tolist() == ["plan", "off", "late", "id", "load", "line", "number"]
    late, number = bill.columns[2], bill.columns[6]
    assert late.hangs_on == ("off - plan as times of day",)
    assert "off - plan as times of day" in str(bill)
    assert late.bits < 0.5 * n  # which of them are NA
    assert number.bits < 0.01 * n  # counted up
    # Nobody can foretell numbers that chance made: 30 bits, less what is left of the range.
    assert 29 * n < bill.columns[3].bits < 30.2 * n
    assert len(small) < 0.75 * len(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    assert (bill.size, bill.compressed) == (len(text), len(small))
    cells = sum(column.bits for column in bill.columns) / 8
    assert cells <= bill.compressed <= cells + sum(column.list_bytes for column in bill.columns) + 600


def test_a_bill_says_of_small_tables_what_the_rows_hold() -> None:
    """Two columns are drawn alone, one is the first but for a tenth; numbers are new in every row."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 3, (2, 400))
    c = np.where(rng.random(400) < 0.9, a, rng.integers(0, 3, 400))
    lines = (f"{i},{'xyz'[a[i]]},{'uvw'[b[i]]},{'rst'[c[i]]}" for i in rng.permutation(400))
    columns = _bill(("number,a,b,c\n" + "\n".join(lines) + "\n").encode()).columns
    assert [column.hangs_on for column in columns] == [(), (), (), ("a",)]


def _bill(text: bytes) -> codes.Bill:
    return file._compress(io.BytesIO(text), io.BytesIO(), len(text), lambda done, total: None)


@pytest.mark.parametrize("end", [b"", b"\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_names_are_read_as_people_wrote_them(encoding: str, end: bytes) -> None:
    """With a byte order mark, in another encoding, quoted; the bits a row are those of the 300 rows."""
    rng = np.random.default_rng(2)
    rows = [f"{i},{'xyz'[k]}" for i, k in enumerate(rng.integers(0, 3, 300))]
    text = "\r\n".join(['größe,"a ""b"", c"', *rows]).encode(encoding) + end
    bill = _bill(text)
    assert bill.to_frame()["column"].tolist() == ["größe", 'a "b", c']
    assert bill.rows == 300
    assert bill.to_frame()["bits a row"][1] == bill.columns[1].bits / 300
    assert codes.decompress(codes.compress(text)) == text


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_names_in_utf_16_are_read(mark: bytes, end: str) -> None:
    """A spreadsheet's "Unicode text": two bytes a letter, so that what ends a cell leaves one beside it."""
    rng = np.random.default_rng(2)
    rows = [f"{i % 9};{'xyz'[k]};{i % 2}" for i, k in enumerate(rng.integers(0, 3, 300))]
    text = mark + end.join(['größe;"a ""b"" c";Ж', *rows]).encode(
        "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    )
    assert _bill(text).to_frame()["column"].tolist() == ["größe", 'a "b" c', "Ж"]
    assert codes.decompress(codes.compress(text)) == text


def test_what_was_squeezed_as_text_says_why_it_has_no_bill() -> None:
    noise = np.random.default_rng(0).integers(0, 256, 3000, np.uint8).tobytes()
    assert "no bill by column" in str(_bill(noise))
    assert "no bill" not in str(_bill(TEXTS[0]))
    assert str(_bill(b"")) == "0 bytes, now 5"


def test_independent_symbols_cost_their_entropy() -> None:
    rng = np.random.default_rng(1)
    p = np.array([0.5, 0.25, 0.125, 0.125])
    n = 6_000
    text = b"x\n" + b"\n".join(b"abcd"[i : i + 1] for i in rng.choice(4, n, p=p)) + b"\n"
    bits = _bill(text).columns[0].bits
    # The rows have 1.75 bits each, and chance moves their sum by 64 bits (one standard deviation).
    assert 1.75 * n - 320 < bits < 1.75 * n * 1.03 + 320


def test_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "PIECE", 700)
    text = b"a,b\n" + b"yes,1\nno,2\n" * 100
    assert codes.decompress(codes.compress(text)) == text
    long_line = b"a,b\n" + b"x" * 1500 + b"\n1,2\n"
    assert codes.decompress(codes.compress(long_line)) == long_line


def test_the_bills_of_pieces_are_added() -> None:
    first, second = (codes.ColumnBill("a", k, bits, 5, ("b",)) for k, bits in ((3, 10.0), (4, 2.5)))
    assert file._summed([[first], [second]]) == (codes.ColumnBill("a", 4, 12.5, 10, ("b",)),)
    assert file._summed([[first], [first, second]]) == ()


def test_very_many_columns_are_squeezed_as_text() -> None:
    text = b",".join(b"c%d" % i for i in range(3000)) + b"\n"
    text += b"".join(b",".join(b"%d" % (i * j % 3) for j in range(3000)) + b"\n" for i in range(100))
    small = codes.compress(text)
    assert codes.decompress(small) == text
    assert len(small) < len(text) / 20
    assert _bill(text).columns == ()


def test_what_lzma_sees_and_columns_do_not_is_squeezed_as_text() -> None:
    """Dates that count on by the hour repeat their letters; as levels every one of them is new."""
    rng = np.random.default_rng(4)
    hours = np.datetime64("2010-01-01T00") + np.arange(6000)
    degrees = 50 + 10 * np.sin(np.arange(6000) / 24 * 2 * np.pi).round(1) + rng.integers(0, 2, 6000) / 10
    text = b"temp,date\n" + b"".join(
        b"%.1f,%s:00:00\n" % (degree, str(hour).replace("-", "/").replace("T", " ").encode())
        for degree, hour in zip(degrees.tolist(), hours, strict=True)
    )
    small = codes.compress(text)
    assert codes.decompress(small) == text
    assert len(small) < 1.01 * len(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))


def _damaged(whole: bytes, rng: random.Random) -> bytes:
    data = bytearray(whole)
    for _ in range(rng.randrange(1, 4)):
        kind = rng.randrange(4)
        at = rng.randrange(len(data))
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 5)))
        else:
            data[at] = rng.randrange(256)
        if not data:
            break
    return bytes(data)


def _refused_or_right(wholes: list[bytes], texts: list[bytes], n: int) -> None:
    rng = random.Random(0)
    for i in range(n):
        whole, text = wholes[i % len(wholes)], texts[i % len(wholes)]
        data = _damaged(whole, rng)
        with suppress(likely.LikelyError):  # nothing else may be raised, and no other text come out
            assert codes.decompress(data) == text


TEXTS = [
    b"a,b,c\n" + b"".join(b"%d,%d.5,%s\n" % (i, i * i, b"xyz"[i % 3 : i % 3 + 1]) for i in range(40)),
    _flights(20, np.random.default_rng(0)),
    b"only text, without lines",
]


def test_damaged_files_are_refused() -> None:
    _refused_or_right([codes.compress(text) for text in TEXTS], TEXTS, 30)


@pytest.mark.long
def test_very_many_damaged_files_are_refused() -> None:
    texts = [*TEXTS, _flights(4200, np.random.default_rng(0))]
    _refused_or_right([codes.compress(text) for text in TEXTS], TEXTS, 30_000)
    _refused_or_right([codes.compress(text) for text in texts[-1:]], texts[-1:], 300)


def test_no_memory_is_taken_for_columns_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    head, body = StateWriter(), StateWriter()
    for number in (0, 0):
        head.number(number)
    head.text(b",")
    for number in (10**6, 0):  # columns, rows
        head.number(number)
    head.texts([])
    head.number(0)
    head.texts([])
    body.number(len(head.bytes()))
    body.text(squeezed(head.bytes()))
    body.text(b"")
    monkeypatch.setattr(segment, "WaitingColumns", None)
    with pytest.raises(likely.LikelyError, match="damaged"):
        segment.decompress_segment(body.bytes(), 10**7, lambda share: None)


def test_nothing_is_written_of_a_damaged_file(tmp_path: Path) -> None:
    table, small, again = tmp_path / "t.csv", tmp_path / "t.csv.ltz", tmp_path / "again.csv"
    table.write_bytes(TEXTS[0])
    codes.compress_file(table, small)
    assert codes.decompress_file(small, again) == len(TEXTS[0])
    assert again.read_bytes() == TEXTS[0]
    small.write_bytes(small.read_bytes()[:-5])
    other = tmp_path / "other.csv"
    with pytest.raises(likely.LikelyError, match="damaged or cut off: nothing was written"):
        codes.decompress_file(small, other)
    assert not other.exists()
    with pytest.raises(likely.LikelyError, match="cannot be read"):
        codes.compress_file(tmp_path / "none.csv", small)
    with pytest.raises(likely.LikelyError, match="no table that"):
        codes.decompress(b"PK\x03\x04")


# The least of xz -9e, zstd -19, brotli -11 and Parquet with zstd, in bytes, and our share of it at the most.
PEERS = {
    "tic_tac_toe": (1751, 0.62),
    "car": (1959, 0.62),
    "house_votes_84": (1711, 0.62),
    "mushroom": (22720, 0.70),
    "adult": (268453, 0.65),
}
_SLOWER = {"mushroom", "adult"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in _SLOWER)) for name in PEERS]
)
def test_real_tables_are_smaller_than_by_any_peer(name: str, shared_data: Path) -> None:
    (path,) = shared_data.glob(f"{name}.csv*")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    small = codes.compress(text)
    assert codes.decompress(small) == text
    best, share = PEERS[name]
    assert len(small) <= share * best


@pytest.mark.parametrize("version", [2, 4])
def test_other_versions_of_the_format_are_refused_by_name(version: int) -> None:
    data = bytearray(codes.compress(b"a,b\n1,2\n"))
    data[3] = version
    with pytest.raises(likely.LikelyError, match=f"version {version} of the format.*version 3 alone"):
        codes.decompress(bytes(data))
