"""A fitted model <-> one file, and back without running anything that is in it."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from likely import archive
from likely.archive.file import refused
from likely.errors import LikelyError
from likely.models.files.check import check
from likely.models.files.state import decode, encode
from likely.models.record import Record
from likely.models.summary import training
from likely.models.typed import fits, hints_of

_PATH = str | os.PathLike[str]

# The estimators that a file may hold, and where they are: a new one joins with a line.
ESTIMATORS = {
    "GaussianClassifier": "likely.models.gaussian.classifier",
    "Impute": "likely.models.mixture.impute",
    "Mixture": "likely.models.mixture.mixture",
    "MixtureClassifier": "likely.models.mixture.classifier",
    "NaiveBayes": "likely.models.naive_bayes",
}


def save(model: Any, path: _PATH, *, sync: bool = True) -> None:
    """Write a fitted estimator to a file."""
    record = model._known()
    if type(model).__name__ not in ESTIMATORS or type(model) is not _class(type(model).__name__):
        raise LikelyError(f"a {type(model).__name__} cannot be saved: it is no model of this library.")
    parameters = {name: _encoded(name, value) for name, value in model.get_params(deep=False).items()}
    state = {
        "likely": import_module("likely").__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "created": _now(),
        "estimator": type(model).__name__,
        "parameters": parameters,
        "trained_on": training(record),
        "fitted": {name: _encoded(name, value) for name, value in _besides(model).items()},
        "record": _encoded("the model", record),
    }
    archive.write(Path(path), state, sync=sync)


def load(path: _PATH) -> Any:
    """The model that `save` wrote to a file.

    Nothing in the file is run. A file that is damaged, hostile or of a newer format is refused with an
    error that says so.

    Parameters
    ----------
    path : str or path
        Where the file is.

    Returns
    -------
    estimator
        The fitted model: its answers are those of the model that was saved, to the last bit.

    Examples
    --------
    >>> import likely, tempfile
    >>> model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/titanic.likely")
    ...     again = likely.load(f"{folder}/titanic.likely")
    >>> again.predict({"class": ["1st"], "sex": ["female"], "age": ["adult"]}).tolist()
    ['yes']
    """
    state = archive.read(Path(path))
    try:
        return _estimator(state)
    except LikelyError as cause:
        raise refused(Path(path), cause) from cause
    except Exception as cause:  # what the classes do with values that no honest file holds
        raise refused(Path(path), LikelyError(f"its parts do not fit together ({cause})")) from cause


def _estimator(state: dict[str, Any]) -> Any:
    cls = _class(state.get("estimator"))
    parameters, record = state.get("parameters"), decode(state.get("record"))
    known = set(cls._get_param_names())
    if type(parameters) is not dict or not set(parameters) <= known:
        raise LikelyError(f"its parameters are not those of {cls.__name__}")
    given = {name: decode(value) for name, value in parameters.items()}
    hints = hints_of(cls.__init__)
    for name, value in given.items():
        if not fits(value, hints.get(name, Any)):
            raise LikelyError(f"its parameter {name} cannot be a {type(value).__name__}")
    if not isinstance(record, Record):
        raise LikelyError("it holds no record of a model")
    check(record)
    model = cls(**given)
    model._take(record, estimate=False)  # when it is first asked: large models are at hand at once
    _add(model, state.get("fitted"))
    return model


def _besides(model: Any) -> dict[str, Any]:
    """What fitting left besides what the record gives, such as the history of an iteration."""
    fresh = type(model)()
    fresh._take(model.record_, estimate=False)
    return {name: value for name, value in vars(model).items() if name not in vars(fresh)}


def _add(model: Any, fitted: Any) -> None:
    if type(fitted) is not dict:
        raise LikelyError("it does not say what was fitted")
    for name, value in fitted.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*_", name, re.ASCII) or hasattr(model, name):
            raise LikelyError(f"{name!r} is nothing that fitting leaves")
        setattr(model, name, decode(value))


def _class(name: Any) -> Any:
    """An estimator of this library by its name."""
    if type(name) is not str or name not in ESTIMATORS:
        raise LikelyError(f"{name!r} is no model that this version of likely knows")
    return getattr(import_module(ESTIMATORS[name]), name)


def _encoded(what: str, value: Any) -> Any:
    try:
        return encode(value)
    except LikelyError as cause:
        raise LikelyError(f"cannot save {what}: {cause}") from None


def _now() -> str:
    """The time in UTC; the one that reproducible builds set, if they do."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now(UTC)
    return moment.isoformat(timespec="seconds")
