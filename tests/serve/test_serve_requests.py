"""What a request may say and who may make it: forms, limits, refusals, hosts, tokens, headers, the log."""

from __future__ import annotations

import base64
import json
import logging

import pytest
from served_models import ROW, SAVED, model

import likely
from likely.serve.guard import Guard

pytest.importorskip("starlette")
from starlette.testclient import TestClient

JSON = {"content-type": "application/json"}
CSV = {"content-type": "text/csv"}


def client_of(name="naive bayes", **options):
    return TestClient(likely.serve.app(model(name), **options), base_url="http://localhost")


@pytest.fixture(scope="module")
def client():
    return client_of()


def problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    said = answer.json()
    assert said["status"] == status
    assert said["title"]
    return said["detail"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "no JSON"),
        (b"{", 400, "line 1, character 2"),
        (b'[{"size": 1},\n {"size" 2}]', 400, "line 2, character 10"),
        (b'[{"size": 1} {"size": 2}]', 400, "expecting ',' or ']'"),
        (b'[{"size": 1}', 400, "expecting ',' or ']'"),
        (b'[{"size": 1},]', 400, "no JSON"),
        (b"[{}] 1", 400, "more after its array"),
        (b'{"size": NaN}', 400, "NaN, which JSON does not have"),
        (b'{"size": -Infinity}', 400, "write null"),
        (b"\xff\xfe", 400, "no UTF-8"),
        (b'{"size": ' + b"9" * 5000 + b"}", 400, "thousands of digits"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b'{"size": ' + b"[" * 100_000, 400, "nested too deeply"),
        (b"3", 422, "the body is a number"),
        (b'"size"', 422, "the body is a text"),
        (b"null", 422, "the body is null"),
        (b"[1]", 422, "row 0 is a number"),
        (b"[{}, [1]]", 422, "row 1 is an array"),
        (b'{"size": [1, 2]}', 422, "column 'size': row 0 holds an array"),
        (b'[{"size": 1}, {"size": {"a": 1}}]', 422, "column 'size': row 1 holds an object"),
        (b'{"size": "large"}', 422, "column 'size' held numbers"),
        (b'[{"size": 1}, {"size": "large"}]', 422, "'size'"),
        (b'{"size": 1e300}', 422, "1e+300"),
        (b'{"size": 1e999}', 422, "'size'"),
        (b'{"colour": 3}', 422, "column 'colour' held text"),
        (b'{"member": "perhaps"}', 422, "'member'"),
        (b'{"Size": 1}', 422, "is 'Size' the column 'size'? Rename it."),
    ],
)
def test_bad_bodies_are_refused_in_words(client, body, status, words):
    assert words in problem(client.post("/predict", content=body, headers=JSON), status)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 422, "empty"),
        (b"size,colour\nlarge,red\n", 422, "column 'size' should hold numbers, but row 0 holds 'large'"),
        (b"size,size\n1,2\n", 422, "size"),
        (b"a,b\n1,2\n", 422, "size"),
        (b"\x1f\x8b\x08\x00", 400, "compressed"),
        (b'size\n"1', 422, ""),
        (b"\x00\x01\x02", 422, ""),
    ],
)
def test_bad_tables_are_refused_in_words(client, body, status, words):
    assert words in problem(client.post("/predict", content=body, headers=CSV), status)


def test_rows_are_counted_from_the_first_of_the_request(client):
    rows = [ROW] * 5000 + [{**ROW, "size": 1e300}]
    assert "row 5000" in problem(client.post("/predict", json=rows), 422)
    table = "size,colour\n" + "1,red\n" * 5000 + "x,red\n"
    assert "row 5000 holds 'x'" in problem(client.post("/predict", content=table, headers=CSV), 422)


def test_forms_of_answers(client):
    lines = '{"size": 1}\n{"size": 2, "colour": "red"}\n'
    for form in ("application/x-ndjson", "application/jsonl"):
        answer = client.post("/predict", content=lines, headers={"content-type": form})
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        assert [json.loads(line)["prediction"] for line in answer.text.splitlines()]
    table = client.post("/predict", json=[ROW], headers={"accept": "text/csv"}).text
    assert table.splitlines()[0] == "size,colour,member,p_a,p_b,predicted"
    assert client.post("/predict", content="[]", headers=JSON).json() == {"predictions": []}
    only_names = client.post("/predict", content="size,colour,member\n", headers=CSV)
    assert only_names.text == "size,colour,member,p_a,p_b,predicted\n"


def test_what_deserves_a_look_is_noted(client):
    notes = client.post("/predict", json={"size": 1, "weight": 3}).json()["notes"]
    assert any("'colour', 'member' are not there" in note for note in notes)
    assert any("'weight' not seen" in note for note in notes)


