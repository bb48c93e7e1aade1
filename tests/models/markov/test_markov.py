"""Hidden Markov models: against enumeration, against hmmlearn, and on their own promises."""

from __future__ import annotations

import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from seeds import first
from sklearn.base import clone
from sklearn_checks import estimator_checks

import likely
from likely import Bernoulli, Categorical, HiddenMarkov, LikelyError, MultivariateNormal, Normal, Poisson

INITIAL = np.array([0.6, 0.3, 0.1])
MOVES = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
WEATHER = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
MEANS, SDS, RATES = np.array([0.0, 2.0, 5.0]), np.array([1.0, 0.5, 2.0]), np.array([1.0, 4.0, 9.0])


def known_model():
    return HiddenMarkov.from_parameters(
        INITIAL,
        MOVES,
        {
            "sky": Categorical(WEATHER, levels=["clear", "grey", "rain"]),
            "heat": Normal(MEANS, SDS),
            "calls": Poisson(RATES),
        },
    )


TABLE = {
    "sky": ["clear", None, "rain", "grey", "rain", "clear"],
    "heat": [0.3, 1.9, None, 2.2, 6.0, -0.4],
    "calls": [2, 3, 8, None, 11, 0],
}


def row_logs(table):
    """log P(row given state), (s, n), a missing cell adding nothing: by SciPy."""
    n = len(table["heat"])
    logs = np.zeros((3, n))
    for t in range(n):
        sky, heat, calls = (table[name][t] for name in ("sky", "heat", "calls"))
        for s in range(3):
            logs[s, t] += 0 if sky is None else np.log(WEATHER[s, ["clear", "grey", "rain"].index(sky)])
            logs[s, t] += 0 if heat is None else stats.norm.logpdf(heat, MEANS[s], SDS[s])
            logs[s, t] += 0 if calls is None else stats.poisson.logpmf(calls, RATES[s])
    return logs


def enumerated(logs):
    """log P, posteriors (n, s) and the best course, over all courses."""
    n = logs.shape[1]
    courses = np.array(list(itertools.product(range(3), repeat=n)))
    log_p = np.log(INITIAL)[courses[:, 0]] + logs[courses, np.arange(n)].sum(axis=1)
    log_p += np.log(MOVES)[courses[:, :-1], courses[:, 1:]].sum(axis=1)
    p = np.exp(log_p - log_p.max())
    posterior = np.stack([(p[:, None] * (courses == s)).sum(axis=0) for s in range(3)], axis=1) / p.sum()
    return log_p.max() + np.log(p.sum()), posterior, courses[log_p.argmax()]


