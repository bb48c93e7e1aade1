"""One HTML file a model: what it holds, and that nothing in it can get out of its place."""

from __future__ import annotations

import json
import re

import pytest

import likely
from likely.page import page_html

DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def data_of(html: str) -> dict:
    """What the script of a page works on."""
    return json.loads(DATA.search(html)[1])


@pytest.fixture(scope="module")
def network():
    return likely.Network().fit(likely.read("titanic"), "survived")


def test_the_page_of_a_network_has_its_nodes_and_its_policy(network):
    html = page_html(network, likely.read("titanic"))
    data = data_of(html)
    assert [column["name"] for column in data["columns"]] == ["class", "sex", "age", "survived"]
    assert data["columns"][data["about"]]["name"] == "survived"
    assert "default-src 'none'" in html
    assert "<script src" not in html
    assert {fact["label"]: fact["rows"] for fact in data["columns"][1]["facts"]} == {
        "female": 470,
        "male": 1731,
    }
