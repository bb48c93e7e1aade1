"""Requests to `likely serve`: how many a second, how late the latest, and what memory does meanwhile.

    python benchmarks/serve.py [seconds] [--soak MINUTES]

A server in a process of its own, on a free port of this machine; requests arrive at fixed times, 200 a
second, whether or not the last ones are answered (so that a slow answer delays nobody else's clock), and then
as fast as 16 connections can. The client shares the machine with the server: times mean something on a
machine that does nothing else. The CPU time of the server can be judged on a busy one too: at 200 a second it
must be well under one core. A soak is the same load with 10,000 rows every few seconds, for so many minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from figures import keep

import likely

ROWS = 5_000
RATE = 200  # requests a second
CONNECTIONS = 16
MAIN = "from likely.cli import main; main()"


def table() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    columns: dict[str, np.ndarray] = {f"x{i}": rng.normal(size=ROWS).round(3) for i in range(5)}
    columns |= {f"c{i}": rng.choice(["red", "green", "blue", "grey"], ROWS) for i in range(5)}
    score = columns["x0"] - columns["x1"] + (columns["c0"] == "red") + rng.logistic(size=ROWS)
    return {**columns, "y": np.where(score > 0, "yes", "no")}


@contextmanager
def server(model: object) -> Iterator[tuple[int, int]]:
    """Its port and its process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "it.likely")
        model.save(path)  # type: ignore[attr-defined]
        command = [sys.executable, "-c", MAIN, "serve", str(path), "--port", "0", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert process.stdout is not None
            said = "".join(iter(process.stdout.readline, "}\n")) + "}"
            yield json.loads(said)["port"], process.pid
        finally:
            process.terminate()
            process.wait(20)


def memory(pid: int) -> float:
    """Megabytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request(body: bytes, form: str = "application/json") -> bytes:
    head = f"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: {form}\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes) -> bytes:
    writer.write(sent)
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode())
    told = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    if told:
        return await reader.readexactly(int(told))
    pieces = []  # sent while it is made
    while size := int(await reader.readuntil(b"\r\n"), 16):
        pieces.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(pieces)


async def at_fixed_times(port: int, bodies: list[bytes], seconds: float, rate: float) -> np.ndarray:
    """The seconds that each request took, from when it was due."""
    due: asyncio.Queue[float | None] = asyncio.Queue()
    taken: list[float] = []

    async def worker(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (moment := await due.get()) is not None:
            await answer(reader, writer, bodies[len(taken) % len(bodies)])
            taken.append(time.perf_counter() - moment)
        writer.close()

    workers = [asyncio.create_task(worker(number)) for number in range(CONNECTIONS)]
    await asyncio.sleep(0.2)
    start = time.perf_counter()
    for i in range(int(seconds * rate)):
        moment = start + i / rate
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        due.put_nowait(moment)
    for _ in workers:
        due.put_nowait(None)
    await asyncio.gather(*workers)
    return np.array(taken)


async def as_fast_as_they_can(port: int, bodies: list[bytes], seconds: float) -> float:
    """Requests a second."""
    done = 0
    end = time.perf_counter() + seconds

    async def worker() -> None:
        nonlocal done
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < end:
            await answer(reader, writer, bodies[done % len(bodies)])
            done += 1
        writer.close()

    await asyncio.gather(*(worker() for _ in range(CONNECTIONS)))
    return done / seconds


async def once(port: int, sent: bytes) -> tuple[float, int]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
    start = time.perf_counter()
    got = await answer(reader, writer, sent)
    writer.close()
    return time.perf_counter() - start, len(got)


def measure(name: str, model: object, rows: list[dict[str, object]], seconds: float) -> None:
    bodies = [request(json.dumps(row).encode()) for row in rows[:500]]
    many = (rows * (10_000 // len(rows) + 1))[:10_000]
    lines = [",".join(many[0]), *(",".join(map(str, row.values())) for row in many)]
    bulk = {
        "JSON": request(json.dumps(many).encode()),
        "CSV": request("\n".join(lines).encode(), "text/csv"),
    }
    with server(model) as (port, pid):
        asyncio.run(at_fixed_times(port, bodies, 1, RATE))  # whatever is made at first
        before, began = memory(pid), cpu(pid)
        taken = 1e3 * asyncio.run(at_fixed_times(port, bodies, seconds, RATE))
        spent = 1e3 * (cpu(pid) - began) / len(taken)
        p50, p99, worst = np.quantile(taken, [0.5, 0.99, 1])
        fastest = asyncio.run(as_fast_as_they_can(port, bodies, min(seconds, 5)))
        print(
            f"{name:14} {RATE}/s for {seconds:g} s: p50 {p50:.1f} ms, p99 {p99:.1f}, worst {worst:.1f}; "
            f"{spent:.2f} CPU ms a request, {RATE * spent / 1e3:.2f} of a core; at most {fastest:.0f}/s"
        )
        keep(f"{name} CPU a request", spent, "ms")
        keep(f"{name} p99", float(p99), "ms")
        keep(f"{name} most", float(fastest), "1/s")
        for form, sent in bulk.items():
            asyncio.run(once(port, sent))
            began = cpu(pid)
            took, size = min(asyncio.run(once(port, sent)) for _ in range(3))
            spent = (cpu(pid) - began) / 3
            print(f"{'':14} 10,000 rows as {form}: {took:.2f} s, {spent:.2f} CPU s, {size / 1e6:.1f} MB back")
            keep(f"{name} 10,000 rows {form}", spent, "s")
        print(f"{'':14} memory {before:.0f} MB, {memory(pid):.0f} MB at the end")


def soak(model: object, rows: list[dict[str, object]], minutes: float) -> None:
    """Singles at 200 a second, and 10,000 rows every few seconds, for so long; what memory does."""
    bodies = [request(json.dumps(row).encode()) for row in rows[:500]]
    bulk = request(json.dumps((rows * 3)[:10_000]).encode())
    with server(model) as (port, pid):
        held = []
        for minute in range(int(minutes * 2)):
            taken = 1e3 * asyncio.run(at_fixed_times(port, bodies, 27, RATE))
            for _ in range(3):
                asyncio.run(once(port, bulk))
            held.append(memory(pid))
            p99 = np.quantile(taken, 0.99)
            print(f"{(minute + 1) / 2:4.1f} min: {held[-1]:.1f} MB, p99 {p99:.1f} ms", flush=True)
        first, last = np.mean(held[1:4]), np.mean(held[-3:])
        print(f"memory {first:.1f} MB after 2 minutes, {last:.1f} at the end: {last - first:+.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float, nargs="?", default=10)
    parser.add_argument("--soak", type=float, default=0)
    said = parser.parse_args()
    data = table()
    names = [name for name in data if name != "y"]
    records = [
        dict(zip(names, cells, strict=True)) for cells in zip(*(data[n].tolist() for n in names), strict=True)
    ]
    if said.soak:
        soak(likely.NaiveBayes().fit(data, "y"), records, said.soak)
    else:
        measure("naive Bayes", likely.NaiveBayes().fit(data, "y"), records, said.seconds)
        measure("logistic", likely.LogisticRegression().fit(data, "y"), records, said.seconds)
        measure(
            "pool",
            likely.Classifier().fit({k: v[:1500] for k, v in data.items()}, "y"),
            records,
            said.seconds,
        )
        titanic = likely.read("titanic", into="dict")
        people = [dict(zip(titanic, cells, strict=True)) for cells in zip(*titanic.values(), strict=True)]
        people = [{k: str(v) for k, v in row.items() if k != "survived"} for row in people]
        measure("network", likely.Network().fit(titanic, "survived"), people, said.seconds)