class TestEnumeration:
    def test_mixed_columns_with_gaps(self):
        model = known_model()
        log_p, posterior, course = enumerated(row_logs(TABLE))
        assert model.log_prob(TABLE) == pytest.approx([log_p], abs=1e-10)
        assert model.score(TABLE) == pytest.approx(log_p / 6, abs=1e-10)
        assert model.predict_proba(TABLE) == pytest.approx(posterior, abs=1e-10)
        assert model.predict(TABLE).tolist() == course.tolist()

    def test_several_sequences(self):
        model = known_model()
        ways = {
            "lengths": (TABLE, {"lengths": [2, 4]}),
            "groups": ({"who": list("bbaaaa"), **TABLE}, {"groups": "who"}),
            "values": (TABLE, {"groups": np.array([7, 7, 9, 9, 9, 9])}),
        }
        parts = [{name: own[at] for name, own in TABLE.items()} for at in (slice(0, 2), slice(2, 6))]
        wanted = [enumerated(row_logs(part)) for part in parts]
        for way, (table, told) in ways.items():
            order = [1, 0] if way == "groups" else [0, 1]  # by name: a before b
            assert model.log_prob(table, **told) == pytest.approx([wanted[k][0] for k in order], abs=1e-10)
            posterior = np.concatenate([own[1] for own in wanted])
            assert model.predict_proba(table, **told) == pytest.approx(posterior, abs=1e-10)
            assert model.predict(table, **told).tolist() == [s for own in wanted for s in own[2]]

    def test_rows_of_sequences_may_alternate(self):
        model = known_model()
        rows = [0, 3, 1, 4, 2, 5]
        mixed = {name: [own[i] for i in rows] for name, own in TABLE.items()}
        who = np.array(["a", "b", "a", "b", "a", "b"])
        apart = model.predict_proba(TABLE, lengths=[3, 3])
        assert model.predict_proba(mixed, groups=who) == pytest.approx(apart[rows], abs=1e-12)

    def test_joint_normal_with_gaps(self):
        means = np.array([[0.0, 0.0], [3.0, 1.0]])
        spreads = np.array([[[1.0, 0.6], [0.6, 2.0]], [[0.5, -0.2], [-0.2, 0.4]]])
        model = HiddenMarkov.from_parameters(
            [0.5, 0.5], [[0.9, 0.1], [0.4, 0.6]], {("a", "b"): MultivariateNormal(means, spreads)}
        )
        table = {"a": [0.1, 2.5, np.nan, np.nan], "b": [0.4, np.nan, 1.2, np.nan]}
        logs = np.zeros((2, 4))
        for s in range(2):
            logs[s, 0] = stats.multivariate_normal.logpdf([0.1, 0.4], means[s], spreads[s])
            logs[s, 1] = stats.norm.logpdf(2.5, means[s, 0], np.sqrt(spreads[s, 0, 0]))
            logs[s, 2] = stats.norm.logpdf(1.2, means[s, 1], np.sqrt(spreads[s, 1, 1]))
        total = -np.inf
        for c in itertools.product(range(2), repeat=4):
            log_p = np.log(0.5) + logs[list(c), range(4)].sum()
            log_p += sum(np.log([[0.9, 0.1], [0.4, 0.6]])[a, b] for a, b in itertools.pairwise(c))
            total = np.logaddexp(total, log_p)
        assert model.log_prob(table) == pytest.approx([total], abs=1e-10)

    def test_truths_and_counts(self):
        model = HiddenMarkov.from_parameters([1, 0], np.eye(2), {"wet": Bernoulli([0.2, 0.9])})
        assert np.exp(model.log_prob({"wet": [True, False, True]})) == pytest.approx([0.2 * 0.8 * 0.2])


def sequences_of(n, seed=0):
    """Three clouds that follow each other by MOVES."""
    rng = np.random.default_rng(seed)
    states = [0]
    for _ in range(n - 1):
        states.append(rng.choice(3, p=MOVES[states[-1]]))
    return np.array(states), rng


