"""What codes a part of a row under every class: characters of a text, columns by a model, any compressor."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.codes.classes.character_code import OLD, USUAL, BytePrior, character_logs, text_logs
from likely.codes.schema_levels import with_levels
from likely.engine import Answers, Chunk, Engine, MapTask
from likely.errors import LikelyError
from likely.stats import Groups
from likely.stats.character_runs import CharacterRuns, Characters
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]
Length = Callable[[bytes], int]  # how many bytes a text takes

LOG_2 = float(np.log(2))
COMPRESSORS: dict[str, Length] = {
    "zlib": lambda data: len(zlib.compress(data, 9)),
    "bz2": lambda data: len(bz2.compress(data, 9)),
    "lzma": lambda data: len(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)),
}


class Coder(Protocol):
    """What codes some columns of a row, under the model of each class."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it codes."""

    @property
    def n_parameters(self) -> int:
        """How many numbers its models have."""

    def logs(self, frame: Frame, engine: Engine) -> Floats:
        """log P(these columns given class), (n, g)."""

    def sizes(self, frame: Frame) -> Floats:
        """How much there is to code in each row, (n,): characters of a text; 1 of other columns."""


def read_texts(frame: Frame, name: str) -> list[str | None]:
    """The texts of a column, with one blank for every run of white space; None where there is none."""
    raw = frame.raw(name)
    return [None if cell is None else " ".join(str(cell).split()) for cell in raw.items()]


@dataclass(frozen=True, eq=False)
class CharacterCoder:
    """Codes a text character by character, each by those before it."""

    column: str
    seen: CharacterRuns
    expected: BytePrior = OLD

    @classmethod
    def learn(
        cls, frame: Frame, column: str, groups: Groups, order: int, expected: BytePrior = USUAL
    ) -> CharacterCoder:
        """Of the texts of each class."""
        texts = Characters.of(read_texts(frame, column))
        return cls(column, CharacterRuns.collect(texts, groups, order), expected)

    @property
    def columns(self) -> tuple[str, ...]:
        """The text."""
        return (self.column,)

    @property
    def n_parameters(self) -> int:
        """The runs that were seen."""
        return len(self.seen.keys)

    def logs(self, frame: Frame, engine: Engine) -> Floats:
        """log P(text given class), (n, g)."""
        (logs,) = self.logs_by(frame, engine, (self.expected,))
        return logs

    def logs_by(self, frame: Frame, engine: Engine, ways: Sequence[BytePrior]) -> tuple[Floats, ...]:
        """The same, had other things been expected of the classes: (n, g) of each way."""
        texts = Characters.of(read_texts(frame, self.column))
        width = int(texts.lengths.mean()) + 1 if frame.n else 1
        return engine.map(Chunk(texts, frame.n, width), TextLogs(self.seen, tuple(ways)))

    def sizes(self, frame: Frame) -> Floats:
        """The bytes of each text."""
        return Characters.of(read_texts(frame, self.column)).lengths.astype(np.float64)


@dataclass(frozen=True, slots=True)
class TextLogs(MapTask[Characters]):
    """log P(text given class), by each way of expecting bytes."""

    seen: CharacterRuns
    ways: tuple[BytePrior, ...]

    def width(self, stored: int) -> int:
        """A few numbers for each byte and class."""
        return (4 + len(self.ways)) * stored * self.seen.n_groups

    def answers(self, n: int) -> Answers:
        """One number a text and class, (n, g), of each way."""
        return tuple(np.empty((n, self.seen.n_groups)) for _ in self.ways)

    def step(self, data: Characters, start: int, stop: int, out: Answers) -> None:
        """Of some texts."""
        texts = data.rows(start, stop)
        for own, logs in zip(out, character_logs(self.seen, texts, self.ways), strict=True):
            own[:] = text_logs(logs, texts)


