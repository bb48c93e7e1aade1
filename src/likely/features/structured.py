"""Features of what is inside texts and sequences: phrases, runs, palindromes, patterns, common passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Self

import numpy as np

from likely.errors import LikelyError
from likely.estimator.record import Story
from likely.features.constructed import Constructed, LookedAt, of_truths
from likely.features.transformer import one_of
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type
from likely.table.column.words import Words
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

PLAIN = ("length", "first", "last", "palindrome")
NEGATED = "not "  # before the name of a word list
Property = Sequence[str] | Callable[[str], bool]
Sequences = list[str]  # the elements of one text: words, or letters
Answer = Callable[[str, Sequences], Any]  # by a text and its elements


@dataclass(frozen=True)
class StructuredRecord(LookedAt):
    """The columns, and those of them that are looked into."""

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        steps = ("Cut each text into its elements.", "Look for phrases, runs and patterns in them.")
        return Story(model, steps, "Each answer is a column.", "", "a row with what is in its texts")


class Structured(Constructed):
    """New columns of what is inside texts: length, first, last, phrases, runs, palindromes, patterns.

    Nothing is learnt: the new columns follow from the texts. A missing text has missing features.

    Parameters
    ----------
    features : sequence of str
        Of "length", "first", "last" (elements) and "palindrome" (which compares letters alone).
    phrases : sequence of str
        For each, whether its elements stand in the text one after another.
    patterns : sequence of str
        For each, a regular expression, how often it occurs in the text.
    runs : mapping, optional
        For each name, a list of elements, or a function of one: whether at least `run` elements one after
        another are in the list. Under a name that begins with "not ", that are not.
    run : int
        How long a run, or a common passage, must be.
    pairs : sequence of pairs of columns
        For each, whether one text is quoted in the other, and how long their longest common passage is, if it
        has `run` elements at least, else 0.
    unit : "words" or "letters"
        What the elements are; words as `Words` cuts them, in small letters.
    columns : sequence of str, optional
        The columns that are looked into. Default: those that are text, and those of `pairs`.
    kinds : mapping, optional
        Kinds of columns, where their types do not tell.

    Examples
    --------
    >>> import likely
    >>> texts = {"said": ["Madam, I'm Adam", "they write about machine learning", None]}
    >>> model = likely.Structured(phrases=["machine learning"], columns=["said"]).fit(texts)
    >>> {name: column.tolist() for name, column in model.transform(texts).items() if name != "said"}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'length(said)': [4, 5, None], 'first(said)': ['madam', 'they', None],
     'last(said)': ['adam', 'learning', None], 'palindrome(said)': [True, False, None],
     'contains(said, machine learning)': [False, True, None]}
    """

    record_: StructuredRecord

    def __init__(
        self,
        features: Sequence[str] = PLAIN,
        phrases: Sequence[str] = (),
        patterns: Sequence[str] = (),
        runs: Mapping[str, Property] | None = None,
        run: int = 8,
        pairs: Sequence[Sequence[str]] = (),
        unit: str = "words",
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.features = features
        self.phrases = phrases
        self.patterns = patterns
        self.runs = runs
        self.run = run
        self.pairs = pairs
        self.unit = unit
        self.columns = columns
        self.kinds = kinds

    @property
    def deductive(self) -> bool:
        """Whether nothing is chosen."""
        return True

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Look at the columns; nothing is learnt of their texts."""
        self._check_options()
        frame, target_name = self._features(X, y)
        both = [name for pair in self.pairs for name in pair]
        declared_by_name(frame.names, dict.fromkeys([*(self.columns or ()), *both]), "columns")
        schema = Schema.learn(frame, self.kinds)
        asked = {*(self.columns or ()), *both}
        for column in schema.columns:
            if column.name in asked and column.type not in (Type.STRING, Type.EMPTY, Type.CATEGORY):
                raise LikelyError(
                    f"column {column.name!r} holds {column.type.value}: Structured looks into texts. Leave "
                    "it out of `columns`, or turn it into text."
                )
        used = tuple(
            j
            for j, c in enumerate(schema.columns)
            if (c.kind is Kind.TEXT if self.columns is None else c.name in self.columns)
        )
        self._take(StructuredRecord(schema, used, self._weight(sample_weight, frame.n), target_name))
        return self

    def _check_options(self) -> None:
        one_of("unit", self.unit, ("words", "letters"))
        for feature in self.features:
            one_of("features", feature, PLAIN)
        if not isinstance(self.run, int | np.integer) or self.run < 1:
            raise LikelyError(f"run={self.run!r}: give a whole number from 1.")
        for phrase in self.phrases:
            if not self._elements(phrase):
                raise LikelyError(f"the phrase {phrase!r} has no {self.unit}.")
        for pattern in self.patterns:
            try:
                re.compile(pattern)
            except re.error as cause:
                raise LikelyError(f"the pattern {pattern!r} is no regular expression, {cause}.") from cause
        for pair in self.pairs:
            if isinstance(pair, str) or len(pair) != 2:
                raise LikelyError(f"pairs has {pair!r}: give two columns.")

    def _elements(self, text: str) -> Sequences:
        return Words().tokens(text) if self.unit == "words" else letters(text)

    def _known(self) -> StructuredRecord:
        record: StructuredRecord = super()._known()
        return record

    def _new_columns(self) -> Sequence[Column]:
        record = self._known()
        columns = []
        for j in record.used:
            columns += [column for column, _ in self._questions(record.schema.columns[j].name)]
        for a, b in self.pairs:
            columns += [of_truths(f"quoted({a}, {b})"), _of_counts(f"passage({a}, {b})")]
        return columns

    def _questions(self, name: str) -> list[tuple[Column, Answer]]:
        """What is asked of each text of a column: the new column, and the answer by text and elements."""
        plain: dict[str, tuple[Column, Answer]] = {
            "length": (_of_counts(f"length({name})"), lambda _, parts: len(parts)),
            "first": (_of_texts(f"first({name})"), lambda _, parts: parts[0] if parts else None),
            "last": (_of_texts(f"last({name})"), lambda _, parts: parts[-1] if parts else None),
            "palindrome": (of_truths(f"palindrome({name})"), lambda text, _: is_palindrome(text)),
        }
        asked = [plain[feature] for feature in self.features]
        asked += [
            (of_truths(f"contains({name}, {phrase})"), _has_phrase(self._elements(phrase)))
            for phrase in self.phrases
        ]
        asked += [
            (_of_counts(f"count({name}, {pattern})"), _times(re.compile(pattern)))
            for pattern in self.patterns
        ]
        for run, words in (self.runs or {}).items():
            holds = _property(words, run.startswith(NEGATED))
            asked.append((of_truths(f"run({name}, {run}, {self.run})"), _has_run(holds, self.run)))
        return asked

    def _new_values(self, frame: Frame) -> Any:
        record = self._known()
        columns: list[Any] = []
        for j in record.used:
            name = record.schema.columns[j].name
            codes, texts = _texts(frame, name)
            cut = [self._elements(text) for text in texts]
            for _, answer in self._questions(name):
                answers = [answer(text, parts) for text, parts in zip(texts, cut, strict=True)]
                columns.append(np.array([*answers, None], object)[codes])
        for a, b in self.pairs:
            columns += self._between(frame, a, b)
        return np.stack(columns, axis=1) if columns else np.zeros((frame.n, 0))

    def _between(self, frame: Frame, a: str, b: str) -> list[Any]:
        """Of two columns: whether one text is quoted in the other, and their longest common passage."""
        (first, texts), (second, others) = _texts(frame, a), _texts(frame, b)
        cut, cut_others = ([self._elements(text) for text in some] for some in (texts, others))
        quoted, passage = np.full(frame.n, None, object), np.full(frame.n, None, object)
        both = (first >= 0) & (second >= 0)
        pairs, place = np.unique(np.stack([first[both], second[both]], axis=1), axis=0, return_inverse=True)
        longest = [len(common_passage(cut[i], cut_others[k])) for i, k in pairs.tolist()]
        shorter = [min(len(cut[i]), len(cut_others[k])) for i, k in pairs.tolist()]
        place = place.reshape(-1)  # NumPy 2.0 gives it two axes
        passage[both] = np.array([k if k >= self.run else 0 for k in longest], object)[place]
        quoted[both] = np.array([0 < k == most for k, most in zip(shorter, longest, strict=True)], object)[
            place
        ]
        return [quoted, passage]

    def describe(self) -> str:
        """What it is, and its new columns."""
        new = [f"  {column.name} ({column.kind})" for column in self._new_columns()]
        return "\n".join(
            [self._says(), *(new or ["  no column is text: name those to look into in `columns`"])]
        )


