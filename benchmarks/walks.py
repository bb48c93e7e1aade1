"""How far one walks to read a fit: the files and functions that are passed, beside scikit-learn and hmmlearn.

python benchmarks/walks.py [files]

A walk is what a reader with a debugger goes through: every file and function of the library that a fit calls,
the second time, when all is imported. `files` lists them. What others do for us, or we for them, is not ours.
"""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

import likely

LIMITS = Path(__file__).parents[1] / "tests" / "house" / "limits.py"  # how many files ours may pass

Fits = dict[str, Callable[[], object]]


@dataclass(frozen=True)
class Walk:
    """What a call passes of a library."""

    functions: frozenset[CodeType]

    @property
    def files(self) -> list[str]:
        """Where the functions are."""
        return sorted({code.co_filename for code in self.functions})

    def __str__(self) -> str:
        return f"{len(self.files):3d} files {len(self.functions):4d} functions"


def walk(run: Callable[[], object], library: ModuleType) -> Walk:
    """The functions of a library that a call passes."""
    home, passed = str(Path(str(library.__file__)).parent), set()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            passed.add(frame.f_code)

    run()  # imports and caches
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    # The body of a class, a module or a comprehension is no function that a reader goes to.
    return Walk(frozenset(code for code in passed if not code.co_name.startswith("<")))


def data() -> tuple[Any, Any]:
    """A small matrix of numbers in three classes, as all of them take it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    return rng.normal(size=(300, 4)) + 2.0 * y[:, None], y


def ours() -> Fits:
    """The four fits."""
    X, y = data()
    # The model that GaussianNB is: by default numbers are binned, and the evidence is weighed.
    bayes = likely.NaiveBayes(families="classical", evidence_weights=None)
    mixture = likely.Mixture(3, random_state=0)
    markov, logistic = likely.HiddenMarkov(3, random_state=0), likely.LogisticRegression()
    return {
        "naive Bayes": lambda: bayes.fit(X, y),
        "mixture": lambda: mixture.fit(X),
        "hidden Markov": lambda: markov.fit(X),
        "logistic regression": lambda: logistic.fit(X, y),
    }


def theirs() -> dict[str, tuple[ModuleType, Callable[[], object]]]:
    """The same fits of others."""
    import hmmlearn.hmm
    import sklearn
    from sklearn.linear_model import LogisticRegression
    from sklearn.mixture import GaussianMixture
    from sklearn.naive_bayes import GaussianNB

    X, y = data()
    return {
        "naive Bayes": (sklearn, lambda: GaussianNB().fit(X, y)),
        "mixture": (sklearn, lambda: GaussianMixture(3, random_state=0).fit(X)),
        "hidden Markov": (hmmlearn, lambda: hmmlearn.hmm.GaussianHMM(3, "full", random_state=0).fit(X)),
        "logistic regression": (sklearn, lambda: LogisticRegression().fit(X, y)),
    }


def main(show: bool) -> None:
    """The table of walks; with `show`, the files of ours and how many functions are passed in each."""
    most, others = runpy.run_path(str(LIMITS))["FILES_PASSED"], theirs()
    for name, fit in ours().items():
        library, their_fit = others[name]
        walked = walk(fit, likely)
        verdict = "met" if len(walked.files) <= most[name] else "MISSED"
        print(
            f"{name:20s} ours {walked}   {library.__name__:8s} {walk(their_fit, library)}   "
            f"at most {most[name]} files: {verdict}",
            flush=True,
        )
        home = Path(str(likely.__file__)).parent
        passed = Counter(code.co_filename for code in walked.functions)
        for file, functions in sorted(passed.items()) if show else ():
            print(f"    {functions:3d}  {Path(file).relative_to(home)}")


if __name__ == "__main__":
    main("files" in sys.argv[1:])
