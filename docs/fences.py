"""Show the examples of docstrings as code: among prose, Markdown takes `>>>` for a quotation."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>>.*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)


class Fences(griffe.Extension):
    """Put every example of a docstring between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for every module, class, function and attribute."""
        text = obj.docstring
        if text is not None and "Examples\n---" not in text.value:
            text.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text.value)
