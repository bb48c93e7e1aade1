"""The rooms of the house, drawn from the layer contract of pyproject.toml: python docs/rooms.py [file]

What a room turns into what is said in CONTRIBUTING.md; a law compares both with the folders there are.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"

# The way of a row, learnt from and then predicted: the rooms it passes, and what it is when it leaves them.
LEARNING = {
    "table": "blocks of columns",
    "stats": "counts in groups",
    "dist": "distributions",
    "models": "a record",
}
PREDICTING = {
    "table": "blocks of columns",
    "dist": "log-probabilities of groups",
    "engine": "block by block, in threads",
    "infer": "Bayes' rule: a posterior",
    "evidence": "a ledger that sums",
}

WIDTH, ROW, TOP, LEFT, BOX = 1000, 34, 64, 215, 535


def layers() -> list[str]:
    """The rooms from the ground up, planned ones included."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    names = [name.strip("()").removeprefix("likely.") for name in contracts["contracts"][0]["layers"]]
    return [name for name in reversed(names) if name != "errors"]


def rooms() -> dict[str, str]:
    """What CONTRIBUTING.md says of each folder of `src/likely`, as `models/markov`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([\w/]+)/` \| (.+) \|$", text, re.MULTILINE))


def picture() -> str:
    """The rooms, the ground below and the user above, and beside them the way of a row."""
    told = rooms()
    built = [name for name in reversed(layers()) if name in told]
    height = TOP + ROW * len(built) + 40
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#222">',
        "<title>The rooms of likely, and the way of a row through them</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *_text(WIDTH / 2, 26, "A room uses only the rooms below it", size=16, anchor="middle"),
        *_text(125, 50, "a row, learnt from", fill="#1f5fa8", anchor="middle"),
        *_text(860, 50, "a row, predicted", fill="#b3530a", anchor="middle"),
    ]
    place = {name: TOP + ROW * i for i, name in enumerate(built)}
    for name, y in place.items():
        on_the_way = name in LEARNING or name in PREDICTING
        fill = "#fdf3dc" if on_the_way else "#f4f4f4"
        lines.append(
            f'<rect x="{LEFT}" y="{y}" width="{BOX}" height="{ROW - 6}" rx="5" fill="{fill}" stroke="#bbb"/>'
        )
        lines += _text(LEFT + 12, y + 19, name, weight="bold")
        lines += _text(LEFT + 100, y + 19, _short(told[name]), size=11)
    lines += _way(LEARNING, place, LEFT, -1, "#1f5fa8")
    lines += _way(PREDICTING, place, LEFT + BOX, 1, "#b3530a")
    return "\n".join([*lines, "</svg>", ""])


def _way(steps: dict[str, str], place: dict[str, int], edge: int, side: int, colour: str) -> Iterator[str]:
    """A line through the rooms of a way, and what leaves each."""
    x = edge + side * 30
    heights = [place[name] + (ROW - 6) / 2 for name in steps]
    yield (
        f'<path d="M{x} {heights[0]} V{heights[-1]}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<path d="M{x - 5} {heights[-1] + 9} L{x} {heights[-1]} L{x + 5} {heights[-1] + 9}" fill="none" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
    for y, said in zip(heights, steps.values(), strict=True):
        yield f'<path d="M{edge} {y} H{x}" stroke="{colour}" stroke-width="2"/>'
        yield f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>'
        yield from _text(x + side * 12, y + 4, said, fill=colour, anchor="end" if side < 0 else "start")


def _short(text: str) -> str:
    """As much of a sentence as a box holds."""
    plain = text.replace("`", "").replace("<->", "↔").replace("->", "→").split(";")[0]
    return plain if len(plain) <= 68 else plain[:67].rsplit(" ", 1)[0] + " …"


def _text(x: float, y: float, text: str, size: int = 13, anchor: str = "start", **more: str) -> Iterator[str]:
    style = "".join(f' {"font-weight" if key == "weight" else key}="{value}"' for key, value in more.items())
    yield f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else PICTURE).write_text(picture(), encoding="utf-8")
