"""One HTML file that needs nothing outside itself: its policy, its style, its data and its script."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from likely.format.markup import Markup, element

# What ends a script or begins markup, and what ends lines in JavaScript but not in JSON.
_ESCAPED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


def policy(script: str, style: str) -> str:
    """What the browser may do with a page: run this script, take this style, and nothing else.

    >>> policy("", "p {}").startswith("default-src 'none'; style-src 'sha256-")
    True
    """
    run = f"script-src '{_digest(script)}'; " if script else ""
    return f"default-src 'none'; {run}style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def as_data(data: object) -> str:
    """JSON that can stand in a page: nothing in it ends the script that it stands in.

    >>> as_data({"level": "</script>"})
    '{"level":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPED).encode("utf-8", "replace").decode()


def html_file(
    title: str,
    *content: Markup,
    style: str,
    script: str = "",
    data: Mapping[str, Any] | list[Any] | None = None,
) -> str:
    """The whole file. The script finds the data, as JSON, in the element `data`.

    >>> html_file("a < b", element("p", "text"), style="p {color: red}").count("a &lt; b")
    1
    """
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(script, style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    ]
    body = list(content)
    if data is not None:
        body.append(element("script", Markup(as_data(data)), type="application/json", id="data"))
    if script:
        body.append(element("script", Markup(script)))
    page = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{page}\n".encode("utf-8", "replace").decode()
