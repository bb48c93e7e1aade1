"""The real command: in a pseudo-terminal, in a pipe, and interrupted."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import pty
import re
import signal
import subprocess
import time

from drive import ANY_CODE, COLOUR, COMMAND, Terminal, piped

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself


def test_colours_and_progress_in_a_terminal_only(folder):
    terminal = Terminal("learn", "titanic", *NB, "-t", "survived", cwd=folder)
    assert terminal.end() == 0
    screen = terminal.seen
    assert COLOUR.search(screen)
    assert "cross-validating" in screen
    assert "─" in screen  # the line under the heads of a table
    shown = ANY_CODE.sub("", screen)
    assert re.search(r"sex = female +\+1\.74 +x 5\.7 +48%", shown)
    done = piped("learn", "titanic", *NB, "-t", "survived", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert "─" not in done.out
    assert re.search(r"sex = female +\+1\.74  x 5\.7 +48%", done.out)


def test_progress_is_on_standard_error_where_the_answer_is_piped(folder):
    """A terminal sees the bar, and the file that the answer goes to does not."""
    terminal = Terminal("learn", "titanic", *NB, "-t", "survived", cwd=folder, out=folder / "out.txt")
    assert terminal.end() == 0
    assert "cross-validating" in terminal.seen
    written = (folder / "out.txt").read_text(encoding="utf-8")
    assert "saved titanic.likely" in written
    assert "cross-validating" not in written
    assert "\x1b" not in written


def test_rows_that_come_back_through_a_pipe_have_the_screen_to_themselves(folder, titanic):
    """`| head` writes to the terminal that has the bar: the bar is taken off before the first row."""
    screen, end = pty.openpty()
    line = f"'{COMMAND}' predict {titanic} titanic | head -n 3"
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(["bash", "-c", line], stdin=end, stdout=end, stderr=end, cwd=folder, env=env)
    os.close(end)
    parts = []
    with contextlib.suppress(OSError):  # which is how the other side hangs up
        while part := os.read(screen, 1 << 16):
            parts.append(part)
    process.wait()
    os.close(screen)
    before, _, after = b"".join(parts).decode().partition("class,sex,age,survived,p_no,p_yes,predicted")
    assert "predicting" in before
    assert "\x1b[2K" in before[before.rindex("predicting") :]  # the line is erased
    assert "predicting" not in after
    assert after.count("3rd,male,child") + after.count("1st,male,adult") == 2


def test_a_terminal_shows_the_first_rows(folder, titanic):
    terminal = Terminal("predict", titanic, "titanic", cwd=folder)
    assert terminal.end() == 0
    assert "-o OUT writes them all" in terminal.seen
    assert terminal.seen.count("0.7127") == 20


def test_names_are_no_markup_and_colours_can_be_turned_off(folder):
    (folder / "m.csv").write_text("[bold]x,:smile:,y\n1,[red]a,no\n2,b,yes\n3,[red]a,no\n4,b,yes\n")
    terminal = Terminal("learn", "m.csv", *NB, "-t", "y", cwd=folder, NO_COLOR="1")
    assert terminal.end() == 0
    for name in ("[bold]x", ":smile:", "[red]a"):
        assert name in ANY_CODE.sub("", terminal.seen)
    assert not re.search(r"\x1b\[3[0-9]m", terminal.seen)


def test_an_error_is_on_standard_error_and_short(folder):
    done = piped("learn", "titanic", *NB, "-t", "surviving", "--json", cwd=folder, installed=True)
    assert (done.code, done.out) == (1, "")
    assert done.err == "error: titanic has no column 'surviving' to be the target: did you mean 'survived'?\n"


def test_a_reader_that_has_had_enough(folder, titanic):
    line = f"'{COMMAND}' sample {titanic} -n 400000 | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=folder)
    assert done.stdout.splitlines()[0] == "class,sex,age,survived"
    assert done.stdout.splitlines()[-1] == "141"
    assert done.stderr == ""


def test_ctrl_c_while_learning(folder):
    temporary = folder / "tmp"
    temporary.mkdir()
    options = ["learn", "titanic", *NB, "-t", "survived", "--folds", "2000"]
    terminal = Terminal(*options, cwd=folder, TMPDIR=str(temporary))
    terminal.until("cross-validating")
    terminal.press("\x03")
    assert terminal.end() == 130
    assert terminal.seen.rstrip().endswith("interrupted")
    assert sorted(path.name for path in folder.rglob("*")) == ["tmp"]


def test_an_interrupt_while_predicting_leaves_what_was_there(folder, titanic):
    with (folder / "long.csv").open("w") as file:
        file.write("class,sex,age\n")
        file.writelines(["1st,female,adult\ncrew,male,adult\n" * 1000] * 500)
    (folder / "out.csv").write_text("precious")
    temporary = folder / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [COMMAND, "predict", titanic, "long.csv", "-o", "out.csv", "--force"],
        cwd=folder,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    limit = time.monotonic() + 60
    while not (parts := list(folder.glob(".out.csv*"))) or not parts[0].stat().st_size:  # half written
        assert time.monotonic() < limit
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert (folder / "out.csv").read_text() == "precious"
    left = sorted(path.name for path in folder.rglob("*"))
    assert left == ["long.csv", "out.csv", "titanic.likely", "tmp"]


def test_a_real_table_through_the_real_command(folder, shared_data):
    options = ["-t", "survived", "--drop", "boat"]
    ascii_only = {"installed": True, "PYTHONIOENCODING": "ascii"}
    learnt = piped("learn", shared_data / "titanic.csv", *NB, *options, cwd=folder, **ascii_only)
    assert learnt.code == 0  # also where the terminal lacks some letters
    assert "note: column 'name' is left out: 1307 different values in 1309 rows" in learnt.err
    with (shared_data / "titanic.csv").open("rb") as file:
        answered = piped("predict", "titanic.likely", "-", cwd=folder, stdin=file.read(), installed=True)
    assert len(list(csv.DictReader(io.StringIO(answered.out)))) == 1309
