"""How files are read, said on the command line."""

from __future__ import annotations

from pathlib import Path

from likely import read

CUT = ["--separator", " ", "--no-header"]


def _shop(folder: Path) -> Path:
    path = folder / "t.dat"
    path.write_text("".join(f"{i % 2}.5  {'yes' if i % 2 else 'no'}\n" for i in range(60)))
    return path


def test_separator_and_no_header(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = _shop(tmp_path)
    learnt = cli.ok("learn", path, "-t", "column2", "--model", "naive-bayes", *CUT)
    assert "of 60 rows" in learnt
    cli.ok("predict", "t.likely", path, "-o", "out.csv", *CUT)
    answers = read("out.csv", into="dict")
    assert list(answers)[:2] == ["column1", "column2"]
    assert answers["predicted"].tolist() == answers["column2"].tolist()


def test_a_first_row_of_data_is_named_with_the_option(cli, tmp_path):
    done = cli("profile", _shop(tmp_path), *CUT[:2])
    assert done.code == 0
    assert "'0.5' looks like data; --no-header reads it as a row" in done.err
    assert "--no-header" not in cli("profile", _shop(tmp_path), *CUT).err  # an option lasts for its command
    assert "--no-header" in cli("profile", _shop(tmp_path)).err
