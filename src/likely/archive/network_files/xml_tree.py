"""XML as a tree whose elements know where they stand; nothing in it is ever expanded or fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from likely.archive.network_files.tables import NotANumberError, numbers
from likely.errors import LikelyError

DEEPEST = 100  # elements in each other
PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass
class XmlNode:
    """An element: its name in small letters, its attributes, its text, and what is in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    pieces: list[str] = field(default_factory=list)
    children: list[XmlNode] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text; white space around it belongs to the layout of the file, unless it says otherwise."""
        whole = "".join(self.pieces)
        return whole if self.attributes.get("xml:space") == "preserve" else whole.strip()

    def all(self, *tags: str) -> Iterator[XmlNode]:
        """The elements of these names that are in it."""
        return (child for child in self.children if child.tag in tags)

    def one(self, *tags: str) -> XmlNode:
        """The only element of these names that is in it."""
        inside = list(self.all(*tags))
        if len(inside) != 1:
            what = "a second" if inside else "no"
            at = inside[1] if inside else self
            at.fail(f"<{self.tag}> has {what} <{tags[0]}>", remedy="it needs one")
        return inside[0]

    def attribute(self, name: str) -> str:
        """An attribute that must be there."""
        if name not in self.attributes:
            self.fail(f"<{self.tag}> has no {name}=", remedy="add it")
        return self.attributes[name]

    def numbers(self, wanted: int, of: str) -> NDArray[np.float64]:
        """The text as so many numbers."""
        words = self.text.replace(",", " ").split()
        try:
            flat = numbers(words)
        except NotANumberError as cause:
            self.fail(f"expected a number, not {words[cause.index][:40]}")
        if len(flat) != wanted:
            self.fail(f"{len(flat)} numbers stand here and {of!r} needs {wanted}")
        return flat

    def fail(self, message: str, *, remedy: str = "") -> NoReturn:
        """Raise an error that names line and column."""
        after = f"; {remedy}" if remedy else ""
        raise LikelyError(f"line {self.line}, column {self.column}: {message}{after}")


def parse(text: str) -> XmlNode:
    """The outermost element.

    >>> parse("<a>\\n <b x='1'>two</b></a>").one("b").text
    'two'
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = XmlNode("", {}, 1, 1)
    open_nodes = [top]

    def here() -> tuple[int, int]:
        return parser.CurrentLineNumber, parser.CurrentColumnNumber + 1

    def start(tag: str, attributes: dict[str, str]) -> None:
        node = XmlNode(tag.lower(), attributes, *here())
        if len(open_nodes) > DEEPEST:
            node.fail(f"elements stand more than {DEEPEST} deep in each other")
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def entity(*_: object) -> NoReturn:
        top.line, top.column = here()
        top.fail("the file defines an entity, which networks do not need", remedy="take it out")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_nodes.pop()
    parser.CharacterDataHandler = lambda data: open_nodes[-1].pieces.append(data)
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except expat.ExpatError as cause:
        said = expat.ErrorString(cause.code)
        raise LikelyError(
            f"line {cause.lineno}, column {cause.offset + 1}: it is no XML: {said}; was the file cut short?"
        ) from None
    return top.children[0]


class XmlWriter:
    """A tree that is written as XML."""

    def __init__(self, tag: str, **attributes: str) -> None:
        self.root = self.last = ElementTree.Element(tag, _checked_all(attributes))

    def add(
        self, parent: ElementTree.Element, tag: str, text: str = "", **attributes: str
    ) -> ElementTree.Element:
        """Put an element with a text into another; spaces around the text are said to belong to it."""
        element = ElementTree.SubElement(parent, tag, _checked_all(attributes))
        element.text = _checked(text)
        if text != text.strip():
            element.set(PRESERVE, "preserve")
        return element

    def text(self) -> str:
        """The whole file."""
        ElementTree.indent(self.root)
        said = ElementTree.tostring(self.root, encoding="unicode", short_empty_elements=True)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{said}\n'


def _checked_all(attributes: dict[str, str]) -> dict[str, str]:
    return {name: _checked(value) for name, value in attributes.items()}


def _checked(text: str) -> str:
    """A text that XML can hold."""
    for character in text:
        code = ord(character)
        if (code < 32 and character not in "\t\n") or 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF):
            raise LikelyError(f"{text[:40]!r} has a character that XML cannot hold; rename it")
    return text
