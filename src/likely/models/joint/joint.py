"""A finite joint distribution: the probability of every combination of levels, and all that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely import score
from likely.ask.ask import Answer, ask
from likely.ask.next_question import NextQuestion, next_question
from likely.dist.family import PriorWord
from likely.errors import LikelyError
from likely.estimator.fitted import generator
from likely.estimator.record import Story
from likely.models.joint import render
from likely.models.joint.cells import cells_of_data, cells_of_table, normalised
from likely.models.joint.conditional import Conditional, said
from likely.models.joint.product import product, tables_of
from likely.models.joint.rows import cells_of_array
from likely.models.joint.variables import (
    Columns,
    allowed,
    axes_of,
    listed_names,
    narrowed,
    several,
    sides,
    summed,
    together,
    within,
)
from likely.models.joint.world import JointWorld
from likely.table.accepted import Kinds, RandomState, TableLike, Weights
from likely.table.build import to_table, values_of
from likely.table.frame import Frame

Floats = NDArray[np.float64]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Joint:
    """The probability of every combination of levels of some variables.

    It is the whole truth about finitely many variables with finitely many levels: whatever can be asked of
    them is a sum over its cells. It is made of an array, or by `from_table`, `from_data`, `product` and
    `of`; it never changes. The table is kept in full, so 20 variables of two levels are 8 MB, 27 are the
    most (2**27 cells, 1 GiB), and 32 of whatever levels.

    Parameters
    ----------
    probs : array
        The probability of every combination, one axis a variable; they add up to 1.
    levels : mapping
        The levels of each variable by name, in the order of the axes.

    Examples
    --------
    >>> Joint([[0.4, 0.1], [0.1, 0.4]], {"today": ["rain", "sun"], "tomorrow": ["rain", "sun"]})
    Joint distribution of today, tomorrow: 4 cells, 3 free
    <BLANKLINE>
    today  tomorrow    p
    rain   rain      0.4
    sun    sun       0.4
    rain   sun       0.1
    sun    rain      0.1
    """

    columns: Columns
    probs: Floats  # one axis a variable
    library: str

    def __init__(self, probs: ArrayLike, levels: Mapping[str, Any]) -> None:
        columns, array = cells_of_array(probs, levels)
        self._set(columns, normalised(array, "the probabilities", "divide them by their sum"), "dict")

    def _set(self, columns: Columns, probs: Floats, library: str) -> None:
        probs.flags.writeable = False
        # Frozen for everyone but the constructor.
        for name, value in (("columns", columns), ("probs", probs), ("library", library)):
            object.__setattr__(self, name, value)

    @classmethod
    def _made(cls, columns: Columns, probs: Floats, library: str) -> Joint:
        new = cls.__new__(cls)
        new._set(columns, probs, library)
        return new

    @classmethod
    def from_table(cls, table: TableLike, prob: str = "p", kinds: Kinds = None) -> Joint:
        """From a table with a column for each variable and one of probabilities, one row a combination.

        Combinations that are not listed have probability 0. Every value is a level, numbers too; `kinds`
        may list the levels of a column in order, as for models.

        >>> rain = {"today": ["rain", "rain", "sun"], "tomorrow": ["rain", "sun", "sun"]}
        >>> Joint.from_table({**rain, "p": [0.3, 0.2, 0.5]}).prob(tomorrow="rain")
        0.3
        """
        frame = Frame.of(table)
        columns, cells = cells_of_table(frame, prob, kinds)
        what = f"the probabilities in column {prob!r}"
        remedy = f"list what is lacking, or for counts use Joint.from_data(table, weight={prob!r})"
        return cls._made(columns, normalised(cells, what, remedy), frame.library)

    @classmethod
    def from_data(
        cls, table: TableLike, prior: PriorWord = None, weight: Weights = None, kinds: Kinds = None
    ) -> Joint:
        """From rows of data: the relative frequency of every combination of levels.

        `prior` smooths the frequencies: a strength or `Laplace` adds pseudo-counts to every cell, seen or
        not. `weight` (values, or the name of a column) counts a row of weight 2 as the row twice. Kinds are
        taken from the types or declared, as for models; numbers must be put into bins, or be declared to
        be levels. Rows with a missing cell are left out, and a notice says how many.

        >>> import likely
        >>> people = Joint.from_data(likely.read("titanic", into="dict"))
        >>> round(people.prob({"survived": "yes"}, given={"sex": "female"}), 4)
        0.7319
        """
        frame = Frame.of(table)
        columns, probs = cells_of_data(frame, prior, weight, kinds)
        return cls._made(columns, probs, frame.library)

    @classmethod
    def product(cls, *tables: Conditional) -> Joint:
        """The product of conditional tables, one for each variable, in any order.

        >>> state = Conditional("state", {"sick": 0.008, "well": 0.992})
        >>> test = {"sick": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
        >>> Joint.product(state, Conditional("test", test, given="state")).prob(state="sick", test="+")
        0.00784
        """
        for table in tables:
            if not isinstance(table, Conditional):
                raise LikelyError(f"{table!r} is no Conditional: give tables such as Conditional('a', ...).")
        columns, probs = product(tables)
        return cls._made(columns, probs, tables[0].library)

    @classmethod
    def of(cls, model: object) -> Joint:
        """The joint distribution that a fitted model stands for, if all of its columns have levels.

        >>> import likely
        >>> days = likely.read("play_tennis", into="dict")
        >>> Joint.of(likely.NaiveBayes().fit(days, "play")).names
        ('outlook', 'temperature', 'humidity', 'windy', 'play')
        """
        return cls.product(*tables_of(model))

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the axes of `probs`."""
        return tuple(column.name for column in self.columns)

    @property
    def levels(self) -> dict[str, tuple[Any, ...]]:
        """The levels of each variable, in the order of its axis; None stands for a missing cell."""
        return {column.name: column.levels or () for column in self.columns}

    def marginal(self, *names: str) -> Joint:
        """The distribution of some variables, in this order: the others are summed out."""
        if not names:
            raise LikelyError("marginal() of no variable: name one at least.")
        axes = axes_of(self.columns, names)
        return Joint._made(tuple(self.columns[axis] for axis in axes), summed(self.probs, axes), self.library)

    def prob(
        self,
        values: Mapping[str, Any] | None = None,
        /,
        given: Mapping[str, Any] | None = None,
        **named: object,
    ) -> float:
        """The probability that variables have these values; a set of values means any of them.

        >>> rain = Joint([[0.4, 0.1], [0.1, 0.4]], {"today": ["rain", "sun"], "tomorrow": ["rain", "sun"]})
        >>> rain.prob(today="sun"), rain.prob({"tomorrow": "sun"}, given={"today": {"rain", "sun"}})
        (0.5, 0.5)
        """
        values, known = together(values, named), together(given, {})
        base = self._mass(known)
        if not base > 0:
            raise LikelyError(f"{_words(known)} has probability 0: nothing follows from what cannot happen.")
        return min(1.0, self._mass(known, values) / base) if known else self._mass(values)

    def condition(self, values: Mapping[str, Any] | None = None, /, **named: object) -> Joint:
        """The distribution of the other variables once these have the values given.

        A variable that is given a set of values stays, with those levels alone.

        >>> rain = Joint([[0.4, 0.1], [0.1, 0.4]], {"today": ["rain", "sun"], "tomorrow": ["rain", "sun"]})
        >>> rain.condition(today="sun").probs
        array([0.2, 0.8])
        """
        values = together(values, named)
        chosen = allowed(self.columns, values)
        probs = within(self.probs, chosen)
        total = float(probs.sum())
        if not total > 0:
            raise LikelyError(f"{_words(values)} has probability 0: nothing follows from what cannot happen.")
        fixed = [axis for axis in chosen if not several(values[self.names[axis]])]
        if len(fixed) == len(self.columns):
            raise LikelyError(f"{_words(values)} leaves no variable: use prob() for its probability.")
        columns = tuple(
            narrowed(column, chosen[axis]) if axis in chosen else column
            for axis, column in enumerate(self.columns)
            if axis not in fixed
        )
        return Joint._made(columns, probs.squeeze(tuple(fixed)) / total, self.library)

    def conditional(self, of: str | Sequence[str], given: str | Sequence[str] = ()) -> Conditional:
        """P(of | given) for all levels: undefined (NaN) where what is given has probability 0."""
        own, known = listed_names(of), listed_names(given)
        axes = axes_of(self.columns, (*known, *own))
        if not own:
            raise LikelyError(f"P({said(own, known)}): name one variable at least before the bar.")
        probs = summed(self.probs, axes)
        base = probs.sum(axis=tuple(range(len(known), probs.ndim)), keepdims=True)
        with np.errstate(invalid="ignore"):
            conditional = probs / base
        return Conditional.made(
            tuple(self.columns[axis] for axis in axes), len(known), conditional, self.library
        )

    def factorise(self, *order: str) -> list[Conditional]:
        """The chain rule: P(a), P(b | a), P(c | a, b), ..., whose product is the joint distribution.

        >>> rain = Joint([[0.4, 0.1], [0.1, 0.4]], {"today": ["rain", "sun"], "tomorrow": ["rain", "sun"]})
        >>> [table.title for table in rain.factorise("tomorrow", "today")]
        ['P(tomorrow)', 'P(today | tomorrow)']
        """
        names = order or self.names
        if len(axes_of(self.columns, names)) < len(self.columns):
            raise LikelyError(f"order {list(names)!r}: name every variable once, of {list(self.names)!r}.")
        return [self.conditional(name, given=names[:place]) for place, name in enumerate(names)]

    def entropy(self, *names: str, given: str | Sequence[str] = ()) -> float:
        """The entropy of some variables (all others, if none is named) once `given` are known, in bits."""
        known = listed_names(given)
        own = names or tuple(name for name in self.names if name not in known)
        return score.conditional_entropy(sides(self.columns, self.probs, known, own), given=0)

    def mutual_information(
        self, a: str | Sequence[str], b: str | Sequence[str], given: str | Sequence[str] = ()
    ) -> float:
        """What a and b, each one variable or several, tell of each other once `given` are known, in bits."""
        return score.mutual_information(sides(self.columns, self.probs, given, a, b), given=0)

    def independent(
        self,
        a: str | Sequence[str],
        b: str | Sequence[str],
        given: str | Sequence[str] = (),
        tolerance: float = 1e-9,
    ) -> bool:
        """Whether a and b tell nothing of each other once `given` are known.

        The measure is their mutual information: up to `tolerance` bits count as nothing. It grows with
        the square of small differences between probabilities.

        >>> xor = Joint([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]], dict.fromkeys("abc", [0, 1]))
        >>> xor.independent("a", "b"), xor.independent("a", "b", given="c")
        (True, False)
        """
        return self.mutual_information(a, b, given) <= tolerance

    def argmax(self) -> dict[str, Any]:
        """The most probable combination; of several, the first.

        >>> Joint([0.2, 0.5, 0.3], {"size": ["s", "m", "l"]}).argmax()
        {'size': 'm'}
        """
        best = np.unravel_index(int(self.probs.argmax()), self.probs.shape)
        return {name: levels[i] for (name, levels), i in zip(self.levels.items(), best, strict=True)}

    @property
    def n_parameters(self) -> int:
        """How many free numbers it has: a cell for every combination but one."""
        return self.probs.size - 1

    def story(self) -> Story:
        """How a row comes about: all at once."""
        return render.story_of_joint(self.columns, self.probs)

    def ask(self, question: str) -> Answer:
        """The answer to a question in words, exact to the last sum.

        Parameters
        ----------
        question : str
            Such as "P(disease=yes | test=+)", "P(disease, test)", "odds(disease=yes)", "E(age)",
            "argmax(disease | test=+)", "H(disease | test)" or "I(disease; test)".

        Examples
        --------
        >>> rain = Joint([[0.4, 0.1], [0.1, 0.4]], {"today": ["rain", "sun"], "tomorrow": ["rain", "sun"]})
        >>> rain.ask("P(tomorrow=sun | today=sun)")
        P(tomorrow = sun | today = sun) = 0.8
        """
        return ask(JointWorld(self.columns, self.probs, self.library), question)

    def next_question(
        self,
        about: str,
        given: str | Mapping[str, Any] | None = None,
        costs: Mapping[str, float] | None = None,
    ) -> NextQuestion:
        """Which variable to look up next to learn most about one of them, per cost.

        Parameters
        ----------
        about : str
            The variable to learn about.
        given : str or mapping
            What is known, as "test=+" or {"test": "+"}.
        costs : mapping
            What it costs to look a variable up; 1 where nothing is said.
        """
        return next_question(JointWorld(self.columns, self.probs, self.library), about, given, costs)

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Draw n rows, as a table of the library that came in."""
        rng = generator(n, random_state)
        cells = np.unravel_index(rng.choice(self.probs.size, size=n, p=self.probs.ravel()), self.probs.shape)
        pairs = zip(self.columns, cells, strict=True)
        return to_table({c.name: values_of(c, codes, self.library) for c, codes in pairs}, self.library)

    def to_frame(self, library: str | None = None, prob: str = "p") -> Any:
        """One row a combination, in the library that came in, or "pandas", "polars", "pyarrow", "dict"."""
        return render.frame_of(self.columns, self.probs, prob, library or self.library)

    def _mass(self, *said: Mapping[str, Any]) -> float:
        return float(within(self.probs, allowed(self.columns, *said)).sum())

    def __repr__(self) -> str:
        return render.text_of_joint(self.columns, self.probs)

    def _repr_html_(self) -> str:
        return render.html_of_joint(self.columns, self.probs)


def _words(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())
