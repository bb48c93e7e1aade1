"""Hidden Markov models: rows in order, each made by a state that nobody sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin

from likely.ask.ask import Answer, ask
from likely.dist.family import Priors
from likely.errors import LikelyError, notice
from likely.estimator.fitted import class_array, read_only, refuse_empty
from likely.estimator.paged import Paged
from likely.estimator.record import Story
from likely.infer import EM
from likely.models.groups.describe import Summary
from likely.models.groups.independent import group_covariances, group_means
from likely.models.markov.answers import (
    Answers,
    forecast,
    one_sequence,
    onward,
    refuse_known,
    row_inside,
    sample,
)
from likely.models.markov.baum_welch import Finding, Transitions
from likely.models.markov.chain_e_step import Sequences
from likely.models.markov.from_parameters import known_chain
from likely.models.markov.large import LargeFinding
from likely.models.markov.record import ChainPortraits, ChainRecord
from likely.models.mixture.em_estimator import Searching, refuse_more, whole_number
from likely.models.parts.plan import Families, FamilyWords
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.frame import Frame, is_large

Floats = NDArray[np.float64]


class HiddenMarkov(Searching, Paged, DensityMixin, BaseEstimator):
    """A hidden Markov model (HMM): states that follow each other, each with its distribution of every column.

    A mixture whose groups come in order: which state a row is in depends on the state of the row before. It
    is found by EM (Baum-Welch), whose responsibilities come from forward-backward; all else is as in
    `Mixture`. A table is one sequence, unless `lengths` or `groups` say otherwise. Missing cells are summed
    out.

    Parameters
    ----------
    states : int or "auto"
        How many states; "auto" tries 1, 2, 3 and so on, and takes the best by BIC.
    kinds, families, covariance, prior, missing, max_iter, tol, restarts, random_state, n_jobs
        As in `Mixture`. The prior gives a pseudo-count to every state that may begin, and to every move that
        may be made; `prior=None` is maximum likelihood.
    transitions : None, "left-to-right" or matrix (states, states)
        Which state may follow which: any; the same or the next, beginning with the first; or those that are
        not 0 in the matrix, which is where EM begins.
    init : None, "kmeans", "k-means++", "random", labels (n,), responsibilities (n, states) or a fitted model
        Where EM begins. None tries K-means of the rows and of stretches of 10 and of 100 rows, `restarts`
        times each, and carries on with the best; for "left-to-right" it is parts of the same length.

    Attributes
    ----------
    initial_, transitions_ : array (states,), array (states, states)
        P(state) of first rows, and P(next state given state).
    history_ : tuple of float
        The log-likelihood plus the log prior, before each iteration and after the last. It never falls.
    n_iter_, converged_, families_
        As in `Mixture`.
    curve_ : Curve
        With "auto", the numbers of states that were tried, and their bits.

    Examples
    --------
    >>> import likely
    >>> x = [1.0, 1.2, 0.9, 1.1, 5.0, 5.1, 4.8, 5.2, 1.0, 0.8, 1.1]
    >>> model = likely.HiddenMarkov(2, random_state=0).fit({"x": x})
    >>> states = model.predict({"x": x})
    >>> (states == states[0]).astype(int)
    array([1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1])
    """

    record_: ChainRecord
    classes_: NDArray[Any]

    def __init__(
        self,
        states: int | str = 2,
        *,
        kinds: Kinds = None,
        families: FamilyWords = None,
        covariance: str = "full",
        transitions: Transitions | None = None,
        prior: Priors = "default",
        missing: str = "ignore",
        max_iter: int = 200,
        tol: float = 1e-6,
        restarts: int = 1,
        init: object = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.states = states
        self.kinds = kinds
        self.families = families
        self.covariance = covariance
        self.transitions = transitions
        self.prior = prior
        self.missing = missing
        self.max_iter = max_iter
        self.tol = tol
        self.restarts = restarts
        self.init = init
        self.random_state = random_state
        self.n_jobs = n_jobs

    @classmethod
    def from_parameters(
        cls, initial: ArrayLike, transitions: ArrayLike, emissions: Mapping[Any, Any]
    ) -> Self:
        """The model whose parameters are known, without any data.

        Parameters
        ----------
        initial : sequence (states,)
            P(state) of a first row.
        transitions : matrix (states, states)
            P(next state given state), a row for each state.
        emissions : mapping
            For each column its distribution in every state: `Categorical`, `Bernoulli`, `Poisson` or `Normal`
            with parameters for each state, or `MultivariateNormal` for a tuple of columns.

        Examples
        --------
        A casino that now and then uses a loaded die.

        >>> import likely
        >>> fair, loaded = [1 / 6] * 6, [0.1] * 5 + [0.5]
        >>> die = likely.Categorical([fair, loaded], levels=[1, 2, 3, 4, 5, 6])
        >>> model = likely.HiddenMarkov.from_parameters([1, 0], [[0.95, 0.05], [0.1, 0.9]], {"die": die})
        >>> model.predict({"die": [1, 2, 4, 6, 6, 6, 6, 6, 6, 3, 1, 2, 5, 4, 1]})
        array([0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
        """
        record = known_chain(initial, transitions, emissions)
        model = cls(len(record.first), prior=None)
        model._take(record)
        return model

    def fit(
        self,
        X: TableLike,
        y: object = None,
        *,
        lengths: ArrayLike | None = None,
        groups: Target | None = None,
        sequence_weight: Weights = None,
    ) -> Self:
        """Find the states of sequences; y is not looked at.

        Parameters
        ----------
        X : table
            Rows in order. Those of one sequence need not stand together if `groups` names it. Of Parquet
            files (`likely.scan`) that are larger than memory they must: these are read some whole sequences
            at a time, once for each step of EM, which begins with what it finds in some of them.
        lengths : sequence of int, optional
            How many rows each sequence has, one after the other; by default all rows are one.
        groups : str or sequence, optional
            The column that names the sequence of each row, or these names.
        sequence_weight : sequence of float, optional
            How much each sequence counts; by names in their order, if `groups` names them.
        """
        if is_large(X):
            return self._fit_large(X, lengths, groups, sequence_weight)
        frame, sequences = Sequences.of(X, lengths, groups)
        refuse_empty(frame)
        weight = sequences.weights(sequence_weight)
        table = self._planned(frame, sequences.of_rows(weight))
        finding = Finding(table, sequences, weight, self.transitions, self._how())
        self.__dict__.pop("curve_", None)
        if isinstance(self.states, str) and self.states == "auto":
            run, self.curve_ = finding.choose()
        else:
            k = whole_number(self.states, "states")
            refuse_more(k, frame.n, "states")
            run = finding.find(k)
        self._keep(run)
        return self

    def _fit_large(self, X: object, lengths: object, groups: object, sequence_weight: object) -> Self:
        if lengths is not None or sequence_weight is not None or self.states == "auto":
            raise LikelyError(
                "a hidden Markov model of a table that is not in memory takes no lengths, no "
                "sequence_weight and a given number of states: name the column of sequences (groups=), and "
                "choose the number on sequences that are in memory."
            )
        k = whole_number(self.states, "states")
        settings = self._settings()
        plan = (settings, self.kinds, self.families, self.covariance, self.missing)
        finding = LargeFinding.of(X, groups, self.transitions, self._how(), *plan)
        refuse_more(k, finding.sequences.rows, "states")
        self.__dict__.pop("curve_", None)
        self._keep(finding.find(k))
        return self

    def _keep(self, run: EM[ChainRecord]) -> None:
        """Be the model that EM came to."""
        self.history_, self.n_iter_, self.converged_ = run.history, run.n_iter, run.converged
        self._take(run.parameters)

    def _take(self, record: ChainRecord, estimate: bool = True) -> None:
        """Be the model of this record."""
        if estimate:
            record.core, record.shares  # noqa: B018  # what cannot be estimated is refused here
        super()._take(record, estimate)
        self.classes_ = class_array(record.states.target)

    @property
    def initial_(self) -> Floats:
        """P(state) of a first row, (states,)."""
        record: ChainRecord = self._known()
        return read_only(record.initial)

    @property
    def transitions_(self) -> Floats:
        """P(next state given state), (states, states)."""
        record: ChainRecord = self._known()
        return read_only(record.transitions)

    @property
    def startprob_(self) -> Floats:
        """`initial_` under hmmlearn's name."""
        return self.initial_

    @property
    def transmat_(self) -> Floats:
        """`transitions_` under hmmlearn's name."""
        return self.transitions_

    @property
    def means_(self) -> Floats:
        """The mean of every column in every state, (states, d), where all columns are numbers."""
        return group_means(self._known().core.parts)

    @property
    def covariances_(self) -> Floats:
        """The covariances of the columns in every state, (states, d, d), where all columns are numbers."""
        return group_covariances(self._known().core.parts)

    @property
    def families_(self) -> Families:
        """The family of every column."""
        rankings: Families = self._known().states.family_rankings
        return rankings

    def describe(self) -> Summary:
        """The states in words: what sets each apart, how long it lasts and what follows; then the columns."""
        record = self._known()
        return ChainPortraits(type(self).__name__, record.states, record)

    @property
    def n_parameters_(self) -> int:
        """How many free numbers the model has."""
        record: ChainRecord = self._known()
        return record.n_parameters

    def story(self) -> Story:
        """How the model takes a sequence to come about, and where no other model does better."""
        record: ChainRecord = self._known()
        return record.story(type(self).__name__)

    def _answers(self, X: TableLike, lengths: ArrayLike | None, groups: Target | None) -> Answers:
        record = self._known()
        if isinstance(groups, str) and groups not in Frame.of(X).position:
            raise LikelyError(f"the table has no column {groups!r} that would name its sequences.")
        frame, sequences = Sequences.of(X, lengths, groups)
        return Answers(record, self._frame(frame), sequences, self._engine)

    def predict(
        self, X: TableLike, lengths: ArrayLike | None = None, groups: Target | None = None
    ) -> NDArray[Any]:
        """The state of each row in the most probable course of its sequence (Viterbi), (n,)."""
        states, log_prob = self._answers(X, lengths, groups).best()
        _tell_impossible(log_prob)
        return np.asarray(self.classes_[states])

    def predict_proba(
        self, X: TableLike, lengths: ArrayLike | None = None, groups: Target | None = None
    ) -> Floats:
        """P(state of each row given its whole sequence), (n, states)."""
        posterior, log_likelihood = self._answers(X, lengths, groups).posterior()
        _tell_impossible(log_likelihood)
        return posterior

    def log_prob(
        self, X: TableLike, lengths: ArrayLike | None = None, groups: Target | None = None
    ) -> Floats:
        """Log P(sequence), summed over all courses of its states, of each sequence."""
        return self._answers(X, lengths, groups).posterior()[1]

    def score(
        self,
        X: TableLike,
        y: object = None,
        *,
        lengths: ArrayLike | None = None,
        groups: Target | None = None,
    ) -> float:
        """The log-likelihood of all sequences, divided by their number of rows."""
        answers = self._answers(X, lengths, groups)
        return float(answers.posterior()[1].sum() / answers.frame.n)

    def forecast(self, X: TableLike, n: int = 1) -> Any:
        """The n rows to be expected after those of one sequence, as a table with their likeliest states.

        Numbers are expected values; levels, true/false and counts are the most probable. How sure that is
        `ask` tells, `at` the row.
        """
        answers = self._answers(X, None, None)
        chances = self._chances(answers, answers.frame.n - 1 + np.arange(1, n + 1))
        return forecast(self.record_, chances, answers.frame.library, self._engine)

    def ask(self, question: str, X: TableLike | None = None, at: int | None = None) -> Answer:
        """Answer a question such as "P(state=1)" about one row of a sequence.

        Parameters
        ----------
        question : str
            As for `NaiveBayes.ask`; the state is the variable `state`.
        X : table, optional
            What is known: the rows of one sequence. Of a row in it, the state can be asked for, and columns
            that are missing there: they are answered by the other columns and rows.
        at : int, optional
            Which row, from 0: in the sequence or after its end; by default the last of X. Without X it is so
            many rows after the beginning; without both, any row of those that the model was fitted on.
        """
        record = self._known()
        if X is None:
            if at is None:
                return ask(record.world(), question)
            _row_number(at)
            ahead = onward(record.transitions, record.initial, at)
            return ask(record.row_world(ahead[-1] if at else record.initial), question)
        answers = self._answers(X, None, None)
        row = answers.frame.n - 1 if at is None else at
        _row_number(row)
        chances = self._chances(answers, np.array([row]))[0]
        if row >= answers.frame.n:
            return ask(record.row_world(chances), question)
        refuse_known(answers, row, question)
        return ask(row_inside(answers, chances, row), question)

    def _chances(self, answers: Answers, rows: NDArray[np.intp]) -> Floats:
        """The chances of states in some rows of one sequence, or after its end."""
        one_sequence(answers.sequences)
        posterior, log_likelihood = answers.posterior()
        _tell_impossible(log_likelihood)
        further = int(rows.max(initial=0)) - len(posterior) + 1
        ahead = onward(answers.record.transitions, posterior[-1], max(further, 0))
        return np.asarray(np.concatenate([posterior, ahead])[rows])

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Draw a sequence of n rows with its states, as a table of the library the model was fitted with."""
        return sample(self._known(), n, random_state)


def _row_number(at: object) -> None:
    if not isinstance(at, int | np.integer) or at < 0:
        raise LikelyError(f"at={at!r}: give the number of a row, from 0.")


def _tell_impossible(log_prob: Floats) -> None:
    impossible = int(np.isneginf(log_prob).sum())
    if impossible:
        notice(
            f"{impossible} sequence{'s have' if impossible > 1 else ' has'} probability 0: what is "
            "impossible in every state says nothing of the states. Give a prior (prior='default') to smooth "
            "zeros away.",
        )
