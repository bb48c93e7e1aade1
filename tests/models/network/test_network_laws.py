"""Random networks beside the joint table that their tables make: whatever is asked, the answers agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from network_cases import findings, random_tables, weighed
from seeds import seeds

import likely
from likely import Joint, LikelyError, Network
from likely.language.query import name as written

CLOSE = {"rtol": 0, "atol": 1e-12}


@pytest.mark.parametrize("seed", seeds(60, 200))
def test_marginals_explanations_and_the_evidence(seed):
    rng = np.random.default_rng(seed)
    tables = random_tables(rng)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    known = findings(rng, joint)
    cells = weighed(joint, known)
    if not cells.sum():
        with pytest.raises(LikelyError, match="cannot be"):
            network.marginals(known)
        return
    marginals = network.marginals(known)
    assert marginals.log_evidence == pytest.approx(math.log(cells.sum()), abs=1e-12)
    for axis, (name, levels) in enumerate(joint.levels.items()):
        p = cells.sum(axis=tuple(i for i in range(cells.ndim) if i != axis)) / cells.sum()
        own = [marginals[name][level] for level in levels]
        np.testing.assert_allclose(own, p, **CLOSE)
    best = network.most_probable(known)
    assert best.probability == pytest.approx(cells.max() / cells.sum(), rel=1e-12)
    place = tuple(levels.index(best[name]) for name, levels in joint.levels.items())
    assert cells[place] == pytest.approx(cells.max(), rel=1e-12)


@pytest.mark.parametrize("seed", seeds(40, 200))
def test_questions(seed):
    """Events joined by and, or, not; whole variables; information; after conditions with sets."""
    rng = np.random.default_rng(1000 + seed)
    tables = random_tables(rng)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    names = list(joint.names)
    a, b = (str(name) for name in rng.permutation(names)[:2])
    x, y = (joint.levels[name][int(rng.integers(len(joint.levels[name])))] for name in (a, b))
    a, b = written(a), written(b)
    rest = [name for name in names if written(name) not in (a, b)]
    known = ""
    if rest:
        levels = joint.levels[rest[0]]
        some = [str(level) for level in levels[: int(rng.integers(1, len(levels) + 1))]]
        known = f" | {written(rest[0])} in {{{', '.join(some)}}}"
    for question in (
        f"P({a}={x} or not {b}={y}{known})",
        f"P({a}={x}, {b}={y}{known})",
        f"H({a}, {b}{known})",
        f"I({a}; {b}{known})",
        f"odds({b}={y}{known})",
    ):
        assert float(network.ask(question)) == pytest.approx(float(joint.ask(question)), rel=1e-10, abs=1e-12)
    mine, theirs = network.ask(f"P({a}, {b}{known})"), joint.ask(f"P({a}, {b}{known})")
    assert {key: pytest.approx(p, abs=1e-12) for key, p in mine.items()} == dict(theirs.items())


@pytest.mark.parametrize("seed", seeds(40, 200))
def test_actions_are_the_tables_without_the_arcs_into_what_is_done(seed):
    """do(x=v): the product of all tables but that of x, with x at v; with evidence besides."""
    rng = np.random.default_rng(2000 + seed)
    tables = random_tables(rng)
    network = Network.from_tables(tables)
    table = tables[int(rng.integers(len(tables)))]
    name = table.of[0]
    levels = table.levels[name]
    value = levels[int(rng.integers(len(levels)))]
    certain = likely.Conditional(name, [float(v == value) for v in levels], levels={name: list(levels)})
    joint = Joint.product(*(certain if one is table else one for one in tables))
    done = network.do({name: value})
    known = {k: v for k, v in findings(rng, joint, 0.25).items() if not isinstance(v, dict) and k != name}
    cells = weighed(joint, known)
    if not cells.sum():
        return
    for axis, (other, own) in enumerate(joint.levels.items()):
        p = cells.sum(axis=tuple(i for i in range(cells.ndim) if i != axis)) / cells.sum()
        np.testing.assert_allclose([done.marginals(known)[other][v] for v in own], p, **CLOSE)
    hard = {k: v for k, v in known.items() if not isinstance(v, list)}
    if set(hard) == set(known):
        said = "".join(f", {written(k)}={v}" for k, v in hard.items())
        other = (
            next(n for n in joint.names if n != name and n not in hard)
            if len(hard) + 1 < cells.ndim
            else None
        )
        if other is not None:
            answer = network.ask(f"P({written(other)} | do({written(name)}={value}){said})")
            axis = joint.names.index(other)
            p = cells.sum(axis=tuple(i for i in range(cells.ndim) if i != axis)) / cells.sum()
            np.testing.assert_allclose(
                list(answer.values()), [p[joint.levels[other].index(v)] for v in answer], **CLOSE
            )


@pytest.mark.parametrize("seed", range(15))
def test_the_lines_of_an_explanation_sum_and_shapley_does_not_depend_on_the_order(seed):
    rng = np.random.default_rng(3000 + seed)
    tables = random_tables(rng, zeros=0.0)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    about = joint.names[0]
    known = {
        k: set(v) if isinstance(v, list) else v for k, v in findings(rng, joint, 0.8).items() if k != about
    }
    ledger = network.explain(known, about=about)
    assert ledger.base + sum(line.evidence for line in ledger.lines) == pytest.approx(ledger.total, abs=1e-12)
    p = network.marginals(known)[about][ledger.favoured]
    others = 1 - p if ledger.against is None else network.marginals(known)[about][ledger.against]
    assert ledger.total == pytest.approx(math.log(p / others), abs=1e-10)
    shared = network.explain(known, about=about, order="shapley")
    assert shared.base + sum(line.evidence for line in shared.lines) == pytest.approx(shared.total, abs=1e-11)
    turned = network.explain(dict(reversed(known.items())), about=about, order="shapley")
    mine = {line.name: line.evidence for line in shared.lines}
    assert {line.name: pytest.approx(line.evidence, abs=1e-11) for line in turned.lines} == mine


@pytest.mark.parametrize("seed", range(15))
def test_sensitivity_is_the_change_of_the_answer(seed):
    """Each number moved in the table itself, the others of its row in proportion, and asked again."""
    rng = np.random.default_rng(4000 + seed)
    tables = random_tables(rng, most=4, zeros=0.0)
    joint = Joint.product(*tables)
    network = Network.from_tables(tables)
    about = joint.names[0]
    level = joint.levels[about][0]
    known = {k: v for k, v in findings(rng, joint, 0.5).items() if k != about}
    tornado = network.sensitivity(about, level, known, spread=0.02)
    assert tornado.answer == pytest.approx(network.marginals(known)[about][level], abs=1e-12)
    for entry in tornado.entries[:6]:
        table = next(one for one in tables if one.of == (entry.node,))
        moved = _moved(network, table, entry, 0.02)
        answer = Network.from_tables([moved if one is table else one for one in tables])
        assert entry.high == pytest.approx(answer.marginals(known)[about][level], abs=1e-11)


def _moved(network, table, entry, step):
    record = network.record_
    node = record.place[entry.node]
    group = record.configurations(node).index(entry.given)
    k = len(record.levels(node))
    cells = np.array(record.factors.tables[node]).reshape(-1, k)
    own = record.levels(node).index(entry.level)
    p = min(1.0, cells[group, own] + step)
    cells[group] *= (1 - p) / (1 - cells[group, own])
    cells[group, own] = p
    names = [record.names[i] for i in (*record.parents[node], node)]
    levels = {name: list(record.levels(record.place[name])) for name in names}
    shape = [len(own) for own in levels.values()]
    return likely.Conditional(entry.node, cells.reshape(shape), given=names[:-1], levels=levels)


def test_next_question_ranks_by_information():
    rng = np.random.default_rng(5)
    tables = random_tables(rng)
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    about = joint.names[-1]
    mine, theirs = network.next_question(about=about), joint.next_question(about)
    assert {o.name: pytest.approx(o.bits, abs=1e-10) for o in mine.options} == {
        o.name: o.bits for o in theirs.options
    }


def test_a_network_over_twenty_truths_is_its_joint_table():
    rng = np.random.default_rng(6)
    names = [f"t{i}" for i in range(16)]
    tables = []
    for i, name in enumerate(names):
        above = [names[p] for p in rng.permutation(i)[:3]]
        cells = rng.dirichlet([1, 1], 2 ** len(above)).reshape([2] * (len(above) + 1))
        levels = {v: [False, True] for v in (*above, name)}
        tables.append(likely.Conditional(name, cells, given=above, levels=levels))
    network, joint = Network.from_tables(tables), Joint.product(*tables)
    marginals = network.marginals("t3=True, t9=False")
    for name in names:
        p = joint.prob({name: True}, given={"t3": True, "t9": False})
        assert marginals[name][True] == pytest.approx(p, abs=1e-12)
