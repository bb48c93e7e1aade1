"""A real server on a free port: it starts, ends well, and no client holds it up."""

from __future__ import annotations

import json
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from running import running
from served_models import ROW, model

import likely
from likely.cli.run import run
from likely.serve import RequestLimits

pytest.importorskip("uvicorn")
from likely.serve.server import Server, bound, config_of

HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def server():
    with running(model("naive bayes"), "--timeout", "2") as made:
        yield made


def closed_within(held: socket.socket, seconds: float) -> bool:
    """Whether the other side hangs up in time."""
    held.settimeout(seconds)
    try:
        while held.recv(65536):
            pass
        return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_answers_and_ends_well(number):
    with running(model("naive bayes")) as server:
        status, answer = server.post("/predict", ROW)
        assert status == 200
        assert answer["prediction"] == model("naive bayes").predict(ROW)[0]
        assert server.stop(number) == 0
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line["path"] for line in lines] == ["/predict"]


def test_what_was_begun_is_answered_before_it_ends():
    with running(model("naive bayes")) as server:
        rows = [ROW] * 20_000
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(server.post, "/predict", rows)
            time.sleep(0.3)
            code = server.stop()
            try:
                status, answer = waiting.result(20)
            except ConnectionError:  # the body had not arrived when it stopped to listen
                pytest.skip("the request came too late")
        assert (code, status, len(answer["predictions"])) == (0, 200, 20_000)


def test_slow_clients_hold_nobody_up(server):
    held = [server.socket() for _ in range(60)]
    try:
        for slow in held:
            slow.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")
        server.post("/predict", ROW)
        began = time.perf_counter()
        for _ in range(20):
            assert server.post("/predict", ROW)[0] == 200
        assert time.perf_counter() - began < 1.9  # before the slow ones are given up
        assert all(closed_within(slow, 10) for slow in held)
    finally:
        for slow in held:
            slow.close()


def test_headers_that_do_not_come_end_the_connection(server):
    """With nothing sent, with a part of the headers, and with headers in drops: all wait at the same time."""
    with ExitStack() as all_of_them:
        held = []
        for start in (b"", b"POST /pre", HEAD, HEAD + b"X: 1\r\n"):
            held.append(all_of_them.enter_context(server.socket()))
            held[-1].sendall(start)
        dropping = all_of_them.enter_context(server.socket())
        dropping.sendall(HEAD)
        began = time.monotonic()
        with pytest.raises(OSError):  # noqa: PT012
            while time.monotonic() - began < 10:
                dropping.sendall(b"X: 1\r\n")
                time.sleep(0.2)
        assert time.monotonic() - began < 8
        assert all(closed_within(each, 8) for each in held)


def test_answers_that_nobody_reads_end_the_connection():
    """Whatever the system keeps for a reader is full at last; then the reader has its time, and no more."""
    sent = []

    async def flood(scope, receive, send):
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(2000):  # 200 MB
            await send({"type": "http.response.body", "body": b" " * 100_000, "more_body": True})
            sent.append(1)

    held = bound("127.0.0.1", 0)
    ready = threading.Event()
    made = Server(config_of(flood, RequestLimits(seconds=1)), ready.set)
    thread = threading.Thread(target=made.run, args=([held],))
    thread.start()
    assert ready.wait(10)
    with socket.create_connection(held.getsockname(), timeout=10) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deadline = time.monotonic() + 15
        while not made.server_state.tasks and time.monotonic() < deadline:
            time.sleep(0.05)
        while made.server_state.connections and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not made.server_state.connections
    made.should_exit = True
    thread.join(15)
    held.close()
    assert not thread.is_alive()
    assert len(sent) > 0


def test_noise_on_the_line(server):
    rng = random.Random(3)
    for _ in range(100):
        with server.socket() as held:
            size = rng.randrange(1, 300)
            noise = (
                rng.randbytes(size) if rng.random() < 0.5 else HEAD[: rng.randrange(len(HEAD))] + b"\x00" * 9
            )
            held.sendall(noise + b"\r\n\r\n")
            held.shutdown(socket.SHUT_WR)
            held.settimeout(5)
            answer = held.recv(4096)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    assert server.post("/predict", ROW)[0] == 200
    assert "Traceback" not in server.log.read_text()


