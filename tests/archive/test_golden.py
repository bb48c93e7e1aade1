"""Files of every format that was ever released load, and answer as they did."""

from __future__ import annotations

import json

import numpy as np
import pytest
from golden_files import GOLDEN, cases

import likely
from likely.archive.file import VERSION

FILES = sorted(GOLDEN.glob("*.likely"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_golden_file_answers_as_it_did(path):
    expected = json.loads(path.with_suffix(".json").read_text())
    model = likely.load(path)
    assert model.classes_.tolist() == expected["classes"]
    # Not to the last bit: other versions of NumPy add up in another order.
    assert np.allclose(
        model.predict_log_proba(expected["rows"]), expected["log_proba"], rtol=1e-9, atol=1e-12
    )


def test_every_case_has_a_golden_file_of_this_format():
    assert {path.stem for path in FILES} >= {f"{VERSION}-{name}" for name in cases()}
