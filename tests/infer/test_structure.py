"""Structures against all structures: scores, trees, climbing, search, the exact optimum, limits."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.infer import structure_score, structure_search
from likely.infer.graph import topological_order
from likely.infer.structure import arc_strength, learn_structure
from likely.infer.structure_climb import Climb
from likely.infer.structure_limits import Limits
from likely.infer.structure_orders import OrderSearch, ParentSets
from likely.infer.structure_score import SCORES, FamilyScores, mask, members
from likely.infer.structure_trees import maximum_spanning_tree, mutual_informations
from likely.stats.configurations import Configurations

S, T, H, W, P = range(5)  # outlook (the sky), temperature, humidity, windy, play
FIVE = {  # log-likelihood, free, BIC, BDeu 1, BDeu 10, K2
    "no arcs": (
        ((), (), (), (), ()),
        (-58.802503, 7, -68.039203, -69.947560, -62.404097, -66.143348),
    ),
    "naive Bayes": (
        ((P,), (P,), (P,), (P,), ()),
        (-54.184002, 13, -71.337874, -75.611522, -62.782034, -65.357526),
    ),
    "TAN": (
        ((P,), (S, P), (T, P), (S, P), ()),
        (-43.015228, 29, -81.281559, -82.316711, -63.722562, -63.400818),
    ),
    "Chow-Liu": (
        ((P,), (S,), (T,), (P,), ()),
        (-49.998016, 16, -71.110475, -75.881520, -62.194375, -63.875921),
    ),
    "one arc": (
        ((), (), (T,), (), ()),
        (-55.166868, 9, -67.042626, -69.258938, -61.474606, -64.553530),
    ),
}


def tennis() -> tuple[np.ndarray, tuple[int, ...]]:
    days = likely.read("play_tennis", into="dict")
    codes = np.stack([np.unique(np.asarray(days[c], str), return_inverse=True)[1] for c in days], axis=1)
    return codes, tuple((codes.max(axis=0) + 1).tolist())


def drawn(d: int, n: int, seed: int, share: float = 0.5) -> tuple[np.ndarray, tuple[int, ...]]:
    """Rows of a random network, in which each node depends on some of those before it."""
    rng = np.random.default_rng(seed)
    levels = tuple(rng.integers(2, 4, d).tolist())
    codes = np.zeros((n, d), np.intp)
    for j in range(d):
        of = np.flatnonzero(rng.random(j) < share)[-3:]
        row = codes[:, of] @ np.cumprod([1, *(levels[i] for i in of[:-1])]) if len(of) else np.zeros(n, int)
        tables = rng.dirichlet(np.full(levels[j], 0.5), 27)
        codes[:, j] = (rng.random(n)[:, None] > np.cumsum(tables[row], axis=1)[:, :-1]).sum(axis=1)
    order = rng.permutation(d)
    return codes[:, order], tuple(levels[i] for i in order)


def all_structures(d: int) -> list[tuple[tuple[int, ...], ...]]:
    """Every directed acyclic graph of d nodes."""
    ways = []
    for sets in product(
        *([s for k in range(d) for s in combinations([j for j in range(d) if j != i], k)] for i in range(d))
    ):
        try:
            topological_order(sets)
        except LikelyError:
            continue
        ways.append(sets)
    return ways


@pytest.mark.parametrize("name", FIVE)
def test_the_scores_of_five_structures(name: str):
    rows = Configurations.of(*tennis())
    parents, (likelihood, free, bic, bdeu, bdeu10, k2) = FIVE[name]
    scores = {word: FamilyScores(rows, word) for word in SCORES}
    assert scores["likelihood"].structure(parents) == pytest.approx(likelihood, abs=6e-7)
    assert sum(scores["bic"].free(child, mask(of)) for child, of in enumerate(parents)) == free
    assert scores["bic"].structure(parents) == pytest.approx(bic, abs=6e-7)
    assert scores["mdl"].structure(parents) == pytest.approx(bic / np.log(2), abs=1e-6)
    assert scores["bdeu"].structure(parents) == pytest.approx(bdeu, abs=6e-7)
    assert FamilyScores(rows, "bdeu", 10.0).structure(parents) == pytest.approx(bdeu10, abs=6e-7)
    assert scores["k2"].structure(parents) == pytest.approx(k2, abs=6e-7)


def test_the_exact_optima_of_tennis():
    codes, levels = tennis()
    best = learn_structure(codes, levels, how="exact")
    assert best.score == pytest.approx(-66.888734, abs=6e-7)
    arcs = {frozenset((a, b)) for b, of in enumerate(best.parents) for a in of}
    assert arcs == {frozenset((H, P)), frozenset((H, T))}
    assert (H in best.parents[P]) + (H in best.parents[T]) >= 1  # no collider at humidity
    bdeu = learn_structure(codes, levels, how="exact", score="bdeu")
    assert bdeu.score == pytest.approx(-66.941237, abs=6e-7)
    assert bdeu.parents[P] == (S, T, W)
    assert {bdeu.parents[H], bdeu.parents[T]} == {(T,), ()}


def test_mutual_informations_and_the_trees_of_tennis():
    codes, levels = tennis()
    rows = Configurations.of(codes, levels)
    told = mutual_informations(rows)
    for (a, b), bits in {
        (T, H): 0.374651, (S, P): 0.246750, (S, T): 0.237771, (H, P): 0.151836, (W, P): 0.048127,
        (T, W): 0.039149, (T, P): 0.029223, (S, H): 0.020750, (S, W): 0.005978, (H, W): 0.0,
    }.items():  # fmt: skip
        assert told[a, b] == told[b, a] == pytest.approx(bits, abs=6e-7)
    given = mutual_informations(rows, given=P)
    for (a, b), bits in {
        (S, T): 0.419593, (T, H): 0.419593, (S, W): 0.311752,
        (S, H): 0.222815, (T, W): 0.168895, (H, W): 0.061054,
    }.items():  # fmt: skip
        assert given[a, b] == pytest.approx(bits, abs=6e-7)
    tree = learn_structure(codes, levels, how="tree", root=P)
    assert tree.parents == ((P,), (S,), (T,), (P,), ())
    tan = learn_structure(codes, levels, how="tan", target=P)
    assert tan.parents == ((P,), (P, S), (P, T), (P, S), ())
    total = given[T, H] + given[S, T] + given[S, W]
    assert total == pytest.approx(1.150938, abs=6e-7)
    assert learn_structure(codes, levels, how="naive", target=P).parents == FIVE["naive Bayes"][0]


@pytest.mark.parametrize("seed", range(5))
def test_the_spanning_tree_is_the_best_of_all(seed: int):
    """Of the 125 trees of five nodes."""
    weights = np.random.default_rng(seed).random((5, 5))
    weights += weights.T
    pairs = list(combinations(range(5), 2))

    def spans(edges: tuple[tuple[int, int], ...]) -> bool:
        label = list(range(5))
        for a, b in edges:
            if label[a] == label[b]:
                return False
            label = [label[a] if x == label[b] else x for x in label]
        return True

    trees = [edges for edges in combinations(pairs, 4) if spans(edges)]
    assert len(trees) == 125
    best = max(sum(weights[edge] for edge in edges) for edges in trees)
    for root in range(5):
        tree = maximum_spanning_tree(weights, root)
        assert tree[root] == -1
        assert sum(weights[node, parent] for node, parent in enumerate(tree) if parent >= 0) == pytest.approx(
            best
        )
        topological_order([() if parent < 0 else (parent,) for parent in tree])


@pytest.mark.parametrize("word", SCORES)
@pytest.mark.parametrize("how", ["rows", "weights", "sorted", "one column a time", "distinct"])
def test_every_way_of_counting_gives_one_score(monkeypatch: pytest.MonkeyPatch, word, how: str):
    """Against the table of the family laid out in full, by the textbook's formula."""
    from scipy.special import gammaln

    codes, levels = drawn(6, 200, 3)
    weight = None
    if how == "sorted":
        monkeypatch.setattr("likely.stats.configurations.DENSE", 1)
        codes = codes[:20]
    if how == "one column a time":
        monkeypatch.setattr(structure_score, "BUNDLE", 1)
    if how == "weights":
        weight = np.random.default_rng(0).random(200) * 3
    rows = Configurations.of(codes, levels, weight)
    for child, of in ((0, ()), (1, (0,)), (2, (5, 3)), (4, (0, 1, 2, 5))):
        scores = FamilyScores(rows, word, 2.0)
        if how == "distinct":
            scores = FamilyScores(rows, word, 2.0).within(0b111111)
        more = [j for j in range(6) if j != child and j not in of]
        grown = scores.additions(child, mask(of), more)
        for j, told in [(None, scores.family(child, mask(of))), *zip(more, grown, strict=True)]:
            parents = [*of] if j is None else [*of, j]
            table = np.zeros([levels[i] for i in (*parents, child)])
            np.add.at(table, tuple(codes[:, (*parents, child)].T), 1.0 if weight is None else weight)
            table = table.reshape(-1, levels[child])
            q, k, n = len(table), levels[child], table.sum()
            with np.errstate(all="ignore"):
                likelihood = np.nansum(table * np.log(table / table.sum(axis=1, keepdims=True)))
            if word in ("bdeu", "k2"):
                alpha = 1.0 if word == "k2" else 2.0 / q / k
                truth = (gammaln(k * alpha) - gammaln(k * alpha + table.sum(axis=1))).sum()
                truth += (gammaln(alpha + table) - gammaln(alpha)).sum()
            else:
                truth = likelihood - (0 if word == "likelihood" else q * (k - 1) / 2 * np.log(n))
                truth /= np.log(2) if word == "mdl" else 1
            assert told == pytest.approx(truth, abs=1e-9), (child, parents)


