"""How much room there is where text is shown."""

from __future__ import annotations

import shutil
import sys

NARROWEST = 60  # characters: less than that, lines break


def screen_width() -> int | None:
    """The characters that fit a line of the terminal; None where text goes elsewhere."""
    if not sys.stdout.isatty():
        return None
    return max(shutil.get_terminal_size((100, 24)).columns, NARROWEST)
