"""Make the pages that "Share a page" links to, in `docs/pages`: python docs/pages.py

That of the titanic needs nothing but the package. The others are of the data sets beside the project: where
these are not there, a page says so.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import likely

HERE = Path(__file__).parent
PAGES = HERE / "pages"
shared = Path(os.environ.get("LIKELY_DATA", HERE.parents[1] / "shared" / "data"))


def titanic() -> likely.Page:
    """Naive Bayes, of a table that comes along."""
    table = likely.read("titanic")
    return likely.NaiveBayes().fit(table, "survived").report(table)


def adult() -> likely.Page:
    """The default learner: 32,561 people, 14 columns, gaps."""
    table = likely.read(shared / "adult.csv.gz")
    model = likely.Classifier("fast").fit(table, "income")
    return model.report(table, folds=3)


def alarm() -> likely.Page:
    """A belief network: 37 nodes, its tables as they were published."""
    return likely.Network.read(shared / "bif" / "alarm.bif").page(about="HYPOVOLEMIA")


def penguins() -> likely.Page:
    """A mixture: nobody tells it the species."""
    table = likely.read(shared / "penguins.csv", into="dict")
    del table["species"]
    return likely.Mixture(3, random_state=0).fit(table).report(table)


def make(name: str, page: Callable[[], likely.Page], needs: Path | None) -> str:
    """Make a page, and say how large it is and how long it took."""
    path = PAGES / f"{name}.html"
    if needs is not None and not needs.exists():
        path.write_text("<!doctype html><title>likely</title><p>This page is made where the data set is.</p>")
        return f"{name}: {needs} is not there"
    start = time.perf_counter()
    page().save(path)
    return f"{name}: {path.stat().st_size / 1000:.0f} kB, {time.perf_counter() - start:.1f} s"


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for name, page, needs in (
        ("titanic", titanic, None),
        ("adult", adult, shared / "adult.csv.gz"),
        ("alarm", alarm, shared / "bif" / "alarm.bif"),
        ("penguins", penguins, shared / "penguins.csv"),
    ):
        print(make(name, page, needs))
