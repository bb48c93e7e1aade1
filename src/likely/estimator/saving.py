"""A fitted model <-> one file, and back without running anything that is in it."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from likely import archive
from likely.archive.file import refused
from likely.archive.network_files import is_network_file
from likely.errors import LikelyError
from likely.estimator.file_types import decode_estimator, encode_estimator
from likely.estimator.registry import is_estimator
from likely.estimator.state import decode, encode, reading

_PATH = str | os.PathLike[str]


def save(model: Any, path: _PATH, *, sync: bool = True) -> None:
    """Write a fitted estimator to a file."""
    model._known()  # refuses one that is not fitted
    if not is_estimator(model):
        raise LikelyError(f"a {type(model).__name__} cannot be saved: it is no model of this library.")
    own = encode_estimator(model, encode)
    state = {
        "likely": import_module("likely").__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "created": _now(),
        "estimator": own["estimator"],
        "parameters": own["parameters"],
        "trained_on": model._trained_on(),
        "fitted": own["fitted"],
        "record": own["record"],
    }
    archive.write(Path(path), state, sync=sync)


def load(path: _PATH) -> Any:
    """The model that `save` wrote to a file, or the belief network in a file of another program.

    Nothing in the file is run. A file that is damaged, hostile or of a newer format is refused with an
    error that says so. Files that end in .bif, .xmlbif, .xdsl, .net or .dsc are read as `Network.read` does.

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
    if is_network_file(os.fspath(path)):
        return import_module("likely").Network.read(path)
    version, state = archive.read_with_version(Path(path))
    try:
        if state.get("record") is None:
            raise LikelyError("it holds no fitted model")
        with reading(version):
            return decode_estimator(state, decode)
    except LikelyError as cause:
        raise refused(Path(path), cause) from cause
    except Exception as cause:  # what the classes do with values that no honest file holds
        raise refused(Path(path), LikelyError(f"its parts do not fit together ({cause})")) from cause


def _now() -> str:
    """The time in UTC; the one that reproducible builds set, if they do."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now(UTC)
    return moment.isoformat(timespec="seconds")
