"""What a model says where not everything is told: laws of all classifiers.

Nothing told is the base rate; a question and a prediction of the same facts have the same answer.
"""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest

import likely
from likely.estimator.registry import MODELS, estimator_class

RNG = np.random.default_rng(0)
N = 300
Y = RNG.choice(["a", "b", "c"], N, p=[0.6, 0.3, 0.1])
K = np.searchsorted(["a", "b", "c"], Y)
TABLE = {
    "x": RNG.normal(K, 1.0),
    "copy": RNG.normal(K, 1.0).round(1),
    "level": np.where(RNG.random(N) < 0.3 + 0.3 * K, "p", "q").astype(object),
    "paid": np.where(RNG.random(N) < 0.2 + 0.3 * K, "Yes", "No").astype(object),
    "gaps": np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(K, 1.5)),
}
NUMBERS = {name: TABLE[name] for name in ("x", "copy", "gaps")}
ASKED = {  # which can be asked, with the columns that they take
    "naive Bayes": (likely.NaiveBayes(), TABLE),
    "naive Bayes, all evidence": (likely.NaiveBayes(evidence_weights=None), TABLE),
    "classical naive Bayes": (likely.NaiveBayes(families="classical"), TABLE),
    "Gaussian": (likely.GaussianClassifier(), NUMBERS),
    "mixtures": (likely.MixtureClassifier(2, random_state=0), TABLE),
}
OTHERS = {"HiddenMarkov"}  # of classifiers that are registered, the one whose rows are no rows of a table


def classifiers() -> list[str]:
    made = [name for name in MODELS if hasattr(estimator_class(name)(), "predict_proba")]
    return [name for name in made if name not in OTHERS]


def shares() -> np.ndarray:
    return np.array([(c == Y).mean() for c in "abc"])


def test_every_classifier_is_here():
    assert {"Classifier", "NaiveBayes", "GaussianClassifier", "MixtureClassifier", "Calibrated"} <= set(
        classifiers()
    )


