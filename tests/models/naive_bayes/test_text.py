"""Texts in a model (N1, N7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

import likely
from likely import LikelyError, NaiveBayes, Words
from likely.models.groups.evidence_weights import EvidenceWeights

MAILS = likely.read("emails", into="dict")
STOP = ["d", "e"]
RNG = np.random.default_rng(12)


def texts(n: int = 60) -> tuple[list[str | None], np.ndarray]:
    y = RNG.integers(0, 3, n)
    words = np.array([f"w{i}" for i in range(40)])
    made = [" ".join(words[np.minimum(RNG.geometric(0.1 + 0.05 * c, 8), 39)]) for c in y]
    return made, y


class TestFigures:
    @pytest.mark.parametrize("estimate", ["mean", "predictive"])
    def test_counted(self, estimate):
        kinds = {"message": Words(stop=STOP)}
        model = NaiveBayes(kinds=kinds, estimate=estimate, families="classical", evidence_weights=None).fit(
            MAILS, "class"
        )
        found = [np.exp(model.log_prob({"message": ["a a a b"]}, [c]))[0] * 2 for c in ("spam", "ham")]
        exact = {"mean": [0.054, 0.1728], "predictive": [0.0632411067, 0.1644268775]}[estimate]
        assert found == pytest.approx(exact, rel=1e-9)
        ratio = {"mean": 5 / 16, "predictive": 5 / 13}[estimate]
        assert found[0] / found[1] == pytest.approx(ratio, rel=1e-12)

    def test_there_or_not(self):
        model = NaiveBayes(
            kinds={"message": Words(stop=STOP, bits=True)}, families="classical", evidence_weights=None
        ).fit(MAILS, "class")
        found = [np.exp(model.log_prob({"message": ["b a a"]}, [c]))[0] * 2 for c in ("spam", "ham")]
        assert found == pytest.approx([2 / 9, 4 / 27], rel=1e-12)

    @pytest.mark.parametrize(
        ("bits", "said"),
        [
            (False, "(text, multinomial, in times a text)\n  ham   a 2.55\n"),
            (True, "(text, bernoulli, in shares of the texts)\n  ham   a 0.667\n"),
        ],
    )
    def test_what_the_numbers_of_a_description_count(self, bits, said):
        # 17 words in 4 texts of ham, 0.6 of them a; a in 2/3 of them, by Laplace.
        model = NaiveBayes(
            kinds={"message": Words(stop=STOP, bits=bits)}, families="classical", evidence_weights=None
        ).fit(MAILS, "class")
        assert said in str(model.describe())

    def test_kth_estimate(self):
        """P(w given y) = (n_yw + 1) / (n_y + |W|), where n_y counts words of the vocabulary only."""
        model = NaiveBayes(kinds={"m": Words(stop=["the"])}, families="classical", evidence_weights=None).fit(
            {"m": ["the cat sat", "the the dog", "cat cat"]}, ["p", "q", "p"]
        )
        one = model.log_prob({"m": ["cat"]}, ["p"]) - model.log_prob({"m": [""]}, ["p"])
        assert np.exp(one).item() == pytest.approx((3 + 1) / (4 + 3), rel=1e-12)


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("bits", [False, True])
    @pytest.mark.parametrize("options", [{}, {"ngrams": 2}, {"min_count": 3}, {"max_size": 10}])
    def test_same_posterior(self, bits, options):
        made, y = texts()
        ours = NaiveBayes(
            kinds={"t": Words(bits=bits, **options)},
            base_rate="uniform",
            families="classical",
            evidence_weights=None,
        ).fit({"t": made}, y)
        counter = CountVectorizer(
            token_pattern=r"\w+", binary=bits, ngram_range=(1, options.get("ngrams", 1))
        )
        counts = counter.fit_transform(made)
        totals = np.asarray(counts.sum(axis=0)).ravel()
        keep = np.flatnonzero(totals >= options.get("min_count", 1))
        if "max_size" in options:
            names = counter.get_feature_names_out()
            keep = np.array(sorted(sorted(keep, key=lambda i: (-totals[i], names[i]))[:10]))
        peer = (BernoulliNB if bits else MultinomialNB)(fit_prior=False).fit(counts[:, keep], y)
        expected = peer.predict_proba(counts[:, keep])
        assert ours.predict_proba({"t": made}) == pytest.approx(expected, abs=1e-12)


class TestRules:
    @pytest.mark.parametrize("bits", [False, True])
    def test_unseen_words_and_missing_texts_add_nothing(self, bits):
        made, y = texts()
        model = NaiveBayes(kinds={"t": Words(bits=bits)}, families="classical", evidence_weights=None).fit(
            {"t": made}, y
        )
        plain = model.predict_log_proba({"t": made})
        more = model.predict_log_proba({"t": [f"{text} neverseen" for text in made]})
        assert more == pytest.approx(plain, abs=1e-12)
        base = (np.bincount(y) + 1) / (len(y) + 3)
        assert model.predict_proba({"t": [None]})[0] == pytest.approx(base, rel=1e-12)

    @pytest.mark.parametrize("bits", [False, True])
    def test_missing_texts_are_skipped_in_training(self, bits):
        made, y = texts()
        gaps = [text if i % 4 else None for i, text in enumerate(made)]
        known = [i for i in range(len(made)) if i % 4]
        kinds, base = {"t": Words(bits=bits)}, {0: 0.2, 1: 0.3, 2: 0.5}
        a = NaiveBayes(kinds=kinds, base_rate=base, families="classical", evidence_weights=None).fit(
            {"t": gaps}, y
        )
        b = NaiveBayes(kinds=kinds, base_rate=base, families="classical", evidence_weights=None).fit(
            {"t": [made[i] for i in known]}, y[known]
        )
        assert a.predict_proba({"t": made}) == pytest.approx(b.predict_proba({"t": made}), abs=1e-12)

    @pytest.mark.parametrize(
        "words", [Words(), Words(bits=True), Words(min_count=3), Words(max_size=7, ngrams=2)]
    )
    def test_pieces_equal_the_whole(self, words):
        made, y = texts()
        whole = NaiveBayes(kinds={"t": words}, families="classical", evidence_weights=None).fit(
            {"t": made}, y
        )
        parts = NaiveBayes(kinds={"t": words}, families="classical", evidence_weights=None)
        for start in range(0, 60, 13):
            parts.partial_fit({"t": made[start : start + 13]}, y[start : start + 13])
        expected = whole.predict_proba({"t": made})
        assert parts.predict_proba({"t": made}) == pytest.approx(expected, abs=1e-12)
        b = NaiveBayes(kinds={"t": words}, families="classical", evidence_weights=None).fit(
            {"t": made[40:]}, y[40:]
        )
        a = NaiveBayes(kinds={"t": words}, families="classical", evidence_weights=None).fit(
            {"t": made[:40]}, y[:40]
        )
        left = (whole - b).predict_proba({"t": made})
        assert left == pytest.approx(a.predict_proba({"t": made}), abs=1e-12)

    def test_fading_keeps_the_words(self):
        made, y = texts()
        model = NaiveBayes(
            kinds={"t": "text"}, prior=None, base_rate="uniform", families="classical", evidence_weights=None
        ).fit({"t": made}, y)
        faded = model.decay(0.01)
        known = {"t": made[:10]}
        assert faded.predict_proba(known) == pytest.approx(model.predict_proba(known), abs=1e-12)

    def test_beside_other_columns(self):
        made, y = texts()
        size = RNG.normal(size=60) + y
        both = NaiveBayes(
            kinds={"t": "text"}, base_rate="uniform", families="classical", evidence_weights=None
        ).fit({"t": made, "size": size}, y)
        alone = [
            NaiveBayes(
                kinds={"t": "text"}, base_rate="uniform", families="classical", evidence_weights=None
            ).fit({"t": made}, y),
            NaiveBayes(base_rate="uniform", families="classical", evidence_weights=None).fit(
                {"size": size}, y
            ),
        ]
        logs = alone[0].predict_log_proba({"t": made}) + alone[1].predict_log_proba({"size": size})
        expected = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
        assert both.predict_proba({"t": made, "size": size}) == pytest.approx(expected, abs=1e-12)
        ledgers = both.explain({"t": made, "size": size})
        odds = np.sort(both.predict_log_proba({"t": made, "size": size}), axis=1)
        assert ledgers.total == pytest.approx(odds[:, -1] - odds[:, -2], abs=1e-11)

    def test_long_strings_are_text_without_a_word(self):
        made = [f"{i} a rather long story about nothing at all, told slowly and with care" for i in range(6)]
        model = NaiveBayes(families="classical", evidence_weights=None).fit({"story": made}, [0, 1] * 3)
        assert str(model.record_.schema.columns[0].kind) == "text"

    def test_any_library(self):
        made, y = texts()
        forms = [{"t": made}, pd.DataFrame({"t": made}), pl.DataFrame({"t": made})]
        found = [
            NaiveBayes(kinds={"t": "text"}, families="classical", evidence_weights=None)
            .fit(form, y)
            .predict_proba(form)
            for form in forms
        ]
        assert (found[0] == found[1]).all()
        assert (found[0] == found[2]).all()

    def test_no_words_at_all(self):
        model = NaiveBayes(kinds={"t": "text"}, families="classical", evidence_weights=None).fit(
            {"t": ["", "!!", None]}, [0, 1, 1]
        )
        assert model.predict_proba({"t": ["hello"]})[0] == pytest.approx([2 / 5, 3 / 5], rel=1e-12)

    def test_sample_is_made_of_known_words(self):
        made, y = texts()
        model = NaiveBayes(kinds={"t": Words(max_size=5)}, families="classical", evidence_weights=None).fit(
            {"t": made}, y
        )
        drawn = model.sample(20, random_state=0)
        kept = model.record_.core.parts[0].distribution
        assert {w for text in drawn["t"] for w in text.split()} <= {kept.vocabulary[i] for i in kept.kept}


class TestWords:
    def test_tokens(self):
        assert Words(pattern=r"\w+|[^\w\s]").tokens("Free!! now") == ["free", "!", "!", "now"]
        assert Words(lowercase=False).tokens("Éa ça") == ["Éa", "ça"]
        assert Words(ngrams=3).tokens("a b c") == ["a", "b", "c", "a b", "b c", "a b c"]
        assert Words(stop="english").tokens("this is the prize") == ["prize"]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"ngrams": 0}, "ngrams=0"),
            ({"min_count": 1.5}, "min_count=1.5"),
            ({"max_size": 0}, "max_size=0"),
            ({"stop": "german"}, "stop='german'"),
            ({"pattern": "("}, "not a regular expression"),
        ],
    )
    def test_bad_options(self, options, said):
        with pytest.raises(LikelyError, match=said):
            Words(**options)

    def test_numbers_are_no_text(self):
        with pytest.raises(LikelyError, match="column 'n' is declared text, but holds"):
            NaiveBayes(kinds={"n": Words()}, families="classical", evidence_weights=None).fit(
                {"n": [1.0, 2.0]}, [0, 1]
            )

    def test_two_ways_to_read_do_not_mix(self):
        a = NaiveBayes(kinds={"t": Words()}, families="classical", evidence_weights=None).fit(
            {"t": ["x y", "z"]}, [0, 1]
        )
        b = NaiveBayes(kinds={"t": Words(ngrams=2)}, families="classical", evidence_weights=None).fit(
            {"t": ["x y", "z"]}, [0, 1]
        )
        with pytest.raises(LikelyError, match="column 't' is read by"):
            a + b


def test_sms_spam(shared_data):
    """Raw text to a cross-validated result in a few lines."""
    table = likely.read(shared_data / "sms_spam.csv", into="pandas")
    column = next(name for name in table if name != "label")
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = NaiveBayes(kinds={column: "text"}, families="classical", evidence_weights=None)
    assert cross_val_score(model, table[[column]], table["label"], cv=folds).mean() >= 0.98


def test_a_text_that_counts_for_nothing_is_passed_over():
    """Where the weights of evidence say that words tell nothing, the other columns answer."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=200)
    texts = np.array(["one two three four", "five six seven eight"], object)[rng.integers(2, size=200)]
    table = {"text": texts, "x": rng.normal(3.0 * y), "y": y}
    model = likely.NaiveBayes(kinds={"text": "text"}).fit(table, "y")
    silent = EvidenceWeights(np.array([0.0, 1.0]), 200.0)
    model._take(replace(model.record_, evidence=silent))
    rows = {"text": texts[:3], "x": table["x"][:3]}
    without = {"text": np.array([None] * 3, object), "x": table["x"][:3]}
    np.testing.assert_allclose(model.predict_proba(rows), model.predict_proba(without), rtol=1e-12)
