"""Ways to run `likely`: in this process, as the installed command in a pipe, and in a pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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


def piped(*arguments, cwd: Path, stdin: bytes = b"", **more: str) -> Done:
    """The installed command, its output into a pipe."""
    done = subprocess.run(
        [COMMAND, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, env={**os.environ, **more}
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


class Terminal:
    """The installed command in a pseudo-terminal of 100 columns: both outputs, unless one has `out`."""

    def __init__(self, *arguments, cwd: Path, out: IO[bytes] | None = None, **more: str):
        self.screen, end = pty.openpty()
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "CI")}
        env |= {"TERM": "xterm-256color", "COLUMNS": "100", **more}
        self.process = subprocess.Popen(
            [COMMAND, *map(str, arguments)],
            stdin=end,
            stdout=end if out is None else out,
            stderr=end,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # makes it the controlling one
        )
        os.close(end)
        self.seen = ""

    def until(self, text: str | None = None, seconds: float = 60) -> str:
        """All that was printed up to a text, or to the end."""
        limit = time.monotonic() + seconds
        while text is None or text not in self.seen:
            assert time.monotonic() < limit, f"{text!r} never came: {self.seen[-500:]!r}"
            if not select.select([self.screen], [], [], 0.1)[0]:
                continue
            try:
                self.seen += os.read(self.screen, 1 << 16).decode()
            except OSError:  # the command has ended
                break
        return self.seen

    def press(self, key: str) -> None:
        os.write(self.screen, key.encode())

    def end(self) -> int:
        self.until()
        os.close(self.screen)
        return self.process.wait(10)
