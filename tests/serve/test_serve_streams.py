"""Answers of many rows are sent while they are made, and are whole or a refusal all the same."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from starlette.testclient import TestClient

import likely
from likely.serve.served import Served

N = 10_000
FORMS = ("application/json", "application/x-ndjson", "text/csv")


@pytest.fixture(scope="module")
def model():
    return likely.NaiveBayes().fit(likely.read("titanic"), "survived")


def rows(n: int = N) -> list[dict[str, str]]:
    rng = np.random.default_rng(0)
    sex, cabin = rng.choice(["female", "male"], n), rng.choice(["1st", "2nd", "3rd", "crew"], n)
    return [{"class": str(c), "sex": str(s), "age": "adult"} for c, s in zip(cabin, sex, strict=True)]


def body(records: list[dict[str, str]], form: str) -> bytes:
    if form == "application/json":
        return json.dumps(records).encode()
    if form == "text/csv":
        text = io.StringIO()
        out = csv.DictWriter(text, list(records[0]))
        out.writeheader()
        out.writerows(records)
        return text.getvalue().encode()
    return "\n".join(json.dumps(record) for record in records).encode()


def asked(app, sent: bytes, form: str, happened: list[str], gone_after: int = 10**9) -> tuple[int, bytes]:
    """The status and the answer of a request; every piece that is sent is put down in `happened`."""
    status, got = 0, []

    async def receive():
        if happened.count("received"):
            await asyncio.sleep(60)
        happened.append("received")
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message):
        nonlocal status
        status = message.get("status", status)
        if message.get("body"):
            if happened.count("sent") >= gone_after:
                raise OSError
            happened.append("sent")
            got.append(message["body"])

    scope = {
        "type": "http", "method": "POST", "path": "/predict", "raw_path": b"/predict", "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", form.encode())], "http_version": "1.1",
        "scheme": "http", "asgi": {"version": "3.0"},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    return status, b"".join(got)


def probabilities(answer: bytes, form: str) -> list[float]:
    if form == "text/csv":
        return [float(row["p_yes"]) for row in csv.DictReader(io.StringIO(answer.decode()))]
    records = json.loads(answer)["predictions"] if form == FORMS[0] else map(json.loads, answer.splitlines())
    return [record["probabilities"]["yes"] for record in records]


@pytest.mark.parametrize("form", FORMS)
def test_the_first_rows_are_sent_before_the_last_are_answered(model, form, monkeypatch):
    happened: list[str] = []
    predict = Served.predict

    def noted(*arguments):
        happened.append("predicted")
        return predict(*arguments)

    monkeypatch.setattr(Served, "predict", noted)
    records = rows(20_000)
    status, answer = asked(likely.serve.app(model), body(records, form), form, happened)
    assert status == 200
    assert happened.count("predicted") == 5  # blocks of 4,096 rows
    assert "predicted" in happened[happened.index("sent") :]
    table = {name: [record[name] for record in records] for name in records[0]}
    assert np.allclose(probabilities(answer, form), model.predict_proba(table)[:, 1], rtol=0, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_a_row_far_down_that_cannot_be_used_refuses_the_whole(model, form):
    """Before anything is sent: an answer that has begun goes to its end."""
    app = likely.serve.app(model, limits=likely.serve.RequestLimits(rows=9_999))
    status, answer = asked(app, body(rows(), form), form, [])
    assert status == 413
    assert b"9999 rows" in answer


def test_a_value_far_down_is_named_by_its_row():
    rng = np.random.default_rng(0)
    fitted = likely.NaiveBayes().fit({"x": rng.normal(size=200), "y": rng.choice(["a", "b"], 200)}, "y")
    records: list[dict] = [{"x": 1.5}] * 9_000 + [{"x": "tall"}]
    happened: list[str] = []
    status, answer = asked(likely.serve.app(fitted), body(records, FORMS[0]), FORMS[0], happened)
    assert status == 422
    assert b"'x'" in answer
    assert b"row 9000" in answer


def test_whoever_leaves_gives_the_place_back(model):
    """More leave in the middle of an answer than there are places."""
    app = likely.serve.app(model, limits=likely.serve.RequestLimits(requests=2))
    sent = body(rows(20_000), FORMS[1])
    for _ in range(4):
        asked(app, sent, FORMS[1], [], gone_after=1)
    assert asked(app, body(rows(5), FORMS[1]), FORMS[1], [])[0] == 200


def test_a_few_rows_do_not_wait_behind_many_that_are_short(model, monkeypatch):
    """A thousand empty records are 4 kB: nobody is held up by their ledgers all the same."""
    app = likely.serve.app(model)
    answered, waited = threading.Event(), []

    def slow(self, table, *_):
        waited.append((threading.current_thread().name, answered.wait(20)))
        return iter([{}])

    monkeypatch.setattr(Served, "explain", slow)
    client = TestClient(app, base_url="http://localhost")
    with client, ThreadPoolExecutor(1) as other:
        late = other.submit(client.post, "/explain", json=[{}] * 1000)
        while not late.running():
            time.sleep(0.01)
        time.sleep(0.2)  # so that the ledgers are begun
        assert client.post("/predict", json={"sex": "female"}).status_code == 200
        answered.set()
        assert late.result().status_code == 200
    assert [done for _, done in waited] == [True]
    assert waited[0][0].startswith("likely-slow")
