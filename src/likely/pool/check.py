"""Whether the parts of a pool fit together: what a file says is not believed before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.estimator.check_column import check_column, check_schema, check_target, demand
from likely.models.groups.check import HEAVIEST, check_finite
from likely.pool.members.additive import AdditiveMember
from likely.pool.members.boost import BoostMember
from likely.pool.members.evidence import EvidenceMember
from likely.pool.members.forest import ForestMember
from likely.pool.members.kernel import KernelMember
from likely.pool.members.net import NetMember
from likely.pool.members.repeated import RepeatedMember
from likely.pool.members.symmetric import SymmetricMember
from likely.pool.members.tree_cells import tree_cells
from likely.pool.members.trees import Trees
from likely.pool.number_record import NumberPoolRecord
from likely.pool.pooling import Pool
from likely.pool.reading.reading import Reading, View, coded, texts
from likely.pool.reading.scores import n_scores
from likely.pool.recipe import MEMBERS
from likely.pool.record import PoolRecord

Floats = NDArray[np.float64]

KINDS = (
    AdditiveMember,
    BoostMember,
    EvidenceMember,
    ForestMember,
    KernelMember,
    NetMember,
    RepeatedMember,
    SymmetricMember,
)


def check_pool(record: PoolRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
    check_target(record.target)
    g = len(record.classes)
    check_finite("the counts of its classes", record.class_counts, (g,))
    counts = record.class_counts
    demand(bool(((counts >= 0) & (counts < HEAVIEST)).all()) and counts.sum() > 0, "a count is no count")
    _check_parts(record, g, n_scores(g))


def check_number_pool(record: NumberPoolRecord) -> None:
    """The same of a pool of a number."""
    check_column(record.target)
    demand(record.target.levels is None, "its target is no number")
    numbers = np.array([record.centre, record.unit, record.weight])
    check_finite("the scale of its target", numbers, (3,))
    demand(record.unit > 0 and 0 < record.weight < HEAVIEST, "its target has no scale")
    support = record.support
    demand(not support.low > support.high and 0 < support.nearest < 100, "its target has no support")
    tallies = record.reading.tallies
    demand(tallies.ndim == 2 and tallies.shape[1] > 0, "its bins were counted wrongly")
    _check_parts(record, tallies.shape[1], 1)
    errors, k = record.errors, len(record.errors.knots)
    check_finite("the knots of its errors", errors.knots, (k,))
    check_finite("the shares of its errors", errors.shares, (k,))
    check_finite("the tails of its errors", errors.tails, (2,))
    rising = k > 1 and bool((np.diff(errors.knots) > 0).all() and (np.diff(errors.shares) > 0).all())
    demand(rising and errors.shares[0] > 0 and errors.shares[-1] < 1, "its errors are not distributed")
    demand(bool((errors.tails > 0).all()) and errors.moments[1] > 0, "its errors have no tails")
    demand((record.size is None) is (not record.members), "its errors have no size")
    if record.size is not None:
        p = len(record.size.design.source)
        check_finite("the size of its errors", np.append(record.size.slopes, record.size.usual), (p + 1,))
        check_finite("the centre of its errors", record.size.centre, (p,))
        demand(abs(record.size.usual) < 100, "its errors have no size")
        with np.errstate(all="ignore"):
            check_finite("what it says", record.said(_two_rows(record.reading)), (2, 2))


def _check_parts(record: Pool, g: int, t: int) -> None:
    """What pools of all sorts are made of, where g groups are counted and rows have t scores."""
    check_schema(record.schema)
    m = len(record.names)
    demand(len(record.members) == m and set(record.names) <= set(MEMBERS), "its members are not known")
    check_finite("the weights of its members", record.weights, (m,))
    check_finite("its constants", record.constants, (t,))
    check_finite("the losses of its members", np.append(record.losses, record.loss), (m + 1,))
    demand(bool((record.weights >= 0).all()), "a member counts for less than nothing")
    _check_reading(record.reading, g)
    for member, weight in zip(record.members, record.weights, strict=True):
        demand((member is None) is bool(weight == 0), "a member that counts is not there")
        demand(member is None or isinstance(member, KINDS), "a member is none")
    _check_answers(record, t)


def _check_reading(reading: Reading, g: int) -> None:
    scales, m = reading.scales, len(reading.scales.mean)
    check_finite("the means of its columns", scales.mean, (m,))
    check_finite("the units of its columns", scales.sd, (m,))
    demand(bool((scales.sd > 0).all()), "a unit is 0")
    for values, ends in ((scales.knots, scales.knot_ends), (scales.edges, scales.edge_ends)):
        inside = ends.shape == (m + 1,) and ends[0] == 0 and bool((np.diff(ends) >= 0).all())
        demand(inside and ends[-1] == len(values), "the quantiles of its columns are cut wrongly")
        check_finite("the quantiles of its columns", values, (len(values),))
    check_finite("the ranks of its columns", scales.ranks, scales.knots.shape)
    said = texts(reading.schema)
    demand(len(reading.words) == len(said), "its texts are not read")
    for words, j in zip(reading.words, said, strict=True):
        check_finite("what was counted of words", words.holding, (len(reading.schema.columns[j].known), g))
        check_finite("what was counted of classes", words.classes, (g,))
        demand(
            bool((words.holding >= 0).all() and (words.classes >= 0).all()), "less than nothing was counted"
        )
    d = m + len(coded(reading.schema))
    demand(reading.n_bins.shape == (d,) == reading.gaps.shape, "its bins are not those of its columns")
    demand(bool((reading.n_bins >= 0).all()), "a column has fewer than no bins")
    levels = [len(reading.schema.columns[j].known) for j in coded(reading.schema)]
    own = np.concatenate([scales.n_bins, levels]) + reading.gaps
    demand(bool((own == reading.n_bins).all()), "its bins are not those that its columns are cut into")
    total = int(reading.n_bins.sum())
    demand(len(reading.source) == d, "its columns are read as others")
    check_finite("what was counted", reading.tallies, (total, g))
    demand(bool((reading.tallies >= 0).all()), "less than nothing was counted")
    rows, groups = reading.donors, reading.donor_groups
    demand(
        rows.ndim == 2 and rows.shape[1:] == (d,) and groups.shape == rows.shape[:1], "its rows are not whole"
    )
    demand(bool(((rows >= 0) & (rows < reading.n_bins)).all()), "a row lies in no bin")
    demand(len(groups) > 0 and bool(((groups >= 0) & (groups < g)).all()), "a row is of no group")


def _check_trees(trees: Trees, leaves: int, columns: int) -> None:
    nodes = len(trees.feature)
    demand(leaves == nodes, "a tree has leaves that say nothing")
    same = all(part.shape == (nodes,) for part in (trees.threshold, trees.left, trees.right, trees.gaps_left))
    demand(same and nodes > 0, "a tree has parts of different lengths")
    for place in (trees.left, trees.right, trees.roots):
        demand(bool(((place >= 0) & (place < nodes)).all()), "a tree leads nowhere")
    looked_at = bool(((trees.feature >= 0) & (trees.feature < columns)).all())
    demand(looked_at and 0 <= trees.depth <= nodes, "a tree looks at no column")


def _check_questions(member: SymmetricMember, columns: int) -> None:
    asked, start = member.columns, np.asarray(member.start)
    whole = asked.ndim == 3 and asked.shape == member.thresholds.shape and start.ndim == 2
    demand(
        whole and len(asked) == len(start) and asked.shape[2] < 32, "a tree has questions without an answer"
    )
    leaves = *asked.shape[:2], 1 << asked.shape[2], start.shape[1]
    demand(member.leaves.shape == leaves, "a tree has other leaves")
    demand(bool(((asked >= 0) & (asked < columns)).all()), "a tree looks at no column")


def _two_rows(reading: Reading) -> View:
    """A row of which nothing is known, and one of which all is."""
    m = reading.n_numbers
    numbers = np.stack([np.full(m, np.nan), reading.scales.mean])
    levels = np.zeros((2, len(reading.n_bins) - m), np.intp)
    levels[0] = -1
    return View(reading, numbers, reading.bins(numbers, np.minimum(levels, reading.n_bins[m:] - 1)))


def _check_answers(record: Pool, t: int) -> None:
    """Every member must have an answer for such rows."""
    reading, view = record.reading, _two_rows(record.reading)
    for member in record.members:
        if member is not None:
            _check_member(member, view, t)
    demand((record.projection is None) is (not record.members), "it has no lines for its ledgers")
    if record.projection is not None:
        terms = record.projection.terms(view)
        demand(terms.shape == (2, len(reading.schema.columns), t), "its ledgers have other lines")
        check_finite("the base of its ledgers", record.projection.base, (t,))


def _check_member(member: Any, view: View, t: int) -> None:
    if isinstance(member, RepeatedMember):
        demand(len(member.members) > 0, "a member is repeated no time")
        for one in member.members:
            demand(isinstance(one, KINDS) and not isinstance(one, RepeatedMember), "a member is none")
            _check_member(one, view, t)
    if isinstance(member, BoostMember | ForestMember):
        leaves = member.adds if isinstance(member, BoostMember) else member.leaves
        _check_trees(member.trees, len(leaves), tree_cells(view).shape[1])
    if isinstance(member, SymmetricMember):
        _check_questions(member, tree_cells(view).shape[1])
    _demand_scores(_answer(member, view), t)


def _answer(member: Any, view: View) -> Floats:
    with np.errstate(all="ignore"):
        folds = member.by_fold(view)
        scores: Floats = member.scores(view)
    demand(folds is None or folds.shape[1:] == scores.shape, "a member has folds of another shape")
    return scores


def _demand_scores(scores: Floats, t: int) -> None:
    demand(scores.shape == (2, t) and not np.isnan(scores).any(), "a member does not answer with scores")
