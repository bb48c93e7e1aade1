"""Answers that are one number or one level, and say what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.format import words


class Number(float):
    """A number that answers a question: a float that prints with the question. Arithmetic gives plain floats.

    >>> Number(0.20851, "P(sick = yes | test = +)", "0.21")
    P(sick = yes | test = +) = 0.21
    >>> Number(0.25, "P(a = 1)", "0.25") * 2
    0.5
    """

    question: str
    shown: str  # the number in words, with its unit
    unit: str | None

    def __new__(cls, number: float, question: str, shown: str, unit: str | None = None) -> Number:
        """The answer to a question."""
        made = super().__new__(cls, number)
        made.question, made.shown, made.unit = question, shown, unit
        return made

    def __repr__(self) -> str:
        return f"{self.question} = {self.shown}"

    __str__ = __repr__

    def to_dict(self) -> dict[str, Any]:
        """Question, answer and unit, ready for JSON."""
        return {"question": self.question, "answer": words.json_ready(float(self)), "unit": self.unit}

    def __reduce__(self) -> tuple[Any, ...]:
        return Number, (float(self), self.question, self.shown, self.unit)


@dataclass(frozen=True, repr=False)
class Choice:
    """A level that answers a question, and how probable it is.

    >>> Choice("argmax(play)", "yes", 0.75)
    argmax(play) = yes (probability 0.75)
    """

    question: str
    value: Any  # a tuple, if several variables were asked for
    probability: float

    def __repr__(self) -> str:
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        certainty = chance(self.probability, 1 - self.probability)
        return f"{self.question} = {', '.join(map(level_words, values))} (probability {certainty})"

    def to_dict(self) -> dict[str, Any]:
        """Question, answer and its probability, ready for JSON."""
        single = not isinstance(self.value, tuple)
        answer = words.json_ready(self.value) if single else [words.json_ready(v) for v in self.value]
        return {"question": self.question, "answer": answer, "probability": self.probability}


def chance(p: float, others: float) -> str:
    """A probability to four digits that never rounds to certainty; `others` is what is left.

    >>> chance(0.20851, 0.79149), chance(0.9, 0.1), chance(0.99982, 0.00018), chance(1.0, 3e-14)
    ('0.2085', '0.9', '0.99982', '1 - 3e-14')
    """
    return f"{p:.4g}" if others >= 1e-3 else words.probability(p, others)


def level_words(level: object) -> str:
    """A level for people; None stands for a missing cell."""
    return "missing" if level is None else words.shown(level)