@pytest.mark.parametrize("word", SCORES)
@pytest.mark.parametrize("how", ["rows", "weights", "parts", "many rows", "too large"])
def test_sets_of_parents_counted_together_score_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch, word, how: str
):
    codes, levels = drawn(6, 200, 4)
    weight = np.random.default_rng(0).random(200) * 3 if how == "weights" else None
    if how == "parts":
        monkeypatch.setattr(structure_score, "ROOM", 500)
    if how == "many rows":
        monkeypatch.setattr(structure_score, "FEW", 10)
    if how == "too large":  # tables of more than 20 cells are not laid out
        codes = codes[:5]
        monkeypatch.setattr("likely.stats.configurations.DENSE", 20)
    rows = Configurations.of(codes, levels, weight)
    for child in (0, 3):
        sets = [parents for parents in range(1 << 6) if not parents >> child & 1]
        told = FamilyScores(rows, word, 2.0).families(child, sets)
        for parents, score in zip(sets, told, strict=True):
            alone = FamilyScores(rows, word, 2.0).family(child, parents)
            assert score == pytest.approx(alone, abs=1e-9), (child, parents)


@pytest.mark.parametrize("word", ["bic", "mdl", "bdeu", "k2"])
@pytest.mark.parametrize("seed", range(3))
def test_the_exact_optimum_is_the_best_of_all_543(word, seed: int):
    codes, levels = drawn(4, (12, 60, 400)[seed], seed, 0.8)
    scores = FamilyScores(Configurations.of(codes, levels), word)
    limits = Limits.of(4, required=[(0, 2)], forbidden=[(1, 0)], max_parents=2) if seed == 2 else Limits.of(4)
    ways = [way for way in all_structures(4) if within(way, limits)]
    assert seed == 2 or len(ways) == 543
    best = max(scores.structure(way) for way in ways)
    learnt = learn_structure(codes, levels, how="exact", score=word, limits=limits)
    assert learnt.score == pytest.approx(best, abs=1e-9)
    assert scores.structure(learnt.parents) == pytest.approx(best, abs=1e-9)
    assert within(learnt.parents, limits)
    assert learn_structure(codes, levels, score=word, limits=limits).score == pytest.approx(best, abs=1e-9)


