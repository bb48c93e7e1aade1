"""Parts of the page as people meet them: times, the scales of evidence, the window on a network."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from chromium import Opened, chromium
from page_cases import data_of

import likely

N = 600
BOX = "one => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }"


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


def times():
    """A day, a moment and a duration, of which the duration tells most."""
    rng = np.random.default_rng(0)
    took = rng.integers(10, 90_000, N)
    return {
        "day": np.datetime64("2020-01-01") + rng.integers(0, 900, N),
        "at": np.datetime64("2024-01-01T00:00:00") + rng.integers(0, 10**7, N).astype("timedelta64[s]"),
        "took": took.astype("timedelta64[s]"),
        "y": np.where((took > 40_000) ^ (rng.random(N) < 0.2), "late", "soon"),
    }


@pytest.fixture(scope="module")
def times_page(tmp_path_factory):
    path = tmp_path_factory.mktemp("times") / "times.html"
    table = times()
    model = likely.NaiveBayes().fit(table, "y")
    model.report(table, folds=0).save(path)
    return model, path


def test_times_are_written_as_times_into_boxes_and_addresses(browser, times_page):
    model, path = times_page
    opened = Opened(browser, path)
    boxes = opened.page.locator(".control .number input:not([type=range])")
    assert boxes.evaluate_all("all => all.map((one) => one.type)") == ["date", "datetime-local", "number"]
    boxes.nth(0).fill("2021-02-03")
    boxes.nth(1).fill("2024-02-03T12:30:05")
    boxes.nth(2).fill("45000")
    opened.page.wait_for_function("location.hash.includes('took')")  # a busy browser takes its time
    assert opened.page.url.endswith("#day=2021-02-03&at=2024-02-03T12%3A30%3A05&took=45000")
    case = {
        "day": np.array(["2021-02-03"], "datetime64[D]"),
        "at": np.array(["2024-02-03T12:30:05"], "datetime64[s]"),
        "took": np.array([45_000], "timedelta64[s]"),
    }
    told = opened.page.evaluate("likely.answer([18661, 1706963405, 45000])")  # days and seconds since 1970
    assert np.exp(told[0]) == pytest.approx(model.predict_proba(case)[0, 0], abs=1e-12)
    assert f"{100 * np.exp(told[0]):.0f}%" in opened.text("#answer-body .outcomes")
    assert opened.page.locator(".ledger .cell").all_inner_texts() == [
        " 2021-02-03", " 2024-02-03 12:30:05", " 12.5 h",
    ]  # fmt: skip
    again = Opened(browser, opened.page.url.removeprefix("file://"))
    assert again.page.locator(".control.told").count() == 3
    assert again.text("#answer-body .big") == opened.text("#answer-body .big")
    again.page.locator(".control .number input[type=date]").fill("")
    assert again.page.locator(".control.told").count() == 2
    assert opened.complaints == again.complaints == []
    opened.page.close()
    again.page.close()


def test_times_along_a_curve_are_dates_that_are_not_cut(browser, times_page):
    _, path = times_page
    opened = Opened(browser, f"{path}#day=2021-02-03", viewport={"width": 390, "height": 900})
    marks = opened.page.locator("#whatif-body svg text")
    words = [word for word in marks.all_text_contents() if "-" in word]
    assert len(words) > 1
    assert all(
        np.datetime64("2020-01-01") <= np.datetime64(word) < np.datetime64("2022-07-01") for word in words
    )
    ends = "all => all.map((one) => one.getBoundingClientRect().right)"
    edge = opened.page.locator("#whatif-body svg").evaluate("one => one.getBoundingClientRect().right")
    assert max(marks.evaluate_all(ends)) <= edge + 1
    opened.page.close()


def test_the_marks_of_a_scale_have_their_values(browser, tmp_path):
    """The ends of every scale are named, and no two words stand on each other, however narrow."""
    table = likely.read("titanic")
    likely.NaiveBayes().fit(table, "survived").report(table, folds=0).save(tmp_path / "page.html")
    for width in (390, 1280):
        opened = Opened(browser, tmp_path / "page.html", viewport={"width": width, "height": 900})
        strips = opened.page.locator("svg.strip")
        said = [set(strips.nth(i).locator("text").all_text_contents()) for i in range(3)]
        assert said[0] == {"male", "female"}
        assert said[1] > {"1st", "2nd"}
        assert said[2] == {"adult", "child"}
        boxes = (
            "all => all.map((one) => { const b = one.getBoundingClientRect(); return [b.left, b.right]; })"
        )
        for i in range(3):
            ends = sorted(strips.nth(i).locator("text").evaluate_all(boxes))
            assert all(a[1] <= b[0] for a, b in pairwise(ends))
        assert "log-odds of survived = yes" in opened.text("#evidence .note")
        opened.page.close()


def test_a_large_network_is_seen_whole_or_where_it_is_asked_about(browser, tmp_path):
    rng = np.random.default_rng(1)
    table = {f"a long name, {i} of ten": rng.choice(["low", "high"], 300) for i in range(10)}
    first, *others = table
    model = likely.Network([(first, name) for name in others]).fit(table, first)
    model.page(about="a long name, 7 of ten").save(tmp_path / "network.html")
    width = data_of((tmp_path / "network.html").read_text())["picture"]["width"]
    for screen, whole in ((1280, True), (390, False)):
        opened = Opened(browser, tmp_path / "network.html", viewport={"width": screen, "height": 900})
        frame = opened.page.locator(".window")
        assert 0.72 < frame.evaluate("one => one.clientWidth") / width < 1 or not whole
        inside = "one => one.querySelector('.network').getBoundingClientRect().width <= one.clientWidth + 1"
        assert frame.evaluate(inside) == whole
        left, top, right, bottom = frame.evaluate(BOX)
        inner = frame.locator(".asked").evaluate(BOX)
        assert left <= inner[0] + 1 < inner[2] <= right + 1
        assert top <= inner[1] + 1 < inner[3] <= bottom + 1
        opened.page.get_by_role("button", name="Show it large" if whole else "Show it whole").click()
        assert frame.evaluate(inside) != whole
        assert opened.complaints == []
        opened.page.close()


def test_of_many_columns_those_that_tell_nothing_alone_are_behind_a_button(browser, tmp_path):
    """Two causes of one effect tell nothing of each other as long as the effect is unknown."""
    rng = np.random.default_rng(2)
    table = {f"cause {i}": rng.choice(["x", "y"], 400) for i in range(14)}
    table["effect"] = np.where(rng.random(400) < 0.8, table["cause 0"], table["cause 1"])
    model = likely.Network([("cause 0", "effect"), ("cause 1", "effect")]).fit(table, "cause 0")
    model.page(about="cause 0").save(tmp_path / "page.html")
    opened = Opened(browser, tmp_path / "page.html")
    axes = opened.page.locator("details.axis")
    assert axes.locator(".name").all_inner_texts() == ["effect"]
    opened.page.get_by_role("button", name="Show the other 13 columns, which alone tell nothing").click()
    assert axes.count() == 14
    assert set(axes.locator("summary .value").all_inner_texts()[1:]) == {"0.00"}
    opened.page.close()


def test_in_a_notebook_a_page_works_and_offers_no_link(browser, tmp_path):
    """There it has no address: what was offered once led nowhere, and the browser complained."""
    table = likely.read("titanic")
    page = likely.NaiveBayes().fit(table, "survived").report(table, folds=0)
    page.save(tmp_path / "page.html")
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>notebook</title>{page._repr_html_()}")
    alone = Opened(browser, tmp_path / "page.html")
    assert alone.page.get_by_role("button", name="Copy link to this case").count() == 1
    alone.page.close()
    shown = browser.new_page()
    complaints: list[str] = []
    shown.on("console", lambda one: complaints.append(one.text))
    shown.on("pageerror", lambda one: complaints.append(str(one)))
    shown.goto(f"file://{tmp_path / 'notebook.html'}")
    inside = shown.frame_locator("iframe")
    inside.locator("label:has-text('female')").click()
    assert inside.locator("#answer-body .big").inner_text() == "73%"
    assert inside.get_by_role("button", name="Copy link to this case").count() == 0
    assert complaints == []
    shown.close()


@pytest.fixture(scope="module")
def prices_page(tmp_path_factory):
    """Houses of six figures, of which the last column tells most."""
    path = tmp_path_factory.mktemp("prices") / "prices.html"
    rng = np.random.default_rng(2)
    garage, area = rng.choice(["no", "yes"], N), rng.normal(120, 40, N).round()
    price = 2500.0 * area + 9000 * (garage == "yes") + rng.normal(0, 9000, N)
    table = {"garage": garage, "area": area, "price": price.round()}
    likely.LinearRegression().fit(table, "price").report(table, folds=0).save(path)
    return path


@pytest.mark.parametrize("width", [390, 1120])
def test_numbers_of_six_figures_have_room(browser, prices_page, width):
    opened = Opened(browser, prices_page, viewport={"width": width, "height": 900})
    left = opened.page.locator("#whatif-body svg").evaluate("one => one.getBoundingClientRect().left")
    marks = opened.page.locator("#whatif-body svg text")
    assert sum("00,000" in word for word in marks.all_text_contents()) > 1
    starts = "all => all.map((one) => one.getBoundingClientRect().left)"
    assert min(marks.evaluate_all(starts)) >= left
    ranges = opened.page.locator(".axis summary .value")
    assert any("," in word for word in ranges.all_inner_texts())
    heights = ranges.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(heights) < 30
    opened.page.close()


def test_what_if_goes_along_what_tells_most_or_what_was_told_last(browser, prices_page):
    for told, wanted in (("", "area"), ("#garage=yes", "garage"), ("#garage=yes&area=100", "area")):
        opened = Opened(browser, f"{prices_page}{told}")
        chosen = opened.page.locator("#whatif-column").evaluate("one => one.selectedOptions[0].textContent")
        assert chosen == wanted
        opened.page.close()


def test_what_is_added_to_a_number_is_written_in_one_way(browser, prices_page):
    opened = Opened(browser, f"{prices_page}#area=100")
    badge = opened.page.locator(".control.told .adds").inner_text()
    assert badge == opened.page.locator(".ledger tr.against .number").inner_text()
    assert "." not in badge
    # The scale of a sum of numbers does not begin at 0: its ends are marks, not bars from nowhere.
    ends = opened.page.locator(".ledger tr.base rect, .ledger tr.total rect")
    assert {
        float(width) for width in ends.evaluate_all("all => all.map((one) => one.getAttribute('width'))")
    } == {1}
    opened.page.close()


def test_columns_that_tell_nothing_stand_behind_a_button(browser, tmp_path):
    rng = np.random.default_rng(4)
    tells = rng.choice(["a", "b"], N)
    y = np.where(rng.random(N) < 0.9, tells, "a")
    table = {"tells": tells, "always": ["one"] * N, "y": y}
    likely.NaiveBayes().fit(table, "y").report(table, folds=0).save(tmp_path / "page.html")
    opened = Opened(browser, tmp_path / "page.html")
    assert opened.page.locator("svg.strip").count() == 1
    opened.page.get_by_role("button", name="Show the other column, which alone tells nothing").click()
    assert opened.page.locator("svg.strip").count() == 2
    opened.page.close()
