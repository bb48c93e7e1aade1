"""The worked figures of the sources, out of the public API."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import likely

DAYS = likely.read("play_tennis", into="dict")
TODAY = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}

# Flach ex. 9.5: how often a, b and c occur in each e-mail.
SPAM = ["b d e b b d e", "b c e b b d d e c c", "a d a d e a e e", "b a d b e d a b"]
HAM = ["a b a b a b a e d", "a c a c a c a e d", "e a e d a e a", "d e d e d"]


def word_counts() -> tuple[np.ndarray, np.ndarray]:
    counts = [[mail.split().count(word) for word in "abc"] for mail in SPAM + HAM]
    return np.array(counts), np.array(["spam"] * 4 + ["ham"] * 4)


def test_the_bundled_emails_are_these():
    mails = likely.read("emails", into="dict")
    assert list(mails["message"]) == SPAM + HAM
    assert list(mails["class"]) == ["spam"] * 4 + ["ham"] * 4


class TestPlayTennis:
    """N6."""

    model = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(DAYS, "play")

    def test_joint_probabilities(self):
        yes = np.exp(self.model.log_prob(TODAY, ["yes"])).item()
        no = np.exp(self.model.log_prob(TODAY, ["no"])).item()
        assert yes == pytest.approx(float(Fraction(1, 189)), rel=1e-12)
        assert no == pytest.approx(float(Fraction(18, 875)), rel=1e-12)
        assert np.exp(self.model.log_prob(TODAY)).item() == pytest.approx(yes + no, rel=1e-12)

    def test_posterior(self):
        exact = Fraction(18, 875) / (Fraction(18, 875) + Fraction(1, 189))
        assert self.model.predict_proba(TODAY)[0, 0] == pytest.approx(float(exact), rel=1e-12)
        assert round(float(exact), 4) == 0.7954
        assert self.model.predict(TODAY).tolist() == ["no"]

    @pytest.mark.parametrize(
        ("column", "value", "given_no", "given_yes"),
        [
            ("outlook", "sunny", (3, 5), (2, 9)),
            ("outlook", "overcast", (0, 5), (4, 9)),
            ("outlook", "rainy", (2, 5), (3, 9)),
            ("temperature", "hot", (2, 5), (2, 9)),
            ("temperature", "mild", (2, 5), (4, 9)),
            ("temperature", "cool", (1, 5), (3, 9)),
            ("humidity", "high", (4, 5), (3, 9)),
            ("humidity", "normal", (1, 5), (6, 9)),
            ("windy", True, (3, 5), (3, 9)),
            ("windy", False, (2, 5), (6, 9)),
        ],
    )
    def test_conditional_tables(self, column, value, given_no, given_yes):
        """P(value given class) is the joint of a row where all else is missing over the class's base rate."""
        row = {name: [value if name == column else None] for name in TODAY}
        nothing = {name: [None] for name in TODAY}
        for label, (count, of) in (("no", given_no), ("yes", given_yes)):
            joint = self.model.log_prob(row, [label]) - self.model.log_prob(nothing, [label])
            assert np.exp(joint).item() == pytest.approx(count / of, abs=1e-15)

    def test_base_rate(self):
        nothing = {name: [None] for name in TODAY}
        assert self.model.predict_proba(nothing) == pytest.approx(np.array([[5 / 14, 9 / 14]]), rel=1e-14)