class TestSameAsHmmlearn:
    """From the same start after as many iterations, without priors on either side."""

    LENGTHS = (40, 1, 100, 59)

    def start(self, emissions):
        return HiddenMarkov.from_parameters(INITIAL, MOVES, emissions)

    def compare(self, ours, theirs, X, check):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.fit(X, self.LENGTHS)
        assert ours.n_iter_ == 12
        assert ours.initial_ == pytest.approx(theirs.startprob_, abs=1e-8)
        assert ours.transitions_ == pytest.approx(theirs.transmat_, abs=1e-8)
        check(ours, theirs)
        wanted = theirs.score(X, self.LENGTHS)
        assert ours.log_prob(X, lengths=self.LENGTHS).sum() == pytest.approx(wanted, rel=1e-8)
        assert ours.predict_proba(X, lengths=self.LENGTHS) == pytest.approx(
            theirs.predict_proba(X, self.LENGTHS), abs=1e-8
        )
        assert (ours.predict(X, lengths=self.LENGTHS) == theirs.predict(X, self.LENGTHS)).all()

    def fit(self, start, X, **options):
        return HiddenMarkov(3, prior=None, init=start.record_, max_iter=12, tol=0, **options).fit(
            X, lengths=self.LENGTHS
        )

    def peer(self, name, **options):
        hmm = pytest.importorskip("hmmlearn.hmm")
        theirs = getattr(hmm, name)(3, init_params="", n_iter=12, tol=-np.inf, **options)
        theirs.startprob_, theirs.transmat_ = INITIAL, MOVES
        return theirs

    def test_joint_normal(self):
        states, rng = sequences_of(200)
        X = rng.normal(size=(200, 2)) @ [[1, 0.5], [0, 1]] + np.array([[0, 0], [2, 1], [5, -1]])[states]
        means, spreads = np.array([[0.5, 0], [2, 0.5], [4, 0]]), np.tile(np.eye(2) * 2, (3, 1, 1))
        theirs = self.peer("GaussianHMM", covariance_type="full", min_covar=0, covars_prior=0)
        theirs.covars_weight = 2  # it weighs as (weight - columns) rows
        theirs.means_, theirs.covars_ = means, spreads
        start = self.start({("x0", "x1"): MultivariateNormal(means, spreads)})
        frame = pd.DataFrame(X, columns=["x0", "x1"])
        ours = self.fit(start, frame)

        def check(ours, theirs):
            part = ours.record_.core.parts[0].distribution
            assert part.mean == pytest.approx(theirs.means_, abs=1e-8)
            assert part.covariance == pytest.approx(theirs.covars_, abs=1e-8)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # names that hmmlearn's X does not have
            self.compare(ours, theirs, X, check)

    def test_levels(self):
        states, rng = sequences_of(200)
        X = np.array([rng.choice(3, p=WEATHER[s]) for s in states])[:, None]
        theirs = self.peer("CategoricalHMM")
        theirs.emissionprob_ = WEATHER[:, [1, 2, 0]]
        theirs.n_features = 3
        start = self.start({"x0": Categorical(WEATHER[:, [1, 2, 0]], levels=[0, 1, 2])})
        ours = self.fit(start, {"x0": X[:, 0]}, kinds="categorical")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.compare(
                ours,
                theirs,
                X,
                lambda ours, theirs: np.testing.assert_allclose(
                    ours.record_.core.parts[0].distribution.probs, theirs.emissionprob_, atol=1e-8
                ),
            )

    def test_counts(self):
        states, rng = sequences_of(200)
        X = rng.poisson(RATES[states])[:, None]
        theirs = self.peer("PoissonHMM", lambdas_prior=0.0, lambdas_weight=0.0)
        theirs.lambdas_ = RATES[:, None] + 1
        start = self.start({"x0": Poisson(RATES + 1)})
        ours = self.fit(start, {"x0": X[:, 0]}, kinds="count")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.compare(
                ours,
                theirs,
                X,
                lambda ours, theirs: np.testing.assert_allclose(
                    ours.record_.core.parts[0].distribution.mean, theirs.lambdas_, atol=1e-8
                ),
            )


CLOUDS, _ = sequences_of(600, 1)
NUMBERS = np.random.default_rng(2).normal(size=(600, 2)) + 4 * np.stack([CLOUDS, CLOUDS % 2], axis=1)
MIXED = pd.DataFrame(
    {
        "x": np.where(np.arange(600) % 7, NUMBERS[:, 0], np.nan),
        "y": NUMBERS[:, 1],
        "colour": np.array(["red", "green", "blue"])[(CLOUDS + (np.arange(600) % 5 == 0)) % 3],
        "calls": np.random.default_rng(3).poisson(RATES[CLOUDS]),
        "wet": np.random.default_rng(4).random(600) < np.array([0.1, 0.5, 0.9])[CLOUDS],
    }
)


