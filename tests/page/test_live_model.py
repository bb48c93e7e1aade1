"""Which models have a page: those that have none say why, and what has one."""

from __future__ import annotations

import numpy as np
import pytest
from test_page import rare_table

import likely


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (likely.HiddenMarkov(2, random_state=0), r"a HiddenMarkov has no page: its states.*take a Mixture"),
        (likely.CompressionClassifier(), r"a CompressionClassifier has no page.*take a NaiveBayes"),
        (likely.LeastSquaresClassifier(), r"a LeastSquaresClassifier has no page.*Take a NaiveBayes"),
        (
            likely.NaiveBayes(families={"pay": "kernel"}),
            r"this NaiveBayes has no page: column 'pay'.*'normal'",
        ),
        (likely.Calibrated(likely.LeastSquaresClassifier()), r"LeastSquaresClassifier inside.*calibrate a"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_has_no_page_says_why_and_what_has_one(model, said):
    table = rare_table()
    if isinstance(model, likely.HiddenMarkov):
        fitted = model.fit({"pay": table["pay"]})
    else:
        fitted = model.fit(table, "y")
    for made in (lambda: fitted.page(), lambda: fitted.report(table, folds=0)):
        with pytest.raises(likely.LikelyError, match=said):
            made()


def test_a_tree_and_an_average_show_no_bin_of_few_rows():
    table = {name: column[:40] for name, column in rare_table().items()}
    table["pay"] = np.where(np.arange(40) < 31, 1.0, np.arange(40.0))
    for model in (likely.TreeAugmentedNaiveBayes(), likely.AODE()):
        fitted = model.fit(table, "y")
        with pytest.raises(likely.LikelyError, match=r"column 'pay' has a bin of fewer than 10 rows"):
            fitted.page()
        fitted.page(show_rare=True)


def test_an_average_of_too_many_pairs_says_how_many():
    rng = np.random.default_rng(0)
    table = {f"c{i}": rng.integers(60, size=3000).astype(str) for i in range(4)}
    table["y"] = rng.choice(["a", "b"], 3000)
    with pytest.raises(likely.LikelyError, match=r"the AODE has 115,\d+ probabilities.*take a NaiveBayes"):
        likely.AODE().fit(table, "y").page()
