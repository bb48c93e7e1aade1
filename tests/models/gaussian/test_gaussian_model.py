"""What people do with a Gaussian classifier: add, take out, fade, weigh, ask, explain, draw, sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

import likely
from likely import GaussianClassifier, KnownVariance, LikelyError, LikelyWarning, NaiveBayes
from likely.models.gaussian.shapes import SHAPES

RNG = np.random.default_rng(6)
N = 240
Y = RNG.integers(0, 3, N)
X = (RNG.normal(size=(N, 3)) + 0.8 * Y[:, None]) @ RNG.normal(size=(3, 3)) + [0, 50, -3]
LEVEL = np.where(RNG.random(N) < 0.2 + 0.3 * Y, "u", "v")
TABLE = pd.DataFrame(X, columns=["a", "b", "c"]).assign(level=LEVEL)

MODELS = {
    **{shape: {"covariance": shape} for shape in SHAPES},
    "shrunk": {"shrinkage": 0.3},
    "tied-shrunk": {"covariance": "tied", "shrinkage": 0.3},
    "ledoit-wolf": {"shrinkage": "ledoit_wolf"},
    "tied-ledoit-wolf": {"covariance": "tied", "shrinkage": "ledoit_wolf"},
    "predictive": {"estimate": "predictive"},
    "spherical-predictive": {"covariance": "spherical", "estimate": "predictive"},
    "tied-diagonal-predictive": {"covariance": "tied_diagonal", "estimate": "predictive"},
    "tied-spherical-ml": {"covariance": "tied_spherical", "prior": None},
    "ml": {"prior": None},
}
every_model = pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)


@every_model
def test_parts_add_up_and_can_be_taken_out(settings):
    def fit(rows):
        return GaussianClassifier(**settings).fit(TABLE[rows], Y[rows])

    first = np.arange(N) < 100
    whole, one, other = fit(first | True), fit(first), fit(~first)
    expected = whole.predict_log_proba(TABLE)
    assert (one + other).predict_log_proba(TABLE) == pytest.approx(expected, rel=1e-8, abs=1e-8)
    later = fit(first).partial_fit(TABLE[~first], Y[~first])
    assert later.predict_log_proba(TABLE) == pytest.approx(expected, rel=1e-8, abs=1e-8)
    left = (whole - other).predict_log_proba(TABLE)
    assert left == pytest.approx(one.predict_log_proba(TABLE), rel=1e-6, abs=1e-6)


@every_model
def test_a_class_that_only_the_rest_had_goes_with_it(settings):
    rest = Y == 2
    whole = GaussianClassifier(**settings).fit(TABLE, Y)
    left = whole - GaussianClassifier(**settings).fit(TABLE[rest], Y[rest])
    direct = GaussianClassifier(**settings).fit(TABLE[~rest], Y[~rest])
    assert left.classes_.tolist() == [0, 1]
    assert left.predict_log_proba(TABLE) == pytest.approx(direct.predict_log_proba(TABLE), rel=1e-6, abs=1e-6)


@every_model
def test_weights_are_copies_and_threads_change_nothing(settings):
    weight = RNG.integers(0, 3, N)
    weighted = GaussianClassifier(**settings).fit(TABLE, Y, sample_weight=weight)
    again = GaussianClassifier(**settings, n_jobs=2).fit(
        TABLE.loc[TABLE.index.repeat(weight)], Y.repeat(weight)
    )
    assert weighted.predict_log_proba(TABLE) == pytest.approx(
        again.predict_log_proba(TABLE), rel=1e-7, abs=1e-7
    )
    plain = GaussianClassifier(**settings).fit(TABLE, Y)
    threads = GaussianClassifier(**settings, n_jobs=3).fit(TABLE, Y)
    assert (plain.predict_proba(TABLE) == threads.predict_proba(TABLE)).all()


@every_model
def test_the_ledger_adds_up(settings):
    model = GaussianClassifier(**settings).fit(TABLE, Y)
    rows = TABLE.copy()
    rows.loc[5:30, "a"] = np.nan
    rows.loc[20:40, "b"] = np.nan
    rows.loc[25:50, "level"] = None
    ledgers = model.explain(rows, favoured=2, against=0)
    logs = model.predict_log_proba(rows)
    odds = logs[:, 2] - logs[:, 0]
    terms = np.column_stack([ledgers.base, ledgers.terms, ledgers.rest])
    assert np.abs(terms.sum(axis=1) - odds).max() <= 1e-12 * np.abs(terms).sum(axis=1).max()
    if settings == MODELS["full"]:
        part = model.record_.core.parts[0].distribution
        assert ledgers.rest_names == ("log-determinant",)
        z = (X - part.mean[2]), (X - part.mean[0])
        inverse = np.linalg.inv(part.covariance)
        shares = -0.5 * (z[0] * (z[0] @ inverse[2]) - z[1] * (z[1] @ inverse[0]))
        assert ledgers.terms[60:, :3] == pytest.approx(shares[60:], rel=1e-9, abs=1e-11)
        dets = np.linalg.slogdet(part.covariance)[1]
        assert ledgers.rest[60:, 0] == pytest.approx(np.full(N - 60, (dets[0] - dets[2]) / 2), rel=1e-10)


@pytest.mark.parametrize("shape", ["full", "tied"])
def test_missing_cells_are_integrated_out(shape):
    model = GaussianClassifier(covariance=shape).fit(X, Y)
    part, base = model.record_.core.parts[0].distribution, np.exp(model.record_.core.log_weights)
    for gaps in ([0], [1, 2], [0, 1, 2]):
        rows = X[:20].copy()
        rows[:, gaps] = np.nan
        keep = np.setdiff1d(np.arange(3), gaps)
        joint = np.tile(np.log(base), (20, 1))
        for group in range(3):
            if len(keep):
                own = multivariate_normal(part.mean[group, keep], part.covariance[group][np.ix_(keep, keep)])
                joint[:, group] += own.logpdf(rows[:, keep])
        expected = np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))
        assert model.predict_proba(rows) == pytest.approx(expected, rel=1e-9)


def test_columns_of_other_kinds_are_independent_parts():
    model = GaussianClassifier(covariance="tied").fit(TABLE, Y)
    numbers = GaussianClassifier(covariance="tied").fit(TABLE[["a", "b", "c"]], Y)
    levels = NaiveBayes().fit(TABLE[["level"]], Y)
    joint = numbers.predict_log_proba(TABLE[["a", "b", "c"]]) + levels.predict_log_proba(TABLE[["level"]])
    joint -= numbers.record_.core.log_weights
    expected = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    assert model.predict_proba(TABLE) == pytest.approx(expected, rel=1e-9)
    assert [ranking.chosen for ranking in model.families_] == ["tied_normal"] * 3 + ["categorical"]


def test_columns_with_a_family_of_their_own():
    model = GaussianClassifier(families={"b": "normal"}).fit(TABLE, Y)
    found = {ranking.column: ranking.chosen for ranking in model.families_}
    assert found["a"] == found["c"] == "multivariate_normal"
    assert found["b"] == "normal"


@every_model
def test_asking_sampling_and_intervals(settings):
    model = GaussianClassifier(**settings).fit(TABLE, pd.Series(Y, name="y"))
    row = {"a": [float(X[0, 0])], "b": [float(X[0, 1])], "c": [float(X[0, 2])], "level": ["u"]}
    question = f"P(y=1 | a={row['a'][0]!r}, b={row['b'][0]!r}, c={row['c'][0]!r}, level=u)"
    assert float(model.ask(question)) == pytest.approx(model.predict_proba(pd.DataFrame(row))[0, 1], rel=1e-9)
    drawn = model.sample(4000, random_state=0)
    means = drawn.groupby("y")["a"].mean()
    expected = [float(model.ask(f"E(a | y={label})")) for label in range(3)]
    # Six standard errors of about 1300 rows each.
    assert means.to_numpy() == pytest.approx(expected, abs=6 * drawn["a"].std() / np.sqrt(1100))
    if model.prior is None:
        return
    found = model.predict_interval(TABLE[:20], draws=400)
    inside = (found.lower <= model.predict_proba(TABLE[:20])) & (
        model.predict_proba(TABLE[:20]) <= found.upper
    )
    assert inside.mean() > 0.8


def test_fading_and_the_base_rate():
    model = GaussianClassifier(prior=None).fit(TABLE[["a", "b"]], Y)
    assert model.decay(0.5).predict_proba(TABLE[["a", "b"]]) == pytest.approx(
        model.predict_proba(TABLE[["a", "b"]]), rel=1e-10
    )
    even = model.with_base_rate("uniform")
    assert even.boundary(1, 0).constant - model.boundary(1, 0).constant == pytest.approx(
        np.log((Y == 0).sum() / (Y == 1).sum()), rel=1e-9
    )


@every_model
def test_boundaries_are_the_log_odds(settings):
    model = GaussianClassifier(**settings).fit(X, Y)
    if model.estimate == "predictive":
        with pytest.raises(LikelyError, match="where all columns are normal"):
            model.boundary()
        return
    found = model.boundary(2, 1)
    logs = model.predict_log_proba(X)
    assert found.log_odds(X) == pytest.approx(logs[:, 2] - logs[:, 1], rel=1e-8, abs=1e-8)
    by_hand = found.constant + X @ found.linear + np.einsum("ij,jk,ik->i", X, found.quadratic, X)
    assert by_hand == pytest.approx(found.log_odds(X), rel=1e-6, abs=1e-6)
    assert found.is_linear == (
        settings.get("covariance") in ("tied", "tied_diagonal", "tied_spherical", "identity")
    )
    assert model.boundary().classes == (2, 0)


def test_boundaries_need_normal_columns_and_two_classes():
    with pytest.raises(LikelyError, match="'level' is described by"):
        GaussianClassifier().fit(TABLE, Y).boundary()
    with pytest.raises(LikelyError, match="only the class 1"):
        GaussianClassifier().fit(X, np.ones(N, int)).boundary()


def test_known_parameters():
    means = {"low": [0.0, 1.0], "high": [3.0, 4.0]}
    matrix = [[2.0, 0.5], [0.5, 1.0]]
    model = GaussianClassifier.from_parameters(means, matrix, {"low": 0.8, "high": 0.2}, ["p", "q"])
    row = np.array([[1.0, 2.0]])
    dense = {label: multivariate_normal(mean, matrix).pdf(row) for label, mean in means.items()}
    odds = 0.2 * dense["high"] / (0.8 * dense["low"])
    assert model.predict_proba({"p": [1.0], "q": [2.0]})[0, 0] == pytest.approx(odds / (1 + odds))
    assert model.covariance == "tied"
    assert model.classes_.tolist() == ["high", "low"]
    drawn = model.sample(5000, random_state=1)
    drawn = drawn if isinstance(drawn, dict) else {name: np.asarray(drawn[name]) for name in ("p", "q", "y")}
    share = np.mean(np.asarray(drawn["y"]) == "high")
    assert share == pytest.approx(0.2, abs=6 * np.sqrt(0.16 / 5000))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (({"a": 0.0, "b": 1.0}, {"a": 1.0}), "for every class"),
        (({"a": [0.0, 1.0], "b": [1.0, 1.0]}, 1.0), "does not fit means of 2"),
        (({"a": 0.0, "b": 1.0}, -1.0), "variances must be above 0"),
        (({"a": 0.0, "b": 1.0}, 1.0, "uniform", ["x", "y"]), "give 1"),
    ],
)
def test_parameters_that_do_not_fit(given, says):
    with pytest.raises(LikelyError, match=says):
        GaussianClassifier.from_parameters(*given)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"covariance": "round"},
            "use one of full, tied, diagonal, tied_diagonal, spherical, tied_spherical, identity",
        ),
        ({"covariance": "diagonal", "shrinkage": 0.2}, "'full' or 'tied'"),
        ({"shrinkage": "lasso"}, "'ledoit_wolf'"),
        ({"shrinkage": 2.0}, "shrinkage=2.0: give a share from 0 to 1"),
        ({"shrinkage": True}, "shrinkage=True: give a share from 0 to 1"),
    ],
)
def test_wrong_settings(settings, says):
    with pytest.raises(LikelyError, match=says):
        GaussianClassifier(**settings).fit(X, Y)


def test_known_variance_is_the_noise_of_the_identity():
    model = GaussianClassifier(covariance="identity", prior=KnownVariance(4.0)).fit(X, Y)
    assert model.record_.core.parts[0].distribution.sd == pytest.approx(np.full((3, 3), 2.0))
    plain = GaussianClassifier(covariance="identity").fit(X, Y).boundary(1, 0)
    assert model.boundary(1, 0).linear == pytest.approx(plain.linear / 4, rel=1e-9)


@pytest.mark.filterwarnings("ignore::likely.errors.LikelyWarning")
@every_model
@pytest.mark.parametrize(
    "rows",
    {
        "one row": [[1.0, 2.0]],
        "one class": [[1.0, 2.0], [2.0, 1.0], [0.0, 5.0]],
        "constant": [[1.0, 2.0], [1.0, 3.0], [1.0, 2.5], [1.0, 7.0]],
        "all constant": [[1.0, 2.0]] * 4,
        "collinear": [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0]],
        "duplicates": [[1.0, 2.0], [1.0, 2.0], [3.0, 5.0], [3.0, 5.0]],
        "all missing": [[np.nan, 2.0], [np.nan, 1.0], [np.nan, 3.0], [np.nan, 4.0]],
        "large": [[1e140, 2.0], [-1e140, 1.0], [1e139, 3.0], [0.0, 4.0]],
        "small": [[1e-140, 2.0], [-1e-140, 1.0], [1e-139, 3.0], [0.0, 4.0]],
    }.values(),
    ids=lambda rows: f"{len(rows)}-{rows[0][0]}-{rows[-1]}",
)
def test_hard_tables_have_answers(settings, rows):
    y = np.zeros(len(rows), int) if len(rows) < 4 else np.arange(len(rows)) % 2
    model = GaussianClassifier(**settings).fit(np.array(rows), y)
    found = model.predict_proba(np.array([*rows, [0.5, np.nan], [np.nan, np.nan]]))
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)))


def test_no_complete_row_is_told_of():
    rows = np.where(np.arange(3) == np.arange(N)[:, None] % 3, np.nan, X)
    with pytest.warns(LikelyWarning, match="no row has all 3 columns"):
        GaussianClassifier().fit(rows, Y)
    assert GaussianClassifier(covariance="diagonal").fit(rows, Y).score(rows, Y) > 0.5


@pytest.mark.parametrize("covariance", SHAPES)
@pytest.mark.parametrize("as_frame", [True, False])
def test_a_column_that_is_never_known_takes_nothing_with_it(covariance, as_frame):
    rows = np.column_stack([X, np.full(N, np.nan)])
    rows = pd.DataFrame(rows, columns=list("abcd")) if as_frame else rows
    without = GaussianClassifier(covariance=covariance).fit(X, Y).predict_proba(X)
    model = GaussianClassifier(covariance=covariance).fit(rows, Y)
    assert model.predict_proba(rows) == pytest.approx(without, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("covariance", ["full", "tied"])
def test_few_complete_rows_are_told_of(covariance):
    table = TABLE.assign(c=np.where(np.arange(N) % 4 == 0, TABLE["c"], np.nan))
    words = "only 60 of 240 rows have all 3 columns .* Column 'c' is missing in 75% of the rows: leave it out"
    with pytest.warns(LikelyWarning, match=words) as said:
        GaussianClassifier(covariance).fit(table.assign(y=Y), "y")
    assert len(said) == 1
    GaussianClassifier(covariance).fit(TABLE.assign(c=np.where(np.arange(N) % 3, TABLE["c"], np.nan)), Y)


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ({"a": [0, 0], "b": [1]}, "class 'b' does not fit that of 'a', which has 2 columns"),
        ({}, "each class"),
    ],
)
def test_known_means_that_do_not_fit(means, said):
    with pytest.raises(LikelyError, match=said):
        GaussianClassifier.from_parameters(means, np.eye(2))


def test_infinite_cells_are_refused():
    for shape in SHAPES:
        model = GaussianClassifier(covariance=shape).fit(X, Y)
        for value in (np.inf, -np.inf):
            rows = X[:3].copy()
            rows[1, 2] = value
            with pytest.raises(LikelyError, match="infinity"):
                model.predict_proba(rows)
            with pytest.raises(LikelyError, match="infinity"):
                GaussianClassifier(covariance=shape).fit(rows, [0, 1, 0])


# --- pictures ---------------------------------------------------------------------------------------


def test_regions_and_ellipses_of_two_columns():
    model = GaussianClassifier().fit(TABLE[["a", "b"]], Y)
    ax = model.draw(TABLE[["a", "b"]], Y)
    assert ax.get_xlabel() == "a"
    part = model.record_.core.parts[0].distribution
    centres = sorted(patch.get_center()[0] for patch in ax.patches)
    assert centres == pytest.approx(sorted(part.mean[:, 0]))
    shown = [len(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) > 1]
    assert sorted(shown) == sorted(np.bincount(Y))


def test_densities_and_boundaries_of_one_column():
    model = GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
    ax = model.draw()
    across = [line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert sorted(across) == pytest.approx([-0.8475, 2.1809], abs=1e-3)
    assert len(ax.lines) == 4


def test_pictures_have_room_for_two_columns():
    with pytest.raises(LikelyError, match="one or two columns"):
        GaussianClassifier().fit(X, Y).draw()
    with pytest.raises(LikelyError, match="'level' of another kind"):
        GaussianClassifier().fit(TABLE[["a", "level"]], Y).draw()


def test_it_is_public():
    assert likely.GaussianClassifier is GaussianClassifier
