"""Small numbers and texts <-> bytes, for what a compressed table says about itself."""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder, lanes_for
from likely.codes.tables.mixing import Mixer, slot_bits_for
from likely.codes.tables.symbol_tree import SymbolTree
from likely.codes.tables.usual_words import READ
from likely.codes.tables.waves import LONGEST_HISTORY, ColumnToCode, KnownCells, code_wave
from likely.errors import LikelyError

MODELLED = 1 << 16  # bytes up to which a text is worth the time that a model takes
_HOPED = 0.7  # of LZMA's bytes: what a model has never come below on texts of tables


@dataclass(slots=True)
class StateWriter:
    """Numbers and texts, one after the other."""

    parts: list[bytes] = field(default_factory=list)

    def number(self, value: int) -> None:
        """A number from 0 on, in as few bytes as it needs."""
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        self.parts.append(bytes([*out, value]))

    def signed(self, value: int) -> None:
        """Any number."""
        self.number(2 * value if value >= 0 else -2 * value - 1)

    def text(self, value: bytes) -> None:
        """A text, its length first."""
        self.number(len(value))
        self.parts.append(value)

    def texts(self, values: Sequence[bytes]) -> None:
        """Texts, with a line break between them if none has one."""
        lines = not any(b"\n" in value for value in values)
        self.number(2 * len(values) + lines)
        if lines:
            self.parts.append(b"".join(value + b"\n" for value in values))
        else:
            for value in values:
                self.text(value)

    def bytes(self) -> bytes:
        """All that was written."""
        return b"".join(self.parts)


@dataclass(slots=True)
class StateReader:
    """What a writer wrote; what no writer writes is refused."""

    data: bytes
    at: int = 0

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        if n < 0 or self.at + n > len(self.data):
            raise damaged()
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, most: int = 1 << 62) -> int:
        """A number from 0 on."""
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if value > most:
                raise damaged()
            if byte < 128:
                return value

    def signed(self) -> int:
        """Any number."""
        value = self.number()
        return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)

    def text(self) -> bytes:
        """A text."""
        return self.take(self.number())

    def texts(self) -> list[bytes]:
        """Texts."""
        count, lines = divmod(self.number(2 * len(self.data) + 1), 2)
        if not lines:
            return [self.text() for _ in range(count)]
        values = []
        for _ in range(count):
            end = self.data.find(b"\n", self.at)
            values.append(self.take(end - self.at))
            self.at += 1
        return values

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(len(self.data) - self.at)


def damaged() -> LikelyError:
    """What is said of a file that no compression could have made."""
    return LikelyError(
        "the compressed file is damaged or cut off: nothing was written. Take another copy of it."
    )


def _filters(size: int) -> list[dict[str, int]]:
    """LZMA with a memory that is as large as the text: the usual one takes long to set up."""
    preset = 9 | lzma.PRESET_EXTREME
    return [{"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": max(4096, size)}]


def squeezed(data: bytes, than: int | None = None, modelled: int = MODELLED) -> bytes:
    """A text in fewer bytes: by its own model, or by LZMA; the first byte says which.

    Longer texts than so many bytes are not modelled; what is to be shorter `than` so many bytes is not where
    that cannot be hoped for.
    """
    ways = [b"\0" + data, b"\1" + lzma.compress(data, lzma.FORMAT_RAW, filters=_filters(len(data)))]
    if len(data) <= modelled and (than is None or than > _HOPED * len(ways[1])):
        ways.append(b"\2" + _modelled(data))
    return min(ways, key=len)


def quickly_squeezed(data: bytes) -> int:
    """How many bytes LZMA would need about, at its quickest (fifty megabytes a second)."""
    return len(lzma.compress(data, preset=0))


def unsqueezed(data: bytes, size: int) -> bytes:
    """The text of this size again."""
    way, body = data[:1], data[1:]
    if way == b"\0":
        text = body
    elif way == b"\1":
        reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_filters(size))
        try:
            text = reader.decompress(body, size + 1)
        except (lzma.LZMAError, EOFError):
            raise damaged() from None
    elif way == b"\2" and size <= MODELLED:
        text = _read_modelled(body, size)
    else:
        raise damaged()
    if len(text) != size:
        raise damaged()
    return text


# Letters by how usual they are in names of columns and of levels: the first ones have the shortest ways.
_USUAL = b"\neaitrnoslcdupmhgbfyv-_ w01k2x345z6789j.qSCTAMPEDBNRIFLHGOUWVYKJXQZ/,:()\0\1\2\3\4\5\6\7"
_LETTERS = np.array([*_USUAL, *(byte for byte in range(256) if byte not in _USUAL)])
_LETTERS_READ = sum(map(len, READ))
_BYTES = SymbolTree.of(
    5.0 * np.bincount(np.frombuffer(b"".join(READ), np.uint8), minlength=256)[_LETTERS] + 1
)


# The last letters as contexts: none, one, two, three, four.
_ORDERS = [[(0, back) for back in range(1, order + 1)] for order in range(LONGEST_HISTORY + 1)]


def _modelled(data: bytes) -> bytes:
    encoder = LaneEncoder(lanes_for(len(data)))
    _write_letters(encoder, data, _well_read(slot_bits_for(len(data) + _LETTERS_READ)))
    return joined(encoder.finish())


def _write_letters(encoder: LaneEncoder, data: bytes, mixer: Mixer) -> None:
    letters = ColumnToCode(0, np.argsort(_LETTERS)[np.frombuffer(data, np.uint8)], _BYTES, _ORDERS)
    code_wave(encoder, KnownCells(len(data), 1), [letters], write=True, mixer=mixer)


def _well_read(slot_bits: int) -> Mixer:
    """A model of letters that has read what tables usually say of themselves; a new one at every call."""
    return _reader(slot_bits).copy()


@cache
def _reader(slot_bits: int) -> Mixer:
    mixer = Mixer([len(_ORDERS)], slot_bits)
    for text in READ:
        _write_letters(LaneEncoder(1), text, mixer)
    return mixer


def _read_modelled(data: bytes, size: int) -> bytes:
    decoder = LaneDecoder(parted(StateReader(data), lanes_for(size)))
    known = KnownCells(size, 1)
    letters = ColumnToCode(0, np.empty(0, np.int64), _BYTES, _ORDERS)
    mixer = _well_read(slot_bits_for(size + _LETTERS_READ))
    code_wave(decoder, known, [letters], write=False, mixer=mixer)
    return _LETTERS[known.of(0).astype(np.int64) - 1].astype(np.uint8).tobytes()


def joined(lanes: Sequence[bytes]) -> bytes:
    """The bytes of several lanes, with the lengths of all but the last before them."""
    writer = StateWriter()
    for lane in lanes[:-1]:
        writer.number(len(lane))
    return writer.bytes() + b"".join(lanes)


def parted(reader: StateReader, lanes: int) -> list[bytes]:
    """The bytes of so many lanes: all that the reader has left."""
    lengths = [reader.number() for _ in range(lanes - 1)]
    return [*(reader.take(length) for length in lengths), reader.rest()]