class TestEmails:
    """N1, N3's posterior odds, N11."""

    def test_multinomial(self):
        counts, label = word_counts()
        model = likely.NaiveBayes(families="multinomial", prior=likely.Laplace(), evidence_weights=None).fit(
            counts, label
        )
        ham, spam = np.exp(model.log_prob(np.array([[3, 1, 0]] * 2), ["ham", "spam"])) * 2
        assert spam == pytest.approx(0.054, rel=1e-12)
        assert ham == pytest.approx(0.1728, rel=1e-12)
        assert spam / ham == pytest.approx(5 / 16, rel=1e-12)
        assert model.predict(np.array([[3, 1, 0]])).tolist() == ["ham"]

    def test_multinomial_predictive(self):
        counts, label = word_counts()
        model = likely.NaiveBayes(families="multinomial", estimate="predictive", evidence_weights=None).fit(
            counts, label
        )
        ham, spam = np.exp(model.log_prob(np.array([[3, 1, 0]] * 2), ["ham", "spam"])) * 2
        assert round(spam, 5) == 0.06324
        assert round(ham, 5) == 0.16443
        assert spam / ham == pytest.approx(5 / 13, rel=1e-12)

    def test_bernoulli(self):
        counts, label = word_counts()
        model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(counts > 0, label)
        x = np.array([[True, True, False]])
        ham, spam = np.exp([model.log_prob(x, [c]).item() for c in ("ham", "spam")]) * 2
        assert spam == pytest.approx(2 / 9, rel=1e-12)  # .2222
        assert ham == pytest.approx(4 / 27, rel=1e-12)  # .1481
        assert spam / ham == pytest.approx(3 / 2, rel=1e-12)
        assert model.predict(x).tolist() == ["spam"]
        tilted = model.with_base_rate({"spam": 1 / 3, "ham": 2 / 3})
        odds = np.exp(np.diff(tilted.predict_log_proba(x)[0])).item()
        assert odds == pytest.approx(3 / 4, rel=1e-12)
        assert tilted.predict(x).tolist() == ["ham"]

    def test_bernoulli_parameters(self):
        counts, label = word_counts()
        model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(counts > 0, label)
        form = model.nomogram("spam", "ham")
        spam, ham = np.array([1 / 2, 2 / 3, 1 / 3]), np.array([2 / 3, 1 / 3, 1 / 3])
        for axis, p, q in zip(form.axes, spam, ham, strict=True):
            assert (axis.evidence(False), axis.evidence(True)) == pytest.approx(
                (np.log((1 - p) / (1 - q)), np.log(p / q)), abs=1e-12
            )


