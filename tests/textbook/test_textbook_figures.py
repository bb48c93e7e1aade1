"""Figures of worked examples whose data are ours, computed again by other means."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.optimize import minimize
from scipy.stats import norm

from likely import textbook
from likely.format.svg import BLUE, ORANGE


def figures(name):
    return {step.label: step.exact for step in textbook.show(name).steps}


class TestOutlier:
    """G7b: three lines through 17 rows, by the normal equations, by the means, and by SciPy."""

    X = np.array(
        [
            [1, -1, -1, 0, 0, -1, 0, 1, 3, 4, 4, 2, 4, 5, 2, 4, -1],
            [1, 0, 2, -1, 0, 1, 1, 0, 2, 1, 3, 3, 2, 2, 2, 4, -3],
        ],
        float,
    ).T
    y = np.arange(17) >= 8

    def wrong(self, scores, n=17):
        return int(((scores > 0) != self.y[:n]).sum())

    def basic(self, n=17):
        X, y = self.X[:n], self.y[:n]
        plus, minus = X[y].mean(axis=0), X[~y].mean(axis=0)
        return self.wrong((X - (plus + minus) / 2) @ (plus - minus), n)

    def least_squares(self, n=17):
        ones = np.column_stack([np.ones(n), self.X[:n]])
        return ones @ np.linalg.lstsq(ones, np.where(self.y[:n], 1, -1), rcond=None)[0]

    def logistic(self, columns):
        ones, sign = np.column_stack([np.ones(17), columns]), np.where(self.y, 1, -1)
        w = minimize(
            lambda w: np.logaddexp(0, -sign * (ones @ w)).sum(), np.zeros(ones.shape[1]), tol=1e-12
        ).x
        return ones @ w, -np.logaddexp(0, -sign * (ones @ w)).sum()

    def test_wrong_rows(self):
        exact = figures("G7b")
        label = "without it: wrong rows of the basic linear and the least-squares classifier"
        assert exact[label] == (self.basic(16), self.wrong(self.least_squares(16), 16)) == (0, 0)
        assert exact["with it, basic linear: wrong rows"] == self.basic() == 1
        assert exact["with it, least squares: wrong rows"] == self.wrong(self.least_squares()) == 1
        assert exact["with it, logistic regression: wrong rows"] == self.wrong(self.logistic(self.X)[0]) == 3

    def test_likelihoods(self):
        exact = figures("G7b")
        both = [self.logistic(columns)[1] for columns in (self.X, self.least_squares())]
        labels = (
            "log-likelihood of logistic regression",
            "the best log-likelihood along the line of least squares",
        )
        assert [exact[label] for label in labels] == pytest.approx(both, abs=1e-7)
        assert both[0] > both[1]


def curve_of_messages(first_topic, base_rate, bits):
    """N3b in fractions: P(message | class), the answers of naive Bayes, and the points of its ROC curve."""
    topics = [[Fraction(n, 10) for n in words] for words in ((5, 3, 1, 1), (1, 1, 2, 6))]
    rows = [row for row in product(range(7), repeat=4) if sum(row) == 6]

    def given(row, topic):
        chance = Fraction(factorial(6))
        for n, p in zip(row, topic, strict=True):
            chance *= p**n / factorial(n)
        return chance

    chance = [[s * given(r, topics[0]) + (1 - s) * given(r, topics[1]) for r in rows] for s in first_topic]
    assert [sum(column) for column in chance] == [1, 1]
    theta = [
        [
            sum(
                p * (row[j] > 0 if bits else Fraction(row[j], 6)) for p, row in zip(column, rows, strict=True)
            )
            for j in range(4)
        ]
        for column in chance
    ]
    odds = []
    for row in rows:
        odd = base_rate / (1 - base_rate)
        for n, p, q in zip(row, *theta, strict=True):
            absent = (1 - p) / (1 - q) if bits else 1
            odd *= (p / q if n else absent) if bits else (p / q) ** n
        odds.append(odd)
    points = [(Fraction(0), Fraction(0))]
    for level in sorted(set(odds), reverse=True):
        here = [place for place, odd in enumerate(odds) if odd == level]
        plus, minus = (sum(column[place] for place in here) for column in chance)
        points.append((points[-1][0] + minus, points[-1][1] + plus))
    own = sum(
        plus * base_rate if odd > 1 else minus * (1 - base_rate)
        for odd, plus, minus in zip(odds, *chance, strict=True)
    )
    return own, points


@pytest.mark.parametrize("bits", [True, False])
class TestMapPoint:
    """N3b: exact, and by trying all thresholds."""

    def test_as_many(self, bits):
        own, points = curve_of_messages((Fraction(9, 10), Fraction(2, 10)), Fraction(1, 2), bits)
        exact, place = figures("N3b"), 0 if bits else 1
        label = "as many: accuracy of the {}, by bits and by counts"
        assert exact[label.format("MAP answers")][place] == pytest.approx(float(own), rel=1e-15)
        best = max((t + 1 - f) / 2 for f, t in points)
        assert exact[label.format("best threshold")][place] == pytest.approx(float(best), rel=1e-15)
        assert exact["as many: slope of the lines of equal accuracy"] == 1

    def test_always_positive(self, bits):
        rate = Fraction(4, 5)
        own, points = curve_of_messages((Fraction(7, 10), Fraction(3, 10)), rate, bits)
        exact, place = figures("N3b"), 0 if bits else 1
        label = "four to one: accuracy of the MAP answers, by bits and by counts"
        assert exact[label][place] == pytest.approx(float(own), rel=1e-15)
        best = max(points, key=lambda point: rate * point[1] + (1 - rate) * (1 - point[0]))
        assert (
            best
            == (1, 1)
            == exact[f"four to one: best point (false, true positive rate), {'bits' if bits else 'counts'}"]
        )
        # The hull goes into (1, 1) with the least slope that any point has towards it.
        last = min((1 - t) / (1 - f) for f, t in points[:-1])
        label = "four to one: last slope of the hull, by bits and by counts"
        assert exact[label][place] == pytest.approx(float(last), rel=1e-15)
        slope = (1 - rate) / rate
        assert exact["four to one: slope of the lines of equal accuracy"] == float(slope) == 0.25
        assert last > slope
        assert (
            own < rate == Fraction(exact["four to one: accuracy of always saying yes"]).limit_denominator(10)
        )


class TestOneStep:
    """E3b by densities of SciPy."""

    def test_responsibilities(self):
        x, exact = np.array([-3.0, -2.0, 0.0, 1.0, 3.0]), figures("E3b")

        def share(means):
            joint = norm.pdf(x[:, None], means) / 2
            return joint / joint.sum(axis=1, keepdims=True), np.log(joint.sum(axis=1)).sum()

        before, start = share(np.array([0.0, 1.0]))
        means = np.average(x, weights=before[:, 0]), np.average(x, weights=before[:, 1])
        after, end = share(np.array(means))
        assert exact["responsibility of the second group, before"] == pytest.approx(before[:, 1], abs=1e-14)
        assert exact["the M step: means weighted by the responsibilities"] == pytest.approx(means, abs=1e-13)
        assert exact["responsibility of the second group, after"] == pytest.approx(after[:, 1], abs=1e-13)
        assert end > start + 1

    def test_picture(self):
        """Bars are split as the responsibilities are, before on the left and after on the right."""
        axes, exact = textbook.show("E3b").figure().figure.axes, figures("E3b")
        for ax, when in zip(axes[2:], ("before", "after"), strict=True):
            heights = [bar.get_height() for bar in ax.patches]
            second = exact[f"responsibility of the second group, {when}"]
            assert heights[5:] == pytest.approx(second, abs=1e-12)
            assert np.add(heights[:5], heights[5:]) == pytest.approx(np.ones(5))
            assert [to_hex(bar.get_facecolor()).upper() for bar in ax.patches] == [BLUE] * 5 + [ORANGE] * 5
        for ax, means in zip(
            axes[:2], ((0, 1), exact["the M step: means weighted by the responsibilities"]), strict=True
        ):
            peaks = [line.get_xdata()[np.argmax(line.get_ydata())] for line in ax.lines]
            assert peaks == pytest.approx(means, abs=0.02)  # places are 1/40 apart


class TestConfigurations:
    """E3c by maximising the likelihood with SciPy, and its slope."""

    x = np.array([-3.0, -2.4, -2.1, -1.1, -0.6, 0.5, 1.2, 2.0, 2.5, 2.7])

    def log_likelihood(self, t):
        """Of the log-odds of the first group, means, and logs of the sds."""
        first = 1 / (1 + np.exp(-t[0]))
        return np.log(
            first * norm.pdf(self.x, t[1], np.exp(t[3])) + (1 - first) * norm.pdf(self.x, t[2], np.exp(t[4]))
        ).sum()

    @pytest.mark.parametrize(
        ("place", "start"),
        [(1, (-1, -2.5, 0.9, -1, 0.4)), (2, (0, -1.8, 1.8, 0, -0.2)), (3, (1, -0.9, 2.4, 0.4, -1.2))],
    )
    def test_a_local_maximum(self, place, start):
        found = minimize(
            lambda t: -self.log_likelihood(t),
            start,
            method="Nelder-Mead",
            options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000, "maxfev": 20000},
        )
        exact = figures("E3c")
        assert exact["log-likelihood at rest, from each start"][place] == pytest.approx(-found.fun, abs=1e-9)
        if place == 3:
            shares = exact["the highest: shares of the groups, far from even"]
            first = 1 / (1 + np.exp(-found.x[0]))
            assert shares == pytest.approx((first, 1 - first), abs=1e-6)

    def test_the_saddle(self):
        """Both groups alike: no slope in any direction, whatever the shares; and a way up, and ways down."""
        middle, sd = self.x.mean(), self.x.std()
        height = figures("E3c")["log-likelihood at rest, from each start"][0]
        assert height == pytest.approx(norm.logpdf(self.x, middle, sd).sum(), abs=1e-12)
        for first in (0.1, 0.5):
            t = np.array([np.log(first / (1 - first)), middle, middle, np.log(sd), np.log(sd)])
            assert self.log_likelihood(t) == pytest.approx(height, abs=1e-12)
            slope = [
                (self.log_likelihood(t + e) - self.log_likelihood(t - e)) / 2e-5 for e in 1e-5 * np.eye(5)
            ]
            assert slope == pytest.approx(np.zeros(5), abs=1e-6)
        # Even shares, the means apart, mean and variance of the whole as before: two humps, as the rows have.
        rises = []
        for apart in (0.5, 1.0, 2.0):
            narrow = np.log(sd**2 - apart**2 / 4) / 2
            rises.append(
                self.log_likelihood([0, middle - apart / 2, middle + apart / 2, narrow, narrow]) - height
            )
        assert rises[0] > 1e-4
        assert (np.diff(rises) > 0).all()
        assert self.log_likelihood([0, middle, middle, np.log(2 * sd), np.log(2 * sd)]) < height - 1

    def test_picture(self):
        """Each density has area 1, and the legend says the four heights, the highest first."""
        _, ends = textbook.show("E3c").figure().figure.axes
        heights = figures("E3c")["log-likelihood at rest, from each start"]
        said = [text.get_text() for text in ends.get_legend().get_texts()]
        assert said == [f"log-likelihood {height:.2f}" for height in sorted(heights, reverse=True)]
        for line in ends.lines:
            assert np.trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(
                1, abs=4e-3
            )  # the widest has .0027 beyond 6


def test_n4_shows_counted_words_and_absent_ones():
    """Words of ex. 9.5, (.3, .5, .2) and (.6, .2, .2); bits of ex. 9.4, b in 2/3 of spam and 1/3 of ham."""
    shown = figures("N4")
    weights = np.log([0.3 / 0.6, 0.5 / 0.2, 0.2 / 0.2])
    assert shown["counted: weights of a, b, c, ln of the words' ratios"] == pytest.approx(weights)
    assert shown["counted, a a a b: what a and b add, 3 ln .5 and ln 2.5"] == pytest.approx(
        weights[:2] * [3, 1]
    )
    absent = (1 - 2 / 3) / (1 - 1 / 3)
    assert shown["there or not, a: what b adds by its absence, ln 1/2"] == pytest.approx(np.log(absent))


def test_n8_tests_that_ranking_survives():
    assert figures("N8")["ranking: AUC of eight copies less that of one"] == 0
