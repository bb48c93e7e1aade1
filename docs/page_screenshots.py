"""Take the screenshots of pages, in `docs/kept`: python docs/page_screenshots.py

It needs the pages of `docs/pages.py`, playwright, and a Chromium (CHROMIUM names it).
"""

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
# What it is called, which page and case, width and height, light or dark, on a screen or on paper.
TAKEN = (
    ("page", "titanic.html#class=1st&sex=female", 1280, 900, "light", "screen"),
    ("page-dark", "adult.html#age=38&education=Bachelors&sex=Male", 1120, 860, "dark", "screen"),
    ("page-phone", "titanic.html#sex=female", 390, 844, "dark", "screen"),
    ("page-network", "alarm.html#CVP=HIGH&HISTORY=TRUE", 1280, 900, "light", "screen"),
    ("page-print", "titanic.html#class=1st&sex=female", 794, 1123, "light", "print"),
)


def main() -> None:
    """Take them all."""
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, address, width, height, scheme, media in TAKEN:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(f"file://{HERE / 'pages' / address}")
            page.emulate_media(media=media, color_scheme=scheme)
            if name == "page-network":
                page.locator("#structure").scroll_into_view_if_needed()
                page.evaluate("document.getElementById('structure').scrollIntoView()")
            page.wait_for_timeout(500)
            path = HERE / "kept" / f"{name}.png"
            page.screenshot(path=path)
            print(f"{name}: {path.stat().st_size / 1000:.0f} kB")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
