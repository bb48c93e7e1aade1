"""A fitted model behind HTTP: predictions, their evidence, questions, and the page of the model.

`likely serve MODEL` does it on the command line; `app` makes an ASGI application for a server of your own.
Both need the extra `serve`: pip install "likely[serve]".
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from likely.errors import LikelyError
from likely.serve.asgi import Application
from likely.serve.limits import RequestLimits

__all__ = ["RequestLimits", "app"]


def app(
    model: Any,
    *,
    about: str | None = None,
    token: str | None = None,
    hosts: Iterable[str] = (),
    limits: RequestLimits | None = None,
) -> Application:
    """An ASGI application that answers with a fitted model, for any ASGI server.

    Parameters
    ----------
    model : fitted model
        Anything of this library that predicts: classes, numbers, hidden groups, nodes of a network,
        decisions.
    about : str or None
        Of a network, the node that is predicted where a request names none; None is its target.
    token : str or None
        What requests must carry, as "Authorization: Bearer TOKEN" or as the password of basic
        authentication; None lets everybody in. `/health` is open to all.
    hosts : texts
        The names that the server is called by, beside localhost and numeric addresses; "*" is any. A request
        under another name is refused, since it may come from a web page that was made to look local.
    limits : RequestLimits or None
        How large requests may be, and how long they may take; None is `RequestLimits()`.

    Examples
    --------
    >>> import likely
    >>> model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
    >>> from starlette.testclient import TestClient
    >>> client = TestClient(likely.serve.app(model), base_url="http://localhost")
    >>> client.post("/predict", json={"sex": "female", "class": "1st"}).json()["prediction"]
    'yes'
    """
    try:
        made = import_module("likely.serve.application")
    except ImportError as error:
        raise LikelyError("serving needs starlette and uvicorn: pip install 'likely[serve]'") from error
    application: Application = made.application(model, about, token, tuple(hosts), limits or RequestLimits())
    return application