def letters(text: str) -> Sequences:
    """The letters of a text, small ones.

    >>> letters("I'm 4!")
    ['i', 'm']
    """
    return [letter for letter in text.casefold() if letter.isalpha()]


def is_palindrome(text: str) -> bool:
    """Whether the letters of a text read the same backwards; a text without letters does not.

    >>> is_palindrome("Madam, I'm Adam"), is_palindrome("Madam Eve"), is_palindrome("...")
    (True, False, False)
    """
    inside = letters(text)
    return bool(inside) and inside == inside[::-1]


def contains(parts: Sequences, phrase: Sequences) -> bool:
    """Whether a phrase stands in a sequence, one element after another.

    >>> contains(["a", "b", "c"], ["b", "c"]), contains(["a", "b", "c"], ["a", "c"])
    (True, False)
    """
    k = len(phrase)
    return any(parts[i : i + k] == phrase for i in range(len(parts) - k + 1))


def longest_run(parts: Sequences, holds: Callable[[str], bool]) -> int:
    """How many elements one after another have a property, at most.

    >>> longest_run(list("aabbba"), lambda letter: letter == "b")
    3
    """
    return max((sum(1 for _ in run) for has, run in groupby(parts, holds) if has), default=0)


def common_passage(a: Sequences, b: Sequences) -> Sequences:
    """The longest passage of elements one after another that is in both.

    >>> common_passage("they write about it".split(), "to write about a machine".split())
    ['write', 'about']
    """
    match = SequenceMatcher(None, a, b, autojunk=False).find_longest_match()
    return a[match.a : match.a + match.size]


def _has_phrase(phrase: Sequences) -> Answer:
    return lambda _, parts: contains(parts, phrase)


def _times(pattern: re.Pattern[str]) -> Answer:
    return lambda text, _: sum(1 for _ in pattern.finditer(text))


def _has_run(holds: Callable[[str], bool], k: int) -> Answer:
    return lambda _, parts: longest_run(parts, holds) >= k


def _property(words: Property, negated: bool) -> Callable[[str], bool]:
    if callable(words):
        return lambda word: bool(words(word)) is not negated
    known = frozenset(word.casefold() for word in words)
    return lambda word: (word in known) is not negated


def _texts(frame: Frame, name: str) -> tuple[Any, list[str]]:
    """Which of the distinct texts each row holds, -1 where missing, (n,); and these texts."""
    raw = frame.raw(name)
    if raw.is_empty():
        return np.full(frame.n, -1, np.intp), []
    codes, texts = raw.distinct()
    return np.asarray(codes, np.intp), [str(text) for text in texts]


def _of_counts(name: str) -> Column:
    return Column(name, Kind.COUNT, Type.INTEGER)


def _of_texts(name: str) -> Column:
    return Column(name, Kind.TEXT, Type.STRING)
