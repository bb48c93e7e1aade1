"""Records name their columns: order says nothing, and what they do not name is missing, with a notice."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import likely
from likely import LikelyError, LikelyWarning
from likely.table.names import columns_absent

PEOPLE = likely.read("titanic", into="dict")
ROW = {"class": "1st", "sex": "female", "age": "adult"}


@pytest.fixture(scope="module", params=["NaiveBayes", "LogisticRegression", "Classifier"])
def model(request):
    options = {"budget": "additive"} if request.param == "Classifier" else {}
    return getattr(likely, request.param)(**options).fit(PEOPLE, "survived")


def test_the_order_of_a_record_says_nothing(model):
    wanted = model.predict_proba(ROW)
    turned = dict(reversed(ROW.items()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in (turned, [turned], {name: [value] for name, value in turned.items()}):
            np.testing.assert_array_equal(model.predict_proba(rows), wanted)


def test_what_a_record_does_not_name_is_missing(model):
    for absent in (["age"], ["class", "age"]):
        told = {name: value for name, value in ROW.items() if name not in absent}
        wanted = model.predict_proba({**ROW, **dict.fromkeys(absent)})
        for rows in (told, [told], {name: [value] for name, value in told.items()}):
            with pytest.warns(LikelyWarning, match=f"{absent[0]!r}.* not there: taken as missing"):
                np.testing.assert_array_equal(model.predict_proba(rows), wanted)


def test_a_table_with_none_of_the_columns_is_refused(model):
    with pytest.raises(LikelyError, match=r"now missing:\n- age\n- class\n- sex"):
        model.predict_proba({"colour": ["red"]})


def test_frames_keep_the_contract_of_scikit_learn(model):
    """A frame has its columns in an order, and all of them, or it is an error: so says scikit-learn."""
    frame = pd.DataFrame([ROW])
    with pytest.raises(ValueError, match="in the same order"):
        model.predict_proba(frame[["sex", "class", "age"]])
    with pytest.raises(ValueError, match="yet now missing"):
        model.predict_proba(frame[["class", "sex"]])
    with pytest.raises(ValueError, match="features as input"), pytest.warns(UserWarning, match="names"):
        model.predict_proba(np.zeros((2, 2)))


def test_another_spelling_is_said():
    assert columns_absent(["sex"], ["Sex"]).endswith("Is 'Sex' the column 'sex'? Rename it.")
    assert columns_absent(list("abcdefg")).startswith("columns 'a', 'b', 'c', 'd', 'e', ... are not there")