def test_huge_headers_are_refused(server):
    with server.socket() as held, pytest.raises(ConnectionError):  # noqa: PT012
        held.sendall(HEAD)
        for _ in range(200):
            held.sendall(b"X-Long: " + b"a" * 10_000 + b"\r\n")
            time.sleep(0.001)


def test_many_at_once_get_the_right_answers(server):
    rows = [{**ROW, "size": i / 50} for i in range(200)]
    wanted = model("naive bayes").predict_proba(rows)[:, 0]

    def ask(row):
        return server.post("/predict", row)[1]["probabilities"]["a"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, rows))
    assert answers == pytest.approx(wanted.tolist(), rel=1e-12)


def test_a_port_that_is_taken_is_said(server, tmp_path, capsys):
    model("naive bayes").save(tmp_path / "it.likely")
    assert run(["serve", str(tmp_path / "it.likely"), "--port", str(server.port)]) == 1
    assert "name another with --port" in capsys.readouterr().err


@pytest.fixture
def served(monkeypatch):
    """What the command would serve."""
    made = []
    monkeypatch.setattr("likely.serve.server.run", lambda *given: made.append(given) or given[-1]())
    return made


@pytest.mark.parametrize(
    ("options", "guarded"),
    [
        ([], False),
        (["--host", "::1"], False),
        (["--host", "0.0.0.0"], True),
        (["--host", "0.0.0.0", "--token", "given"], True),
        (["--token", "given"], True),
    ],
)
def test_whoever_is_not_on_this_machine_needs_a_token(served, tmp_path, capsys, options, guarded):
    model("naive bayes").save(tmp_path / "it.likely")
    assert run(["serve", str(tmp_path / "it.likely"), "--port", "0", "--json", *options]) == 0
    said = json.loads(capsys.readouterr().out)
    guard = served[0][0]
    assert (guard.token is not None) is guarded
    if "given" in options:
        assert guard.token == "given"
        assert "token" not in said
    else:
        assert said.get("token") == guard.token
        assert guard.token is None or len(guard.token) > 40
    served[0][1].close()


def test_what_cannot_be_served_is_said(tmp_path, capsys):
    likely.Normalize().fit({"a": [1.0, 2.0]}).save(tmp_path / "it.likely")
    assert run(["serve", str(tmp_path / "it.likely"), "--port", "0"]) == 1
    assert "a Normalize predicts nothing" in capsys.readouterr().err
    assert run(["serve", str(tmp_path / "none.likely")]) == 1
    model("naive bayes").save(tmp_path / "nb.likely")
    assert run(["serve", str(tmp_path / "nb.likely"), "--about", "x", "--port", "0"]) == 1
    assert run(["serve", str(tmp_path / "nb.likely"), "--token", " ", "--port", "0"]) == 1


@pytest.mark.long
def test_memory_stays_flat():
    """At most ten minutes, or 60,000 requests, whichever comes first."""
    with running(model("naive bayes")) as server, closing(server.connection()) as own:
        bulk = [ROW] * 2000

        def load(times, until):
            for i in range(times):
                assert server.post("/predict", ROW, own)[0] == 200
                if i % 50 == 0:
                    assert server.post("/predict", bulk, own)[0] == 200
                    assert server.post("/explain", ROW, own)[0] == 200
                    assert server.post("/predict", {"size": "x"}, own)[0] == 422
                if time.monotonic() > until:
                    return

        load(3000, time.monotonic() + 100)
        before = server.memory()
        load(57_000, time.monotonic() + 500)
        after = server.memory()
    print(f"{before:.1f} MB, then {after:.1f} MB")
    assert after < before + 15


@pytest.mark.long
@pytest.mark.parametrize("name", ["naive bayes", "network", "regressor"])
def test_what_the_schema_says_holds(name):
    """Requests made up from the schema, right and wrong: answers are as it says, and no fault is ours."""
    schemathesis = shutil.which("schemathesis")
    if schemathesis is None:
        pytest.skip("schemathesis is not installed")
    checks = "not_a_server_error,content_type_conformance,response_schema_conformance,status_code_conformance"
    with running(model(name)) as server:
        url = f"http://127.0.0.1:{server.port}/schema"
        command = [schemathesis, "run", url, "--checks", checks, "--max-examples", "60", "--no-color"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
