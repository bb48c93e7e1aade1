"""The notebooks of `examples/`, run in a real kernel without ipywidgets: every plot is seen."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

import nbformat
import pytest
from checkout import ROOT
from nbclient import NotebookClient

BOOKS = sorted(path.name for path in (ROOT / "examples").glob("*.ipynb"))
WITHOUT = "import sys; sys.modules['ipywidgets'] = None"  # which makes `import ipywidgets` fail
LAST = "import sys; 'matplotlib.pyplot' in sys.modules"

pytestmark = pytest.mark.filterwarnings("ignore")  # of the notebook's own machinery


@cache
def executed(name: str) -> nbformat.NotebookNode:
    book = nbformat.read(ROOT / "examples" / name, as_version=4)
    cells = [nbformat.v4.new_code_cell(WITHOUT), *book.cells, nbformat.v4.new_code_cell(LAST)]
    book.cells = cells
    NotebookClient(book, kernel_name="python3", timeout=120, resources={"metadata": {"path": "."}}).execute()
    return book


def output_of(cell: nbformat.NotebookNode) -> dict[str, str]:
    """What the last line of a cell shows; nothing else is written, no warnings either."""
    assert [output.output_type for output in cell.outputs] == ["execute_result"], cell.source
    return cell.outputs[0]["data"]


@pytest.mark.parametrize("name", BOOKS)
def test_every_plot_of_a_notebook_is_seen(name):
    book = executed(name)
    plots = [cell for cell in book.cells if cell.source.rstrip().endswith(".plot()")]
    assert len(plots) >= 8
    for cell in plots:
        png = base64.b64decode(output_of(cell)["image/png"])
        assert png.startswith(b"\x89PNG")
        assert len(png) > 5_000, cell.source  # a picture of something
    assert output_of(book.cells[-1])["text/plain"] == "False"  # nor has anything imported pyplot


@pytest.mark.parametrize("name", BOOKS)
def test_tables_are_shown_as_tables(name):
    pages = [
        output["data"].get("text/html", "")
        for cell in executed(name).cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert sum("<table" in page for page in pages) >= 4


def test_notebooks_are_kept_without_outputs():
    """They are made when they run: so they cannot be out of date, and differences stay readable."""
    for name in BOOKS:
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        book = nbformat.reads(text, as_version=4)
        assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code")
    assert [Path(name).stem for name in BOOKS] == ["first_contact"]
