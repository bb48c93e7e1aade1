"""Ledgers: parts that sum, in every library and in print."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from ledger_cases import ledgers
from scipy.special import expit

from likely.errors import LikelyError
from likely.evidence import Ledger, LedgerLine, Ledgers, Status

INF = math.inf


def one(*evidence: float, base: float = 0.0, **more: Any) -> Ledger:
    """A ledger of features a, b, ... with this evidence."""
    total = base + sum(evidence)
    p = float(expit(total))
    fields: dict[str, Any] = {
        "favoured": "yes",
        "against": "no",
        "base": base,
        "lines": tuple(LedgerLine("abcdefgh"[i], i, e) for i, e in enumerate(evidence)),
        "total": total,
        "probabilities": {"no": 1 - p, "yes": p},
    }
    return Ledger(**fields | more)


def test_parts_sum_to_the_log_posterior_odds():
    many = ledgers()
    np.testing.assert_array_equal(many.total, [2.75, -1.625, -1.25])
    for ledger in many:
        assert ledger.base + sum(line.evidence for line in ledger.lines) == ledger.total
        odds = ledger.probabilities[ledger.favoured] / ledger.probabilities[ledger.against]
        assert math.isclose(math.log(odds), ledger.total, rel_tol=1e-12)


def test_one_row():
    ledger = ledgers()[2]
    assert (ledger.favoured, ledger.against, ledger.base, ledger.total) == ("no", "yes", 0.5, -1.25)
    assert ledger.lines == (
        LedgerLine("sex", "<script>", 0.0, "never seen"),
        LedgerLine("class", 9, 0.0),
        LedgerLine("age", 40.0, -1.5),
        LedgerLine("together", None, -0.25, feature=False),
    )
    assert [line.note for line in ledgers()[0].lines] == ["", "", "missing", ""]
    assert [line.note for line in ledgers()[1].lines] == ["", "not used", "", ""]


def test_against_all_others_and_plain_labels():
    ledger = ledgers(classes=tuple(np.array([3, 4])), against=np.array([-1, 0, 1]))[0]
    assert ledger.against is None
    assert type(ledger.favoured) is int
    assert ledger.favoured == 4
    assert ledger.text().startswith("4 against all others\n")


def test_indexing_and_slices_keep_the_rows():
    many = ledgers()
    assert len(many) == 3
    assert many[-1].base == 0.5
    assert many[np.int64(1)].lines[0].value == "male"
    tail = many[1:]
    assert len(tail) == 2
    assert tail[0] == many[1]
    assert tail[1:][0].lines[0].value == "<script>"
    assert tail.to_frame()["row"].tolist() == [1, 2]
    assert many[np.array([True, False, True])][1] == many[2]
    with pytest.raises(IndexError):
        many[3]


@pytest.mark.parametrize("field", ["favoured", "against", "terms", "rest", "status", "log_posterior"])
def test_wrong_shapes_are_refused(field: str):
    with pytest.raises(LikelyError, match=f"'{field}'"):
        ledgers(**{field: getattr(ledgers(), field)[:2]})


COLUMNS = {
    "row": [0, 1, 2],
    "for": ["yes", "yes", "no"],
    "against": ["no", "no", "yes"],
    "base rate": [-0.5, -0.5, 0.5],
    "sex": [2.0, -1.0, 0.0],
    "class": [1.0, -0.25, 0.0],
    "age": [0.0, 0.125, -1.5],
    "together": [0.25, 0.0, -0.25],
    "total": [2.75, -1.625, -1.25],
}
LIBRARIES = [
    ("pandas", pd.DataFrame, lambda f: f.to_dict("list")),
    ("polars", pl.DataFrame, lambda f: f.to_dict(as_series=False)),
    ("pyarrow", pa.Table, lambda t: t.to_pydict()),
    ("numpy", dict, lambda d: {name: values.tolist() for name, values in d.items()}),
]


@pytest.mark.parametrize(("library", "kind", "columns"), LIBRARIES)
def test_wide_frame(library: str, kind: type, columns: Any):
    frame = ledgers(library=library).to_frame()
    assert isinstance(frame, kind)
    assert columns(frame) == COLUMNS
    assert list(columns(frame)) == list(COLUMNS)


@pytest.mark.parametrize(("library", "kind", "columns"), LIBRARIES)
def test_wide_frame_against_all_others(library: str, kind: type, columns: Any):
    found = columns(ledgers(library=library, classes=(False, True), against=np.array([-1, 0, 1])).to_frame())
    assert found["for"] == [True, True, False]
    assert found["against"] == [None, False, True]


@pytest.mark.parametrize(("library", "kind", "columns"), LIBRARIES)
def test_frames_of_no_rows_and_of_mixed_labels(library: str, kind: type, columns: Any):
    assert columns(ledgers(library=library)[:0].to_frame()) == {name: [] for name in COLUMNS}
    assert columns(ledgers(library=library, classes=("no", 1)).to_frame())["for"] == ["1", "1", "no"]


def test_features_called_as_the_fixed_columns():
    frame = ledgers(names=("total", "row", "age"), rest_names=("age",)).to_frame()
    assert frame["total"].tolist() == COLUMNS["total"]
    assert frame["total (feature)"].tolist() == COLUMNS["sex"]
    assert frame["row (feature)"].tolist() == COLUMNS["class"]
    assert frame["age"].tolist() == COLUMNS["age"]
    assert frame["age (rest)"].tolist() == COLUMNS["together"]


@pytest.mark.parametrize(("library", "kind", "columns"), LIBRARIES)
def test_long_frame(library: str, kind: type, columns: Any):
    frame = ledgers(library=library)[0].to_frame()
    assert isinstance(frame, kind)
    found = columns(frame)
    np.testing.assert_allclose(found.pop("odds"), np.exp([2.0, 1.0, 0.0, 0.25]), rtol=1e-15)
    value = found.pop("value")
    assert value[:2] == ["female", "1"]
    assert all(v is None or v != v for v in value[2:])
    assert found == {
        "name": ["sex", "class", "age", "together"],
        "evidence": [2.0, 1.0, 0.0, 0.25],
        "note": ["", "", "missing", ""],
    }


def test_text():
    assert ledgers()[0].text() == (
        "yes against no\n"
        "\n"
        "           value    evidence (nats)    odds\n"
        "base rate                     -0.50    0.61          ██│\n"
        "sex        female             +2.00  x 7.4             │███████▌\n"
        "class      1                  +1.00  x 2.7             │███▌\n"
        "together                      +0.25  x 1.3             │█\n"
        "age        missing             0.00  x 1               │\n"
        "total                         +2.75  = 16              │██████████\n"
        "P(yes) = 0.94"
    )


def test_text_in_the_order_of_the_table_in_bits():
    assert ledgers()[2].text(order="table", bits=True) == (
        "no against yes\n"
        "\n"
        "           value                  evidence (bits)    odds\n"
        "base rate                                   +0.72    1.6             │███▌\n"
        "sex        <script> (never seen)             0.00  x 1               │\n"
        "class      9                                 0.00  x 1               │\n"
        "age        40                               -2.16  x 0.22  ██████████│\n"
        "together                                    -0.36  x 0.78          ▐█│\n"
        "total                                       -1.80  = 0.29   ▐████████│\n"
        "P(no) = 0.22"
    )


def test_top_hides_features_in_one_line_with_their_sum():
    ledger = one(*[0.1 * k for k in range(8)], base=-1.0)
    lines = ledger.text(top=3).splitlines()
    names = [line.split("  ")[0] for line in lines[3:-1]]
    assert names == ["base rate", "h", "g", "f", "5 other features", "total"]
    assert "+1.00" in lines[7]  # 0 + 0.1 + 0.2 + 0.3 + 0.4
    assert ledger.text(top=8) == ledger.text() == str(ledger)
    assert "1 other feature " in ledger.text(top=7)
    assert "8 other features" in ledger.text(top=0)


def test_top_never_hides_terms_of_no_feature():
    assert "together" in ledgers()[0].text(top=0)
    assert "3 other features" in ledgers()[0].text(top=0)


def test_print_of_many_features_is_short_and_sums():
    names = tuple(f"word {j}" for j in range(1000))
    terms = np.full((1, 1000), 0.5)
    many = ledgers()[:1]
    fields = {name: getattr(many, name) for name in ("favoured", "against", "base", "rest", "log_posterior")}
    ledger = ledgers(**fields, names=names, terms=terms, status=np.zeros((1, 1000), np.int8),
                     value=lambda i, j: 1)[0]  # fmt: skip
    assert "980 other features" in str(ledger)
    assert "+490.00" in str(ledger)
    assert len(str(ledger).splitlines()) < 30
    assert len(ledger.text().splitlines()) > 1000


@pytest.mark.parametrize("bad", [{"order": "name"}, {"top": -1}])
def test_bad_options(bad: dict[str, Any]):
    with pytest.raises(LikelyError, match=next(iter(bad))):
        one(1.0).text(**bad)


def test_the_order_of_features_is_said_in_every_print():
    ledger = ledgers(order=("age", "sex", "class"))[0]
    said = "Terms depend on the order in which features were added: age, sex, class"
    assert said in ledger.text().splitlines()
    assert said in ledger._repr_html_()
    assert said.replace(" ", "") in ledger.plot().get_xlabel().replace("\n", "").replace(" ", "")
    assert ledger.to_dict()["order"] == ["age", "sex", "class"]
    assert "Terms depend" not in ledgers()[0].text()


def test_more_than_two_classes_show_the_rival_too():
    shown = one(1.0, probabilities={"no": 0.2, "yes": 0.5, "maybe": 0.3}).text()
    assert shown.endswith("\nP(yes) = 0.50, P(no) = 0.20")
    assert (
        one(1.0, against=None, probabilities={"a": 0.2, "yes": 0.5, "b": 0.3})
        .text()
        .endswith("\nP(yes) = 0.50")
    )


@pytest.mark.parametrize(
    ("evidence", "said", "probability"),
    [
        ((-INF, 1.0), "-inf    impossible  ◀█████████│", "P(yes) = 0"),
        ((INF, 1.0), "+inf    certain            │█████████▶", "P(yes) = 1"),
        ((INF, -INF), "nan    undefined  ", "P(yes) = undefined"),
        ((math.nan, 1.0), "nan    undefined  ", "P(yes) = undefined"),
    ],
)
def test_infinite_evidence(evidence: tuple[float, ...], said: str, probability: str):
    ledger = one(*evidence)
    lines = ledger.text().splitlines()
    assert said in lines[-2]  # the total
    assert lines[-1] == probability
    assert ("?│?" in lines[-2]) == math.isnan(ledger.total)
    assert lines[-2].startswith("total")
    ledger._repr_html_()
    assert len(ledger.plot().get_yticks()) == 4
    json.dumps(ledger.to_dict(), allow_nan=False)
    np.testing.assert_array_equal(ledger.to_frame()["odds"], np.exp(evidence))


def test_infinite_terms_in_arrays():
    many = ledgers(terms=np.array([[INF, -INF, 0.0], [-INF, 0.0, 0.0], [math.nan, 0.0, 0.0]]))
    np.testing.assert_array_equal(many.total, [math.nan, -INF, math.nan])
    assert [str(ledger) for ledger in many]
    assert len(many.to_frame()) == 3
    assert many[0].text(top=0).count("undefined") == 2  # the hidden features' line, and the total


def test_infinite_evidence_comes_first():
    names = [line.split()[0] for line in one(1.0, -INF, 2.0, 1000.0).text().splitlines()[3:]]
    assert names[:5] == ["base", "b", "d", "c", "a"]


def test_huge_evidence():
    text = one(1000.0, -2000.0).text()
    assert "x 2.0e+434" in text
    assert "= 5.1e-435" in text


def test_near_certainty_is_not_rounded_to_certainty():
    assert one(1.0, probabilities={"no": 3e-14, "yes": 1.0}).text().endswith("P(yes) = 1 - 3e-14")
    assert one(1.0, probabilities={"no": 1.8e-4, "yes": 0.99982}).text().endswith("P(yes) = 0.99982")
    assert one(1.0, probabilities={"no": 1.0, "yes": 3e-14}).text().endswith("P(yes) = 3e-14")


def test_json():
    found = json.loads(json.dumps(ledgers()[0].to_dict(), allow_nan=False))
    assert found["for"] == "yes"
    assert found["against"] == "no"
    assert found["base rate"] == -0.5
    assert found["lines"][0] == {"name": "sex", "value": "female", "evidence": 2.0, "note": ""}
    assert found["lines"][2] == {"name": "age", "value": None, "evidence": 0.0, "note": "missing"}
    assert found["total"] == 2.75
    assert math.isclose(found["probabilities"]["yes"], 1 / (1 + math.exp(-2.75)))
    assert one(-INF).to_dict()["total"] == "-inf"
    day = one(1.0, lines=(LedgerLine("day", pd.Timestamp("2024-02-29"), 1.0),)).to_dict()["lines"][0]["value"]
    assert day == "2024-02-29 00:00:00"


def test_html_escapes_everything():
    bad = "<script>alert('&')</script>"
    lines = (LedgerLine(bad, bad, 1.0, "never seen"),)
    html = one(1.0, favoured=bad, against=bad + "2", lines=lines, order=(bad,),
               probabilities={bad: 0.5, bad + "2": 0.4, "c": 0.1})._repr_html_()  # fmt: skip
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 7  # title twice, name, value, order, two probabilities
    assert "http" not in html


def test_html_bars_are_shares_of_the_largest():
    html = one(1.0, -2.0, -INF, total=4.0)._repr_html_()
    widths = [int(part.split("px")[0]) for part in html.split("margin-left:")[1:]]
    assert widths == [80, 0, 40, 80, 80]  # base, c (infinite), b (half), a, total
    lengths = [int(part.split("px; width:")[1].split("px")[0]) for part in html.split("margin-left:")[1:]]
    assert lengths == [0, 80, 40, 20, 80]
    assert html.count("◀") == 1


def test_words_of_many_lines_and_wide_letters_keep_the_columns():
    lines = (
        one(1.0, 2.0, lines=(LedgerLine("年齢", "a\nb\tc", 1.0), LedgerLine("x" * 60, "\x1b[31m", 2.0)))
        .text()
        .splitlines()
    )
    assert lines[4] == "x" * 31 + "…  �[31m            +2.00  x 7.4             │██████▌"
    assert lines[5].startswith("年齢" + " " * 30 + "a b c")
    assert len(lines[4].split("+")[0]) == len(lines[5].split("+")[0]) + 2  # two letters of double width


def test_status_notes():
    assert [status.note for status in Status] == ["", "missing", "never seen", "not used"]
    assert Status(np.int8(2)) is Status.UNSEEN


def test_repr_of_many():
    assert isinstance(ledgers(), Ledgers)
    assert repr(ledgers()).startswith("3 ledgers over 3 features")
