"""Records -> one HTML file: template, style and script go in, and nothing is fetched from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

# In the order in which they need each other.
SCRIPTS = (
    "numbers",
    "elements",
    "page_data",
    "form",
    "network",
    "spread",
    "oracle",
    "answer",
    "question",
    "controls",
    "whatif",
    "evidence",
    "quality",
    "structure",
    "main",
)
# What ends a script or begins markup, and what ends lines in JavaScript but not in JSON.
_EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.M)
_ESCAPED = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}


@cache
def script() -> str:
    """The modules of the page as one script: each keeps its names to itself, but for what it exports."""
    parts = "\n".join(_module(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\nmain_.start();\n}})();'


def _module(name: str) -> str:
    code = _asset(f"{name}.js")
    code = re.sub(r"/\*\*.*?\*/", "", code, flags=re.S)  # what is for readers of the source
    code = re.sub(r"^\s*// .*\n", "", code, flags=re.M)
    code = re.sub(r'^import (\{.*?\}) from "./(\w+).js";', r"const \1 = \2_;", code, flags=re.M)
    code, exported = re.sub(r"^export ", "", code, flags=re.M), _EXPORTED.findall(code)
    code = re.sub(r"\n\s*\n+", "\n", code).strip()
    return f"const {name}_ = (() => {{\n{code}\nreturn {{ {', '.join(exported)} }};\n}})();"


@cache
def style() -> str:
    """The style of the page."""
    return re.sub(r"/\*.*?\*/\n?", "", _asset("page.css"), flags=re.S)


def _asset(name: str) -> str:
    return files("likely.page").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def policy() -> str:
    """What the browser may do with the page: run this script, take this style, and nothing else.

    >>> policy().startswith("default-src 'none'; script-src 'sha256-")
    True
    """
    return (
        f"default-src 'none'; script-src '{_digest(script())}'; style-src '{_digest(style())}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def as_data(data: Mapping[str, Any]) -> str:
    """JSON that can stand in a page: nothing in it ends the script that it stands in.

    >>> as_data({"level": "</script>"})
    '{"level":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPED).encode("utf-8", "replace").decode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("likely.page", "templates"), autoescape=True, undefined=StrictUndefined
    )


def render(page: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """The whole file: what is read, and what the script works on."""
    template = _environment().get_template("page.html.jinja")
    return template.render(page=page, policy=policy(), style=style(), script=script(), data=as_data(data))