def within(parents: tuple[tuple[int, ...], ...], limits: Limits) -> bool:
    return all(
        not mask(of) & ~limits.allowed[node]
        and not limits.required[node] & ~mask(of)
        and len(of) <= limits.max_parents
        for node, of in enumerate(parents)
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_search_of_eleven_nodes_reaches_the_exact_optimum(seed: int):
    """More nodes than candidates, so that the candidates have to be the right ones; seeds are fixed."""
    codes, levels = drawn(11, 1500, 40 + seed, 0.3)
    exact = learn_structure(codes, levels, how="exact", limits=Limits.of(11, max_parents=4))
    search = learn_structure(codes, levels, effort=2, limits=Limits.of(11, max_parents=4))
    assert search.score == pytest.approx(exact.score, abs=1e-6)
    assert learn_structure(codes, levels, how="climb").score <= search.score + 1e-9


@pytest.mark.parametrize("how", ["climb", "tabu", "search"])
def test_no_single_move_is_better(how):
    codes, levels = drawn(7, 800, 9, 0.4)
    learnt = learn_structure(codes, levels, how=how)
    scores = FamilyScores(Configurations.of(codes, levels), "bic")
    now = [set(of) for of in learnt.parents]
    for a, b in product(range(7), repeat=2):
        for flipped in ({b: now[b] ^ {a}}, {b: now[b] - {a}, a: now[a] | {b}} if a in now[b] else {}):
            tried = [flipped.get(node, of) for node, of in enumerate(now)]
            if a == b:
                continue
            try:
                topological_order(tried)
            except LikelyError:
                continue
            assert scores.structure([sorted(of) for of in tried]) <= learnt.score + 1e-9


def test_the_score_of_a_climb_is_the_sum_of_its_moves():
    codes, levels = drawn(7, 500, 2)
    scores = FamilyScores(Configurations.of(codes, levels), "bic")
    climb = Climb(scores, Limits.of(7), [0] * 7)
    seen: list[float] = []
    climb.run(lambda what, score: seen.append(score))
    assert seen == sorted(seen)
    assert climb.score == pytest.approx(scores.structure([members(of) for of in climb.parents]), abs=1e-9)


@pytest.mark.parametrize("how", ["climb", "tabu", "search", "exact"])
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_limits_are_kept(how, score):
    codes, levels = drawn(8, 300, 5)
    limits = Limits.of(
        8,
        required=[(1, 0), (2, 0), (7, 3)],
        forbidden=[(4, 5), (5, 4)],
        tiers=[[7, 1], [3, 0, 6]],
        max_parents=3,
    )
    learnt = learn_structure(codes, levels, how=how, score=score, limits=limits)
    assert within(learnt.parents, limits)
    assert {1, 2} <= set(learnt.parents[0])
    assert not {3, 0, 6} & set(learnt.parents[7])
    assert 4 not in learnt.parents[5]
    topological_order(learnt.parents)


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("'a' stands in two", {"tiers": [[0], [0, 1]]}),
        ("required arc 'b' -> 'a': it is forbidden", {"required": [(1, 0)], "forbidden": [(1, 0)]}),
        ("required arc 'b' -> 'a'.*tiers", {"required": [(1, 0)], "tiers": [[0], [1]]}),
        ("circle, 'a' -> 'b' -> 'a'", {"required": [(0, 1), (1, 0)]}),
        ("'c' has 2 required parents", {"required": [(0, 2), (1, 2)], "max_parents": 1}),
        ("max_parents=-1", {"max_parents": -1}),
    ],
)
def test_limits_that_contradict_themselves_are_refused(said: str, options: dict):
    with pytest.raises(LikelyError, match=said):
        Limits.of(3, names=["a", "b", "c"], **options)


