"""No line of ours runs once a row, whatever it looks like: models are watched at work on few and more rows.

The law of `test_rows_loop_in_engine.py` reads the source, and sees loops that look like loops over rows; this
one sees all that are. What stands below the engine works on the blocks that it is given, and is not watched.
"""

from __future__ import annotations

import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_rows_loop_in_engine import BELOW

import likely
from likely.estimator.registry import MODELS

Line = tuple[str, int]  # a file, and the number of the line in it
FEW, MORE = 40, 160  # rows
OTHER = {
    "infer/chains.py": "the states of a sequence follow each other",
    "codes/rows/": "so do the bits of a message",
}
VERBS = ("predict", "predict_proba", "explain", "transform", "log_prob")
FAST = {"tol": 1e300}  # one step of EM: how many it takes is not the number of rows
MADE: dict[str, Callable[[], Any]] = {
    "Calibrated": lambda: likely.Calibrated(likely.NaiveBayes()),
    "Classifier": lambda: likely.Classifier(members=["evidence"]),
    "HiddenMarkov": lambda: likely.HiddenMarkov(2, random_state=0, **FAST),
    "Impute": lambda: likely.Impute("gaussian"),
    "Linked": lambda: likely.Linked("plan", CHILDREN),
    "Mixture": lambda: likely.Mixture(2, random_state=0, **FAST),
    "MixtureClassifier": lambda: likely.MixtureClassifier(1, random_state=0, **FAST),
    "Regressor": lambda: likely.Regressor(members=["lines"]),
    "Decompose, of numbers from 0": lambda: likely.Decompose("nmf", starts=1),
}
CHILDREN = {"plan": np.array(["a", "a", "b", "c"]), "spent": np.array([1.0, 2.0, 3.0, 4.0])}
OF_NUMBERS = {"Decompose", "Polynomial", "Threshold", "Whiten", "GaussianClassifier", "BasicLinearClassifier"}
OF_A_NUMBER = {"LinearRegression", "Regressor"}


@cache
def table(n: int) -> dict[str, Any]:
    """Numbers, counts, levels and true/false, none of which has more levels where there are more rows."""
    rng, at = np.random.default_rng(1), np.arange(n)
    return {
        "size": rng.normal(50, 10, n).round(1),
        "visits": at % 6,
        "plan": np.array(["a", "b", "c"])[at % 3],
        "new": at % 2 == 0,
    }


def target(n: int) -> Any:
    return np.where(table(n)["size"] + np.random.default_rng(2).normal(0, 10, n) > 50, "yes", "no")


def use(name: str, n: int) -> None:
    """Fit the model of a name, and ask it of its rows all that it answers."""
    model = MADE[name]() if name in MADE else getattr(likely, name)()
    X = {
        k: v
        for k, v in table(n).items()
        if name.partition(",")[0] not in OF_NUMBERS or k in ("size", "visits")
    }
    y = X.pop("size") if name in OF_A_NUMBER else target(n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", likely.LikelyWarning)
        model.fit(X, y) if name not in ("Mixture", "HiddenMarkov") else model.fit(X)
        for verb in VERBS:
            if callable(getattr(model, verb, None)):
                answer = getattr(model, verb)(X)
                if verb == "explain":
                    answer.to_frame()
        if not hasattr(model, "transform") and hasattr(model, "sample"):
            model.sample(n)


def lines_run(
    work: Callable[[], object], home: Path, below: tuple[str, ...] = ()
) -> Counter[tuple[str, int]]:
    """How often each line of a folder runs while something is done."""
    counts: Counter[tuple[str, int]] = Counter()
    start = f"{home}/"

    def inside(frame: types.FrameType, event: str, _: object) -> Any:
        if event == "line":
            counts[frame.f_code.co_filename, frame.f_lineno] += 1
        return inside

    def entered(frame: types.FrameType, event: str, _: object) -> Any:
        name = frame.f_code.co_filename
        ours = name.startswith(start) and not name[len(start) :].startswith(below)
        return inside if ours else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        work()
    finally:
        sys.settrace(before)
    return counts


def run_by_row(work: Callable[[int], object], home: Path, below: tuple[str, ...] = ()) -> list[str]:
    """The lines that run once more for every row more."""
    few, more = (lines_run(lambda: work(n), home, below) for n in (FEW, MORE))  # noqa: B023 - at once
    by_row = [where for where in more if more[where] - few[where] >= MORE - FEW]
    return sorted(f"{Path(name).relative_to(home)}:{line}" for name, line in by_row)


@pytest.mark.parametrize("name", {**MODELS, **MADE})
def test_no_line_runs_once_a_row(name: str) -> None:
    home = Path(likely.__file__).parent
    below = tuple(room.removeprefix("likely.") + "/" for room in BELOW)
    use(name, FEW)  # what is learnt once and kept is learnt
    lines = run_by_row(lambda n: use(name, n), home, below)
    assert [line for line in lines if not line.startswith(tuple(OTHER))] == []


def test_the_law_sees_loops_in_disguise(tmp_path: Path) -> None:
    loops = [
        "k = 0\nwhile k < len(cells):\n    k += 1\n",
        "list(map(lambda cell:\n    cell + 1, cells))\n",
        "for some in zip(cells, cells):\n    pass\n",
        "[cell + 1\n for cell in cells]\n",
        "np.vectorize(lambda cell:\n    cell + 1)(cells)\n",
    ]
    for i, loop in enumerate(loops):
        path = tmp_path / f"loop{i}.py"
        path.write_text(loop)
        code = compile(loop, str(path), "exec")
        lines = run_by_row(lambda n: exec(code, {"cells": list(range(n)), "np": np}), tmp_path)  # noqa: B023
        assert [line.partition(":")[0] for line in lines][:1] == [path.name], loop
    code = compile("np.asarray(cells) + 1\nfor j in range(3):\n    pass\n", str(tmp_path / "a.py"), "exec")
    assert run_by_row(lambda n: exec(code, {"cells": list(range(n)), "np": np}), tmp_path) == []
