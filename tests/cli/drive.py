"""Ways to run `likely`: in this process, in one of its own, in a pseudo-terminal, and as it is installed."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from forked import forked

from likely.cli.run import run

COMMAND = str(Path(sys.executable).with_name("likely"))
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ANY_CODE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: str
    err: str


class Cli:
    """Runs commands in this process; what they print is captured."""

    def __init__(self, capsys, monkeypatch):
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments, stdin: bytes | None = None) -> Done:
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self.capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = self.capsys.readouterr()
        return Done(code, out, err)

    def ok(self, *arguments, stdin: bytes | None = None) -> str:
        done = self(*arguments, stdin=stdin)
        assert done.code == 0, done.err
        return done.out


def piped(*arguments: object, cwd: Path, stdin: bytes = b"", installed: bool = False, **more: str) -> Done:
    """A command in a process of its own, its output into files; `installed` takes the installed one."""
    typed, environment = [str(argument) for argument in arguments], {**os.environ, **more}
    if installed:
        done = subprocess.run([COMMAND, *typed], input=stdin, capture_output=True, cwd=cwd, env=environment)
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
    with tempfile.TemporaryDirectory() as held:
        ends = [Path(held, name) for name in ("in", "out", "err")]
        for end in ends:
            end.write_bytes(stdin if end.name == "in" else b"")
        process = forked(typed, cwd, environment, ends)
        process.join()
        assert process.exitcode is not None
        return Done(process.exitcode, *(end.read_text(encoding="utf-8") for end in ends[1:]))


class Terminal:
    """A command in a pseudo-terminal of 100 columns: both outputs, unless one has the file `out`."""

    def __init__(self, *arguments: object, cwd: Path, out: Path | None = None, **more: str):
        self.screen, self._end = pty.openpty()
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "CI")}
        env |= {"TERM": "xterm-256color", "COLUMNS": "100", **more}
        name = os.ttyname(self._end)
        if out is not None:
            out.touch()
        ends = [name, name if out is None else out, name]
        self.process = forked([str(argument) for argument in arguments], cwd, env, ends)
        self.seen = ""

    def until(self, text: str | None = None, seconds: float = 60) -> str:
        """All that was printed up to a text, or to the end."""
        limit = time.monotonic() + seconds
        while text is None or text not in self.seen:
            assert time.monotonic() < limit, f"{text!r} never came: {self.seen[-500:]!r}"
            ended = not self.process.is_alive()  # asked before the rest is read
            if select.select([self.screen], [], [], 0.0 if ended else 0.02)[0]:
                self.seen += os.read(self.screen, 1 << 16).decode()
            elif ended:
                break
        return self.seen

    def press(self, key: str) -> None:
        os.write(self.screen, key.encode())

    def end(self) -> int:
        self.until()
        self.process.join(10)
        os.close(self._end)
        os.close(self.screen)
        assert self.process.exitcode is not None
        return self.process.exitcode