def test_an_order_knows_its_best_structure():
    codes, levels = drawn(6, 300, 1)
    scores = FamilyScores(Configurations.of(codes, levels), "bic")
    limits = Limits.of(6)
    lists = [ParentSets.of(scores, node, 0b111111 & ~(1 << node), limits) for node in range(6)]
    orders = OrderSearch(lists, limits.required)
    rng = np.random.default_rng(0)
    for _ in range(5):
        order = rng.permutation(6).tolist()
        best = 0.0
        for place, node in enumerate(order):
            before = order[:place]
            best += max(
                scores.family(node, mask(of)) for k in range(place + 1) for of in combinations(before, k)
            )
        assert orders.score(order) == pytest.approx(best, abs=1e-9)
        assert scores.structure([members(of) for of in orders.structure(order)]) == pytest.approx(
            best, abs=1e-9
        )
        start, gained = orders.score(order), orders.improve(order, 0b111111)
        assert orders.score(order) == pytest.approx(start + gained, abs=1e-9)
        for node, place in product(range(6), repeat=2):  # no insertion gains
            moved = [other for other in order if other != node]
            moved.insert(place, node)
            assert orders.score(moved) <= orders.score(order) + 1e-8


def test_the_same_rows_give_the_same_structure_in_any_order():
    codes, levels = drawn(12, 600, 8, 0.3)
    first = learn_structure(codes, levels)
    assert learn_structure(codes, levels) == first
    again = learn_structure(np.random.default_rng(0).permutation(codes), levels)
    assert again.score == pytest.approx(first.score, abs=1e-8)
    weight = np.random.default_rng(1).integers(0, 3, 600)
    weighed = learn_structure(codes, levels, weight)
    assert weighed.score == pytest.approx(learn_structure(np.repeat(codes, weight, axis=0), levels).score)


