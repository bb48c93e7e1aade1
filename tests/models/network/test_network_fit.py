"""Networks that are learnt: counts add, EM climbs, and other models are networks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from network_cases import storm, tennis
from seeds import seeds

import likely
from likely import HiddenMarkov, LikelyError, Mixture, NaiveBayes, Network

COLUMNS = ("class", "sex", "age")


def titanic():
    return likely.read("titanic", into="pandas")


def with_gaps(frame, share, seed=0):
    rng = np.random.default_rng(seed)
    frame = frame.copy()
    for name in frame.columns:
        frame.loc[rng.random(len(frame)) < share, name] = None
    return frame


def test_the_star_is_naive_bayes():
    people = titanic()
    network = Network([("survived", name) for name in COLUMNS]).fit(people, "survived")
    bayes = NaiveBayes(evidence_weights=None).fit(people, "survived")
    for table in (people, with_gaps(people, 0.3)):
        np.testing.assert_allclose(network.predict_proba(table), bayes.predict_proba(table), atol=1e-13)
        np.testing.assert_allclose(network.log_prob(table), bayes.log_prob(table), atol=1e-12)
    assert (network.predict(people) == bayes.predict(people)).all()
    assert network.n_parameters_ == bayes.n_parameters_
    assert network.record_.log_evidence == pytest.approx(bayes.record_.log_evidence, rel=1e-12)


def test_the_star_of_numbers_is_the_diagonal_gaussian_classifier():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, 200)
    table = {"a": rng.normal(kind, 1.0), "b": rng.normal(-kind, 2.0), "kind": [f"k{i}" for i in kind]}
    network = Network([("kind", "a"), ("kind", "b")]).fit(table, "kind")
    gauss = likely.GaussianClassifier("diagonal").fit(table, "kind")
    np.testing.assert_allclose(network.predict_proba(table), gauss.predict_proba(table), atol=1e-12)


def test_a_chain_is_a_hidden_markov_model():
    """Three steps of a known chain: P(state at the end given all that is seen), and of the sequence."""
    first, moves = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])
    emits = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    chain = HiddenMarkov.from_parameters(first, moves, {"seen": likely.Categorical(emits, levels="abc")})
    tables = []
    for t in range(3):
        states = {f"s{t}": [0, 1]}
        if t == 0:
            tables.append(likely.Conditional("s0", first, levels=states))
        else:
            tables.append(
                likely.Conditional(f"s{t}", moves, given=f"s{t - 1}", levels={f"s{t - 1}": [0, 1], **states})
            )
        tables.append(
            likely.Conditional(f"x{t}", emits, given=f"s{t}", levels={**states, f"x{t}": list("abc")})
        )
    network = Network.from_tables(tables)
    for seen in ("aab", "cca", "bcb"):
        known = {f"x{t}": letter for t, letter in enumerate(seen)}
        marginals = network.marginals(known)
        smoothed = chain.predict_proba({"seen": list(seen)})
        for t in range(3):
            np.testing.assert_allclose(list(marginals[f"s{t}"].values()), smoothed[t], atol=1e-13)
        assert marginals.log_evidence == pytest.approx(
            float(np.sum(chain.log_prob({"seen": list(seen)}))), abs=1e-12
        )


@pytest.mark.parametrize("columns", [("a", "b"), ("a", "b", "x")])
def test_a_hidden_class_is_a_mixture_iteration_by_iteration(columns):
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 300)
    table = {
        "a": np.where(rng.random(300) < 0.2 + 0.6 * hidden, "x", "y").tolist(),
        "b": np.where(rng.random(300) < 0.7 - 0.4 * hidden, "u", "v").tolist(),
        "x": rng.normal(2 * hidden, 1.0).tolist(),
    }
    table = {name: table[name] for name in columns}
    labels = (rng.random(300) < 0.3 + 0.4 * hidden).astype(int)
    mixture = Mixture(2, init=labels, prior=None, max_iter=12, tol=0, covariance="diagonal").fit(table)
    network = Network(
        {name: ["group"] for name in columns},
        hidden={"group": 2},
        init={"group": labels.tolist()},
        prior=None,
        max_iter=12,
        tol=0,
    ).fit(table)
    np.testing.assert_allclose(network.history_, mixture.history_, rtol=1e-12)
    np.testing.assert_allclose(
        network.predict_proba(table, of="group"), mixture.predict_proba(table), atol=1e-10
    )


@pytest.mark.parametrize("prior", ["default", None, 0.5])
@pytest.mark.parametrize("seed", seeds(2, 4))
def test_the_objective_of_em_never_falls(seed, prior):
    """A random graph over mixed columns with a third of the cells missing; `em` itself refuses a fall."""
    rng = np.random.default_rng(seed)
    table = storm().sample(200, seed)
    frame = with_gaps(pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in table.items()}), 0.3, seed)
    frame["height"] = np.where(rng.random(200) < 0.2, np.nan, rng.normal(size=200) + (frame["Storm"] == True))  # noqa: E712
    arcs = [*storm().arcs_, ("Storm", "height")]
    network = Network(arcs, prior=prior, kinds=dict.fromkeys(table, "boolean"), max_iter=40).fit(frame)
    assert network.n_iter_ > 1
    assert (np.diff(network.history_) >= -1e-9).all()


def test_pieces_added_are_the_whole_and_weights_are_repetitions():
    # In a mixed order: of rows by class, a half may lack a level and be of another kind.
    people = titanic().sample(frac=1, random_state=0)
    arcs = [("class", "survived"), ("sex", "survived"), ("age", "class")]
    whole = Network(arcs).fit(people)
    half = len(people) // 2
    first = Network(arcs).fit(people[:half])
    pieces = (first + Network(arcs).fit(people[half:]), first.partial_fit(people[half:]))
    for one in pieces:
        assert likely.diff(one, whole).same
    distinct = people.drop_duplicates()
    counts = people.value_counts().reindex(pd.MultiIndex.from_frame(distinct)).to_numpy()
    weighed = Network(arcs).fit(distinct, sample_weight=counts)
    np.testing.assert_allclose(weighed.log_prob(people), whole.log_prob(people), rtol=1e-12)


def test_levels_that_only_one_piece_has_are_taken_in():
    one = {"a": ["x", "x", "y"], "b": ["u", "v", "u"]}
    two = {"a": ["z", "y", "z"], "b": ["w", "w", "v"]}
    both = {name: one[name] + two[name] for name in one}
    arcs = [("a", "b")]
    added = Network(arcs).fit(one) + Network(arcs).fit(two)
    assert likely.diff(added, Network(arcs).fit(both)).same
    assert likely.diff(Network(arcs).fit(one).partial_fit(two), Network(arcs).fit(both)).same


def test_the_past_fades():
    network = Network([("class", "survived")]).fit(titanic())
    assert network.decay(0.5).record_.n == network.record_.n / 2
    with pytest.raises(LikelyError, match="keep"):
        network.decay(2)


def test_other_structures_do_not_add():
    people = titanic()
    with pytest.raises(LikelyError, match="structure"):
        Network([("class", "survived")]).fit(people) + Network([("sex", "survived")]).fit(people)
    with pytest.raises(LikelyError, match="given tables"):
        storm() + storm()


def test_priors_smooth_each_row_of_a_table():
    table = {"a": ["x", "x", "y"], "b": ["u", "v", "u"]}
    network = Network([("a", "b")], prior=2.0).fit(table)
    assert float(network.ask("P(b=u | a=x)")) == pytest.approx((1 + 2) / (2 + 4))
    assert float(Network([("a", "b")], prior=None).fit(table).ask("P(b=u | a=y)")) == 1


@pytest.mark.parametrize("family", ["normal", "poisson", "exponential", "histogram"])
def test_any_family_may_be_below_levels(family):
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, 120)
    table = {"kind": [f"k{i}" for i in kind], "x": rng.poisson(2 + 3 * kind).astype(float) + 1.0}
    kinds = {"x": "count"} if family == "poisson" else None
    network = Network([("kind", "x")], families={"x": family}, kinds=kinds).fit(table)
    bayes = NaiveBayes(families={"x": family}, kinds=kinds, evidence_weights=None).fit(table, "kind")
    np.testing.assert_allclose(
        network.predict_proba(table, of="kind"), bayes.predict_proba(table), atol=1e-12
    )
    assert float(network.ask("E(x | kind=k1)")) == pytest.approx(
        float(bayes.ask("E(x | kind=k1)")), rel=1e-12
    )


def test_a_number_above_others_is_refused_by_name_with_a_remedy():
    table = {"age": [1.5, 2.5, 3.5], "sex": ["m", "f", "m"]}
    with pytest.raises(LikelyError, match=r"'age' is quantitative and cannot be a parent.*Discretize"):
        Network([("age", "sex")]).fit(table)


@pytest.mark.parametrize(
    ("structure", "complaint"),
    [
        ([("a", "b"), ("b", "a")], "circle"),
        ([("a", "nobody")], "no column"),
        ([("a", "b"), ("a", "b")], "twice"),
        ([("a",)], "no pair"),
        ("nonsense", "structure="),
        (3, "structure="),
    ],
)
def test_structures_that_are_none(structure, complaint):
    with pytest.raises(LikelyError, match=complaint):
        Network(structure).fit({"a": ["x", "y"], "b": ["u", "v"]})


def test_graphs_of_networkx_both_ways(tmp_path):
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph([("class", "survived"), ("sex", "survived")])
    network = Network(graph).fit(titanic())
    again = network.to_networkx()
    assert set(again.edges) == {("class", "survived"), ("sex", "survived")}
    assert set(again.nodes) == {*COLUMNS, "survived"}
    assert Network(again).fit(titanic()).arcs_ == network.arcs_
    network.save(tmp_path / "it.likely")
    assert likely.load(tmp_path / "it.likely").arcs_ == network.arcs_
    with pytest.raises(LikelyError, match="directions"):
        Network(nx.Graph([("class", "sex")])).fit(titanic())


@pytest.mark.parametrize("make", ["given", "counted", "em", "numbers"])
def test_files(tmp_path, make):
    people = titanic()
    networks = {
        "given": storm,
        "counted": lambda: Network([("class", "survived")]).fit(people, "survived"),
        "em": lambda: Network([("class", "survived")], hidden={"h": 2}, max_iter=3).fit(
            with_gaps(people, 0.1)
        ),
        "numbers": lambda: Network([("sex", "x")]).fit(people.assign(x=np.arange(len(people)) % 7 + 0.5)),
    }
    network = networks[make]()
    network.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    assert likely.diff(network, again).same
    for name in network.record_.names:
        if network.levels(name):
            assert dict(network.marginals()[name]) == dict(again.marginals()[name])


def test_two_networks_are_compared_number_by_number():
    people = titanic()
    one, two = (Network([("class", "survived")]).fit(part) for part in (people, people[:1000]))
    said = likely.diff(one, two)
    assert not said.same
    assert "survived" in str(said)


def test_files_of_other_programs(tmp_path):
    days = Network([("play", "windy"), ("outlook", "play")]).fit(tennis())
    days.write(tmp_path / "days.bif")
    again = Network.read(tmp_path / "days.bif")
    assert sorted(again.arcs_) == sorted(days.arcs_)
    assert float(again.ask("P(play=yes | windy=True)")) == pytest.approx(
        float(days.ask("P(play=yes | windy=true)")), rel=1e-12
    )
    with pytest.raises(LikelyError, match="levels alone"):
        Network([]).fit({"x": [1.5, 2.5]}).write(tmp_path / "x.bif")


def test_odd_tables():
    one = Network([("a", "b")]).fit({"a": ["x"], "b": ["u"]})
    assert float(one.ask("P(b=u | a=x)")) == 1
    gone = {"a": [None, None, "x"], "b": ["u", None, "v"]}
    network = Network([("a", "b")]).fit(gone)
    assert 0 < float(network.ask("P(b=u)")) < 1
    with pytest.raises(LikelyError, match="no value in any row"):
        Network([("a", "b")]).fit({"a": [None, None], "b": ["u", "v"]})
    with pytest.raises(LikelyError):
        Network([("a", "b")]).fit({"a": [], "b": []})
    with pytest.raises(LikelyError, match="infinity"):
        Network([("b", "x")]).fit({"x": [1.0, np.inf], "b": ["u", "v"]})
