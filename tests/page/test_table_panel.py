"""What the page says of the columns of a table."""

from __future__ import annotations

import re

import numpy as np

import likely
from likely.page import table_panel
from likely.page.page import make_page


def _holds(table):
    """What the panel says of each column."""
    html = likely.NaiveBayes().fit(table, "y").report(table, folds=0).html
    line = r'<th scope="row"><bdi>(\w+)</bdi></th>.*?<td class="holds"><bdi>(.*?)</bdi>'
    return dict(re.findall(line, html))


def test_columns_of_rare_values_and_of_one_value_that_most_rows_have():
    rng = np.random.default_rng(0)
    table = {
        "code": [f"v{i % 60}" for i in range(300)],
        "doors": rng.choice([0.5, 1.5, 2.5], 300, p=[0.1, 0.8, 0.1]),
        "x": rng.normal(size=300),
        "y": rng.choice(["no", "yes"], 300),
    }
    holds = _holds(table)
    assert holds["code"] == "60 rare values"
    assert holds["doors"] == "half or more are 1.5"
    assert holds["x"].startswith("half between ")
    assert holds["y"].startswith(("no 5", "yes 5"))


def test_the_card_names_the_columns_that_nothing_was_learnt_from():
    table = likely.read("titanic", into="dict")
    model = likely.NaiveBayes().fit(table, "survived")
    few = make_page(model, left_out=["<b>id</b>", "name"]).html
    assert "Not learnt from" in few
    assert "&lt;b&gt;id&lt;/b&gt;, name" in few
    many = make_page(model, left_out=[f"id {i}" for i in range(1500)]).html
    assert "id 19, and 1,480 more" in many
    assert "Not learnt from" not in make_page(model).html


def test_the_card_names_the_prior_where_there_is_one(tmp_path):
    """Tables of a network that were given were not learnt, so that no prior made them."""
    table = likely.read("titanic", into="dict")
    prior = re.compile(r"<dt>Prior</dt><dd><bdi>(.*?)</bdi>")
    weak = "default: weak, that of each column&#39;s family"
    assert prior.findall(likely.NaiveBayes().fit(table, "survived").page().html) == [weak]
    learnt = likely.Network().fit(table, "survived")
    assert prior.findall(learnt.page().html) == [weak]
    learnt.write(tmp_path / "given.bif")
    assert prior.findall(likely.Network.read(tmp_path / "given.bif").page().html) == []
    chosen = likely.LogisticRegression().fit(table, "survived").report(table, folds=0)
    assert prior.findall(chosen.html)[0].startswith("default: Normal(mean=0.0, sd=")
    assert prior.findall(likely.NaiveBayes(prior=None).fit(table, "survived").page().html) == []


def test_every_warning_says_what_to_do_and_names_no_value():
    rng = np.random.default_rng(0)
    table = {
        "amount": np.where(rng.random(400) < 0.05, -999.0, rng.normal(50, 5, 400).round()),
        "y": rng.choice(["no", "yes"], 400),
    }
    html = likely.NaiveBayes().fit(table, "y").report(table, folds=0).html
    said = re.findall(r"<li><strong><bdi>amount</bdi>: (.*?)\.</strong> (.*?)</li>", html)
    assert ("disguised missing", table_panel.NAMED_ELSEWHERE) in said
    assert all(message for _, message in said)
    assert "999" not in "".join(message for _, message in said)
    assert "2 columns; no cell missing." in html


def test_rows_are_counted_in_full():
    table = {"x": [0, 1] * 4, "y": ["a", "b"] * 4}
    model = likely.NaiveBayes().fit(table, "y", sample_weight=np.full(8, 312_500.0))
    assert "learnt from 2,500,000 rows" in model.page().html
