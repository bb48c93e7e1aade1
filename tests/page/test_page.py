"""One HTML file a model: what it holds, and that nothing in it can get out of its place."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from page_cases import DATA, MODELS, answers, data_of, fitted

import likely
from likely.page import make_page, page_html

HOSTILE = {
    "script": "</script><script>document.title='owned'</script>",
    "comment": "<!-- <script>",
    "quotes": "\"'`${1}\\",
    "right to left": "\u202eabc\u202c\u200f",
    "lines": "a\u2028b\u2029c\n",
    "template": "{{ 7 * 7 }}{% raw %}",
    "markup": "<img src=x onerror=alert(1)>&amp;",
    "long": "x" * 10_000,
}


class Tags(HTMLParser):
    """The elements of a page, and what stands in its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
        self.attributes += attrs


@pytest.fixture(scope="module")
def titanic():
    return likely.read("titanic")


@pytest.fixture(scope="module")
def naive_bayes(titanic):
    return likely.NaiveBayes().fit(titanic, "survived")


def test_the_page_of_a_network_has_its_nodes_and_its_policy(titanic):
    html = page_html(likely.Network().fit(titanic, "survived"), titanic)
    data = data_of(html)
    assert [column["name"] for column in data["columns"]] == ["class", "sex", "age", "survived"]
    assert data["columns"][data["about"]]["name"] == "survived"
    assert {fact["label"]: fact["rows"] for fact in data["columns"][1]["facts"]} == {
        "female": 470,
        "male": 1731,
    }


def test_script_and_style_are_those_that_the_policy_names(naive_bayes):
    html = page_html(naive_bayes)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert len(text) == 1
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_nothing_is_fetched_and_nothing_is_styled_or_scripted_in_attributes(naive_bayes, titanic):
    tags = Tags(naive_bayes.report(titanic).html)
    assert not {name for name, _ in tags.attributes} & {"src", "style", "srcset", "onclick", "onload"}
    links = {value for name, value in tags.attributes if name == "href"}
    assert all(value.startswith("#") for value in links)
    assert {"link", "iframe", "img", "object", "base", "form"}.isdisjoint(tags.found)


def hostile_table(n: int = 240) -> dict[str, np.ndarray]:
    """Hostile levels, each in many rows, hostile names of columns, and hostile classes."""
    rng = np.random.default_rng(0)
    levels = np.array(list(HOSTILE.values()), object)
    codes = rng.integers(len(levels), size=n)
    return {
        "</script><b>": levels[codes],
        "plain": levels[rng.integers(len(levels), size=n)],
        "y": np.array([HOSTILE["script"], HOSTILE["markup"]], object)[(codes > 3).astype(int)],
    }


def test_hostile_names_change_nothing():
    table = hostile_table()
    calm = {
        "a": np.array([f"level {list(HOSTILE.values()).index(v)}" for v in table["</script><b>"]], object),
        "plain": np.array([f"level {list(HOSTILE.values()).index(v)}" for v in table["plain"]], object),
        "y": np.where(table["y"] == HOSTILE["script"], "no", "yes"),
    }
    pages = [
        likely.NaiveBayes(kinds="categorical").fit(t, "y").report(t, folds=2).html for t in (table, calm)
    ]
    hostile, harmless = (Tags(page) for page in pages)
    assert hostile.found == harmless.found
    assert [name for name, _ in hostile.attributes] == [name for name, _ in harmless.attributes]
    data = data_of(pages[0])
    assert data["columns"][0]["name"] == "</script><b>"
    labels = {option["label"] for option in data["columns"][0]["options"]}
    assert {HOSTILE["script"], HOSTILE["right to left"], HOSTILE["lines"]} < labels
    assert max(map(len, labels)) == 200
    assert "49" not in pages[0].split("page-data")[0].split("</style>")[1].split("<main>")[0]


def test_no_letter_of_the_data_ends_the_block_it_stands_in():
    block = DATA.search(page_html(likely.NaiveBayes(kinds="categorical").fit(hostile_table(), "y")))[1]
    assert not set(block) & set("<>&\u2028\u2029")


def test_half_of_a_letter_does_no_harm():
    table = {"a": np.array(["\ud800", "b"] * 40, object), "y": ["x", "x", "y", "y"] * 20}
    html = page_html(likely.NaiveBayes().fit(table, "y"))
    html.encode()


def rare_table() -> dict[str, np.ndarray]:
    """Levels of which two are rare, and a number with a salary that only one row has."""
    rng = np.random.default_rng(3)
    n = 500
    city = np.array(["Bern"] * 300 + ["Basel"] * 189 + ["Smallville"] * 8 + ["Nowhere"] * 3, object)
    pay = np.round(rng.normal(5000, 800, n))
    pay[7], pay[8] = 9_876_543, 13
    return {"city": city, "pay": pay, "y": np.where(rng.random(n) < 0.4, "yes", "no")}


