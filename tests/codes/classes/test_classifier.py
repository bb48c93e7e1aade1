"""Classification by compression: exact bits, any model, any compressor, and evidence that sums."""

from __future__ import annotations

import lzma
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from seeds import first
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn_checks import estimator_checks

import likely
from likely import CompressionClassifier, LikelyError

RNG = np.random.default_rng(3)
N = 120
KIND = np.array(["en", "de"])[np.arange(N) % 2]
PHRASES = {
    "en": ["the house is small", "where is the dog", "we had a nice day", "what do they want"],
    "de": ["das haus ist klein", "wo ist der hund", "wir hatten einen schönen tag", "was wollen die"],
}
TEXTS = [" ".join(RNG.choice(PHRASES[kind], 3)) for kind in KIND]
MIXED = pd.DataFrame(
    {
        "text": [None if i % 17 == 0 else text for i, text in enumerate(TEXTS)],
        "age": np.where(np.arange(N) % 11 == 0, np.nan, RNG.normal(np.arange(N) % 2, 1.0)),
        "town": RNG.choice(np.array(["a", "b", None], object), N),
    }
)


@estimator_checks(
    CompressionClassifier(), rarely=[CompressionClassifier(likely.Mixture(1), evidence_weights=None)]
)
def test_estimator_checks(estimator, check):
    check(estimator)


class TestBits:
    def test_the_prediction_is_the_shortest_code(self):
        model = CompressionClassifier(evidence_weights=None).fit(MIXED, KIND)
        shortest = model.classes_[model.code_lengths(MIXED).argmin(axis=1)]
        assert (model.predict(MIXED) == shortest).all()
        # Bits are logarithms of probabilities: what is left of them is Bayes' rule.
        p = 2.0 ** -(model.code_lengths(MIXED) - model.code_lengths(MIXED).min(axis=1, keepdims=True))
        assert model.predict_proba(MIXED) == pytest.approx(p / p.sum(axis=1, keepdims=True), abs=1e-12)

    @pytest.mark.parametrize("families", ["classical", "auto"])
    def test_over_naive_bayes_it_is_naive_bayes(self, families):
        table = MIXED[["age", "town"]]
        bayes = likely.NaiveBayes(families=families, evidence_weights=None)
        ours = CompressionClassifier(bayes, evidence_weights=None).fit(table, KIND)
        assert ours.predict_proba(table) == pytest.approx(
            bayes.fit(table, KIND).predict_proba(table), abs=1e-12
        )

    def test_a_model_for_each_class(self):
        table = MIXED[["age", "town"]].dropna()
        kind = KIND[table.index]
        ours = CompressionClassifier(likely.Network(), evidence_weights=None).fit(table, kind)
        bits = ours.code_lengths(table)
        for g, label in enumerate(ours.classes_):
            own = likely.Network(kinds={"town": ["a", "b"]}).fit(table[kind == label])
            rate = np.log2(ours.base_rate_[g])
            assert bits[:, g] == pytest.approx(-own.log_prob(table) / np.log(2) - rate, abs=1e-9)

    def test_a_level_that_one_class_never_had_speaks_against_it(self):
        table = {"c": ["x"] * 20 + ["y"] * 20}
        y = ["a"] * 20 + ["b"] * 20
        for model in (None, likely.Mixture(1), likely.Network()):
            ours = CompressionClassifier(model).fit(table, y)
            assert ours.predict({"c": ["x", "y"]}).tolist() == ["a", "b"]

    def test_what_is_missing_says_nothing(self):
        model = CompressionClassifier().fit(MIXED, KIND)
        nothing = {"text": [None], "age": [np.nan], "town": [None]}
        assert model.predict_proba(nothing)[0] == pytest.approx(model.base_rate_, abs=1e-12)

    def test_white_space_is_one_blank(self):
        model = CompressionClassifier(kinds="text").fit({"text": TEXTS}, KIND)
        spaced = [text.replace(" ", " \n\t ") for text in TEXTS]
        same = model.predict_proba({"text": spaced})
        assert (same == model.predict_proba({"text": TEXTS})).all()

    def test_words_are_read_by_the_model(self):
        mails = likely.read("emails", into="dict")
        kinds = {"message": likely.Words(stop=["d", "e"])}
        ours = CompressionClassifier(kinds=kinds, base_rate="uniform", evidence_weights=None)
        bayes = likely.NaiveBayes(kinds, base_rate="uniform", evidence_weights=None)
        rows = {"message": ["a a a b", "b b", "", "c a"]}
        p = ours.fit(mails, "class").predict_proba(rows)
        assert p == pytest.approx(bayes.fit(mails, "class").predict_proba(rows), abs=1e-12)
        bits = ours.code_lengths(rows)[0]
        # The bits of a bag of words; the class itself has one more.
        expected = {"spam": -np.log2(0.054) + 1, "ham": -np.log2(0.1728) + 1}
        assert bits == pytest.approx([expected[label] for label in ours.classes_], abs=1e-9)