@dataclass(frozen=True, eq=False)
class ModelCoder:
    """Codes columns by a model of rows for each class, or by one that knows the classes."""

    names: tuple[str, ...]
    models: tuple[Any, ...]  # one for each class; or a single one, whose classes are 0, 1, 2 ...
    n_classes: int

    @classmethod
    def learn(
        cls, model: Any, frame: Frame, names: Sequence[str], schema: Schema, groups: Groups
    ) -> ModelCoder:
        """Fit copies of a model to the rows of each class, or one to all if it takes a target."""
        from sklearn.base import clone, is_classifier

        if not hasattr(model, "log_prob"):
            raise LikelyError(
                f"model={type(model).__name__}() says nothing of how probable a row is, so that it cannot "
                "code rows: use a model of rows, such as Mixture, Network or NaiveBayes."
            )
        assert groups.codes is not None
        rows, g = columns_of(frame, names), groups.n_groups
        weight = {} if groups.weight is None else {"sample_weight": groups.weight}
        if is_classifier(model):
            return cls(tuple(names), (clone(model).fit(rows, groups.codes, **weight),), g)
        models = []
        for group in range(g):
            own = np.flatnonzero(groups.codes == group)
            weights = {name: values[own] for name, values in weight.items()}
            models.append(clone(model).fit(with_levels(rows.at(own), schema), **weights))
        return cls(tuple(names), tuple(models), g)

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the model."""
        return self.names

    @property
    def n_parameters(self) -> int:
        """Of all its models."""
        return sum(model.n_parameters_ for model in self.models)

    @property
    def joint(self) -> bool:
        """Whether one model knows all classes."""
        return len(self.models) == 1 and hasattr(self.models[0], "classes_")

    def logs(self, frame: Frame, engine: Engine) -> Floats:
        """log P(columns given class), (n, g)."""
        rows = columns_of(frame, self.names)
        if not self.joint:
            return np.stack([model.log_prob(rows) for model in self.models], axis=1)
        (model,) = self.models
        with np.errstate(divide="ignore"):
            rates = np.log(model.base_rate_)
        each = [model.log_prob(rows, np.full(frame.n, g)) for g in range(self.n_classes)]
        return np.asarray(np.stack(each, axis=1) - rates)

    def sizes(self, frame: Frame) -> Floats:
        """One row is one thing."""
        return np.ones(frame.n)


def columns_of(frame: Frame, names: Sequence[str]) -> Frame:
    """Some of the columns; a matrix, which has no names of its own, is taken as a whole."""
    return frame if tuple(frame.names) == tuple(names) else frame.only(names)


@dataclass(frozen=True, eq=False)
class CompressorCoder:
    """What a row adds to the compressed texts of each class, C(texts + row) - C(texts)."""

    names: tuple[str, ...]
    texts: tuple[str, ...]  # (g,) all rows of each class
    compressor: Any  # the name of one of COMPRESSORS, or a function

    @classmethod
    def learn(cls, compressor: Any, frame: Frame, groups: Groups) -> CompressorCoder:
        """Keep the texts of each class."""
        assert groups.codes is not None
        if groups.weight is not None and len(np.unique(groups.weight)) > 1:
            raise LikelyError("sample_weight: a compressor reads rows or leaves them; it takes no weights.")
        rows = np.array(written(frame, frame.names), object)
        texts = ("".join(rows[groups.codes == group]) for group in range(groups.n_groups))
        return cls(tuple(frame.names), tuple(texts), compressor)

    @property
    def columns(self) -> tuple[str, ...]:
        """All."""
        return self.names

    @property
    def n_parameters(self) -> int:
        """The bytes that are kept."""
        return sum(map(len, self.texts))

    def logs(self, frame: Frame, engine: Engine) -> Floats:
        """-log 2 times the bits that each row adds, (n, g)."""
        length = length_of(self.compressor)
        known = [_encoded(text) for text in self.texts]
        alone = np.array([length(text) for text in known], np.float64)
        rows = [_encoded(row) for row in written(frame, self.names)]
        added = np.array([[length(text + row) for text in known] for row in rows], np.float64) - alone
        return -8 * LOG_2 * added

    def sizes(self, frame: Frame) -> Floats:
        """The bytes of each row."""
        return np.array([float(len(_encoded(row))) for row in written(frame, self.names)])


def length_of(compressor: Any) -> Length:
    """The function that a compressor is, or is named."""
    if callable(compressor):
        return compressor  # type: ignore[no-any-return]
    if not isinstance(compressor, str) or compressor not in COMPRESSORS:
        raise LikelyError(
            f"compressor={compressor!r}: use one of {', '.join(map(repr, COMPRESSORS))}, or a function from "
            "bytes to the number of bytes they take."
        )
    return COMPRESSORS[compressor]


def written(frame: Frame, names: Sequence[str]) -> list[str]:
    """Rows as lines of text: one column as it stands, several with their names."""
    columns = [frame.raw(name).items() for name in names]
    if len(names) == 1:
        return [f"{'' if cell is None else cell}\n" for cell in columns[0]]
    return [
        "\t".join(f"{name}={cell}" for name, cell in zip(names, cells, strict=True) if cell is not None)
        + "\n"
        for cells in zip(*columns, strict=True)
    ]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
