"""The classifier that takes the class under which a row is shortest to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.ask.ask import Answer
from likely.ask.empirical import BesideData, answered
from likely.codes.classes.coders import CharacterCoder, CompressorCoder, ModelCoder, length_of
from likely.codes.classes.explain import explain
from likely.codes.classes.held_out import weighed
from likely.codes.classes.record import CodedRecord, RowCoder
from likely.errors import LikelyError, notice
from likely.estimator.classifier import ByProbability
from likely.estimator.fitted import (
    FittedModel,
    class_array,
    class_codes,
    read_only,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
)
from likely.estimator.paged import Paged
from likely.estimator.scored import Scored
from likely.evidence import Importance, Ledgers, importance
from likely.models.groups.tally import BaseRate, Settings
from likely.models.naive_bayes.classifier import NaiveBayes
from likely.stats import Groups
from likely.stats.character_runs import LONGEST
from likely.table.accepted import Kinds, Level, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type, kind_of
from likely.table.column.raw import Raw
from likely.table.column.words import Words
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

Floats = NDArray[np.float64]

WORLD = "what a class writes often is short under it. Trust the rows where there are many of them."


class CompressionClassifier(ByProbability, FittedModel, Paged, Scored, ClassifierMixin, BaseEstimator):
    """The class whose model codes a row in the fewest bits, those of the class itself included.

    Texts are coded character by character, by a model that learns from the texts of the class and from the
    text itself as it goes; other columns by `model`. With a `compressor`, bits are what a row adds to the
    compressed texts of a class.

    Parameters
    ----------
    model : estimator or None
        What codes the columns that are no texts, fitted to the rows of each class: any model of rows, such
        as `Mixture` or `Network`, or one that knows classes, such as `NaiveBayes` (None) or
        `GaussianClassifier`.
    order : int
        How many bytes before a character its probability depends on, 0 to 7.
    compressor : None, "zlib", "bz2", "lzma" or function
        Codes whole rows by C(texts of the class + row) - C(texts of the class), where C(bytes) is a number of
        bytes. Slow: every row is compressed with all texts of every class.
    kinds : mapping, str or None
        The kind of each column, as in `NaiveBayes`; short texts most of which come only once are texts, too.
        A column that is declared `likely.Words(...)` is read by `model` as a bag of words.
    base_rate : None, "uniform" (or "balanced") or mapping
        The class probabilities; None learns them.
    evidence_weights : "learnt" or None
        How much the bits count: those of long texts repeat each other, so that as they stand they are too
        sure. By default a weight is learnt from held-out rows, from 30 rows on; it falls with the square root
        of the length of a text; of fewer rows n bytes count as sqrt(n). None takes bits as they are, and
        predicts the shortest code exactly.
    n_jobs : int or None
        Threads: None for one, -1 for all cores.

    Examples
    --------
    >>> import likely
    >>> said = ["where is the cat", "the cat is here", "wo ist die katze", "die katze ist hier"]
    >>> texts = {"text": said}
    >>> model = likely.CompressionClassifier(kinds="text").fit(texts, ["en", "en", "de", "de"])
    >>> model.predict({"text": ["is the cat there", "ist die katze da"]}).tolist()
    ['en', 'de']
    >>> model.code_lengths({"text": ["the cat"]}).round(1)  # in bits, of de and of en
    array([[15.9, 11.6]])
    """

    record_: CodedRecord

    def __init__(
        self,
        model: Any = None,
        order: int = 4,
        compressor: Any = None,
        kinds: Kinds = None,
        base_rate: Mapping[Any, float] | str | None = None,
        evidence_weights: str | None = "learnt",
        n_jobs: int | None = None,
    ) -> None:
        self.model = model
        self.order = order
        self.compressor = compressor
        self.kinds = kinds
        self.base_rate = base_rate
        self.evidence_weights = evidence_weights
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or the name of a column of the table)."""
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        self._refuse_options()
        weight = row_weights(sample_weight, frame.n)
        target = target_column(raw)
        codes = class_codes(target, raw)
        if weight is not None and not weight.all():  # rows that do not count are not there
            kept = np.flatnonzero(weight)
            frame, weight = frame.at(kept), weight[kept]
            seen, codes = np.unique(codes[kept], return_inverse=True)
            target = replace(target, levels=tuple(target.known[i] for i in seen))
        groups = Groups.hard(codes, len(target.levels or ()), weight)
        schema = self._schema(frame)
        coders = self._coders(schema, frame, groups)
        settings = Settings("mean", "default", self.base_rate)
        record = CodedRecord(schema, target, groups.total, settings, coders)
        if self.evidence_weights is not None:
            record = weighed(record, frame, groups, partial(self._coders, schema), self._engine)
        self._take(record)
        return self

    def _refuse_options(self) -> None:
        order = self.order
        if isinstance(order, bool) or not isinstance(order, int | np.integer) or not 0 <= order <= LONGEST:
            raise LikelyError(f"order={order!r}: give a whole number of bytes from 0 to {LONGEST}.")
        if self.evidence_weights not in (None, "learnt"):
            raise LikelyError(
                f"evidence_weights={self.evidence_weights!r}: use 'learnt', or None to take bits as they are."
            )
        if self.compressor is not None:
            length_of(self.compressor)
            if self.model is not None:
                raise LikelyError("compressor: it codes all columns; give no model beside it.")

    def _schema(self, frame: Frame) -> Schema:
        """The columns; of texts that are coded by characters no word is kept."""
        declared = declared_by_name(frame.names, self.kinds, "kinds")
        texts = {}
        if frame.matrix is None:
            for name in frame.names:
                kind = declared.get(name)
                raw = frame.raw(name)
                told = kind in (Kind.TEXT, Kind.TEXT.value)
                if told or (kind is None and _is_text(raw, alone=len(frame.names) == 1)):
                    if raw.type.numeric and raw.type is not Type.EMPTY:
                        Column.learn(raw, "text")  # says what is wrong
                    texts[name] = Column(name, Kind.TEXT, raw.type, (), words=Words())
        left = tuple(name for name in frame.names if name not in texts)
        if not texts:
            return Schema.learn(frame, self.kinds)
        others = Schema.learn(frame.only(left), {name: declared[name] for name in left if name in declared})
        by_name = texts | {column.name: column for column in others.columns}
        return Schema(tuple(by_name[name] for name in frame.names), frame.named, frame.library)

    def _coders(self, schema: Schema, frame: Frame, groups: Groups) -> tuple[RowCoder, ...]:
        if self.compressor is not None:
            return (CompressorCoder.learn(self.compressor, frame, groups),)
        by_characters = [c.name for c in schema.columns if c.kind is Kind.TEXT and not c.levels]
        others = [name for name in schema.names if name not in set(by_characters)]
        coders: list[RowCoder] = [
            CharacterCoder.learn(frame, name, groups, int(self.order)) for name in by_characters
        ]
        if others:
            model = NaiveBayes(evidence_weights=None) if self.model is None else clone(self.model)
            if getattr(model, "kinds", "none") is None:  # every class is to know the levels of all
                declared = schema.declarations
                model.set_params(kinds={name: declared[name] for name in others})
            coders.append(ModelCoder.learn(model, frame, others, schema, groups))
        return tuple(coders)

    def _take(self, record: CodedRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        record.rates  # noqa: B018  # what cannot be is refused here, not at the first prediction
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    @property
    def base_rate_(self) -> Floats:
        """P(class), (g,), in the order of `classes_`: learnt, or given."""
        return read_only(np.asarray(self._known().rates))

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Log P(class given row), (n, g), in the order of `classes_`."""
        answer, gone = self._known().posterior(self._frame(X), self._engine)
        if gone.any():
            notice(
                f"{int(gone.sum())} of {len(gone)} rows have probability 0 in every class, the first of them "
                f"row {int(gone.argmax())}: they get the base rate."
            )
        return np.asarray(answer)

    def code_lengths(self, X: TableLike) -> Floats:
        """The bits of each class and of the row under it, (n, g), in the order of `classes_`.

        Of numbers they are relative: as many bits more for all classes as the numbers have digits.
        """
        return np.asarray(self._known().bits(self._frame(X), self._engine))

    def with_base_rate(self, base_rate: BaseRate) -> Self:
        """The same model under other class probabilities: a mapping, or "uniform"."""
        new = self._with_record(self._known().under_base_rate(base_rate))
        new.set_params(base_rate=base_rate)
        return new

    def explain(self, X: TableLike, favoured: Level | None = None, against: Level | None = None) -> Ledgers:
        """The evidence ledger of every row: base rate, then what each column adds to the log-odds.

        Below a text stand its words, by the sum of what their characters add; in a notebook the text itself
        is shown with every character marked by the class it speaks for. By default the most probable class
        against the runner-up; `favoured` and `against` name any pair.
        """
        return explain(self._known(), self._frame(X), favoured, against, self._engine)

    def importance(self, X: TableLike) -> Importance:
        """The mean absolute evidence of each column over the rows of X, winner against runner-up."""
        return importance(self.explain(X))

    def ask(self, question: str, data: TableLike | str | None = None) -> Answer | BesideData:
        """Answer a question about the target, such as "P(label=spam | text=win cash)".

        With `data`, a table with the target, the same is counted in its rows, and said whether the model
        differs from them beyond chance.
        """
        return answered(self._known().world(), question, data, WORLD)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `likely.load` reads: safe, whole or not at all, for people to read.

        Any name will do; `.likely` is the usual ending. A compressor must be one that has a name.
        """
        self._known()
        if callable(self.compressor):
            raise LikelyError(
                "a compressor that is a function cannot be held by a model file, which nothing in it runs: "
                "use 'zlib', 'bz2' or 'lzma'."
            )
        super().save(path)


def _is_text(raw: Raw, alone: bool) -> bool:
    """Free texts, and short ones that hardly repeat: as levels they would tell nothing of any new row.

    Of single words, which may be numbers of rows, only a column that is there alone is read so.
    """
    kind = kind_of(raw)
    if kind is not Kind.CATEGORICAL or raw.type is not Type.STRING:
        return kind is Kind.TEXT
    texts = [str(text).split() for text in raw.found or ()]
    known = int((raw.distinct()[0] >= 0).sum())
    several = 2 * sum(len(words) > 1 for words in texts) > len(texts)
    return 2 * len(texts) > known and (alone or several)
