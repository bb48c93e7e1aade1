"""The first thing that people do in a notebook, in a real kernel, with and without ipywidgets."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient

WITHOUT = "import sys; sys.modules['ipywidgets'] = None"  # which makes `import ipywidgets` fail
WITH = "import ipywidgets"


@pytest.mark.parametrize("start", [WITHOUT, WITH], ids=["without", "with"])
@pytest.mark.filterwarnings("ignore")  # of the notebook's own machinery
def test_a_table_is_read_in_a_notebook(start: str) -> None:
    cells = [start, "import likely", "len(likely.read('titanic'))"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    (answer,) = notebook.cells[-1].outputs
    assert answer["data"]["text/plain"] == "2201"
