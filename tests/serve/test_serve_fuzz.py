"""Bad requests by the thousand: none is a fault of the server, and none shows its inside."""

from __future__ import annotations

import random

import pytest
from served_models import ROW, SAVED, model

import likely

pytest.importorskip("starlette")
from starlette.testclient import TestClient

SEEDS = [
    b'{"size": 0.4, "colour": "red", "member": true}',
    b'[{"size": 0.4, "colour": "red"}, {"size": null, "member": false}]',
    b'{"question": "P(kind=a | colour=red, size>0.1 or member=true)"}',
    b'{"given": {"colour": "red"}, "costs": {"size": 2}}',
    b"size,colour,member\n0.4,red,true\n,blue,\n",
    b'{"size": 1}\n{"size": 2}\n',
]
BITS = [
    *(mark.encode() for mark in "\"'{}[],:\n\t;\\=|)"),
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\\ud800"),
    *(b"null", b"true", b"NaN", b"1e999", b"1e-400", b"-0", b"0x1", b"9" * 400, b"2024-01-01"),
    *(b'"size"', b'"colour"', b'"x0"', b"size", b"kind", b'"' + b"a" * 3000 + b'"', b"[]", b"{}"),
    *(b"P(", b"do(", b"H(", b"I(kind; colour)", b"quantile(size, 2)", b"<script>", b"%s%n"),
]
PATHS = ["/predict", "/explain", "/ask", "/next", "/health", "/schema", "/", "/%00", "/predict/", "//"]
FORMS = [
    "application/json",
    "text/csv",
    "application/x-ndjson",
    "",
    "text/plain",
    "application/json; charset=x",
]
QUERIES = [
    "",
    "?level=0.5",
    "?level=nan",
    "?about=kind",
    "?about=%ff",
    "?for=a",
    "?against=%00",
    "?a=1&a=2",
    "?for=",
]


def mutated(rng: random.Random) -> bytes:
    """A body that is nearly right."""
    body = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randrange(6)):
        place = rng.randrange(len(body) + 1)
        match rng.randrange(4):
            case 0:
                body[place:place] = rng.choice(BITS)
            case 1:
                del body[place : place + rng.randrange(1, 9)]
            case 2:
                body[place : place + 1] = bytes([rng.randrange(256)])
            case 3:
                end = rng.randrange(len(body) + 1)
                body[place:place] = body[min(place, end) : max(place, end)]
    return bytes(body[:20_000])


def bombard(name: str, times: int, seed: int) -> None:
    rng = random.Random(seed)
    client = TestClient(
        likely.serve.app(model(name)), base_url="http://localhost", raise_server_exceptions=False
    )
    answered = set()
    for _ in range(times):
        path = rng.choice(PATHS[:4]) if rng.random() < 0.85 else rng.choice(PATHS)
        form = rng.choice(FORMS[:3]) if rng.random() < 0.9 else rng.choice(FORMS)
        query = "" if rng.random() < 0.7 else rng.choice(QUERIES)
        body = mutated(rng)
        method = "POST" if rng.random() < 0.95 else rng.choice(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
        accept = rng.choice(["*/*", "application/json", "text/csv", "", ";;,", "application/x-ndjson"])
        answer = client.request(
            method, path + query, content=body, headers={"content-type": form, "accept": accept}
        )
        answered.add(answer.status_code)
        assert answer.status_code < 500, (method, path + query, form, accept, body, answer.text)
        assert "Traceback" not in answer.text
        if answer.status_code >= 400 and method != "HEAD":
            assert answer.json()["detail"], (method, path + query, body)
    assert {200, 400, 422} <= answered
    assert client.post("/predict", json={}, params=_about(name)).status_code == 200  # it still answers


def _about(name: str) -> dict[str, str]:
    return {"about": "kind"} if name == "network" else {}


@pytest.mark.parametrize("name", ["naive bayes", "network", "regressor"])
def test_bad_requests_are_no_faults(name):
    bombard(name, 150, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("name", SAVED)
def test_ten_thousand_bad_requests_are_no_faults(name):
    bombard(name, 10_000 if name == "naive bayes" else 2_000, seed=2)


def test_the_seeds_are_right():
    client = TestClient(likely.serve.app(model("naive bayes")), base_url="http://localhost")
    for body, path, form in zip(
        SEEDS,
        ["/predict", "/predict", "/ask", "/next", "/predict", "/predict"],
        [0, 0, 0, 0, 1, 2],
        strict=True,
    ):
        answer = client.post(path, content=body, headers={"content-type": FORMS[form]})
        assert answer.status_code == 200, answer.text
    assert ROW