SPANISH = ["el tren sale a las ocho", "quiero un café con leche", "hace buen tiempo en la playa"]
DUTCH = ["de trein vertrekt om acht uur", "ik wil graag koffie", "het is mooi weer op het strand"]
LANGUAGE = ["es"] * 3 + ["nl"] * 3


class TestShortTexts:
    """Phrases that never come twice are texts, though they are short; names that come again are levels."""

    def test_they_are_coded_by_characters(self):
        model = CompressionClassifier().fit({"text": SPANISH + DUTCH, "age": range(30, 36)}, LANGUAGE)
        new = {"text": ["la leche sale", "het strand om acht"], "age": [None, None]}
        assert model.predict(new).tolist() == ["es", "nl"]
        alone = CompressionClassifier().fit({"text": ["Anna", "Anja", "Bert", "Bernd"]}, list("aabb"))
        assert alone.predict({"text": ["Anita", "Berta"]}).tolist() == ["a", "b"]

    def test_levels_and_numbers_of_rows_are_not(self):
        for values in (["New York", "Los Angeles"] * 3, [f"K{i}" for i in range(6)]):
            model = CompressionClassifier().fit({"c": values, "x": range(6)}, LANGUAGE)
            assert model.record_.schema.columns[0].kind == "categorical"


class TestCompressors:
    def test_bytes_that_a_row_adds(self):
        def length(data: bytes) -> int:
            return len(lzma.compress(data))

        model = CompressionClassifier(compressor=length, kinds="text", evidence_weights=None)
        model.fit({"text": TEXTS}, KIND)
        row = "the dog is small"
        for g, label in enumerate(model.classes_):
            own = "".join(f"{t}\n" for t, k in zip(TEXTS, KIND, strict=True) if k == label).encode()
            added = length(own + row.encode() + b"\n") - length(own)
            expected = 8 * added - np.log2(model.base_rate_[g])
            assert model.code_lengths({"text": [row]})[0, g] == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("compressor", first(1, ["zlib", "bz2", "lzma"]))
    def test_by_name_they_tell_languages_apart(self, compressor, tmp_path):
        model = CompressionClassifier(compressor=compressor, kinds="text").fit({"text": TEXTS}, KIND)
        new = {"text": ["where is the small house and the dog", "wo ist das kleine haus und der hund"]}
        assert model.predict(new).tolist() == ["en", "de"]
        model.save(tmp_path / "m.likely")
        assert (likely.load(tmp_path / "m.likely").predict_proba(new) == model.predict_proba(new)).all()

    def test_rows_of_several_columns(self):
        model = CompressionClassifier(compressor="zlib").fit(MIXED, KIND)
        assert model.predict_proba(MIXED[:3]).sum(axis=1) == pytest.approx(1.0)

    def test_a_function_is_not_saved(self, tmp_path):
        model = CompressionClassifier(compressor=len, kinds="text").fit({"text": TEXTS}, KIND)
        with pytest.raises(LikelyError, match="cannot be held by a model file"):
            model.save(tmp_path / "m.likely")
        assert not (tmp_path / "m.likely").exists()


class TestEvidence:
    @pytest.mark.parametrize("weights", ["learnt", None])
    @pytest.mark.parametrize("model", first(1, [None, likely.Mixture(2, random_state=0)]))
    def test_lines_words_and_characters_sum(self, weights, model):
        fitted = CompressionClassifier(model, evidence_weights=weights).fit(MIXED, KIND)
        ledgers = fitted.explain(MIXED, "en", "de")
        log_p = fitted.predict_log_proba(MIXED)
        en, de = (fitted.classes_.tolist().index(label) for label in ("en", "de"))
        assert ledgers.total == pytest.approx(log_p[:, en] - log_p[:, de], abs=1e-9)
        for ledger in ledgers[:20]:
            line = ledger.lines[0]
            if line.note == "missing":
                assert not line.parts
                assert not line.marks
                continue
            assert sum(part.evidence for part in line.parts) == pytest.approx(line.evidence, abs=1e-9)
            assert sum(added for _, added in line.marks) == pytest.approx(line.evidence, abs=1e-9)
            assert "".join(piece for piece, _ in line.marks) == line.value

    def test_the_page_marks_characters_and_escapes_them(self):
        texts = ["<b>win</b> & co", "hello there"] * 20
        model = CompressionClassifier(kinds="text").fit({"t": texts}, ["x", "y"] * 20)
        page = model.explain({"t": ["<b>win</b> é"]})[0]._repr_html_()
        assert "<b>" not in page
        assert page.count("rgba(0,114,178,") + page.count("rgba(230,159,0,") == len("<b>win</b> é") + 1

    def test_importance_and_questions(self):
        model = CompressionClassifier().fit(MIXED, KIND)
        assert model.importance(MIXED).names[0] == "text"
        said = model.ask("P(y=en | text='where is the dog')")
        assert float(said) > 0.5


