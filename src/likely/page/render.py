"""Records -> one HTML file: template, style and script go in, and nothing is fetched from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from likely.format.html_file import as_data, policy

# In the order in which they need each other.
SCRIPTS = (
    "numbers",
    "elements",
    "packed",
    "words",
    "times",
    "page_data",
    "form",
    "network",
    "pairs",
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
_EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.M)


@dataclass(frozen=True)
class PageFiles:
    """What a page is made of: a template, scripts of which the last begins, and styles."""

    template: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]


MODEL = PageFiles("page.html.jinja", SCRIPTS, ("page.css",))
PROFILE = PageFiles("profile.html.jinja", ("elements", "profile"), ("page.css", "profile.css"))


@cache
def script(files: PageFiles = MODEL) -> str:
    """The modules of a page as one script: each keeps its names to itself, but for what it exports."""
    parts = "\n".join(_module(name) for name in files.scripts)
    return f'(() => {{\n"use strict";\n{parts}\n{files.scripts[-1]}_.start();\n}})();'


def _module(name: str) -> str:
    code = _asset(f"{name}.js")
    code = re.sub(r"/\*\*.*?\*/", "", code, flags=re.S)  # what is for readers of the source
    code = re.sub(r"^\s*// .*\n", "", code, flags=re.M)
    code = re.sub(r'^import (\{.*?\}) from "./(\w+).js";', r"const \1 = \2_;", code, flags=re.M)
    code, exported = re.sub(r"^export ", "", code, flags=re.M), _EXPORTED.findall(code)
    code = re.sub(r"\n\s*\n+", "\n", code).strip()
    return f"const {name}_ = (() => {{\n{code}\nreturn {{ {', '.join(exported)} }};\n}})();"


@cache
def style(files: PageFiles = MODEL) -> str:
    """The style of a page."""
    return "".join(re.sub(r"/\*.*?\*/\n?", "", _asset(name), flags=re.S) for name in files.styles)


def _asset(name: str) -> str:
    return files("likely.page").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("likely.page", "templates"), autoescape=True, undefined=StrictUndefined
    )


def render(page: Mapping[str, Any], data: Mapping[str, Any], files: PageFiles = MODEL) -> str:
    """The whole file: what is read, and what the script works on."""
    own = {"style": style(files), "script": script(files)}
    template = _environment().get_template(files.template)
    return template.render(page=page, policy=policy(own["script"], own["style"]), data=as_data(data), **own)
