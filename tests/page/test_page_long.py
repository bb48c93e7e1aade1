"""What takes longer, or needs more than a browser: accessibility, types, real data, hostile names."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from chromium import Opened, chromium
from page_cases import answers, data_of, fitted, random_cases
from test_page import HOSTILE, hostile_table

import likely

pytestmark = pytest.mark.long

ASSETS = Path(likely.__file__).parent / "page" / "assets"
STRICT = {
    "allowJs": True,
    "checkJs": True,
    "strict": True,
    "noEmit": True,
    "noUnusedLocals": True,
    "noImplicitReturns": True,
    "target": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "module": "es2022",
    "moduleResolution": "bundler",
}


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def from_npm(tmp_path_factory):
    """A folder with packages of npm, which are for tests alone."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("npm")

    def fetched(package: str) -> Path:
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", package]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            pytest.skip(f"npm cannot fetch {package}: {done.stderr[-200:]}")
        return folder / "node_modules" / package

    return fetched


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of each sort: levels, a network, groups, a pool, a number."""
    folder = tmp_path_factory.mktemp("pages")
    chosen = (
        "naive Bayes",
        "network",
        "mixture of levels and numbers",
        "default learner",
        "linear regression",
        "texts, naive Bayes",
        "AODE",
    )
    for name in chosen:
        model, table = fitted(name)
        folds = 2 if name in ("naive Bayes", "linear regression") else 0
        model.report(table, folds=folds).save(folder / f"{name}.html")
    return sorted(folder.iterdir())


def test_pages_are_for_everybody(browser, pages, from_npm):
    """No violation that axe-core finds, light and dark, wide and narrow, with columns opened."""
    axe = (from_npm("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    for path in pages:
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                screen = {"width": width, "height": 900}
                opened = Opened(browser, path, viewport=screen, color_scheme=scheme)
                for summary in opened.page.locator("#evidence summary").all()[:2]:
                    summary.click()
                opened.page.evaluate(axe)
                told = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
                assert [(one["id"], one["nodes"][0]["html"][:200]) for one in told["violations"]] == []
                assert opened.requests == [f"file://{path}".replace(" ", "%20")]
                assert opened.complaints == []
                opened.page.close()


def test_no_page_is_wider_than_its_screen(browser, pages):
    for path in pages:
        for width in (390, 768, 1280, 1920):
            opened = Opened(browser, path, viewport={"width": width, "height": 900})
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
            opened.page.close()


def test_the_script_is_typed(from_npm, tmp_path):
    compiler = from_npm("typescript") / "bin" / "tsc"
    config = {"compilerOptions": STRICT, "include": [str(ASSETS / "*.js")]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    done = subprocess.run(["node", str(compiler), "-p", str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == ""


def test_hostile_names_are_text_in_a_browser(browser, tmp_path):
    table = hostile_table()
    model = likely.NaiveBayes(kinds="categorical").fit(table, "y")
    model.report(table, folds=2).save(tmp_path / "hostile.html")
    opened = Opened(browser, tmp_path / "hostile.html")
    assert "owned" not in opened.page.title()
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("main b").count() == 0
    for select in opened.page.locator("#case select").all():
        for option in range(1, 9):
            select.select_option(index=option)
    assert opened.page.locator(".control.told").count() == 2
    assert opened.requests == [f"file://{tmp_path / 'hostile.html'}"]
    assert opened.complaints == []
    shown = Opened(browser, opened.page.url.removeprefix("file://"))
    assert shown.page.locator(".control.told").count() == 2
    assert len(opened.page.url) < 2000
    assert len(HOSTILE["long"]) == 10_000
    opened.page.close()
    shown.page.close()


def test_real_tables_agree_and_are_small(browser, shared_data, tmp_path):
    """Penguins as a mixture, alarm as a network, adult by the default learner (some of its rows)."""
    penguins = likely.read(shared_data / "penguins.csv", into="dict")
    adult = likely.read(shared_data / "adult.csv.gz", into="dict")
    adult = {name: column[:4000] for name, column in adult.items()}
    alarm = likely.Network.read(shared_data / "bif" / "alarm.bif")
    made = (
        (likely.Mixture(3, random_state=0).fit(penguins), penguins),
        (likely.Classifier("fast").fit(adult, "income"), adult),
        (alarm, None),
    )
    for model, table in made:
        page = model.page() if table is None else model.report(table, folds=0, show_rare=True)
        assert len(page.html.encode()) < 500_000
        page.save(tmp_path / "page.html")
        data = data_of(page.html)
        cases = random_cases(data, 200)
        opened = Opened(browser, tmp_path / "page.html")
        told = np.exp(opened.page.evaluate("cases => cases.map((c) => likely.answer(c))", cases))
        if table is None:
            name = data["columns"][data["about"]]["name"]
            wanted = _of_network(model, data, cases, name)
        else:
            wanted = answers(model, data, cases)
        possible = ~np.isnan(told).any(axis=1)
        assert np.abs(told - wanted)[possible].max() < 1e-9
        assert possible.sum() > 100
        assert opened.complaints == []
        opened.page.close()


def _of_network(model, data, cases, about):
    """P(level of one node), asked case by case; where Python says that a case cannot be, NaN."""
    out = []
    for case in cases:
        given = {
            column["name"]: column["options"][int(cell)]["label"]
            for column, cell in zip(data["columns"], case, strict=True)
            if cell is not None
        }
        try:
            out.append(list(model.marginals(given)[about].values()))
        except likely.LikelyError:
            out.append([np.nan] * len(data["outcomes"]))
    return np.array(out)
