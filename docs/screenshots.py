"""Take the screenshots of the site, in `docs/kept`: python docs/screenshots.py SITE

SITE is the folder of a site that is built. It needs playwright and nbconvert, which nothing else does, and a
Chromium (CHROMIUM names it). The pictures are kept, and taken anew when what they show has changed.
"""

import contextlib
import fcntl
import functools
import http.server
import io
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

import likely

DOCS = Path(__file__).parent
KEPT = DOCS / "kept"
WIDTH = 100  # characters of the terminal
COMMANDS = (
    ["learn", "titanic", "--target", "survived"],
    ["ask", "titanic.likely", "P(survived=yes | sex=female)"],
    ["explain", "titanic.likely", "titanic", "--row", "1"],
)
SCREEN = (
    '<meta charset="utf-8"><body style="background:#1e1e2e; margin:14px; width:max-content">'
    '<pre style="font:14px/1.25 DejaVu Sans Mono, monospace; color:#ddd; margin:0">{code}</pre></body>'
)


def typed(words: list[str], folder: str) -> str:
    """What a command prints in a terminal, with its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    likely = [sys.executable, "-c", "from likely.cli import main; main()"]
    shown = os.environ | {"TERM": "xterm-256color"}
    program = subprocess.Popen(
        [*likely, *words],
        cwd=folder,
        env=shown,
        stdout=theirs,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    parts = []
    with contextlib.suppress(OSError):  # which is how the other side hangs up
        while part := os.read(ours, 65536):
            parts.append(part)
    program.wait()
    os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n")


def terminal() -> str:
    """Some commands and what they print, as a page."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        for words in COMMANDS:
            line = " ".join(f'"{word}"' if " " in word else word for word in words)
            console.print(Text(f"$ likely {line}", style="bold bright_green"))
            console.print(Text.from_ansi(typed(words, folder)))
    return console.export_html(inline_styles=True, code_format=SCREEN, theme=DIMMED_MONOKAI)


def notebook() -> str:
    """The example notebook, executed, as a page."""
    book = nbformat.read(DOCS.parent / "examples" / "first_contact.ipynb", 4)
    NotebookClient(book, kernel_name="python3", timeout=120).execute()
    book.cells = book.cells[5:12]  # what fits a screen: one person, and why
    page: str = HTMLExporter(template_name="lab").from_notebook_node(book)[0]
    return page


def profile_page() -> str:
    """The profile of a messy table, as a page."""
    html: str = likely.profile(likely.read("customers")).page(title="customers").html
    return html


def take(page: Page, name: str, **how: object) -> None:
    """A screenshot of what the page shows."""
    page.wait_for_timeout(500)
    page.screenshot(path=KEPT / f"{name}.png", **how)  # type: ignore[arg-type]
    print(f"{name}: {(KEPT / f'{name}.png').stat().st_size / 1000:.0f} kB")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that does not speak of them."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def main(site: str) -> None:
    """Take them all."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 880, "height": 300})
        page.set_content(terminal())
        take(page, "terminal", full_page=True)
        page.set_viewport_size({"width": 860, "height": 900})
        page.set_content(notebook())
        take(page, "notebook", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 860})
        page.goto(f"http://127.0.0.1:{server.server_port}/messy-table/")
        take(page, "site")
        page.set_content(profile_page())
        take(page, "profile-page")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1])
