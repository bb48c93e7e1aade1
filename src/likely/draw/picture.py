"""Pictures that show themselves in notebooks: no magic is needed, and pyplot is never imported."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING, Any

from likely.table.write.whole_file import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHARP = 2  # dots on either side of a pixel, for screens that have them


class Picture:
    """What shows its whole figure where a notebook cell ends with it; matplotlib's figures alone do not."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return png(self._figure())

    def _figure(self) -> Figure:
        return self.figure  # type: ignore[attr-defined,no-any-return]  # of the axes it is mixed into


class Panels(Picture, tuple["Axes", ...]):
    """Several axes of one figure, side by side.

    >>> from likely.draw.axes import new_panels
    >>> Panels(new_panels(4, 2, 1, 2)[0])._repr_png_()[0][:4]
    b'\\x89PNG'
    """

    __slots__ = ()

    def _figure(self) -> Figure:
        figure: Any = self[0].figure
        return figure  # type: ignore[no-any-return]


def png(figure: Figure) -> tuple[bytes, dict[str, int]]:
    """The figure as a PNG file, and the size in pixels at which it is to be shown."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=SHARP * figure.dpi, bbox_inches="tight")
    content = file.getvalue()
    width, height = unpack(">II", content[16:24])  # where the format keeps them
    return content, {"width": width // SHARP, "height": height // SHARP}


def save_picture(figure: Figure, path: Path, **options: Any) -> None:
    """Write the figure to a file, whole or not at all, in the format that its ending names."""
    with whole_file(path) as file:
        figure.savefig(file, format=path.suffix[1:].lower() or "png", **options)


@cache
def picture_axes() -> type[Axes]:
    """matplotlib's axes that are a picture too; made when first needed, for matplotlib may not be there."""
    from matplotlib.axes import Axes

    return type("PictureAxes", (Picture, Axes), {"__module__": __name__, "__doc__": picture_axes.__doc__})


def __getattr__(name: str) -> type[Axes]:
    """Where pickle looks for the class of a picture that it is to write or read."""
    if name == "PictureAxes":
        return picture_axes()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
