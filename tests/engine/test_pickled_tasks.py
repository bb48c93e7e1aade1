"""Every task of every model can be sent to where the rows are: pickled, it gives the same bits."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import likely
from likely.engine import MapTask, Memory, ReduceTask

N = 600
RNG = np.random.default_rng(3)
CLASS = RNG.integers(0, 2, N)
NUMBERS = RNG.normal(CLASS[:, None] * [1.0, 0.5, 0.0], 1.0, (N, 3))
GAPS = np.where(RNG.random(NUMBERS.shape) < 0.1, np.nan, NUMBERS)
MIXED = {"x": GAPS[:, 0], "z": GAPS[:, 1], "colour": RNG.choice(["r", "g", "b"], N), "n": RNG.poisson(2, N)}
WEIGHT = (RNG.random(N) > 0.1).astype(float)
LABELS = np.array(["no", "yes"])[CLASS]


def naive_bayes():
    model = likely.NaiveBayes(families={"x": "auto", "n": "auto"}).fit(MIXED, LABELS, WEIGHT)
    yield model.predict_proba(MIXED)
    yield model.log_prob(MIXED, LABELS)
    intervals = model.predict_interval(MIXED, draws=50)
    yield from (intervals.lower, intervals.upper, intervals.cases)
    yield from _ledgers(model.explain(MIXED))
    yield from _ledgers(model.explain(MIXED, "yes", others=True))


def gaussian():
    nothing = np.column_stack([NUMBERS, np.full(N, np.nan)])
    yield likely.GaussianClassifier(covariance="full").fit(nothing, LABELS).predict_proba(nothing)


def mixture():
    model = likely.Mixture("auto", random_state=0, max_iter=5).fit(NUMBERS)
    yield model.predict_proba(NUMBERS)
    yield np.array([one.bits for one in model.curve_.tried])
    classifier = likely.MixtureClassifier(2, random_state=0, max_iter=5).fit(MIXED, LABELS)
    yield from _ledgers(classifier.explain(MIXED))


def impute():
    some = GAPS[:120]
    model = likely.Impute(components=2, random_state=0).fit(some)
    yield model.transform(some)
    yield from model.sample(some, 2, 0)


def markov():
    model = likely.HiddenMarkov(2, random_state=0, max_iter=5).fit(GAPS)
    yield model.predict_proba(GAPS)
    yield model.log_prob(GAPS)
    yield model.predict(GAPS)


def logistic():
    for options in (
        {},
        {"prior": "jeffreys"},
        {"missing": "average"},
        {"solver": "online", "random_state": 0},
    ):
        table = GAPS if "missing" in options else NUMBERS
        model = likely.LogisticRegression(**options).fit(table, LABELS)
        yield model.predict_proba(table)
    model = likely.LogisticRegression().fit(MIXED, LABELS)
    yield model.predict_interval(MIXED, draws=50).lower
    yield model.decision_function(MIXED)
    yield from _ledgers(model.explain(MIXED))


def linear():
    model = likely.LinearRegression().fit(NUMBERS[:, :2], NUMBERS[:, 2])
    yield model.predict(NUMBERS[:, :2])
    yield model.predict_interval(NUMBERS[:, :2]).lower
    yield model.explain(NUMBERS[:, :2]).terms


def posterior():
    numbers = likely.posterior(likely.dist.NormalInverseGamma(0, 1, 1, 1), NUMBERS[:, 0])
    levels = likely.posterior(likely.dist.Dirichlet([1, 1]), LABELS, names=["no", "yes"])
    yield from (np.array(list(belief.mean.values())) for belief in (numbers, levels))


def whiten():
    yield likely.Whiten().fit(NUMBERS, LABELS).transform(NUMBERS)


def network():
    model = likely.Network().fit(MIXED, LABELS)
    yield model.predict_proba(MIXED)
    yield model.log_prob(MIXED)
    rng = np.random.default_rng(0)
    rain = np.where(rng.random(300) < 0.3, None, rng.choice(np.array(["no", "yes"], object), 300))
    rows = {"rain": rain.tolist(), "wet": rng.choice(["dry", "wet"], 300).tolist()}
    model = likely.Network([("rain", "wet")], max_iter=3).fit(rows)
    yield np.array(model.history_)
    yield np.array(model.impute(rows)["rain"]) == "yes"


ROOMS = ("infer", "models", "features")


def one_dependence():
    model = likely.AODE().fit(MIXED, LABELS)
    yield model.predict_proba(MIXED)
    yield from _ledgers(model.explain(MIXED))


def distances():
    yield likely.distances(MIXED)
    yield likely.nearest(MIXED, k=3).distances
    yield np.array([line["score"] for line in likely.Select("relief").fit(MIXED, LABELS).table().lines])


def scanned():
    """Of a table that is not in memory."""
    rows = pa.table({"x": NUMBERS[:, 0], "z": NUMBERS[:, 1], "colour": MIXED["colour"], "y": LABELS})
    model = likely.LogisticRegression(prior=likely.Normal(0, 1)).fit(likely.scan(rows.to_reader(200)), "y")
    yield model.coef_
    evidence = likely.Evidence().fit(likely.scan(rows.to_reader(200)), "y")
    yield from evidence.transform(rows.drop_columns(["y"])).columns
    network = likely.Network("naive").fit(likely.scan(rows.to_reader(200)), "y")
    yield network.log_prob(rows)
    some = pa.array(np.array(MIXED["colour"]).tolist(), mask=np.arange(N) % 20 == 0)
    levels = rows.select(["y"]).append_column("colour", some)  # with gaps, or no row is read
    yield likely.Network("tree").fit(likely.scan(levels.to_reader(200))).log_prob(levels)
    steps = rows.drop_columns(["y"]).append_column("series", pa.array(np.arange(N) // 20))
    chain = likely.HiddenMarkov(2, random_state=0, max_iter=2)
    yield chain.fit(likely.scan(steps.to_reader(200)), groups="series").transmat_


# Run on long tables, near-exact fits and tables that augmentation knows again alone: not by the cases here.
SELDOM = {"SomeRows", "Residuals", "CompletedCounts"}
CASES = (naive_bayes, gaussian, mixture, impute, markov, logistic, linear, network)
CASES += (posterior, whiten, one_dependence, distances, scanned)


def _ledgers(ledgers):
    return ledgers.base, ledgers.terms, ledgers.rest, ledgers.status


def bits(case: Callable) -> list[bytes]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [np.asarray(answer).tobytes() for answer in case()]


@pytest.fixture
def pickled(monkeypatch) -> set[str]:
    """The names of the tasks that came by, each pickled and read back before it was run."""
    names: set[str] = set()

    def sent(run: Callable) -> Callable:
        def over_there(engine: Memory, source: Any, task: Any) -> Any:
            names.add(type(task).__name__)
            return run(engine, source, pickle.loads(pickle.dumps(task)))

        return over_there

    monkeypatch.setattr(Memory, "reduce", sent(Memory.reduce))
    monkeypatch.setattr(Memory, "map", sent(Memory.map))
    return names


def every_task() -> set[str]:
    """The tasks that the source tree has, models' and those of the functions that these stand on."""
    for name in ROOMS:
        package = importlib.import_module(f"likely.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    kinds: list[type] = [MapTask, ReduceTask]
    below = [task for kind in kinds for task in kind.__subclasses__()]
    rooms = tuple(f"likely.{name}." for name in ROOMS)
    return {task.__name__ for task in below if task.__module__.startswith(rooms)}


def test_pickled_tasks_give_the_same_bits(pickled, monkeypatch):
    sent = {case.__name__: bits(case) for case in CASES}
    monkeypatch.undo()
    for case in CASES:
        assert bits(case) == sent[case.__name__], case.__name__
    assert every_task() - pickled <= SELDOM
