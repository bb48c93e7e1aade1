"""Where pictures are drawn on: a figure without a window, and the room that words take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from likely.draw.picture import picture_axes
from likely.errors import LikelyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER, TITLE = 9.0, 11.0  # points


class Margins(NamedTuple):
    """Inches around the axes."""

    left: float
    right: float
    top: float
    bottom: float


def new_axes(width: float, height: float, margins: Margins) -> Axes:
    """Axes of so many inches, on a figure of their own that is larger by the margins.

    >>> ax = new_axes(4, 2, Margins(1, 0.5, 0.5, 0.5))
    >>> [float(side) for side in ax.figure.get_size_inches()]
    [5.5, 3.0]
    """
    need_matplotlib()
    from matplotlib.figure import Figure

    across, down = width + margins.left + margins.right, height + margins.top + margins.bottom
    box = (margins.left / across, margins.bottom / down, width / across, height / down)
    return Figure(figsize=(across, down)).add_axes(box, axes_class=picture_axes())


def new_panels(
    width: float, height: float, down: int, across: int, *, sharex: bool = False, sharey: bool = False
) -> NDArray[Any]:
    """Axes in rows and columns on one figure of so many inches, (down, across).

    >>> new_panels(6, 3, 1, 2).shape
    (1, 2)
    """
    need_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    kind = {"axes_class": picture_axes()}
    return figure.subplots(down, across, squeeze=False, sharex=sharex, sharey=sharey, subplot_kw=kind)


def need_matplotlib() -> None:
    """Say how to get matplotlib if it is not there."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise LikelyError('drawing needs matplotlib: pip install "likely[plot]"') from error


def width_of(ax: Axes) -> float:
    """The width of axes in inches.

    >>> round(width_of(new_axes(4, 2, Margins(1, 0.5, 0.5, 0.5))), 9)
    4.0
    """
    assert ax.figure is not None
    return float(ax.get_window_extent().width / ax.figure.dpi)


def room(words: str, points: float = LETTER) -> float:
    """The inches that words take across, by their longest line; no canvas is needed to measure them.

    >>> room("wide") > room("i") > 0 == room("")
    True
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=points)
    lines = [line for line in words.split("\n") if line]
    return max(
        (text_to_path.get_text_width_height_descent(line, font, False)[0] / 72 for line in lines), default=0
    )


def wrapped(words: str, inches: float, points: float = LETTER) -> str:
    """Words with line breaks, so that they fit into so many inches; a single longer word stays whole.

    >>> print(wrapped("evidence for yes", 1.0))
    evidence for
    yes
    """
    lines: list[str] = []
    for word in words.split(" "):
        if lines and room(f"{lines[-1]} {word}", points) <= inches:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def literal(words: str) -> str:
    """Words as they stand: a dollar in a name is no mathematics.

    >>> print(literal("US$ to AU$"))
    US\\$ to AU\\$
    """
    return words.replace("$", r"\$")