@pytest.mark.parametrize("name", classifiers())
def test_nothing_told_is_the_base_rate(name):
    """By a prior of a row a class naive Bayes is .002 off the shares; the pool averages over 64 ways.

    To the pool and to logistic regression a gap of a column that has gaps is a value like others, which says
    something.
    """
    complete = {column: TABLE[column] for column in TABLE if column != "gaps"}
    table = {"GaussianClassifier": NUMBERS, "Classifier": complete, "LogisticRegression": complete}.get(
        name, TABLE
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = estimator_class(name)().fit({**table, "y": Y}, "y")
        p = model.predict_proba({column: [None, None] for column in table})
    if name == "Calibrated":  # what the model inside says, calibrated
        inside = model.model_.predict_proba({column: [None, None] for column in table})
        np.testing.assert_allclose(inside[0], shares(), atol=0.004)
        np.testing.assert_allclose(p, np.exp(model.calibrator_(np.log(inside))), atol=1e-12)
    else:
        np.testing.assert_allclose(p[0], shares(), atol=0.02 if name == "Classifier" else 0.004)
    if hasattr(model, "ask"):
        asked = [float(model.ask(f"P(y={c})")) for c in "abc"]
        if name == "Calibrated":  # a question without facts is about the base rate
            np.testing.assert_allclose(asked, shares(), atol=0.004)
        else:
            np.testing.assert_allclose(asked, p[0], atol=1e-9)


@pytest.mark.parametrize("columns", [("x", "copy"), ("level", "paid"), ("x", "paid"), ("level",)])
@pytest.mark.parametrize("classes", ["abc", "ab"])
@pytest.mark.parametrize("prior", ["default", None])
def test_logistic_regression_keeps_the_law_and_the_sum(columns, classes, prior):
    """Exactly; the ledger's lines sum, the exported form agrees, other base rates too."""
    inside = np.isin(Y, list(classes))
    table = {name: TABLE[name][inside] for name in columns}
    model = likely.LogisticRegression(prior).fit(table, Y[inside])
    for rates in (None, dict.fromkeys(classes, 1 / len(classes))):
        asked = model if rates is None else model.with_base_rate(rates)
        want = [(Y[inside] == c).mean() for c in classes] if rates is None else list(rates.values())
        nothing = {name: [None] for name in columns}
        np.testing.assert_allclose(asked.predict_proba(nothing)[0], want, atol=1e-9)
        some = {name: table[name][:1] if i else [None] for i, name in enumerate(columns)}
        for row in (nothing, some):
            logs = asked.predict_log_proba(row)[0]
            ledger = asked.explain(row, classes[0], classes[1])[0]
            assert ledger.base + sum(line.evidence for line in ledger.lines) == pytest.approx(
                logs[0] - logs[1]
            )
            form = asked.record_.scoring_form()
            told = [None if row[name][0] is None else row[name] for name in columns]
            assert form_logs(form, told) == pytest.approx(logs)
            ends = asked.predict_interval(row, random_state=0)
            assert (ends.lower[0] <= np.exp(logs) + 1e-12).all()
            assert (ends.upper[0] >= np.exp(logs) - 1e-12).all()


def form_logs(form, told):
    """Worked out from the exported form alone."""
    scores = form.start.copy()
    for term in form.terms:
        cell = told[term.columns[0]]
        if cell is None:
            scores += term.missing
        elif hasattr(term, "table"):
            scores += term.table[form.inputs[term.columns[0]].levels.index(cell[0])]
        else:
            scores += term.pieces(np.asarray(cell, float))[0]
    return scores - np.logaddexp.reduce(scores)


def test_logistic_regression_that_averages_keeps_the_law():
    """Beside the shares: the normal of the columns, and 2,048 draws of it."""
    complete = {name: TABLE[name] for name in ("x", "copy")}
    model = likely.LogisticRegression(missing="average").fit(complete, Y)
    np.testing.assert_allclose(model.predict_proba({"x": [None], "copy": [None]})[0], shares(), atol=0.01)


def question(row: dict[str, object], facts: tuple[str, ...]) -> str:
    said = ", ".join(f"{name}={row[name]!r}".replace("'", '"') for name in facts)
    return f"P(y | {said})" if said else "P(y)"


@pytest.mark.parametrize("name", ASKED)
def test_a_question_and_a_prediction_of_the_same_facts_agree(name):
    """P(target | facts) is the prediction of a row that has these cells and no others."""
    new, table = ASKED[name]
    model = type(new)(**new.get_params()).fit({**table, "y": Y}, "y")
    for at in (1, 7):
        row = {
            column: values[at].item() if column in NUMBERS else values[at] for column, values in table.items()
        }
        for k in range(len(table) + 1):
            for facts in combinations([c for c in table if row[c] == row[c]], k):
                cells = {c: [row[c] if c in facts else None] for c in table}
                p = model.predict_proba(cells)[0]
                answer = model.ask(question(row, facts))
                np.testing.assert_allclose([answer[c] for c in "abc"], p, atol=1e-12)


def test_a_calibrated_model_says_of_whole_rows_what_it_predicts():
    model = likely.Calibrated(likely.NaiveBayes()).fit({**TABLE, "y": Y}, "y")
    inside = model.model_
    for at in np.flatnonzero(~np.isnan(TABLE["gaps"]))[:5]:
        row = {c: v[at].item() if c in NUMBERS else v[at] for c, v in TABLE.items()}
        answer = model.ask(question(row, tuple(TABLE)))
        np.testing.assert_allclose([answer[c] for c in "abc"], model.predict_proba(row)[0], atol=1e-9)
        # Of one column, calibration (which was learnt from whole rows) changes nothing.
        alone = question(row, ("level",))
        np.testing.assert_allclose(
            [model.ask(alone)[c] for c in "abc"], [inside.ask(alone)[c] for c in "abc"], atol=1e-12
        )


@pytest.mark.parametrize("prior", ["default", None])
def test_logistic_regression_answers_where_all_is_told_or_nothing(prior):
    """A gap says something to it, which a column that is not told does not."""
    told = {c: TABLE[c] for c in ("x", "level", "paid")}
    model = likely.LogisticRegression(prior).fit({**told, "y": Y}, "y")
    for at in range(5):
        row = {c: v[at].item() if c in NUMBERS else v[at] for c, v in told.items()}
        answer = model.ask(question(row, tuple(told)))
        np.testing.assert_allclose([answer[c] for c in "abc"], model.predict_proba(row)[0], atol=1e-12)
    np.testing.assert_allclose([model.ask("P(y)")[c] for c in "abc"], shares(), atol=1e-12)
    even = model.with_base_rate("uniform")
    np.testing.assert_allclose([even.ask("P(y)")[c] for c in "abc"], 1 / 3, atol=1e-12)
    with pytest.raises(likely.LikelyError, match="tell 'x', 'paid' too, or ask a Classifier"):
        model.ask('P(y | level="p")')
    rows = model.ask("P(y=a)", data="model")
    assert f"{(Y == 'a').sum()} of {N} rows" in str(rows)


def test_logistic_regression_that_averages_answers_without_numbers():
    table = {c: TABLE[c] for c in ("x", "gaps", "level")}
    model = likely.LogisticRegression(missing="average").fit({**table, "y": Y}, "y")
    p = model.predict_proba({"x": [1.0], "gaps": [None], "level": ["p"]})[0]
    answer = model.ask('P(y | x=1, level="p")')
    np.testing.assert_allclose([answer[c] for c in "abc"], p, atol=1e-12)
    with pytest.raises(likely.LikelyError, match="tell 'level' too"):
        model.ask("P(y | x=1)")


@pytest.mark.parametrize("inside", [likely.Classifier("fast"), likely.LogisticRegression()])
def test_a_calibrated_model_answers_whatever_is_inside(inside):
    """Of whole rows what it predicts; of no facts what it says without any."""
    table = {c: TABLE[c] for c in ("x", "level", "paid")}
    model = likely.Calibrated(inside).fit({**table, "y": Y}, "y")
    row = {c: v[3].item() if c in NUMBERS else v[3] for c, v in table.items()}
    answer = model.ask(question(row, tuple(table)))
    np.testing.assert_allclose([answer[c] for c in "abc"], model.predict_proba(row)[0], atol=1e-9)
    assert sum(model.ask("P(y)")[c] for c in "abc") == pytest.approx(1)


def test_a_column_told_alone_counts_in_full():
    """Its shares in the rows, smoothed by half a row or so: whatever it repeats of the others."""
    model = likely.NaiveBayes().fit({**TABLE, "y": Y}, "y")
    assert min(model.evidence_weights_.values()) < 0.9
    for column in ("level", "paid"):
        for value in set(TABLE[column]):
            here = TABLE[column] == value
            answer = model.ask(f"P(y | {column}={value})")
            for c in "abc":
                assert answer[c] == pytest.approx((Y[here] == c).mean(), abs=0.02)


def test_what_is_told_makes_one_belief():
    """Given the same facts the laws of probability hold: sums over a variable, and the product rule."""
    model = likely.NaiveBayes().fit({**TABLE, "y": Y}, "y")
    for facts in ("x=0.5, paid=Yes", "x>0.3, copy<1.2", "level in {p}, not x<0"):
        of_y, of_both = model.ask(f"P(y | {facts})"), 0.0
        for c in "abc":
            more, less = (float(model.ask(f"P(y={c}, gaps{cut} | {facts})")) for cut in (">0.7", "<=0.7"))
            assert more + less == pytest.approx(of_y[c], abs=1e-9)
            of_both += more
            given = float(model.ask(f"P(gaps>0.7 | {facts}, y={c})"))
            assert more == pytest.approx(of_y[c] * given, abs=1e-9)
        assert float(model.ask(f"P(gaps>0.7 | {facts})")) == pytest.approx(of_both, abs=1e-9)