class TestGaussian:
    """CIML eq. 9.34 and 9.38: the mean and the variance of each class, divided by its number of rows."""

    def test_estimates(self):
        x = np.array([[1.0], [2.0], [6.0], [10.0], [14.0]])
        y = np.array([0, 0, 0, 1, 1])
        model = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(x, y)
        base, mean, variance = np.array([3 / 5, 2 / 5]), np.array([3.0, 12.0]), np.array([14 / 3, 4.0])
        for at in (0.0, 3.0, 7.5, 20.0):
            density = np.exp(-((at - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
            joint = [np.exp(model.log_prob(np.array([[at]]), [c])).item() for c in (0, 1)]
            assert joint == pytest.approx(base * density, rel=1e-12)

    def test_predictive_is_student_t(self):
        from scipy import stats

        rng = np.random.default_rng(5)
        x, y = rng.normal(size=(12, 1)), np.repeat([0, 1], 6)
        model = likely.NaiveBayes(estimate="predictive", families="classical", evidence_weights=None).fit(
            x, y
        )
        means = [x[y == c].mean() for c in (0, 1)]
        scatter = np.array([((x[y == c] - x[y == c].mean()) ** 2).sum() for c in (0, 1)])
        within = scatter.sum() / 12
        m0, k0, a0, b0 = x.mean(), 0.01 * within / x.var(), 1.5, 0.5 * within
        for c in (0, 1):
            k, a = k0 + 6, a0 + 3
            m = (k0 * m0 + 6 * means[c]) / k
            b = b0 + scatter[c] / 2 + k0 * 6 * (means[c] - m0) ** 2 / (2 * k)
            expected = stats.t.logpdf(0.3, 2 * a, m, np.sqrt(b * (k + 1) / (a * k))) + np.log(1 / 2)
            assert model.log_prob(np.array([[0.3]]), [c]).item() == pytest.approx(expected, rel=1e-12)


class TestMissing:
    """N5: a missing cell equals the average over its completions, weighted by P(z given the observed x)."""

    @pytest.mark.parametrize("hidden", list(product([False, True], repeat=4))[1:])
    def test_equals_averaging_over_completions(self, hidden):
        model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(DAYS, "play")
        names = list(TODAY)
        gaps = [name for name, gone in zip(names, hidden, strict=True) if gone]
        row = {name: [None] if name in gaps else TODAY[name] for name in names}
        values = {name: sorted(set(np.asarray(DAYS[name]).tolist())) for name in names}
        total, answer = 0.0, np.zeros(2)
        for filling in product(*(values[name] for name in gaps)):
            full = {**row, **{name: [v] for name, v in zip(gaps, filling, strict=True)}}
            weight = np.exp(model.log_prob(full)).item()  # proportional to P(z given x)
            answer += weight * model.predict_proba(full)[0]
            total += weight
        assert model.predict_proba(row)[0] == pytest.approx(answer / total, abs=1e-12)
        assert np.exp(model.log_prob(row)).item() == pytest.approx(total, rel=1e-12)

    def test_training_skips_missing_cells(self):
        table = {"a": ["x", "x", "y", None, "y"], "b": [1.0, np.nan, 3.0, 4.0, 5.0]}
        y = [0, 0, 0, 1, 1]
        model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(table, y)
        # a: in class 1 only y was seen, once: (1 + 1) / (1 + 2)
        only_a = model.log_prob({"a": ["y"], "b": [np.nan]}, [1]) - model.log_prob(
            {"a": [None], "b": [np.nan]}, [1]
        )
        assert np.exp(only_a).item() == pytest.approx(2 / 3, rel=1e-12)

    def test_missing_as_a_level(self):
        table = {"a": ["x", None, None, "y"]}
        model = likely.NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(
            table, [0, 0, 1, 1]
        )
        as_level = likely.NaiveBayes(families="classical", evidence_weights=None).fit(
            {"a": ["x", "?", "?", "y"]}, [0, 0, 1, 1]
        )
        for value in ("x", "y", None):
            expected = as_level.predict_proba({"a": [value or "?"]})
            assert model.predict_proba({"a": [value]}) == pytest.approx(expected, abs=1e-15)

    def test_missing_number_as_a_level(self):
        """Whether the number is missing is evidence: 2 of 3 in class 0, 0 of 3 in class 1 (Laplace)."""
        table = {"a": [np.nan, np.nan, 1.0, 1.0, 2.0, 3.0]}
        model = likely.NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(
            table, [0, 0, 0, 1, 1, 1]
        )
        odds = np.exp(-np.diff(model.predict_log_proba({"a": [np.nan]})[0])).item()
        assert odds == pytest.approx((3 / 5) / (1 / 5), rel=1e-12)


def test_a_count_of_zero_and_its_cure():
    """N6: (overcast, cool, high, true) is impossible for no, 0 of 5; with m = 3, p = 1/k: P(no) = 11/43."""
    days = likely.read("play_tennis", into="dict")
    today = {"outlook": ["overcast"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
    plain = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None).fit(days, "play")
    joint = np.exp([plain.log_prob(today, [label]).item() for label in ("yes", "no")])
    assert joint == pytest.approx([2 / 189, 0.0], rel=1e-12)
    assert plain.predict_proba(today)[0].tolist() == [0.0, 1.0]
    rates = {"yes": 9 / 14, "no": 5 / 14}
    cured = likely.NaiveBayes(
        prior=likely.MEstimate(3), base_rate=rates, families="classical", evidence_weights=None
    ).fit(days, "play")
    assert cured.predict_proba(today)[0, 0] == pytest.approx(11 / 43, rel=1e-12)
    # By hand: (n + 3 / k) / (N + 3) of each column.
    yes = 9 / 14 * (4 + 1) / 12 * (3 + 1) / 12 * (3 + 1.5) / 12 * (3 + 1.5) / 12
    no = 5 / 14 * (0 + 1) / 8 * (1 + 1) / 8 * (4 + 1.5) / 8 * (3 + 1.5) / 8
    assert no / (yes + no) == pytest.approx(11 / 43, rel=1e-12)
