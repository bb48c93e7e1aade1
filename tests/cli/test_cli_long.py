"""Five million rows: in bounded memory, and faster than pandas with scikit-learn."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from drive import COMMAND

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself

OTHERS = """
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

words = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
model = make_pipeline(
    make_column_transformer((words, ["job", "city"]), remainder="passthrough"), GaussianNB()
)
few = pd.read_csv("few.csv")
model.fit(few.drop(columns="y"), few["y"])
rows = pd.read_csv("many.csv")
p = model.predict_proba(rows.drop(columns="y"))
rows["p_no"], rows["p_yes"], rows["predicted"] = p[:, 0], p[:, 1], model.classes_[p.argmax(axis=1)]
rows.to_csv("others.csv", index=False)
"""


def measured(*command, cwd):
    """Seconds, and the peak of memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=cwd)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.monotonic() - start, used.ru_maxrss / 1024


@pytest.mark.long
def test_five_million_rows(folder):
    rng = np.random.default_rng(0)
    n = 100_000
    y = rng.integers(0, 2, n)
    cells = zip(
        rng.normal(40 + 5 * y, 10).round(1).tolist(),
        rng.gamma(2, 1000 * (1 + y)).round(2).tolist(),
        np.array(["clerk", "driver", "nurse", "miner"])[rng.integers(0, 3, n) + y].tolist(),
        np.array(["Paris", "Rome", "Oslo"])[rng.integers(0, 3, n)].tolist(),
        np.array(["no", "yes"])[y].tolist(),
        strict=True,
    )
    header, block = "age,income,job,city,y\n", "".join(f"{a},{b},{c},{d},{e}\n" for a, b, c, d, e in cells)
    for name, times in (("few", 1), ("some", 10), ("many", 50)):
        with (folder / f"{name}.csv").open("w") as file:
            file.write(header)
            file.writelines([block] * times)
    measured(COMMAND, "learn", "few.csv", *NB, "-t", "y", "--folds", "0", "-o", "m.likely", cwd=folder)
    _, some = measured(COMMAND, "predict", "m.likely", "some.csv", "-o", "some-out.csv", cwd=folder)
    ours, many = measured(COMMAND, "predict", "m.likely", "many.csv", "-o", "ours.csv", cwd=folder)
    others, theirs = measured(sys.executable, "-c", OTHERS, cwd=folder)
    print(f"likely {ours:.1f} s, {many:.0f} MB; pandas and scikit-learn {others:.1f} s, {theirs:.0f} MB")
    assert many < 800
    assert many - some < 400  # five times the rows, and no more than what engines keep for later
    assert ours < others
    with (folder / "ours.csv").open("rb") as file:
        assert sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 24), b"")) == 5_000_001
