"""The models that `learn` can make, by the names they have on the command line; and model files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from likely.cli.command import MODEL_SUFFIX
from likely.errors import LikelyError

# What each is called in Python. All take kinds=, families=, prior= and missing=.
MODELS = {"naive-bayes": "NaiveBayes"}


def new_model(name: str, **settings: Any) -> Any:
    """A model that has not learnt anything yet."""
    import likely

    return getattr(likely, MODELS[name])(**settings)


def load_model(path: str) -> Any:
    """The model in a file, with a hint where there is none."""
    import likely

    if not Path(path).exists():
        near = sorted(str(found) for found in Path(path).parent.glob(f"*{MODEL_SUFFIX}"))
        hint = f"here are {', '.join(near[:5])}." if near else "`likely learn` makes one."
        raise LikelyError(f"there is no model {path}; {hint}")
    return likely.load(path)
