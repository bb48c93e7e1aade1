"""A real browser, where one is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PLACES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; the test is skipped, with a reason, where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next((found for name in PLACES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no browser is installed: none of {', '.join(PLACES)}")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A page in the browser, with all that it asked for and complained of."""

    def __init__(self, browser: Any, path: Any, **context: Any) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page = browser.new_page(**context)
        self.page.on("request", lambda one: self.requests.append(one.url))
        self.page.on("console", lambda one: self.complaints.append(one.text))
        self.page.on("pageerror", lambda one: self.complaints.append(str(one)))
        self.page.goto(f"file://{path}")
        self.page.wait_for_selector("#answer-body .headline")

    def text(self, selector: str) -> str:
        """What an element says."""
        return str(self.page.locator(selector).first.inner_text())
