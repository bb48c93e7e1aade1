"""A server in a process of its own, on a free port of this machine, for as long as a block lasts."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

MAIN = "from likely.cli import main; main()"


@dataclass
class Running:
    """A server that answers."""

    process: subprocess.Popen[str]
    port: int
    log: Path  # its standard error

    def connection(self, timeout: float = 20) -> HTTPConnection:
        """A connection, for requests one after another."""
        return HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def post(self, path: str, said: object, connection: HTTPConnection | None = None) -> tuple[int, Any]:
        """The status and the answer of a request."""
        own = connection or self.connection()
        try:
            own.request("POST", path, json.dumps(said), {"content-type": "application/json"})
            answer = own.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            if connection is None:
                own.close()

    def socket(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it by a signal: its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(20)

    def memory(self) -> float:
        """The megabytes that it holds, on Linux."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def running(model: Any, *options: str) -> Iterator[Running]:
    """`likely serve` of a model, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder, "it.likely"), Path(folder, "log")
        model.save(path)
        command = [sys.executable, "-c", MAIN, "serve", str(path), "--port", "0", "--json", *options]
        with log.open("w") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if line.startswith("}"):
                    break
            assert said, log.read_text()
            yield Running(process, json.loads(said)["port"], log)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(20)
            assert process.stdout is not None
            process.stdout.close()
