"""What is inside texts: phrases, runs, palindromes, patterns, and passages that two have in common."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn_checks import estimator_checks

import likely
from likely import LikelyError, Structured, Words
from likely.features.structured import common_passage, contains, letters, longest_run

FIRST, SECOND = "they write about machine learning", "they are learning to write about a machine"
DEGAS = "Degas, are we not drawn onward, we freer few, drawn onward to new eras aged?"
TABLE = {"a": [FIRST, SECOND, None, DEGAS, ""], "b": [SECOND, SECOND, FIRST, "drawn onward", ""]}


@estimator_checks(Structured())
def test_structured_estimator_checks(estimator, check):
    check(estimator)


def test_pairs_of_words_of_the_two_sentences():
    words = [set(Words().tokens(text)) for text in (FIRST, SECOND)]
    pairs = [{token for token in Words(ngrams=2).tokens(text) if " " in token} for text in (FIRST, SECOND)]
    assert words[0] <= words[1]
    assert pairs[0] & pairs[1] == {"write about"}
    out = Structured((), ["machine learning", "Write about"], columns=["a"]).fit_transform(TABLE)
    assert list(out["contains(a, machine learning)"]) == [True, False, None, False, False]
    assert list(out["contains(a, Write about)"]) == [True, True, None, False, False]


def test_the_sentence_of_degas():
    assert len(letters(DEGAS)) == 58
    out = Structured(columns=["a"]).fit_transform(TABLE)
    assert list(out["palindrome(a)"]) == [False, False, None, True, False]
    assert list(out["length(a)"]) == [5, 8, None, 15, 0]
    assert list(out["first(a)"]) == ["they", "they", None, "degas", None]
    assert list(out["last(a)"]) == ["learning", "machine", None, "aged", None]
    assert list(Structured(["length"], unit="letters", columns=["a"]).fit_transform(TABLE)["length(a)"]) == [
        29,
        35,
        None,
        58,
        0,
    ]


def test_patterns_are_counted():
    out = Structured((), patterns=[r"\bw\w+", "e"], columns=["a"]).fit_transform(TABLE)
    assert list(out["count(a, e)"]) == [FIRST.count("e"), SECOND.count("e"), None, DEGAS.count("e"), 0]
    assert list(out[r"count(a, \bw\w+)"]) == [1, 1, None, 2, 0]


def test_runs_of_words_in_a_list_and_not():
    english = ["they", "write", "about"]
    model = Structured((), runs={"english": english, "not english": english}, run=3, columns=["a"])
    out = model.fit_transform(TABLE)
    assert list(out["run(a, english, 3)"]) == [True, False, None, False, False]
    assert list(out["run(a, not english, 3)"]) == [False, True, None, True, False]
    long = Structured((), runs={"not short": lambda word: len(word) < 5}, run=3, columns=["a"]).fit_transform(
        TABLE
    )
    assert list(long["run(a, not short, 3)"])[:2] == [True, False]
    eight = {"a": ["x " * 7, "x " * 8]}
    assert list(Structured((), runs={"x": ["x"]}, columns=["a"]).fit_transform(eight)["run(a, x, 8)"]) == [
        False,
        True,
    ]


def test_quoted_and_common_passages():
    out = Structured((), pairs=[("a", "b")], run=2, columns=[]).fit_transform(TABLE)
    assert list(out["quoted(a, b)"]) == [False, True, None, True, False]
    assert list(out["passage(a, b)"]) == [2, 8, None, 2, 0]
    assert list(
        Structured((), pairs=[("a", "b")], run=3, columns=[]).fit_transform(TABLE)["passage(a, b)"]
    ) == [0, 8, None, 0, 0]


def test_passages_runs_and_phrases_by_brute_force():
    rng = np.random.default_rng(5)
    for _ in range(60):
        a, b = (list(rng.choice(list("xyz"), rng.integers(0, 12))) for _ in range(2))
        parts = [a[i:j] for i in range(len(a)) for j in range(i + 1, len(a) + 1)]
        inside = {tuple(b[i:j]) for i in range(len(b)) for j in range(i + 1, len(b) + 1)}
        best = max((len(part) for part in parts if tuple(part) in inside), default=0)
        assert len(common_passage(a, b)) == best
        runs = max((len(part) for part in parts if set(part) == {"x"}), default=0)
        assert longest_run(a, lambda one: one == "x") == runs
        for phrase in product("xyz", repeat=2):
            assert contains(a, list(phrase)) == ("".join(phrase) in "".join(a))


def test_structured_frames_and_files(tmp_path):
    table = pd.DataFrame({**TABLE, "n": [1.0, 2.0, 3.0, 4.0, 5.0]}, index=range(7, 12))
    model = Structured(
        phrases=["write about"], runs={"they": ["they"]}, run=1, pairs=[("a", "b")], columns=["a"]
    ).fit(table)
    out = model.transform(table)
    assert out.index.equals(table.index)
    assert list(out)[:3] == ["a", "b", "n"]
    assert list(out) == model.get_feature_names_out().tolist()
    model.save(tmp_path / "it.likely")
    pd.testing.assert_frame_equal(likely.load(tmp_path / "it.likely").transform(table), out)
    for other, kind in (
        (pl.from_pandas(table), pl.DataFrame),
        (pa.Table.from_pandas(table, preserve_index=False), pa.Table),
    ):
        made = model.transform(other)
        assert isinstance(made, kind)
        for name in ("length(a)", "first(a)", "quoted(a, b)"):
            listed = made[name].to_list() if kind is pl.DataFrame else made[name].to_pylist()
            assert listed == [None if pd.isna(v) else v for v in out[name]]
    array = np.array(TABLE["a"], object)[:, None]
    assert Structured(["length"], columns=["x0"]).fit(array).transform(array)[:, 1].tolist()[:2] == [5, 8]
    assert "deductive" in model.describe()
    assert "columns" in Structured().fit({"x": [1.0]}).describe()
    with pytest.raises(LikelyError, match="cannot"):
        Structured(runs={"x": str.isupper}, columns=["a"]).fit(table).save(tmp_path / "no.likely")


def test_long_texts_are_taken_unasked():
    texts = {"text": [FIRST * 3, SECOND * 3], "n": [1.0, 2.0]}
    assert list(Structured(["length"]).fit_transform(texts)) == ["text", "n", "length(text)"]


def test_bad_structures_are_refused():
    for wrong in (
        {"unit": "lines"},
        {"features": ["mean"]},
        {"run": 0},
        {"patterns": ["("]},
        {"pairs": ["ab c"]},
        {"phrases": ["!"]},
    ):
        with pytest.raises(LikelyError, match=next(iter(wrong)).rstrip("s")):
            Structured(**wrong).fit(TABLE)
    with pytest.raises(LikelyError, match="column 'n' holds numbers"):
        Structured(columns=["n"]).fit({"n": [1.5, 2.0]})
    with pytest.raises(LikelyError, match="c"):
        Structured(pairs=[("a", "c")]).fit(TABLE)