def test_halves_of_characters_come_back_escaped(client):
    answer = client.post("/explain", content=b'{"colour": "\\ud800"}', headers=JSON)
    assert answer.status_code == 200
    (line,) = (line for line in answer.json()["lines"] if line["name"] == "colour")
    assert line["value"] in ("\ud800", "\N{REPLACEMENT CHARACTER}")


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/predict?levle=0.5", {}, "did you mean 'level'?"),
        ("/predict?level=2", {}, "between 0 and 1"),
        ("/predict?level=high", {}, "'high'"),
        ("/predict?about=kind", {}, "about its target alone"),
        ("/explain?for=maybe", {}, "there is no class 'maybe': the classes are 'a', 'b'"),
        ("/ask", {}, "question is missing"),
        ("/ask", {"question": 3}, "question is missing"),
        ("/ask", {"question": "P(", "data": 3}, "the body names 'data'"),
        ("/ask", {"question": "P(kind=a | colour=" + "(" * 4000}, ""),
        ("/ask", {"question": "P(kind=" + "not " * 2000}, ""),
        ("/ask", {"question": "x" * 20_000}, "20000 characters"),
        ("/ask", {"question": "P(nothing=1)"}, "nothing"),
        ("/ask", [], "no object"),
        ("/next", {"given": 3}, "given is 3"),
        ("/next", {"given": {"size": [1]}}, "column 'size' holds [1]"),
        ("/next", {"given": {"heigth": 1}}, "heigth"),
        ("/next", {"costs": {"size": "dear"}}, "column 'size' costs 'dear'"),
        ("/next", {"costs": {"size": -1}}, "-1"),
    ],
)
def test_what_cannot_be_used_is_said(client, path, body, words):
    assert words in problem(client.post(path, json=body), 422)


def test_limits():
    limits = likely.serve.RequestLimits(body=2000, rows=10, explained=2)
    client = client_of(limits=limits)
    assert "more than 10 rows" in problem(client.post("/predict", json=[{}] * 11), 413)
    assert client.post("/predict", json=[{}] * 10).status_code == 200
    table = "size\n" + "1\n" * 11
    assert "more than 10 rows" in problem(client.post("/predict", content=table, headers=CSV), 413)
    assert "more than 2 rows" in problem(client.post("/explain", json=[{}] * 3), 413)
    assert "2000 are allowed" in problem(client.post("/predict", content=b" " * 2001, headers=JSON), 413)

    def pieces():  # whose length nobody says before
        for _ in range(30):
            yield b" " * 100

    assert "more than 2000 bytes" in problem(client.post("/predict", content=pieces(), headers=JSON), 413)
    for wrong in ({"rows": 0}, {"seconds": -1}, {"body": True}, {"seconds": float("inf")}):
        with pytest.raises(likely.LikelyError, match="give a number above 0"):
            likely.serve.RequestLimits(**wrong)


def test_what_takes_too_long_is_given_up():
    client = client_of(limits=likely.serve.RequestLimits(seconds=0.05))
    assert client.post("/predict", json=[ROW] * 60_000).status_code in (408, 503)
    assert client_of().post("/predict", json=ROW).status_code == 200


@pytest.mark.parametrize(
    "form", ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"]
)
def test_other_forms_are_refused(client, form):
    detail = problem(client.post("/predict", content=b"{}", headers={"content-type": form}), 415)
    assert "application/json or application/x-ndjson or text/csv" in detail
    gzip = client.post("/predict", content=b"{}", headers={**JSON, "content-encoding": "gzip"})
    assert "compressed" in problem(gzip, 415)


def test_other_paths_and_methods(client):
    assert "/predict" in problem(client.get("/nothing"), 404)
    answer = client.get("/predict")
    problem(answer, 405)
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000", "192.168.0.7"])
def test_numbers_and_localhost_are_ours(client, host):
    assert client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.com", "evil.com:8000", "localhost.evil.com", "", "127.0.0.1.evil.com", "[::1"]
)
def test_other_names_are_refused(client, host):
    """A page whose name was made to lead to this machine (DNS rebinding) says its own name here."""
    problem(client.get("/health", headers={"host": host}), 421)


def test_names_can_be_allowed():
    client = client_of(hosts=["Models.Example.org"])
    assert client.get("/health", headers={"host": "models.example.org:443"}).status_code == 200
    problem(client.get("/health", headers={"host": "other.example.org"}), 421)
    assert client_of(hosts="*").get("/health", headers={"host": "anything"}).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://localhost", 200), ("http://evil.com", 403), ("null", 403), ("http://[", 403)],
)
def test_pages_of_others_are_refused(client, origin, status):
    assert client.post("/predict", json=ROW, headers={"origin": origin}).status_code == status