@pytest.mark.parametrize(
    "model",
    [
        likely.NaiveBayes(),
        likely.LogisticRegression(),
        likely.GaussianClassifier(),
        likely.Classifier("additive"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_what_few_rows_hold_is_not_in_the_file(model):
    table = rare_table()
    if isinstance(model, likely.GaussianClassifier):
        table = {name: column for name, column in table.items() if name != "city"}
    fitted = model.fit(table, "y")
    html = fitted.report(table, folds=2).html
    for word in ("Smallville", "Nowhere", "9876543", "9,876,543", "9.876"):
        assert word not in html
    if "city" in table:
        labels = [option["label"] for option in data_of(html)["columns"][0]["options"]]
        assert labels == ["Basel", "Bern", "another (2 rare values)"]
        shown = fitted.report(table, folds=0, show_rare=True).html
        assert "Smallville" in shown
        assert "Rare values are shown" in shown


@pytest.mark.parametrize(
    "model", [likely.NaiveBayes(), likely.LogisticRegression(), likely.Classifier("additive")]
)
def test_levels_that_few_rows_have_even_together_are_not_on_the_page(model):
    """One row of a level would say what its outcome was; intervals and facts leave it out too."""
    table = rare_table()
    table["city"] = np.where(np.isin(table["city"], ["Smallville"]), "Bern", table["city"]).astype(object)
    table["town"] = np.array([f"town {i // 9}" for i in range(500)], object)[::-1]
    fitted = model.fit(table, "y")
    page = fitted.report({**table, "town": np.array(["town 0"] * 9 + [None] * 491, object)}, folds=0)
    city, _, town = data_of(page.html)["columns"]
    assert [option["label"] for option in city["options"]] == ["Basel", "Bern"]
    assert [fact["label"] for fact in city["facts"]] == ["Basel", "Bern"]
    assert town["control"] == "none"
    assert town["why"] == "none of its values has 10 rows"
    assert "what has fewer even so is left out" in page.contains[-1]
    term = next(term for term in data_of(page.html)["model"]["terms"] if term["columns"] == [0])
    assert len(term["table"]) == 2


def test_rare_levels_of_a_network_lose_their_names():
    """Its tables go by them, so that they stay apart."""
    table = {name: column for name, column in rare_table().items() if name != "pay"}
    model = likely.Network([("city", "y")]).fit(table, "y")
    for html in (model.page().html, model.report(table, folds=0).html):
        assert "Smallville" not in html
        labels = [option["label"] for option in data_of(html)["columns"][0]["options"]]
        assert labels == ["Basel", "Bern", "a rare value (2)", "a rare value (3)"]
    assert "Smallville" in model.page(show_rare=True).html


def test_levels_that_are_one_have_the_probability_of_either():
    """P(another | class) is the sum of the probabilities of the rare levels."""
    table = rare_table()
    model = likely.NaiveBayes(evidence_weights=None).fit(table, "y")
    term = data_of(model.report(table, folds=0).html)["model"]["terms"][0]
    form = model.scoring_form().terms[0]
    known = list(model.record_.schema.columns[0].known)
    rare = [known.index("Nowhere"), known.index("Smallville")]
    assert np.exp(term["table"][2]) == pytest.approx(np.exp(form.table[rare]).sum(axis=0), rel=1e-12)
    assert term["table"][0] == form.table[known.index("Basel")].tolist()


def test_rare_levels_are_known_from_the_model_alone():
    html = page_html(likely.NaiveBayes().fit(rare_table(), "y"))
    assert "Smallville" not in html


def test_every_fact_of_a_table_is_what_pandas_counts(titanic, naive_bayes):
    import pandas as pd

    frame = pd.DataFrame(dict(titanic))
    data = data_of(naive_bayes.report(titanic, folds=0).html)
    for column in data["columns"]:
        counted = frame.groupby(column["name"])["survived"].value_counts().unstack(fill_value=0)
        for fact in column["facts"]:
            row = counted.loc[fact["label"]]
            assert fact["rows"] == row.sum()
            assert fact["share"] == pytest.approx([row["no"] / row.sum(), row["yes"] / row.sum()], abs=1e-5)
            assert fact["low"][1] < fact["share"][1] < fact["high"][1]


def test_no_bin_has_fewer_than_ten_rows():
    table = rare_table()
    data = data_of(likely.NaiveBayes().fit(table, "y").report(table).html)
    for column in data["columns"]:
        assert min(fact["rows"] for fact in column["facts"]) >= 10
    for judged in data["quality"]["outcomes"]:
        rows = np.add(judged["hits"], judged["others"])
        assert rows.min() >= 10
        assert rows.sum() == 500
        assert min(bin["rows"] for bin in judged["calibration"]) >= 10


def test_curves_are_those_of_scikit_learn(titanic, naive_bayes):
    """The area under the curve of the counts is that of the probabilities themselves, but for binning."""
    data = data_of(naive_bayes.report(titanic).html)
    judged = data["quality"]["outcomes"][0]
    hits, others = np.array(judged["hits"][::-1]), np.array(judged["others"][::-1])
    tpr, fpr = np.cumsum(hits) / hits.sum(), np.cumsum(others) / others.sum()
    area = np.trapezoid(np.append(0, tpr), np.append(0, fpr))
    measured = {one["name"]: float(one["value"]) for one in data["quality"]["measures"]}
    assert area == pytest.approx(measured["AUC"], abs=0.005)
    assert hits.sum() == 711
    bins = judged["calibration"]
    assert sum(bin["share"] * bin["rows"] for bin in bins) == pytest.approx(711, abs=0.1)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_a_page_with_and_without_a_table(name):
    model, table = fitted(name)
    knows_rows = not isinstance(model, likely.LogisticRegression)  # of levels
    for page in (model.page(show_rare=not knows_rows), model.report(table, folds=0)):
        data = data_of(page.html)
        assert len(page.html.encode()) < 500_000
        live = [column for column in data["columns"] if column["control"] != "none"]
        assert live
        for column in live:
            values = column.get("options") or column.get("points")
            if column["control"] == "text":
                assert len(column["words"]) == len(set(column["words"])) > 5
                continue
            assert len(column["shares"]) == len(values) > 1
            assert sum(column["shares"]) == pytest.approx(1, abs=1e-3)


def test_a_page_of_fifty_columns_is_small():
    rng = np.random.default_rng(1)
    n = 600
    table = {f"number {j}": rng.normal(size=n) for j in range(25)}
    table |= {f"level {j}": rng.choice(list("abcdefgh"), n) for j in range(25)}
    table["y"] = np.where(table["number 0"] + rng.normal(size=n) > 0, "yes", "no")
    numbers = {f"number {j}": rng.normal(size=n) for j in range(50)} | {"y": table["y"]}
    for model in (likely.NaiveBayes(), likely.LogisticRegression(), likely.Classifier("additive")):
        for own in (table, numbers):
            page = model.fit(own, "y").report(own, folds=2)
            assert len(page.html.encode()) < 500_000


def test_pages_do_not_depend_on_chance(titanic):
    pages = [likely.NaiveBayes().fit(titanic, "survived").report(titanic).html for _ in range(2)]
    assert pages[0] == pages[1]


def test_families_that_end_at_the_greatest_value_are_refused():
    model = likely.NaiveBayes(families={"pay": "uniform"}).fit(rare_table(), "y")
    with pytest.raises(likely.LikelyError, match=r"'pay' is described by the uniform family.*show_rare"):
        model.page()
    assert model.page(show_rare=True).contains[-1].startswith("Rare values are shown")


def test_a_network_that_is_too_large_says_how_large():
    rng = np.random.default_rng(0)
    names = [f"n{i}" for i in range(22)]
    table = {name: rng.choice(list("ab"), 200) for name in names}
    arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 : i + 19]]
    network = likely.Network(arcs, max_parents=18).fit(table)
    with pytest.raises(likely.LikelyError, match=r"a page (holds )?[\d,]+ at most"):
        network.page()


def test_files_are_written_whole_and_as_html(naive_bayes, tmp_path):
    page = naive_bayes.page()
    with pytest.raises(likely.LikelyError, match=r"end the name in .html"):
        page.save(tmp_path / "page.pdf")
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_notebooks_show_the_page_in_a_frame_that_runs_scripts_alone(naive_bayes):
    page = naive_bayes.page()
    shown = Tags(page._repr_html_())
    assert shown.found == ["iframe"]
    assert dict(shown.attributes)["sandbox"] == "allow-scripts"
    assert dict(shown.attributes)["srcdoc"] == page.html
    assert repr(page).startswith("<page of ")


def test_nasty_tables_have_pages():
    n = 60
    table = {
        "constant": np.full(n, 3.0),
        "gone": np.full(n, np.nan),
        "huge": np.linspace(1, 1e300, n) / 1e160,
        "tiny": np.linspace(1e-300, 1e-290, n),
        "one level": np.full(n, "x", object),
        "y": np.array(["a", "b"] * (n // 2)),
    }
    for model in (likely.NaiveBayes(), likely.LogisticRegression()):
        fitted = model.fit(table, "y")
        for page in (fitted.page(show_rare=True), fitted.report(table, folds=2)):
            json.dumps(data_of(page.html), allow_nan=False)


def test_a_table_may_have_gaps_in_the_target_and_more_columns(titanic, naive_bayes):
    table = {name: np.array(list(column), object) for name, column in dict(titanic).items()}
    table["survived"][:5] = None
    table["extra"] = np.arange(len(table["survived"]))
    data = data_of(naive_bayes.report(table, folds=0).html)
    assert [column["name"] for column in data["columns"]] == ["class", "sex", "age"]
    assert sum(fact["rows"] for fact in data["columns"][1]["facts"]) == 2196


@pytest.mark.parametrize("name", ["default learner", "default learner, additive"])
def test_a_pool_of_which_nothing_is_told_says_the_base_rate(name):
    model, _ = fitted(name)
    form = data_of(model.page().html)["model"]
    scores = np.sum([form["start"], *(term["missing"] for term in form["terms"])], axis=0)
    p = np.exp(scores - scores.max())
    assert p / p.sum() == pytest.approx(model.base_rate_, rel=1e-9)


def test_bins_are_parted_where_they_say(titanic):
    """Counted anew by the words of the labels, of numbers with many figures."""
    rng = np.random.default_rng(8)
    table = {"x": 1e3 + rng.normal(size=400) / 7, "y": rng.choice(["a", "b"], 400)}
    facts = data_of(likely.NaiveBayes().fit(table, "y").report(table, folds=0).html)["columns"][0]["facts"]
    ends = [float(word) for word in re.findall(r"[\d.]+", " ".join(fact["label"] for fact in facts))]
    cuts = [-np.inf, *ends[::2], np.inf] if len(facts) > 2 else [-np.inf, ends[0], np.inf]
    assert len(facts) > 4
    assert [fact["rows"] for fact in facts] == np.histogram(table["x"], cuts)[0].tolist()


@pytest.mark.parametrize("name", MODELS)
def test_what_is_said_where_nothing_is_told_is_the_base_rate_or_said_not_to_be(name):
    model, table = fitted(name)
    data = data_of(model.report(table, folds=0, show_rare=True).html)
    if data["numeric"] or model._hidden or isinstance(model, likely.Classifier):
        return
    told = answers(model, data, [[None] * len(data["columns"])])[0]
    target = model.record_.target_name
    rates = np.array([np.mean(table[target] == label) for label in data["outcomes"]])
    if model.get_params().get("base_rate") == "uniform":
        rates[:] = 1 / len(rates)
    named = data["model"].get("base_name", "base rate")
    assert (named == "nothing told") == (np.abs(told - rates).max() > 0.005) or "logistic" in name
    assert (named == "nothing told") == ("With nothing told it says" in data["said"])


def test_people_are_told_what_the_pool_leaves_out():
    model, table = fitted("default learner")
    html = make_page(model, table).html
    assert "additive part of the pool" in html


@pytest.fixture(scope="module")
def pool_page():
    """Of the default learner, with a column of words for true and false."""
    rng = np.random.default_rng(0)
    member, size = rng.choice(["yes", "no"], 300, p=[0.4, 0.6]), rng.normal(size=300)
    bought = np.where(size + (member == "yes") + rng.normal(size=300) > 0.3, "bought", "left")
    table = {"member": member.tolist(), "size": size, "outcome": bought.tolist()}
    return likely.Classifier("fast").fit(table, "outcome").report(table, folds=0), table


def test_the_table_has_the_words_of_its_rows(pool_page):
    page, table = pool_page
    share = 100 * table["member"].count("no") / 300
    assert f"no {share:.0f}%" in page.html
    assert "False" not in DATA.sub("", page.html)


def test_the_base_rate_is_known_as_far_as_it_was_counted(pool_page):
    """The variance of log-odds of a share that is beta distributed, after a uniform prior: by draws."""
    page, table = pool_page
    counts = [table["outcome"].count(name) for name in ("bought", "left")]
    share = np.random.default_rng(0).beta(counts[0] + 1, counts[1] + 1, 400_000)
    drawn = np.log(share / (1 - share)).var()
    told = data_of(page.html)["spread"]["base"]
    assert np.allclose(told, drawn, rtol=0.02)  # nine standard errors of the draws


def test_parameters_of_a_pool_are_not_counted_without_its_members(pool_page, naive_bayes, titanic):
    assert "free parameter" not in pool_page[0].html
    assert "free parameter" in naive_bayes.report(titanic, folds=0).html
