"""The linear form agrees with the evidence that it was made from."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from likely import GaussianClassifier, MixtureClassifier, NaiveBayes, Words, read
from likely.errors import LikelyError
from likely.evidence import LinearForm

P1, P0 = np.array([0.8, 0.5, 0.01]), np.array([0.2, 0.25, 0.01])
FORM = LinearForm(
    ("a", "b", "c"),
    np.log(P1 * (1 - P0) / (P0 * (1 - P1))),
    np.zeros(3),
    0.3 + float(np.log((1 - P1) / (1 - P0)).sum()),
    ("yes", "no"),
    "pandas",
)


def test_equals_the_sum_of_evidence_for_every_row():
    for x in product((0, 1), repeat=3):
        seen = np.array(x)
        likelihoods = [np.where(seen, p, 1 - p).prod() for p in (P1, P0)]
        expected = 0.3 + math.log(likelihoods[0] / likelihoods[1])
        assert FORM.decision(seen) == pytest.approx(expected, abs=1e-12)


def test_decision_of_many_rows_dense_and_sparse():
    x = np.array([[1, 0, 1], [0, 0, 0]])
    expected = [FORM.bias + FORM.weights[0] + FORM.weights[2], FORM.bias]
    np.testing.assert_allclose(FORM.decision(x), expected, atol=1e-15)
    np.testing.assert_allclose(FORM.decision(csr_array(x)), expected, atol=1e-15)
    moved = LinearForm(FORM.names, FORM.weights, np.ones(3), 0.5, FORM.classes)
    np.testing.assert_allclose(moved.decision(csr_array(x)), moved.bias + x @ moved.weights, atol=1e-14)


def test_text_and_frame():
    assert str(FORM) == (
        "yes against no: log-odds = bias + weights . features\n"
        "\n"
        "bias  -1.49      ▐█████│\n"
        "a     +2.77            │██████████\n"
        "b     +1.10            │████\n"
        "c      0.00            │"
    )
    frame = FORM.to_frame()
    assert frame["name"].tolist() == ["bias", "a", "b", "c"]
    assert frame["weight"].tolist() == [FORM.bias, *FORM.weights]


def test_wrong_shapes_and_missing_values():
    with pytest.raises(LikelyError, match="give 3 columns"):
        FORM.decision([[1, 0]])
    with pytest.raises(LikelyError, match="missing"):
        FORM.decision([[1, 0, math.nan]])


def test_the_e_mails_of_the_book():
    """Flach, example 9.5: spam (.3, .5, .2), ham (.6, .2, .2); with bits (1/2, 2/3, 1/3), (2/3, 1/3, 1/3)."""
    mails = read("emails", into="dict")
    model = NaiveBayes(kinds={"message": Words(stop=["d", "e"], pattern=r"\w")}).fit(mails, "class")
    form = model.linear_form("spam", "ham")
    weights = dict(zip(form.names, form.weights, strict=True))
    assert weights == pytest.approx({"a": math.log(0.5), "b": math.log(2.5), "c": 0.0}, abs=1e-12)
    assert form.bias == pytest.approx(0.0, abs=1e-12)
    bits = NaiveBayes(kinds={"message": Words(stop=["d", "e"], pattern=r"\w", bits=True)}).fit(mails, "class")
    form = bits.linear_form("spam", "ham")
    weights = dict(zip(form.names, form.weights, strict=True))
    assert weights == pytest.approx({"a": math.log(0.5), "b": math.log(4), "c": 0.0}, abs=1e-12)
    assert form.bias == pytest.approx(math.log(1.5 * 0.5), abs=1e-12)


def counts(rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    return rng.poisson(1 + 2 * rng.random((3, 4))[y]).astype(float)


def numbers(rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    root = rng.normal(size=(4, 4))
    return rng.normal(size=(len(y), 4)) @ root + 3 * rng.normal(size=(3, 4))[y] + 1e4 * rng.normal(size=4)


CASES = {
    "bernoulli": (NaiveBayes(), lambda rng, y: rng.random((len(y), 4)) < rng.random((3, 4))[y]),
    "poisson": (NaiveBayes(kinds="count"), counts),
    "multinomial": (NaiveBayes(kinds="count", families="multinomial"), counts),
    "tied": (GaussianClassifier("tied"), numbers),
    "tied, ml": (GaussianClassifier("tied", prior=None), numbers),
    "ledoit_wolf": (GaussianClassifier("tied", shrinkage="ledoit_wolf"), numbers),
    "tied_diagonal": (GaussianClassifier("tied_diagonal"), numbers),
    "tied_spherical": (GaussianClassifier("tied_spherical"), numbers),
    "identity": (GaussianClassifier("identity"), numbers),
    "tied_diagonal in naive Bayes": (NaiveBayes(families="tied_diagonal_normal"), numbers),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(5))
def test_equals_the_log_posterior_odds(case, seed):
    model, draw = CASES[case]
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 80)
    X = draw(rng, y)
    model.fit(X, y)
    logs = model.predict_log_proba(X)
    for a, b in ((0, 1), (2, 0), (1, 2)):
        form = model.linear_form(a, b)
        odds = logs[:, a] - logs[:, b]
        assert np.abs(form.decision(X) - odds).max() <= 1e-12 * max(1.0, np.abs(odds).max())
        assert form.names == ("x0", "x1", "x2", "x3")


def test_kinds_beside_each_other_keep_their_order():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    table = {
        "size": rng.normal(2.0 * y, 1.0),
        "note": [" ".join(rng.choice(list("abc"), 4)) for _ in y],
        "flag": rng.random(60) < 0.3 + 0.4 * y,
        "visits": rng.poisson(1 + y),
    }
    model = NaiveBayes(
        kinds={"visits": "count", "note": Words(pattern=r"\w")}, families={"size": "tied_diagonal_normal"}
    ).fit(table, y)
    form = model.linear_form(1, 0)
    assert [name.split(":")[0] for name in form.names] == ["size", "note", "note", "note", "flag", "visits"]
    assert {name for name in form.names if ":" in name} == {"note: a", "note: b", "note: c"}
    columns = [
        [float(text.split().count(name[-1])) for text in table["note"]]
        if name.startswith("note")
        else np.asarray(table[name], float)
        for name in form.names
    ]
    logs = model.predict_log_proba(table)
    assert form.decision(np.column_stack(columns)) == pytest.approx(logs[:, 1] - logs[:, 0], abs=1e-12)


def test_what_is_not_linear_is_refused():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 40)
    X = rng.normal(size=(40, 2)) * (1 + y[:, None])
    for model in (NaiveBayes(), GaussianClassifier("full"), GaussianClassifier("spherical")):
        with pytest.raises(
            LikelyError, match=r"column 'x0' is quantitative, .* not linear .* 'tied_diagonal'"
        ):
            model.fit(X, y).linear_form()
    tokens = np.abs(X).round()
    model = NaiveBayes(kinds="count", families="multinomial", estimate="predictive").fit(tokens, y)
    with pytest.raises(LikelyError, match="not linear"):
        model.linear_form()
    with pytest.raises(LikelyError, match="a linear form takes one distribution a class"):
        MixtureClassifier(2).fit(X, y).linear_form()
    flags = np.column_stack([y == 1, X[:, 0] > 0])
    with pytest.raises(LikelyError, match=r"a value of feature 'x0' is impossible .* prior"):
        NaiveBayes(prior=None).fit(flags, y).linear_form()
