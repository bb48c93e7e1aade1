"""The page of a table's profile: small, without rows, unmoved by hostile names, and alive in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import likely
from likely.cli.run import run

CHROMIUM = Path("/usr/bin/chromium")
HOSTILE = "</script><img src=x onerror=alert(1)>"


def data_of(html: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.S)[1])


def wide(d: int = 1700, n: int = 400) -> dict:
    rng = np.random.default_rng(7)
    sorts = [
        lambda: rng.normal(size=n),
        lambda: rng.integers(0, 9, n),
        lambda: rng.choice(["red", "green", "blue", "a rather long name of a level"], n),
        lambda: np.where(rng.random(n) < 0.2, np.nan, rng.lognormal(size=n)),
        lambda: rng.choice([f"level {i}" for i in range(40)], n),
        lambda: rng.random(n) < 0.3,
    ]
    return {f"column {j}": sorts[j % len(sorts)]() for j in range(d)}


@pytest.fixture(scope="module")
def wide_page():
    return likely.profile({**wide(), "y": np.array(["a", "b"] * 200)}, "y").page()


def test_many_columns_are_a_small_page(wide_page):
    assert len(wide_page.html.encode()) < 3_000_000
    assert len(data_of(wide_page.html)["columns"]) == 1701


def test_what_few_rows_hold_is_not_there():
    rng = np.random.default_rng(1)
    numbers = rng.normal(50, 5, 400).round(3)
    numbers[7], numbers[8] = -123.456, 987.654
    table = {
        "number": numbers,
        "level": ["common"] * 391 + [f"secret{i}" for i in range(9)],
        "person": [f"name{i}" for i in range(400)],
        "note": [
            f"A long text of somebody, with words that nobody else wrote: word{i} " * 2 for i in range(400)
        ],
        "few": [None] * 391 + [7.125 + i for i in range(9)],
    }
    profile = likely.profile(table)
    shown = profile.page().html
    for word in ("123.456", "987.654", "secret", "name3", "word3", "somebody", "7.125", "-123", "987"):
        assert word not in shown
    (level,) = (column for column in data_of(shown)["columns"] if column["name"] == "level")
    assert level["levels"] == [["common", 391], ["another (9 rare values)", 9]]
    assert all(rows >= 10 for column in data_of(shown)["columns"] for *_, rows in column.get("bars", []))
    everything = profile.page(show_rare=True).html
    assert "secret1" in everything
    assert "-123.5" in everything


def test_counts_are_those_of_the_table():
    table = likely.read("titanic", into="dict")
    columns = {c["name"]: c for c in data_of(likely.profile(table, "survived").page().html)["columns"]}
    for name, column in columns.items():
        values, counts = np.unique(np.asarray(table[name], str), return_counts=True)
        wanted = {value: int(count) for value, count in zip(values, counts, strict=True)}
        assert dict(map(tuple, column["levels"])) == wanted
        assert column["rows"] == 2201
    numbers = np.random.default_rng(2).normal(size=1000)
    (column,) = data_of(likely.profile({"x": numbers}).page().html)["columns"]
    assert sum(rows for *_, rows in column["bars"]) == 1000
    assert sum(width for _, width, _ in column["bars"]) == pytest.approx(1, abs=1e-3)
    facts = dict(map(tuple, column["facts"]))
    assert float(facts["mean"]) == pytest.approx(numbers.mean(), rel=1e-3)
    assert float(facts["median"]) == pytest.approx(np.median(numbers), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(
    "table",
    [
        {"a": [1.0]},
        {"a": [None, None]},
        {"a": [1e300, -1e300, np.inf] * 20},
        {"a": [5] * 50},
        {"a": np.array(["2024-01-01", "2024-06-01"] * 30, "datetime64[D]")},
        {HOSTILE: [HOSTILE, "\u202e right to left", "x" * 10_000] * 20, "\ud800": ["\udc00"] * 60},
        {},
    ],
)
def test_odd_tables_have_a_page(table):
    for show_rare in (False, True):
        html = likely.profile(table).page(show_rare=show_rare, title=HOSTILE).html
        assert "<img" not in html
        assert html.count("<script") == 2
        data_of(html)
    assert len(html) < 100_000


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["profile", "titanic", "--html", "it.html"]) == 0
    assert "wrote it.html" in capsys.readouterr().out
    assert Path("it.html").read_text().startswith("<!doctype html>")
    assert run(["profile", "titanic", "--html", "it.html"]) == 1
    assert "--force" in capsys.readouterr().err
    assert run(["profile", "titanic", "--html", "it.html", "--force", "--show-rare", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"written": "it.html"}
    assert run(["profile", "titanic", "--html", "it.txt"]) == 1
    assert run(["profile", "titanic", "--show-rare"]) == 2


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("no chromium is installed")
    with api.sync_playwright() as started:
        made = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield made
        made.close()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser(browser, wide_page, tmp_path, scheme, width):
    table = {**wide(5), HOSTILE: [HOSTILE, "\u202eevil", "x" * 10_000, "ok"] * 100}
    pages = {"wide": wide_page, "hostile": likely.profile(table).page(title=HOSTILE)}
    for name, made in pages.items():
        made.save(tmp_path / f"{name}.html")
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 844})
        page, said, asked = context.new_page(), [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("dialog", lambda dialog, said=said: (said.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto((tmp_path / f"{name}.html").as_uri())
        assert page.locator(".column").count() > 0
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        if name == "wide":
            assert page.locator(".column").count() < 200  # the rest when it is looked at
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.type("column 1699")
            assert page.locator(".column").count() == 1
            page.fill("#search", "")
            page.select_option("#kind", "boolean")
            assert page.locator("#count").inner_text() == "283 of 1701 columns"
            page.select_option("#kind", "")
            page.select_option("#order", "most missing")
            assert "% missing" in page.locator(".column").first.text_content()
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            page.locator(".column").nth(48).wait_for(state="attached")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            assert page.locator(".column").count() == 1701
        assert said == []
        assert len(asked) == 1
        context.close()
