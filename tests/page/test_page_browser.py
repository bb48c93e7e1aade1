"""Pages in a real browser: the same answers as Python, no request, no complaint, by keyboard alone."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

import numpy as np
import pytest
from chromium import Opened, chromium
from page_cases import MODELS, answers, data_of, fitted, people, random_cases, texts, two
from seeds import first

import likely
from likely.page.word_reader import reader_of


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def titanic(tmp_path_factory):
    """The page of naive Bayes on the bundled table."""
    path = tmp_path_factory.mktemp("page") / "titanic.html"
    table = likely.read("titanic")
    likely.NaiveBayes().fit(table, "survived").report(table).save(path)
    return path


def agreement(browser, tmp_path, name, n):
    """The greatest difference between the browser and Python over n random cases with random gaps."""
    model, table = fitted(name)
    page = model.report(table, folds=0, show_rare=True)
    page.save(tmp_path / "page.html")
    data = data_of(page.html)
    cases = random_cases(data, n)
    opened = Opened(browser, tmp_path / "page.html")
    told = np.array(opened.page.evaluate("cases => cases.map((cells) => likely.answer(cells))", cases))
    opened.page.close()
    assert opened.complaints == []
    wanted = answers(model, data, cases)
    if data["numeric"]:
        return float(np.abs(told - wanted).max() / np.abs(wanted).max())
    return float(np.abs(np.exp(told) - wanted).max())


def test_what_is_known_of_the_base_rate_of_a_pool(browser, tmp_path):
    """Nothing told: as many rows as were counted. Something told: what rows with such answers have."""
    table = likely.read("titanic", into="dict")
    likely.Classifier("fast").fit(table, "survived").report(table, folds=0).save(tmp_path / "pool.html")
    opened = Opened(browser, tmp_path / "pool.html")
    low, high = np.quantile(np.random.default_rng(0).beta(712, 1491, 100_000), [0.05, 0.95])  # 711 of 2201
    assert f"{100 * low:.0f}% to {100 * high:.0f}%" in opened.text("#answer-body .note")
    assert "about 2,201 cases" in opened.text("#answer-body .note")
    opened.page.click("label:has-text('female')")
    assert "about 2,201 cases" not in opened.text("#answer-body .note")


@pytest.mark.parametrize("learner", [likely.LinearRegression(), likely.Regressor("fast")])
def test_intervals_of_numbers_are_of_cases_of_which_all_is_told(browser, tmp_path, learner):
    """They are those of rows whose columns are known: of others more than one in ten lie outside."""
    rng = np.random.default_rng(0)
    sort = np.repeat(["a", "b"], 100)
    table = {"sort": sort.tolist(), "y": np.where(sort == "a", 0.0, 10.0) + rng.normal(size=200)}
    learner.fit(table, "y").report(table, folds=0).save(tmp_path / "number.html")
    opened = Opened(browser, tmp_path / "number.html")
    assert "before every column is told" in opened.text("#answer-body .note")
    opened.page.click("label:has-text('b')")
    low, high = re.findall(r"between (\S+) and (\S+)\.", opened.text("#answer-body .note"))[0]
    inside = (table["y"][100:] > float(low.replace("−", "-"))) & (table["y"][100:] < float(high))
    assert 0.8 < inside.mean() < 0.98  # of 100 rows, .9: by three standard errors


def test_smoke(browser, titanic):
    """What every change must not break, in seconds."""
    opened = Opened(browser, titanic)
    assert "32%" in opened.text("#answer-body .big")
    opened.page.click("label:has-text('female')")
    opened.page.click("label:has-text('1st')")
    model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
    someone = {"class": ["1st"], "sex": ["female"], "age": [None]}
    assert f"{100 * model.predict_proba(someone)[0, 1]:.0f}%" in opened.text("#answer-body .big")
    assert opened.page.url.endswith("#sex=female&class=1st")
    assert opened.requests == [f"file://{titanic}"]
    assert opened.complaints == []
    opened.page.close()


def test_a_case_in_the_address_is_opened(browser, titanic):
    opened = Opened(browser, f"{titanic}#sex=male&class={quote('3rd')}&nonsense=1&age=~77")
    assert opened.page.is_checked("input[name=c1] >> nth=2")
    assert opened.page.locator(".control.told").count() == 2
    opened.page.close()


def test_on_paper_is_what_was_told_and_no_more(browser, titanic):
    page = Opened(browser, f"{titanic}#class=1st&sex=female").page
    labels = page.locator("#case-controls .segments label")
    shown = "all => all.filter(one => one.checkVisibility()).map(one => one.innerText)"
    assert len(labels.evaluate_all(shown)) > 5
    page.emulate_media(media="print")
    assert labels.evaluate_all(shown) == ["1st", "female"]
    page.close()


def test_the_ledger_adds_up(browser, titanic):
    opened = Opened(browser, f"{titanic}#sex=female&class=1st&age=child")
    numbers = opened.page.locator(".ledger td.number").all_inner_texts()
    *lines, total = [float(number.replace("−", "-")) for number in numbers]
    assert sum(lines) == pytest.approx(total, abs=0.011 * len(lines))
    model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
    row = {"class": ["1st"], "sex": ["female"], "age": ["child"]}
    ledger = model.explain(row, favoured="yes")[0]
    assert total == pytest.approx(ledger.total, abs=0.006)
    assert lines[0] == pytest.approx(ledger.base, abs=0.006)
    assert lines[1] == pytest.approx(ledger.lines[1].evidence, abs=0.006)  # sex was told first
    opened.page.close()


def test_the_keyboard_alone_will_do(browser, titanic):
    opened = Opened(browser, titanic)
    press = opened.page.keyboard.press
    for _ in range(40):
        press("Tab")
        if opened.page.evaluate("document.activeElement.name") == "c1":
            break
    press("ArrowRight")
    assert "73%" in opened.text("#answer-body .big")
    press("ArrowLeft")
    assert "32%" in opened.text("#answer-body .big")
    outlined = opened.page.evaluate("getComputedStyle(document.activeElement.nextSibling).outlineStyle")
    assert outlined == "solid"
    opened.page.close()


def test_the_next_question_is_that_of_python(browser, titanic):
    model = likely.NaiveBayes(evidence_weights=None).fit(likely.read("titanic"), "survived")
    path = titanic.with_name("plain.html")
    model.page().save(path)
    opened = Opened(browser, f"{path}#class=1st")
    shown = opened.page.locator("#question .outcome").all_inner_texts()
    names = [line.split("\n")[0].strip() for line in shown]
    bits = [float(line.split("\n")[-1].split()[0]) for line in shown]
    options = model.next_question("class=1st").options
    assert names == [option.name for option in options]
    assert bits == pytest.approx([option.bits for option in options], rel=0.06)
    opened.page.close()


SOME = (
    *("naive Bayes", "texts, default learner", "network", "mixture", "default learner, additive"),
    *("AODE", "tree-augmented naive Bayes", "texts, pairs of words that are there"),
)


@pytest.mark.parametrize("name", first(2, SOME))
def test_some_models_agree_with_python(browser, tmp_path, name):
    assert agreement(browser, tmp_path, name, 100) < 1e-9


def test_words_of_a_text_are_weighed_where_they_are_written(browser, tmp_path):
    """The words that count stand under the box with what they add, which is the line of the ledger."""
    table = two(texts("kind"))
    model = likely.NaiveBayes(kinds={"text": "text"}, evidence_weights=None).fit(table, "kind")
    model.report(table, folds=0).save(tmp_path / "page.html")
    opened = Opened(browser, tmp_path / "page.html")
    box = opened.page.get_by_label("text", exact=True)
    box.fill("WIN a prize; nobody-knows")
    said = opened.text("fieldset[data-column='0'] .words")
    assert {word.split()[0] for word in said.split("3 others")[0].splitlines()} <= {
        "win",
        "prize",
    } or "win" in said
    assert "others are not among those that the page knows" in said
    added = [float(x.replace("−", "-")) for x in re.findall(r"[+−][\d.]+", said)]
    assert sum(added) == pytest.approx(
        float(opened.text("fieldset[data-column='0'] legend .adds").replace("−", "-")), abs=0.011
    )
    wanted = model.predict_proba({"text": ["win a prize nobody knows"], "size": [np.nan], "plan": [None]})[
        0, 1
    ]
    told = np.exp(opened.page.evaluate("likely.answer(['WIN a prize; nobody-knows', null, null])"))[1]
    assert told == pytest.approx(wanted, abs=1e-12)
    again = Opened(browser, f"{tmp_path}/page.html#{opened.page.url.partition('#')[2]}")
    assert again.page.get_by_label("text", exact=True).input_value() == "WIN a prize; nobody-knows"
    assert opened.complaints == again.complaints == []
    opened.page.close()
    again.page.close()


PATTERNS = (
    r"\w+",
    r"\w+|[^\w\s]",
    r"(?u)\b\w\w+\b",
    r"\d+|\S+",
    r"[a-zäöü']+-?",
    r"(?:[A-Z]\.)+|\w+?(?:n't)?",
)


@pytest.mark.long
def test_letters_are_those_of_python(browser, titanic):
    """Every letter that there is, alone and between others, by each pattern; but those of newer tables."""
    opened = Opened(browser, titanic)
    known = [chr(i) for i in range(0x30000) if unicodedata.category(chr(i)) not in ("Cn", "Cs")]
    between = [f"a{letter}B" for letter in known]
    said = [
        mark.join(some[i : i + 500])
        for some, mark in ((known, ""), (between, "\n"))
        for i in range(0, len(some), 500)
    ]
    said += ["ΟΔΟΣ ΣΑΣ Σ", "don't U.S.A. isn't", "İI ẞ ŉ"]
    for pattern in PATTERNS:
        for lowercase in (True, False):
            words = likely.Words(pattern=pattern, lowercase=lowercase, ngrams=1)
            script = "([reader, texts]) => texts.map((text) => likely.words(reader, text).join('|'))"
            told = opened.page.evaluate(script, [reader_of(words), said])
            wanted = ["|".join(words.tokens(text)) for text in said]
            wrong = [(text, a, b) for text, a, b in zip(said, told, wanted, strict=True) if a != b]
            assert wrong == []
    opened.page.close()


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_every_model_agrees_with_python(browser, tmp_path, name):
    assert agreement(browser, tmp_path, name, 1000) < 1e-9


@pytest.mark.long
def test_intervals_are_those_of_python(browser, tmp_path):
    """Of regressions to many digits; of naive Bayes, whose draws are approximated, to a fifth."""
    two = {**people(), "kind": np.where(people()["kind"] == "a", "a", "b")}
    for model, near in ((likely.LogisticRegression(), 0.1), (likely.NaiveBayes(evidence_weights=None), 0.2)):
        page = model.fit(two, "kind").report(two, folds=0, show_rare=True)
        page.save(tmp_path / "page.html")
        data = data_of(page.html)
        cases = [case for case in random_cases(data, 60) if sum(cell is not None for cell in case) > 2]
        opened = Opened(browser, tmp_path / "page.html")
        script = "cases => cases.map((c) => likely.oracle().variance(c, likely.answer(c), 1))"
        deviation = np.sqrt(opened.page.evaluate(script, cases))
        opened.page.close()
        table = {
            column.name: [
                None if case[j] is None else (column.known[int(case[j])] if column.has_levels else case[j])
                for case in cases
            ]
            for j, column in enumerate(model.record_.schema.columns)
        }
        table["member"] = [None if case[4] is None else bool(case[4]) for case in cases]
        table = {name: np.array(values, object) for name, values in table.items()}
        for name in ("size", "weight", "visits"):
            table[name] = table[name].astype(float)
        intervals = model.predict_interval(table, level=0.68268949)
        low, high = (np.log(end / (1 - end))[:, 1] for end in (intervals.lower, intervals.upper))
        ratio = deviation / ((high - low) / 2)
        assert np.median(np.abs(np.log(ratio))) < near