class TestHonest:
    def test_weights_make_long_texts_less_sure(self):
        plain = CompressionClassifier(kinds="text", evidence_weights=None)
        weighed = clone(plain).set_params(evidence_weights="learnt")
        rng = np.random.default_rng(0)
        # Texts of thirty words of one sort, which is that of the class in four of five.
        y = rng.integers(0, 2, 200)
        said = np.where(rng.random(200) < 0.8, y, 1 - y)
        words = [[f"{sort}{i}" for i in range(20)] for sort in ("red", "blue")]
        texts = pd.DataFrame({"t": [" ".join(rng.choice(words[s], 30)) for s in said]})
        losses = [
            log_loss(y, cross_val_predict(m, texts, y, cv=4, method="predict_proba"))
            for m in (plain, weighed)
        ]
        assert losses[1] < 0.6 < losses[0]

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
    def test_any_table(self, frame):
        model = CompressionClassifier().fit(frame({"text": TEXTS, "kind": KIND}), "kind")
        assert (model.predict(frame({"text": TEXTS})) == KIND).mean() > 0.95

    def test_base_rate(self):
        model = CompressionClassifier(kinds="text").fit({"t": TEXTS}, KIND)
        sure = model.with_base_rate({"en": 1.0, "de": 0.0})
        assert sure.predict_proba({"t": ["wo ist der hund"]})[0].tolist() == [0.0, 1.0]

    def test_odd_tables(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one = CompressionClassifier(kinds="text").fit({"t": ["a"]}, ["x"])
            assert one.predict({"t": ["b"]}).tolist() == ["x"]
            gone = CompressionClassifier(kinds="text").fit({"t": [None, None]}, ["x", "y"])
            assert gone.predict_proba({"t": ["b"]})[0] == pytest.approx([0.5, 0.5], abs=1e-6)
            same = CompressionClassifier().fit({"n": [1.0] * 40}, ["x", "y"] * 20)
            assert same.predict_proba({"n": [1.0, 5.0]})[0] == pytest.approx([0.5, 0.5], abs=1e-6)
            rare = CompressionClassifier(kinds="text").fit({"t": [*TEXTS, "ja"]}, [*KIND, "only once"])
            assert rare.predict_proba({"t": ["ja"]}).sum() == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"order": 8}, "order=8: give a whole number of bytes"),
            ({"order": True}, "order=True"),
            ({"evidence_weights": "some"}, "evidence_weights='some'"),
            ({"compressor": "rar"}, "compressor='rar': use one of"),
            ({"compressor": "zlib", "model": likely.NaiveBayes()}, "give no model beside it"),
            (
                {"model": likely.LogisticRegression()},
                "LogisticRegression.. says nothing of how probable a row",
            ),
        ],
    )
    def test_refused(self, options, said):
        with pytest.raises(LikelyError, match=said):
            CompressionClassifier(**options).fit({"n": [1.0, 2.0]}, ["a", "b"])


def test_sms_spam(shared_data):
    table = likely.read(shared_data / "sms_spam.csv", into="pandas")
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = CompressionClassifier(kinds="text")
    p = cross_val_predict(model, table[["text"]], table["label"], cv=folds, method="predict_proba")
    assert (np.array(["ham", "spam"])[p.argmax(axis=1)] == table["label"]).mean() >= 0.985
    assert log_loss(table["label"], p) < 0.045


@pytest.mark.long
def test_newsgroups_without_headers(shared_data):
    table = likely.read(shared_data / "mini_newsgroups.csv.gz", into="pandas")
    texts = [text.split("\n\n", 1)[-1] for text in table["text"].str.replace("\r\n", "\n")]
    X, y = pd.DataFrame({"text": texts}), table["group"].to_numpy(object)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    right, loss = [], []
    for model in (CompressionClassifier(kinds="text"), likely.NaiveBayes(kinds="text")):
        p = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
        right.append((np.unique(y)[p.argmax(axis=1)] == y).mean())
        loss.append(log_loss(y, p))
    assert right[0] > right[1] + 0.1
    assert loss[0] < loss[1]