class TestFit:
    @pytest.mark.parametrize("prior", first(1, ["default", None, 0.1]))
    @pytest.mark.parametrize(
        "covariance", ["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]
    )
    def test_the_objective_never_falls(self, covariance, prior):
        model = HiddenMarkov(3, covariance=covariance, prior=prior, init="random", tol=0, max_iter=30)
        model.set_params(random_state=5).fit(MIXED, lengths=[100, 1, 499])  # em() refuses a fall
        assert len(model.history_) == 31
        gains = np.diff(model.history_)
        assert (gains > -1e-9 * np.abs(model.history_[1:])).all()
        assert gains.sum() > 10

    def test_states_are_found_again(self):
        model = HiddenMarkov(3, random_state=0).fit(MIXED)
        names = [np.bincount(model.predict(MIXED)[s == CLOUDS], minlength=3).argmax() for s in range(3)]
        assert sorted(names) == [0, 1, 2]
        assert (np.array(names)[CLOUDS] == model.predict(MIXED)).mean() > 0.97
        moves = np.zeros((3, 3))
        np.add.at(moves, (CLOUDS[:-1], CLOUDS[1:]), 1)
        moves /= moves.sum(axis=1, keepdims=True)
        assert model.transitions_[np.ix_(names, names)] == pytest.approx(moves, abs=0.03)

    def test_without_order_it_is_a_mixture(self):
        # Sequences of one row each: no moves, and the chances of beginnings are the shares of groups.
        start = np.random.default_rng(0).dirichlet(np.ones(3), 600)
        options = {"init": start, "max_iter": 15, "tol": 0, "prior": None}
        chain = HiddenMarkov(3, **options).fit(MIXED, lengths=np.ones(600, int))
        mixture = likely.Mixture(3, **options).fit(MIXED)
        assert chain.history_ == pytest.approx(mixture.history_, rel=1e-9)
        assert chain.predict_proba(MIXED, lengths=np.ones(600, int)) == pytest.approx(
            mixture.predict_proba(MIXED), abs=1e-7
        )

    def test_one_state_is_no_chain(self):
        model = HiddenMarkov(1, prior=None).fit({"x": [1.0, 2.0, 4.0]})
        wanted = stats.norm.logpdf([1, 2, 4], 7 / 3, np.std([1, 2, 4])).sum()
        assert model.log_prob({"x": [1.0, 2.0, 4.0]}) == pytest.approx([wanted], abs=1e-10)

    def test_weights_are_repetitions(self):
        parts = [MIXED[:100], MIXED[100:250]]
        labels = np.concatenate([CLOUDS[:100], CLOUDS[100:250]])
        options = {"max_iter": 8, "tol": 0, "prior": None}
        weighed = HiddenMarkov(3, init=labels, **options).fit(
            pd.concat(parts), lengths=[100, 150], sequence_weight=[2, 1]
        )
        again = HiddenMarkov(3, init=np.concatenate([labels[:100], labels]), **options).fit(
            pd.concat([parts[0], *parts]), lengths=[100, 100, 150]
        )
        assert weighed.history_ == pytest.approx(again.history_, rel=1e-10)
        assert weighed.transitions_ == pytest.approx(again.transitions_, abs=1e-9)

    def test_a_weight_of_nothing_is_no_sequence(self):
        model = HiddenMarkov(2, random_state=0, max_iter=5, tol=0)
        X = MIXED[["y"]]
        some = clone(model).fit(X, lengths=[300, 300], sequence_weight=[1, 0])
        half = clone(model).fit(X[:300])
        assert some.history_[-1] == pytest.approx(half.history_[-1], rel=1e-3)

    def test_pseudo_counts_of_moves(self):
        X = {"x": [0.0, 0.0, 9.0, 9.0, 9.0]}
        model = HiddenMarkov(2, init=[0, 0, 1, 1, 1], kinds="categorical", prior=1, max_iter=0).fit(X)
        # Counted from the labels: 0-0 once, 0-1 once, 1-1 twice, and the first begins; one more of each.
        assert model.transitions_ == pytest.approx(np.array([[2 / 4, 2 / 4], [1 / 4, 3 / 4]]))
        assert model.initial_ == pytest.approx([2 / 3, 1 / 3])

    def test_left_to_right(self):
        x = np.concatenate([np.full(30, 0.0), np.full(20, 5.0), np.full(25, 1.0)])
        x = x + np.random.default_rng(0).normal(size=75) * 0.3
        model = HiddenMarkov(3, transitions="left-to-right").fit({"x": x})
        assert model.initial_.tolist() == [1, 0, 0]
        assert (model.transitions_[[1, 2, 2, 0], [0, 0, 1, 2]] == 0).all()
        assert model.transitions_[2, 2] == 1
        wanted = np.repeat([0, 1, 2], [30, 20, 25])
        assert (model.predict({"x": x}) == wanted).all()
        assert "lasts to the end" in str(model.describe())

    def test_zeros_stay(self):
        ring = [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]]
        model = HiddenMarkov(3, transitions=ring, random_state=0, max_iter=20).fit(NUMBERS)
        assert (model.transitions_[np.array(ring) == 0] == 0).all()
        assert (model.transitions_[np.array(ring) > 0] > 0).all()
        assert model.transitions_.sum(axis=1) == pytest.approx(1)

    def test_auto(self):
        model = HiddenMarkov("auto", random_state=0).fit(NUMBERS)
        assert model.curve_.best == 3 == len(model.classes_)
        best = min(model.curve_.tried, key=lambda one: one.bits)
        # Three states: beginnings, moves, means and covariances of two columns.
        assert best.parameters == 2 + 6 + 3 * (2 + 3)
        wanted = (-model.log_prob(NUMBERS).sum() + 0.5 * 23 * np.log(600)) / np.log(2)
        assert best.bits == pytest.approx(wanted, rel=1e-9)

    def test_goes_on_from_a_model(self):
        options = {"init": "kmeans", "tol": 0, "random_state": 0}
        first = HiddenMarkov(3, max_iter=5, **options).fit(NUMBERS)
        rest = HiddenMarkov(3, init=first, max_iter=5, tol=0).fit(NUMBERS)
        whole = HiddenMarkov(3, max_iter=10, **options).fit(NUMBERS)
        assert rest.history_ == pytest.approx(whole.history_[5:], rel=1e-12)

    def test_threads_change_nothing(self):
        one, two = (HiddenMarkov(3, random_state=0, n_jobs=n).fit(MIXED) for n in (1, 2))
        assert one.history_ == two.history_


