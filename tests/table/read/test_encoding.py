"""Text files in any encoding."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from likely import LikelyError, LikelyWarning, read

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1", "cp437", "shift_jis"]


@pytest.mark.parametrize("zipped", [False, True])
def test_text_that_is_not_utf8_is_taken_for_latin_1(tmp_path: Path, zipped: bool) -> None:
    path = tmp_path / "t.csv"
    many = "a,b\n" + "x,1\n" * 50_000 + "é,2\n"
    for content, line in [("a,b\nx,1\ncafé,2\n", 3), ("é,b\nx,1\n", 1), (many, 50_002)]:
        data = content.encode("latin-1")
        path.write_bytes(gzip.compress(data) if zipped else data)
        with pytest.warns(LikelyWarning, match=rf"t\.csv, line {line}: byte 0xe9 is not UTF-8"):
            found = read(path, into="dict")
        rows = [row.split(",") for row in content.splitlines()]
        assert list(found) == rows[0]
        assert found[rows[0][0]].tolist() == [row[0] for row in rows[1:]]
        assert read(path, into="dict", encoding="latin-1").keys() == found.keys()  # and no notice


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_by_its_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    word = "日本" if encoding == "shift_jis" else "café"
    path.write_bytes(f"a,b\n{word},1\n".encode(encoding))
    assert read(path, into="dict", encoding=encoding)["a"].tolist() == [word]
    if encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert read(path, into="dict")["a"].tolist() == [word]


def test_bytes_that_windows_has_no_character_for_are_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n\x80\x99,1\n")  # of Windows: a euro and a trade mark
    with pytest.warns(LikelyWarning):
        assert read(path, into="dict")["a"].tolist() == ["€™"]
    path.write_bytes(b"a,b\n\x81\xe9,1\n")
    with pytest.warns(LikelyWarning):
        assert read(path, into="dict")["a"].tolist() == ["\x81é"]


def test_what_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\ncaf\xe9\n")
    with pytest.raises(LikelyError, match="encoding='klingon' is unknown"):
        read(path, encoding="klingon")
    with pytest.raises(LikelyError, match="is not shift_jis"):
        read(path, encoding="shift_jis")
    path.write_bytes(b"a,b\n\xff\x00\xfe,1\n")  # no text at all
    with pytest.raises(LikelyError, match="not UTF-8"):
        read(path)
