"""Hypotheses that say the label of a thing: votes, or probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from likely.dist.numeric.logs import log
from likely.errors import LikelyError
from likely.models.hypotheses.belief import Belief, HypothesisPrior, log_prior_of
from likely.models.hypotheses.evolution import Evolution, evolution
from likely.table.accepted import RandomState

Rule = Callable[[Any], Any]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Rules(Belief):
    """Finitely many rules, each of which says the label of a thing.

    Parameters
    ----------
    rules : mapping or sequence of functions
        What each rule answers of a thing: a label, or a mapping of labels to probabilities ("93 % chance").
    prior : None, mapping, numbers, function or Code
        Uniform, a probability for each, a weight by a function of the rule's name, or 2^-bits by a `Code`.
    noise : float
        How often an observed label is wrong, whatever the thing; all wrong ones alike. A rule that answers
        with probabilities has its own noise.
    labels : sequence or None
        All labels. None: with noise, those that the rules answer in the first update, two at least; one
        that comes up later is refused, for the noise has been shared out by then.

    Examples
    --------
    The most probable rule says +, but the others together are more probable:

    >>> rules = {"h1": lambda x: "+", "h2": lambda x: "-", "h3": lambda x: "-"}
    >>> belief = Rules(rules, prior={"h1": 0.4, "h2": 0.3, "h3": 0.3})
    >>> belief.rules[belief.map](None), belief.classify(None)
    ('+', '-')
    >>> {label: round(p, 3) for label, p in belief.vote(None).items()}
    {'-': 0.6, '+': 0.4}
    """

    rules: Mapping[Any, Rule] = field(kw_only=True)
    noise: float = field(kw_only=True)
    labels: tuple[Any, ...] | None = field(kw_only=True)
    met: tuple[Any, ...] = field(kw_only=True)  # labels, said or seen so far, where noise makes them count

    def __init__(
        self,
        rules: Mapping[Any, Rule] | Sequence[Rule],
        prior: HypothesisPrior | None = None,
        *,
        noise: float = 0.0,
        labels: Sequence[Any] | None = None,
    ) -> None:
        named = dict(rules) if isinstance(rules, Mapping) else _named(rules)
        names = tuple(named)
        self._set(
            hypotheses=names,
            rules=named,
            noise=noise_rate(noise),
            labels=None if labels is None else _all_labels(labels, noise),
            met=() if labels is None else tuple(labels),
            log_prior=log_prior_of(names, prior),
            log_likelihood=np.zeros(len(names)),
            n=0,
        )

    def update(self, things: Iterable[Any], labels: Iterable[Any]) -> Self:
        """The belief once the labels of some things are seen."""
        pairs = paired(things, labels)
        said = [[rule(x) for x, _ in pairs] for rule in self.rules.values()]
        met = self._meet([y for _, y in pairs], [answer for own in said for answer in own])
        wrong = self.noise / max(len(met) - 1, 1)  # the share of each wrong label
        logs = [
            sum(self._log_prob(answer, y, wrong) for answer, (_, y) in zip(own, pairs, strict=True))
            for own in said
        ]
        new = self._seen(np.array(logs, np.float64), len(pairs))
        new._set(met=met)
        return new

    def _meet(self, seen: list[Any], answers: list[Any]) -> tuple[Any, ...]:
        """The labels that noise is shared out among: which they are may not depend on what was observed."""
        plain = [answer for answer in answers if not isinstance(answer, Mapping)]
        if self.labels is None and not (self.noise and plain):  # nothing is shared out
            return self.met
        first = self.labels is None and not self.met
        met = _distinct(plain) if first else list(self.met)
        for label in [*seen, *plain]:
            if label in met:
                continue
            if self.labels is not None or len(met) > 1:
                raise LikelyError(f"label {label!r} is none of {met!r}: name it in `labels`.")
            met.append(label)
        return tuple(met)

    def history(self, things: Iterable[Any], labels: Iterable[Any]) -> Evolution:
        """The posteriors before the first label and after each of them."""
        return evolution(self, paired(things, labels), lambda belief, row: belief.update([row[0]], [row[1]]))

    def _log_prob(self, answer: object, label: object, wrong: float) -> float:
        """The log-probability of the label that was observed, if a rule answers so."""
        if isinstance(answer, Mapping):
            return float(log(answer.get(label, 0.0)))
        return float(log(1 - self.noise if answer == label else wrong))

    def vote(self, thing: object) -> dict[Any, float]:
        """P(label), each rule voting with its posterior; the most probable first.

        It is the true label that is voted on, not the noise in observing it.
        """
        votes: dict[Any, float] = {}
        for rule, p in zip(self.rules.values(), self.posterior.tolist(), strict=True):
            answer = rule(thing)
            for label, share in answer.items() if isinstance(answer, Mapping) else [(answer, 1.0)]:
                votes[label] = votes.get(label, 0.0) + p * share
        return dict(sorted(votes.items(), key=lambda pair: -pair[1]))

    def classify(self, thing: object) -> Any:
        """The Bayes optimal label: that of most votes. No other way errs less often."""
        self._best(self.log_posterior)
        return next(iter(self.vote(thing)))

    def gibbs(self, thing: object, random_state: RandomState = None) -> Any:
        """The label by one rule drawn from the posterior: at worst it errs twice as often as `classify`."""
        self._best(self.log_posterior)
        rng = np.random.default_rng(random_state)
        answer = self.rules[self.hypotheses[rng.choice(len(self), p=self.posterior)]](thing)
        if not isinstance(answer, Mapping):
            return answer
        labels = list(answer)
        return labels[rng.choice(len(labels), p=[answer[label] for label in labels])]


def paired(things: Iterable[Any], labels: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each thing with its label."""
    given, said = list(things), list(labels)
    if len(given) != len(said):
        raise LikelyError(f"there are {len(given)} things and {len(said)} labels: give one for each.")
    return list(zip(given, said, strict=True))


def _all_labels(labels: Sequence[Any], noise: float) -> tuple[Any, ...]:
    """The labels, checked: each once, and two at least if one may be taken for another."""
    known = tuple(labels)
    if len(_distinct(known)) < len(known):
        raise LikelyError(f"labels={list(known)!r} names a label twice: name each once.")
    if noise and len(known) < 2:
        raise LikelyError(f"labels={list(known)!r}: with noise there is a wrong label too; name it.")
    return known


def _distinct(labels: Sequence[Any]) -> list[Any]:
    """Each label once, in the order in which they come; they need not be hashable.

    >>> _distinct(["b", "a", "b"])
    ['b', 'a']
    """
    labels_once: list[Any] = []
    for label in labels:
        if label not in labels_once:
            labels_once.append(label)
    return labels_once


def noise_rate(noise: float) -> float:
    """The rate of noise, checked."""
    if not isinstance(noise, int | float | np.number) or not 0 <= noise < 1:
        raise LikelyError(f"noise={noise!r}: give the share of wrong labels, from 0 to below 1.")
    return float(noise)


def _named(rules: Sequence[Rule]) -> dict[Hashable, Rule]:
    """Rules by their own names, if they differ, or by their places."""
    names = [getattr(rule, "__name__", "") for rule in rules]
    own = len(set(names)) == len(names) and "<lambda>" not in names and all(names)
    return {
        name if own else f"h{i + 1}": rule for i, (name, rule) in enumerate(zip(names, rules, strict=True))
    }