class TestAnswers:
    def test_forecast(self):
        model = known_model()
        posterior = enumerated(row_logs(TABLE))[1][-1]
        found = model.forecast(TABLE, 3)
        for step in range(3):
            chances = posterior @ np.linalg.matrix_power(MOVES, step + 1)
            assert found["heat"][step] == pytest.approx(chances @ MEANS, abs=1e-10)
            assert found["sky"][step] == ["clear", "grey", "rain"][(chances @ WEATHER).argmax()]
            masses = chances @ stats.poisson.pmf(np.arange(30), RATES[:, None])
            assert found["calls"][step] == masses.argmax()
            assert found["state"][step] == chances.argmax()
        assert isinstance(HiddenMarkov(2, random_state=0).fit(MIXED).forecast(MIXED), pd.DataFrame)

    def test_ask(self):
        model = known_model()
        posterior = enumerated(row_logs(TABLE))[1]
        assert model.ask("P(state=1)", TABLE, at=3) == pytest.approx(posterior[3, 1], abs=1e-10)
        assert model.ask("P(state=1)", TABLE) == pytest.approx(posterior[-1, 1], abs=1e-10)
        ahead = posterior[-1] @ MOVES @ MOVES
        assert model.ask("E(calls)", TABLE, at=7) == pytest.approx(ahead @ RATES, abs=1e-9)
        # At row 3 nothing is known of the calls, but of the sky and the heat.
        wanted = posterior[3] @ stats.poisson.sf(5, RATES)
        assert model.ask("P(calls > 5)", TABLE, at=3) == pytest.approx(wanted, abs=1e-9)
        with pytest.raises(LikelyError, match="heat"):
            model.ask("P(heat > 5)", TABLE, at=3)
        assert model.ask("P(state=2)", at=0) == pytest.approx(0.1)
        assert model.ask("P(state=2)", at=2) == pytest.approx((INITIAL @ MOVES @ MOVES)[2])
        rainy = model.ask("P(state=2 | sky=rain)", at=0)
        assert rainy == pytest.approx(0.08 / (INITIAL @ WEATHER[:, 2]))

    def test_sample(self):
        model = known_model()
        drawn = model.sample(20_000, random_state=0)
        states = drawn["state"]
        moves = np.zeros((3, 3))
        np.add.at(moves, (states[:-1], states[1:]), 1)
        # Four standard errors: a false alarm in one of some 1,000 seeds for the 9 + 3 figures.
        error = np.sqrt(MOVES * (1 - MOVES) / moves.sum(axis=1, keepdims=True))
        assert (np.abs(moves / moves.sum(axis=1, keepdims=True) - MOVES) < 4 * error).all()
        for s in range(3):
            own = drawn["heat"][states == s]
            assert abs(own.mean() - MEANS[s]) < 4 * SDS[s] / np.sqrt(len(own))
        assert drawn["sky"].tolist() == model.sample(20_000, random_state=0)["sky"].tolist()

    def test_describe(self):
        model = HiddenMarkov(3, random_state=0).fit(MIXED)
        said = model.describe()
        stays = 1 / (1 - model.transitions_[0, 0])
        assert f"lasts {stays:.3g} rows on average" in str(said)
        assert "HiddenMarkov of 'state' given 5 columns, learnt from 600 rows in 1 sequence" in str(said)
        assert said.to_dict()["transitions"] == model.transitions_.tolist()
        assert "<table" in said._repr_html_()

    def test_pickle_clone_and_file(self, tmp_path):
        model = HiddenMarkov("auto", random_state=0, transitions="left-to-right").fit(MIXED[:60])
        model.save(tmp_path / "m.likely")
        for again in (pickle.loads(pickle.dumps(model)), likely.load(tmp_path / "m.likely")):
            assert (again.predict_proba(MIXED) == model.predict_proba(MIXED)).all()
            assert (again.transitions_ == model.transitions_).all()
            assert again.history_ == model.history_
            assert repr(again.curve_) == repr(model.curve_)
            assert str(again.describe()) == str(model.describe())
        assert not hasattr(clone(model), "record_")

    def test_a_file_that_lies(self, tmp_path):
        from dataclasses import replace

        model = HiddenMarkov(2, random_state=0).fit(MIXED[:60])
        model.record_ = replace(model.record_, moves=-model.record_.moves)
        model.save(tmp_path / "m.likely")
        with pytest.raises(LikelyError, match="count of a move"):
            likely.load(tmp_path / "m.likely")