@pytest.mark.parametrize("how", ["climb", "search", "exact"])
def test_stopping_keeps_the_best(how, monkeypatch: pytest.MonkeyPatch):
    codes, levels = drawn(10, 400, 6)
    seen: list[float] = []

    def stop(what: str, score: float) -> None:
        if what == "parent sets":
            raise KeyboardInterrupt
        seen.append(score)
        if len(seen) == 3 and how != "exact":
            raise KeyboardInterrupt

    learnt = learn_structure(codes, levels, how=how, progress=stop)
    assert learnt.interrupted
    assert learnt.score == pytest.approx(max(seen), abs=1e-9)
    assert learnt.trace[-1][1] == seen[-1]


def test_strength_tells_arcs_from_noise():
    """a - b strong, c apart: b copies a in 9 of 10 rows of 300."""
    rng = np.random.default_rng(0)
    a, c = rng.integers(0, 2, (2, 300))
    b = np.where(rng.random(300) < 0.9, a, 1 - a)
    strength = arc_strength(np.stack([a, b, c], axis=1), (2, 2, 2), n=30, how="climb")
    assert strength.n == 30
    assert strength.adjacent[0, 1] == 1.0
    assert strength.adjacent[0, 2] < 0.4
    assert [set(arc[:2]) for arc in strength.consensus()] == [{0, 1}]
    assert (strength.arcs.diagonal() == 0).all()


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("structure='best'", {"how": "best"}),
        ("score='aic'", {"score": "aic"}),
        ("ess=0", {"score": "bdeu", "ess": 0}),
        ("name the target", {"how": "tan"}),
        ("limits for 3 columns", {"limits": Limits.of(3)}),
        ("not allowed", {"limits": Limits.of(5, required=[(0, 1)]), "start": [()] * 5}),
        ("circle", {"start": [(1,), (0,), (), (), ()]}),
    ],
)
def test_what_cannot_be_learnt_is_refused(said: str, options: dict):
    codes, levels = tennis()
    with pytest.raises(LikelyError, match=said):
        learn_structure(codes, levels, **options)


def test_more_nodes_than_the_exact_search_takes_are_refused():
    with pytest.raises(LikelyError, match="21 nodes"):
        learn_structure(np.zeros((2, 21), int), (2,) * 21, how="exact")


@pytest.mark.parametrize(
    "codes",
    [np.zeros((1, 3), int), np.zeros((50, 3), int), np.arange(3)[None] % 2],
    ids=["row", "constant", "one"],
)
@pytest.mark.parametrize("score", ["bic", "bdeu", "k2"])
def test_odd_rows_have_no_arcs(codes: np.ndarray, score):
    learnt = learn_structure(codes, (2, 2, 2), score=score)
    topological_order(learnt.parents)
    assert score == "bdeu" or learnt.parents == ((), (), ())  # where parents cannot vary, BDeu may like arcs
    assert np.isfinite(learnt.score)
    one = learn_structure(np.zeros((5, 1), int), (1,), score=score)
    assert one.parents == ((),)


def test_columns_beyond_the_candidates_are_reached_by_climbing(monkeypatch: pytest.MonkeyPatch):
    """With next to no candidates the search is still no worse than climbing."""
    monkeypatch.setattr(structure_search, "CANDIDATES", 1)
    codes, levels = drawn(9, 700, 12, 0.4)
    climbed = learn_structure(codes, levels, how="climb").score
    assert learn_structure(codes, levels).score >= climbed - 1e-9


def test_of_few_columns_the_search_takes_the_best_of_all():
    """Weak dependences of a child on two parents, where climbing may end a little below the best."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 3, 3000), rng.integers(0, 2, 3000)
        c = (rng.random(3000) < 0.3 + 0.06 * ((a + b) % 2)).astype(int)
        codes = np.stack([a, b, c, rng.integers(0, 2, 3000) ^ (c & b)], axis=1)
        searched, exact = (learn_structure(codes, (3, 2, 2, 2), how=how) for how in ("search", "exact"))
        assert searched.score == pytest.approx(exact.score, rel=1e-12)
