"""A PostgreSQL server on this machine, made for tests and thrown away."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def programs() -> Path:
    """Where the programs of PostgreSQL are."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders or not (folders[-1] / "initdb").exists():
        pytest.skip("takes PostgreSQL")
    return folders[-1]


@contextmanager
def running_postgres() -> Iterator[int]:
    """The port of a server on this machine alone, with a user `likely`; it does not run as root."""
    pytest.importorskip("psycopg", reason="takes psycopg")
    bins = programs()
    folder = Path("/tmp") / f"likely-pg-{os.getpid()}"
    user = "nobody" if os.geteuid() == 0 else None
    folder.mkdir(mode=0o700)
    if user:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    how: dict[str, Any] = {
        "user": user,
        "cwd": "/",
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    data = folder / "data"
    try:
        made = [bins / "initdb", "-D", data, "-U", "likely", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(made, check=True, **how)
        settings = [
            f"port={port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={folder}",
            "fsync=off",
        ]
        flags = [flag for one in settings for flag in ("-c", one)]
        running = subprocess.Popen([bins / "postgres", "-D", data, *flags], **how)
        try:
            connected(port).close()
            yield port
        finally:
            running.send_signal(signal.SIGINT)  # at once, whoever is connected
            running.wait(60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def connected(port: int) -> Any:
    """A connection, as soon as the server takes one."""
    psycopg = pytest.importorskip("psycopg", reason="takes psycopg")
    for _ in range(100):
        try:
            return psycopg.connect(
                host="127.0.0.1", port=port, user="likely", dbname="postgres", autocommit=True
            )
        except psycopg.OperationalError:
            time.sleep(0.2)
    raise AssertionError("the server did not start")