class TestSoundness:
    @pytest.mark.parametrize("states", first(1, [2, 1, 3]))
    @pytest.mark.parametrize(
        "X",
        [
            {"x": [3.0]},
            {"x": [3.0, 3.0, 3.0]},
            {"x": [None, None, None, None]},
            {"x": [1.0, 2.0, 3.0], "gone": [None, None, None]},
            {"x": [1.0, 2.0, 8.0], "same": [5.0, 5.0, 5.0]},
            {"x": ["a"] * 5},
            {"x": [1.0, 2.0, 8.0], "twice": [1.0, 2.0, 8.0]},
            {"x": [1e140, -1e140, 3e140]},
            {"x": [True, False, True]},
        ],
        ids=["row", "constant", "missing", "gone", "same", "level", "collinear", "huge", "truths"],
    )
    def test_defined(self, X, states):
        model = HiddenMarkov(min(states, len(X["x"])), random_state=0).fit(X)
        posterior = model.predict_proba(X)
        assert np.isfinite(posterior).all()
        assert posterior.sum(axis=1) == pytest.approx(1)
        assert np.isfinite(model.history_).all()
        assert model.transitions_.sum(axis=1) == pytest.approx(1)
        assert len(model.predict(X)) == len(X["x"])
        assert str(model.describe())
        model.sample(3, random_state=0)
        model.forecast(X, 2)

    def test_more_states_than_rows_are_refused(self):
        with pytest.raises(LikelyError, match=r"states=4, but the table has 3 rows .*states=3 or fewer"):
            HiddenMarkov(4, random_state=0).fit({"x": [1.0, 2.0, 8.0]})

    def test_sequences_of_one_row(self):
        model = HiddenMarkov(2, random_state=0).fit({"x": [1.0, 1.1, 5.0, 5.1]}, lengths=[1, 1, 1, 1])
        assert model.transitions_ == pytest.approx(np.full((2, 2), 0.5))  # nothing but the prior

    def test_a_sequence_that_cannot_be(self):
        model = HiddenMarkov.from_parameters(
            [1, 0], [[0.5, 0.5], [0, 1]], {"x": Categorical([[1, 0], [0, 1]], levels=["a", "b"])}
        )
        table = {"x": ["a", "b", "a"]}  # there is no way back
        assert model.log_prob(table).tolist() == [-np.inf]
        with pytest.warns(likely.LikelyWarning, match="1 sequence has probability 0"):
            posterior = model.predict_proba(table)
        assert posterior == pytest.approx(np.array([[1, 0], [0.5, 0.5], [0.25, 0.75]]))
        with pytest.warns(likely.LikelyWarning, match="probability 0"):
            model.predict(table)

    def test_unseen_levels_and_infinities(self):
        model = HiddenMarkov(2, random_state=0).fit(MIXED)
        odd = MIXED[:3].assign(colour=["violet", "red", None])
        assert model.predict_proba(odd).sum(axis=1) == pytest.approx(1)
        with pytest.raises(LikelyError, match="row 2"):
            model.predict(MIXED[:3].assign(y=[0, 1, np.inf]))

    @pytest.mark.parametrize(
        ("options", "told", "match"),
        [
            ({"states": 0}, {}, "states=0"),
            ({"states": 2.5}, {}, "states=2.5"),
            ({"transitions": "ring"}, {}, "left-to-right"),
            ({"transitions": np.eye(3)}, {}, "2 by 2"),
            ({"transitions": [[1, 0], [0, 0]]}, {}, "state 1"),
            ({"transitions": [[1, -1], [0, 1]]}, {}, "0 or more"),
            ({"states": "auto", "transitions": np.eye(2)}, {}, "auto"),
            ({}, {"lengths": [3]}, "600 rows"),
            ({}, {"lengths": [600], "groups": "y"}, "both"),
            ({}, {"groups": "who"}, "'who'"),
            ({}, {"sequence_weight": [1, 2]}, "1 sequences"),
            ({"init": "best"}, {}, "init"),
            ({"families": "auto"}, {}, "auto"),
        ],
    )
    def test_errors_say_what_to_do(self, options, told, match):
        with pytest.raises(LikelyError, match=match):
            HiddenMarkov(**options).fit(MIXED, **told)

    def test_known_parameters_that_do_not_fit(self):
        die = Categorical([[0.5, 0.5], [0.1, 0.9]])
        for initial, moves, emissions, match in (
            ([1], np.eye(2), {"x": die}, "do not fit"),
            ([0.5, 0.6], np.eye(2), {"x": die}, "initial"),
            ([0.5, 0.5], np.ones((2, 2)), {"x": die}, "transitions"),
            ([0.5, 0.5], np.eye(2), {}, "at least one"),
            ([0.5, 0.5], np.eye(2), {"x": Normal([0, 1, 2], [1, 1, 1])}, "2 states"),
            ([0.5, 0.5], np.eye(2), {"x": likely.Gamma([1, 2], [1, 1])}, "Gamma"),
        ):
            with pytest.raises(LikelyError, match=match):
                HiddenMarkov.from_parameters(initial, moves, emissions)


@estimator_checks(HiddenMarkov(2, covariance="diagonal", random_state=0))
def test_estimator_checks_of_chains(estimator, check):
    check(estimator)
