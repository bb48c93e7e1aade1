"""The evidence behind many predictions, held as arrays: one ledger a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.evidence.ledger_of_row import Ledger, LedgerLine
from likely.format.words import many, plain
from likely.table.build import to_table

__all__ = ["Ledger", "LedgerLine", "Ledgers", "Status"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
T = TypeVar("T")


class Status(IntEnum):
    """What is known of a feature in a row."""

    KNOWN = 0
    MISSING = 1
    UNSEEN = 2
    UNUSED = 3

    @property
    def note(self) -> str:
        """The words for it in a ledger; a known value needs none.

        >>> Status.UNSEEN.note
        'never seen'
        """
        return ("", "missing", "never seen", "not used")[self]


@dataclass(frozen=True, eq=False)
class Ledgers:
    """One ledger per row, held as arrays: `ledgers[i]` is a Ledger, `ledgers[a:b]` are Ledgers.

    >>> ledgers = Ledgers(
    ...     classes=("no", "yes"), names=("sex",), favoured=np.array([1]), against=np.array([0]),
    ...     base=np.array([-0.5]), terms=np.array([[2.0]]), rest=np.zeros((1, 0)), rest_names=(),
    ...     status=np.zeros((1, 1), np.int8), log_posterior=np.log([[0.2, 0.8]]),
    ...     value=lambda i, j: "female", order=None, library="numpy",
    ... )
    >>> len(ledgers), ledgers.total, ledgers[0].lines[0].value
    (1, array([1.5]), 'female')
    """

    classes: tuple[Any, ...]  # (g,)
    names: tuple[str, ...]  # (d,)
    favoured: Ints  # (n,), the class each row's evidence speaks for
    against: Ints  # (n,), the class it is weighed against; -1: all others together
    base: Floats  # (n,), log-odds before any feature
    terms: Floats  # (n, d), log-odds that each feature adds
    rest: Floats  # (n, r), terms of no single feature
    rest_names: tuple[str, ...]  # (r,)
    status: NDArray[np.int8]  # (n, d), of Status
    log_posterior: Floats  # (n, g)
    value: Callable[[int, int], object]  # the value of feature j in row i, for showing
    order: tuple[str, ...] | None = None  # features were added one after another, in this order
    library: str = "numpy"
    base_name: str = "base rate"  # what `base` is
    # Of row i, feature j and two classes, the lines that add up to its term: those of a text's words.
    inside: Callable[[int, int, int, int], tuple[LedgerLine, ...]] | None = None
    # Likewise, the pieces of a text as it stands, and what each adds: they sum to the term, too.
    marks: Callable[[int, int, int, int], tuple[tuple[str, float], ...]] | None = None
    weights: Floats | None = None  # (n, d) how much each feature's evidence counts, in the terms already
    rows: Ints = field(default=cast(Ints, None))  # (n,), the row numbers `value` knows; 0..n-1 at first

    def __post_init__(self) -> None:
        n, d = len(self.base), len(self.names)
        if self.rows is None:
            object.__setattr__(self, "rows", np.arange(n))
        shapes = {"favoured": (n,), "against": (n,), "terms": (n, d), "status": (n, d), "rows": (n,)}
        shapes |= {"rest": (n, len(self.rest_names)), "log_posterior": (n, len(self.classes))}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                actual = getattr(self, name).shape
                raise LikelyError(f"'{name}' of a ledger has the shape {actual}: it should be {shape}")

    @property
    def total(self) -> Floats:
        """The log posterior odds of each row, (n,); NaN where both classes are impossible."""
        with np.errstate(invalid="ignore"):
            total: Floats = self.base + self.terms.sum(axis=1) + self.rest.sum(axis=1)
        return total

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[Ledger]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, key: int) -> Ledger: ...
    @overload
    def __getitem__(self, key: slice | Ints | NDArray[np.bool_]) -> Ledgers: ...
    def __getitem__(self, key: Any) -> Ledger | Ledgers:
        if isinstance(key, (int, np.integer)):
            return self._ledger(range(len(self))[key])  # the range knows negative and impossible indices
        arrays = ("favoured", "against", "base", "terms", "rest", "status", "log_posterior", "rows")
        weights = None if self.weights is None else self.weights[key]
        return replace(self, weights=weights, **{name: getattr(self, name)[key] for name in arrays})

    def _ledger(self, i: int) -> Ledger:
        row = int(self.rows[i])
        features = [
            LedgerLine(
                name,
                plain(self.value(row, j)),
                float(self.terms[i, j]),
                self._note(i, j),
                parts=self._of_text(self.inside, i, j),
                marks=self._of_text(self.marks, i, j),
            )
            for j, name in enumerate(self.names)
        ]
        rest = [
            LedgerLine(name, None, float(self.rest[i, k]), feature=False)
            for k, name in enumerate(self.rest_names)
        ]
        labels = [plain(label) for label in self.classes]
        return Ledger(
            favoured=labels[self.favoured[i]],
            against=None if self.against[i] < 0 else labels[self.against[i]],
            base=float(self.base[i]),
            lines=(*features, *rest),
            total=float(self[i : i + 1].total[0]),
            probabilities=dict(zip(labels, np.exp(self.log_posterior[i]).tolist(), strict=True)),
            order=self.order,
            library=self.library,
            base_name=self.base_name,
        )

    def _note(self, i: int, j: int) -> str:
        said = Status(self.status[i, j]).note
        if said or self.weights is None or self.weights[i, j] == 1.0:
            return said
        return f"weight {self.weights[i, j]:.2f}"

    def _of_text(
        self, told: Callable[[int, int, int, int], tuple[T, ...]] | None, i: int, j: int
    ) -> tuple[T, ...]:
        """What is inside a text; nothing where nothing tells."""
        if told is None:
            return ()
        return told(int(self.rows[i]), j, int(self.favoured[i]), int(self.against[i]))

    def to_frame(self) -> Any:
        """One row per row: row, for, against, the first line, one column per feature, the rest, total.

        A feature called as one of the fixed columns ("row", "total", ...) becomes "row (feature)".

        >>> ledgers = Ledgers(
        ...     classes=("no", "yes"), names=("sex",), favoured=np.array([1]), against=np.array([-1]),
        ...     base=np.array([-0.5]), terms=np.array([[2.0]]), rest=np.zeros((1, 0)), rest_names=(),
        ...     status=np.zeros((1, 1), np.int8), log_posterior=np.log([[0.2, 0.8]]),
        ...     value=lambda i, j: "female", order=("sex",), library="polars",
        ... )
        >>> ledgers.to_frame().to_dicts()
        [{'row': 0, 'for': 'yes', 'against': None, 'base rate': -0.5, 'sex': 2.0, 'total': 1.5}]
        """
        columns: dict[str, Any] = {
            "row": self.rows,
            "for": self._labels(self.favoured),
            "against": self._labels(self.against),
            self.base_name: self.base,
        }
        taken = {*columns, "total"}
        for kind, names, terms in (("feature", self.names, self.terms), ("rest", self.rest_names, self.rest)):
            for j, name in enumerate(names):
                while name in taken:
                    name = f"{name} ({kind})"
                taken.add(name)
                columns[name] = terms[:, j]
        return to_table({**columns, "total": self.total}, self.library)

    def _labels(self, codes: Ints) -> NDArray[Any]:
        """Labels of classes as a column; None for all others together."""
        labels = [plain(label) for label in self.classes]
        if len({type(label) for label in labels}) > 1:
            labels = [str(label) for label in labels]  # a column of a frame has one type
        if not len(codes) or (np.asarray(codes) < 0).any():
            return np.array([*labels, None], object)[codes]  # -1 is the last
        return np.array(labels)[codes]

    def __repr__(self) -> str:
        return (
            f"{many(len(self), 'ledger')} over {many(len(self.names), 'feature')}: "
            "[i] is the ledger of row i, to_frame() the table of all"
        )