def test_a_token_is_asked_for():
    client = client_of(token="sesame öffne")
    answer = client.post("/predict", json=ROW)
    assert "token is missing or wrong" in problem(answer, 401)
    assert answer.headers["www-authenticate"].startswith("Basic")
    for wrong in ("Bearer", "Bearer sesam", "Basic !", "Basic c2VzYW1l", "Digest x", "Bearer sesame öffnet"):
        headers = [("authorization", wrong.encode())]
        assert client.post("/predict", json=ROW, headers=headers).status_code == 401
    right = "sesame öffne".encode()
    for said in (b"Bearer " + right, b"basic " + base64.b64encode(b"me:" + right)):
        assert client.post("/predict", json=ROW, headers=[("authorization", said)]).status_code == 200
    assert client.get("/health").status_code == 200
    assert client.get("/schema").status_code == 401


def test_tokens_are_compared_in_constant_time(monkeypatch):
    compared = []
    import hmac

    own = hmac.compare_digest
    monkeypatch.setattr(
        "likely.serve.guard.hmac.compare_digest", lambda a, b: compared.append((a, b)) or own(a, b)
    )
    client_of(token="t").get("/schema", headers={"authorization": "Bearer u"})
    assert compared == [(b"u", b"t")]


def test_every_answer_is_guarded(client):
    for answer in (client.get("/health"), client.get("/nothing"), client.post("/predict", json=ROW)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers


def test_the_log_has_no_data(client, caplog):
    secret = "S3CRET"
    with caplog.at_level(logging.INFO, "likely.serve"):
        client.post("/predict", json={"colour": secret})
        client.post("/predict", json={"size": secret})
        client.post("/ask", json={"question": f"P(colour={secret})"})
        client.get(f"/{secret}?{secret}={secret}")
        client.post("/predict", json=[ROW] * 7)
    lines = [json.loads(record.message) for record in caplog.records if record.name == "likely.serve"]
    assert secret not in caplog.text
    assert [line["status"] for line in lines] == [200, 422, 422, 404, 200]
    assert [line["rows"] for line in lines] == [1, 0, 0, 0, 7]
    assert lines[0]["path"] == "/predict"
    assert set(lines[0]) == {"time", "method", "path", "status", "rows", "ms"}


def test_a_fault_of_ours_tells_nothing(monkeypatch, caplog):
    client = TestClient(
        likely.serve.app(model("naive bayes")), base_url="http://localhost", raise_server_exceptions=False
    )

    def broken(*_, **__):
        raise RuntimeError("S3CRET")

    monkeypatch.setattr("likely.serve.served.row_answers", broken)
    with caplog.at_level(logging.INFO, "likely.serve"):
        answer = client.post("/predict", json=ROW)
    assert problem(answer, 500) == "a fault of the server: see its log."
    assert "S3CRET" not in answer.text + caplog.text
    assert "RuntimeError" in caplog.text


def test_sockets_of_the_web_are_closed():
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), client_of().websocket_connect("/predict"):
        pass


def schemas(node):
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "schema":
                yield value
            yield from schemas(value)
    elif isinstance(node, list):
        for value in node:
            yield from schemas(value)


@pytest.mark.parametrize("name", [*SAVED, "decider"])
def test_the_schema_is_one(name):
    jsonschema = pytest.importorskip("jsonschema")
    document = client_of(name).get("/schema").json()
    assert document["openapi"] == "3.1.0"
    check = jsonschema.Draft202012Validator.check_schema
    for schema in [*document["components"]["schemas"].values(), *schemas(document["paths"])]:
        check(schema)
    text = json.dumps(document)
    for reference in {part.split('"')[0] for part in text.split('"$ref": "#/')[1:]}:
        node = document
        for step in reference.split("/"):
            node = node[step]
    row = {"$defs": document["components"]["schemas"], **document["components"]["schemas"]["Row"]}
    names = list(row["properties"])
    jsonschema.validate({key: value for key, value in ROW.items() if key in names}, row)


def test_the_schema_is_that_of_openapi():
    validator = pytest.importorskip("openapi_spec_validator")
    for name in (*SAVED, "decider"):
        validator.validate(client_of(name).get("/schema").json())


@pytest.mark.parametrize("name", [*SAVED, "decider"])
def test_there_is_a_page_for_people(name):
    answer = client_of(name).get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src &#x27;none&#x27;" in answer.text or "default-src 'none'" in answer.text
    assert "http://" not in answer.text.replace("http://www.w3.org/", "")
    assert "https://" not in answer.text
    assert 'src="' not in answer.text


def test_hostile_names_are_text_on_the_page():
    name = "</script><img src=x onerror=alert(1)>"
    table = {name: ["a", "b"] * 20, "ok": [1.5, 2.5] * 20, "y": [f"{name}1", "n"] * 20}
    fitted = likely.LogisticRegression().fit(table, "y")
    page = TestClient(likely.serve.app(fitted), base_url="http://localhost").get("/").text
    assert "<img" not in page


def test_the_guard_lets_the_life_of_a_server_through():
    with client_of() as client:
        assert client.get("/health").json() == {"status": "ok"}
    assert Guard.__doc__
