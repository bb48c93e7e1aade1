"""What a plot returns shows itself in a notebook, and is matplotlib's axes all the same."""

from __future__ import annotations

import ast
import io
import pickle
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from likely.draw import bars, picture
from likely.draw.axes import Margins, new_axes, new_panels
from likely.draw.densities import evolution
from likely.draw.picture import save_picture

SRC = Path(__file__).resolve().parents[2] / "src" / "likely"


def one() -> Axes:
    return bars(["a", "b"], [1.0, 2.0], ["1", "2"], title="a title", xlabel="rows")


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_a_picture_is_axes_and_shows_its_figure():
    ax = one()
    assert isinstance(ax, Axes)
    png, shown = ax._repr_png_()
    assert [dots // 2 for dots in size(png)] == [shown["width"], shown["height"]]  # sharp on fine screens
    # As large as the figure, without the empty margin that is cut off.
    across, down = ax.figure.get_size_inches() * ax.figure.dpi
    assert 0.7 * across < shown["width"] <= 1.1 * across
    assert 0.5 * down < shown["height"] <= 1.1 * down


def test_all_that_axes_can_is_there():
    ax = one()
    ax.set_title("another")
    assert ax.get_title() == "another"
    assert len(ax.patches) == 2
    ax.figure.savefig(io.BytesIO(), format="svg")
    again = pickle.loads(pickle.dumps(ax))
    assert type(again) is type(ax)
    assert again.get_title() == "another"
    with pytest.raises(AttributeError, match="nonsense"):
        picture.nonsense  # noqa: B018


def test_panels_show_the_figure_they_are_on():
    panels = evolution(["a", "b"], [[0.5, 0.5], [0.0, 1.0]], ["before", "after"])
    assert len(panels) == 2
    assert panels._repr_png_() == panels[1]._repr_png_()
    grid = new_panels(4, 3, 2, 3)
    assert grid.shape == (2, 3)
    assert grid[1, 2]._repr_png_()[1]["width"] > 300


def test_axes_that_were_given_stay_what_they_are():
    mine = Figure().subplots()
    assert bars(["a"], [1.0], ["1"], title="", xlabel="", ax=mine) is mine
    assert not hasattr(mine, "_repr_png_")  # who made the figure shows it: twice would be too often


def test_every_figure_is_made_in_one_place():
    """So that there is none that does not show itself."""
    makers = {
        path.relative_to(SRC).as_posix()
        for path in SRC.rglob("*.py")
        if "Figure(" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Figure"
    }
    assert makers == {"draw/axes.py"}


def test_pyplot_is_never_imported():
    code = (
        "import sys; from likely.draw.axes import Margins, new_axes; "
        "new_axes(2, 2, Margins(0, 0, 0, 0))._repr_png_(); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    named = [p.name for p in SRC.rglob("*.py") if "pyplot" in p.read_text() and p.parent.name != "draw"]
    assert named == []


def test_new_axes_are_as_large_as_they_say():
    ax = new_axes(4, 2, Margins(1, 0.5, 0.5, 0.5))
    assert ax.figure.get_size_inches().tolist() == [5.5, 3.0]


def test_a_picture_that_cannot_be_written_leaves_what_was_there(tmp_path):
    """The old file stays, and nothing is left beside it."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"old")
    figure = one().figure
    with pytest.raises(TypeError):
        save_picture(figure, path, dpi="not a number")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]
    save_picture(figure, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_the_ending_names_the_format(tmp_path):
    save_picture(one().figure, tmp_path / "picture.SVG")
    assert (tmp_path / "picture.SVG").read_bytes().startswith(b"<?xml")
    with pytest.raises(ValueError, match="doc"):
        save_picture(one().figure, tmp_path / "picture.doc")
    assert not (tmp_path / "picture.doc").exists()
