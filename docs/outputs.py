"""Put under every Python block of a page what it prints: a hook of mkdocs, which runs a page as it is built.

What stands there so is never out of date, and a page whose code fails does not build. The blocks of a page
share their names, as they would in a notebook, and the value of a last line is shown as there: a picture as a
picture, anything else as its text. A block that has its output written below it (a block of text) keeps it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import tempfile
import warnings
from pprint import pformat
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
WRITTEN = re.compile(r"\n*```text")  # after a block: its output, written by hand
MOST_LINES, WIDTH = 40, 100
QUIET = (int, bool, type(None))  # as a last line these are rather a check than an answer


def run(code: str, names: dict[str, Any], page: str) -> tuple[str, bytes | None]:
    """What a block prints, with the value of its last line; and a picture, if that is one."""
    tree = ast.parse(code, page)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(tree, page, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), page, "eval"), names)
    picture = getattr(value, "_repr_png_", lambda: (None, {}))()[0]
    if hasattr(value, "save") and hasattr(value, "_repr_svg_"):  # models have neither, pictures both
        picture = value._repr_svg_().encode()
    if picture is None and not isinstance(value, QUIET):
        printed.write(f"{written(value)}\n")
    return printed.getvalue().rstrip(), picture


def written(value: object) -> str:
    """The value of a last line as text; a collection on several lines, where one would be too long."""
    return (
        pformat(value, width=WIDTH, sort_dicts=False) if type(value) in (dict, list, tuple) else repr(value)
    )


def shortened(text: str) -> str:
    """Not more lines than a reader looks at."""
    lines = text.split("\n")
    return text if len(lines) <= MOST_LINES else "\n".join([*lines[: MOST_LINES - 1], "..."])


def with_outputs(markdown: str, page: str) -> tuple[str, dict[str, bytes]]:
    """A page with what its blocks print under them, and the pictures it needs, by name."""
    names: dict[str, Any] = {"__name__": "page"}
    pictures: dict[str, bytes] = {}

    def shown(found: re.Match[str]) -> str:
        text, picture = run(found[1], names, page)
        if WRITTEN.match(markdown, found.end()):
            return found[0]
        said = f"\n``` {{ .text .output }}\n{shortened(text)}\n```\n" if text else ""
        if picture is not None:
            ending = "svg" if picture.startswith(b"<svg") else "png"
            name = f"{page}-{len(pictures) + 1}.{ending}"
            pictures[name] = picture
            said += f"\n![What the code draws](outputs/{name})\n"
        return found[0] + said

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return BLOCK.sub(shown, markdown), pictures
        finally:
            os.chdir(before)


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Called by mkdocs for every page."""
    from mkdocs.structure.files import File

    name = page.file.src_uri.removesuffix(".md")
    if "```python" not in markdown:
        return markdown
    text, pictures = with_outputs(markdown, name.replace("/", "-"))
    for file, content in pictures.items():
        files.append(File.generated(config, f"outputs/{file}", content=content))
    return text
