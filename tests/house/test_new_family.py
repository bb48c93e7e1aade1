"""A family is one file and one row: one that is added at run time can do all that the others can."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from new_family import FoldedT, HalfNormal
from numpy.testing import assert_allclose
from scipy.integrate import quad

import likely
from likely.cli.work.declared import families_of
from likely.dist import FAMILIES, HOW, Exponential, Gamma, forget_family, register_family
from likely.dist.families import table

ROOT = Path(__file__).parents[2]
N = 240


@pytest.fixture(params=["exponential", "half_normal"])
def family(request: pytest.FixtureRequest) -> Iterator[Any]:
    """One of the library's own, and one that is there for the length of a test."""
    if request.param == "exponential":
        yield Exponential
        return
    yield register_family(HalfNormal)
    forget_family(HalfNormal)


def data(family: Any, seed: int = 0) -> tuple[dict[str, Any], Any]:
    """Two columns of the family, of which a class has larger values; some are missing."""
    rng = np.random.default_rng(seed)
    y = np.array(["a", "b"])[(np.arange(N) // 20) % 2]  # in stretches, for a chain to find
    size = np.where(y == "a", 1.0, 6.0)
    one = family(1.0)
    x = one.sample(N, rng) * size
    z = one.sample(N, rng) / size
    x[::17] = np.nan
    return {"x": x, "z": z}, y


def bayes(family: Any, **options: Any) -> Any:
    columns, y = data(family)
    return likely.NaiveBayes(families=family.name, **options).fit(columns, y)


def fits_a_list(family: Any, folder: Path) -> None:
    values = family(2.0).sample(3000, 0)
    assert family.fit(values).mean == pytest.approx(values.mean(), rel=0.05)
    assert family.log_evidence(values, prior=Gamma(1, 1)) < 0


def estimates(family: Any, folder: Path) -> None:
    columns, y = data(family)
    for how in HOW:
        model = bayes(family, estimate=how)
        assert (model.predict(columns) == y).mean() > 0.75, how
        made = type(model.record_.parts[0].distribution)
        assert made is (family.predicted_by if how == "predictive" else family)


def naive_bayes_is_bayes_rule(family: Any, folder: Path) -> None:
    columns, y = data(family)
    logs = np.stack(
        [
            sum(np.nan_to_num(family.fit(x[y == c], prior=None).log_prob(x)) for x in columns.values())
            for c in "ab"
        ],
        axis=1,
    )
    joint = np.exp(logs) * [(y == "a").mean(), (y == "b").mean()]
    expected = joint / joint.sum(axis=1, keepdims=True)
    model = bayes(family, prior=None, base_rate={c: (y == c).mean() for c in "ab"})
    assert_allclose(model.predict_proba(columns), expected, rtol=1e-9)


def missing_cells_are_no_evidence(family: Any, folder: Path) -> None:
    model = bayes(family)
    gone = model.predict_proba({"x": [np.nan], "z": [np.nan]})
    assert_allclose(gone[0], np.exp(model.record_.core.log_weights), rtol=1e-12)


def mixture(family: Any, folder: Path) -> None:
    columns, _ = data(family)
    model = likely.Mixture(2, families=family.name, random_state=0).fit(columns)
    steps = np.diff(model.history_)
    assert (steps >= -1e-7 * np.abs(model.history_[-1])).all()
    assert np.isfinite(model.score(columns))


def markov(family: Any, folder: Path) -> None:
    columns, y = data(family)
    model = likely.HiddenMarkov(2, families=family.name, random_state=0).fit(columns)
    states = model.predict(columns)
    right = (states == (y == "b")).mean()
    assert max(right, 1 - right) > 0.9


def markov_of_given_parameters(family: Any, folder: Path) -> None:
    given = {"x": family([1.0, 30.0]), "z": family([1.0, 1.0])}
    model = likely.HiddenMarkov.from_parameters([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], given)
    assert len(set(model.predict({"x": [3.0, 4.0, 0.01, 0.02], "z": [1.0] * 4})[[0, 3]])) == 2


def auto_takes_it(family: Any, folder: Path) -> None:
    rng = np.random.default_rng(5)
    values, y = family(0.2).sample(2000, rng), np.tile(["a", "b"], 1000)
    ranking = likely.NaiveBayes(families="auto").fit({"x": values}, y).families_["x"]
    assert ranking.chosen == family.name, ranking


def posterior(family: Any, folder: Path) -> None:
    values = data(family)[0]["z"]
    belief = likely.posterior(Gamma(2, 3), values, family=family.name)
    assert belief.n == N
    assert_allclose(belief.log_evidence, family.log_evidence(values, prior=Gamma(2, 3)), rtol=1e-12)
    assert isinstance(belief.predictive(), family.predicted_by)

    def joint(rate: float) -> float:
        return float(np.exp(Gamma(2, 3).log_prob(rate) + family(rate).log_prob(values[:5]).sum()))

    few = likely.posterior(Gamma(2, 3), values[:5], family=family)
    assert_allclose(np.exp(few.log_evidence), quad(joint, 0, np.inf, epsabs=0)[0], rtol=1e-6)
    assert likely.posterior(Gamma(2, 3), [3, 4]).family.name == "poisson"


def intervals(family: Any, folder: Path) -> None:
    columns, _ = data(family)
    model = bayes(family)
    found = model.predict_interval(columns, draws=200)
    inside = (found.lower <= model.predict_proba(columns)) & (model.predict_proba(columns) <= found.upper)
    assert inside.mean() > 0.9


def ask(family: Any, folder: Path) -> None:
    model = bayes(family)
    part: Any = model.record_.parts[0].distribution.take((1, 0))
    assert model.ask("P(x > 3 | y=b)") == pytest.approx(part.sf(3.0), rel=1e-9)
    assert model.ask("E(x | y=b)") == pytest.approx(part.mean, rel=1e-9)
    assert model.ask("quantile(x, 0.9 | y=b)") == pytest.approx(part.quantile(0.9), rel=1e-6)


def sample(family: Any, folder: Path) -> None:
    drawn = bayes(family).sample(500, random_state=1)
    assert (np.asarray(drawn["x"]) >= 0).all()
    assert set(drawn["y"]) == {"a", "b"}


def save_and_load(family: Any, folder: Path) -> None:
    columns, _ = data(family)
    for prior in ("default", Gamma(1, 2)):
        model = bayes(family, prior=prior)
        model.save(folder / "model.likely")
        again = likely.load(folder / "model.likely")
        assert_allclose(again.predict_proba(columns), model.predict_proba(columns), rtol=0)
    both = model + likely.NaiveBayes(families=family.name, prior=Gamma(1, 2)).fit(*data(family, 1))
    assert both.record_.tally.groups.sum() == 2 * N


def diff(family: Any, folder: Path) -> None:
    other = likely.NaiveBayes(families=family.name).fit(*data(family, 1))
    changes = likely.diff(bayes(family), other).to_dict()
    assert {"x", "mean"} <= set(re.findall(r"\w+", str(changes)))


def describe(family: Any, folder: Path) -> None:
    model = bayes(family)
    assert model.record_.parts[0].distribution.describe(0, 0).split()[0] in str(model.describe())
    mixture = likely.Mixture(2, families=family.name, random_state=0).fit(data(family)[0])
    assert "x" in str(mixture.describe())


def explain(family: Any, folder: Path) -> None:
    columns, _ = data(family)
    model = bayes(family)
    ledger = model.explain({name: column[1:2] for name, column in columns.items()})
    assert "x" in str(ledger[0])
    assert "x" in str(model.importance(columns))


def nomogram(family: Any, folder: Path) -> None:
    model = bayes(family)
    if model.record_.parts[0].distribution.linear_odds(0, 1) is None:
        return  # there are no weights to draw
    assert "x" in str(model.nomogram("b", "a"))
    odds = np.diff(model.predict_log_proba({"x": [1.0, 2.0], "z": [1.0, 1.0]}), axis=1)
    assert odds[1] - odds[0] == pytest.approx(model.linear_form("b", "a").weights[0], rel=1e-9)


def impute(family: Any, folder: Path) -> None:
    columns, _ = data(family)
    groups = likely.Mixture(2, families=family.name, random_state=0)
    imputer = likely.Impute(groups).fit(columns)
    for filled in (imputer.transform(columns), *imputer.sample(columns, 2, random_state=0)):
        assert (np.asarray(filled["x"]) >= 0).all()


def log_evidence(family: Any, folder: Path) -> None:
    columns, y = data(family)
    by_hand = sum(
        family.log_evidence(column[y == c], prior=Gamma(1, 2)) for column in columns.values() for c in "ab"
    )
    bare = likely.NaiveBayes(families=family.name, prior=Gamma(1, 2), base_rate="uniform").fit(columns, y)
    assert bare.record_.log_evidence == pytest.approx(by_hand + N * np.log(0.5), rel=1e-9)


def n_parameters(family: Any, folder: Path) -> None:
    assert bayes(family).n_parameters_ == 1 + 2 * 2


def story(family: Any, folder: Path) -> None:
    assert family.story.split(",")[0] in str(bayes(family).story())


def names(family: Any, folder: Path) -> None:
    assert getattr(likely, family.__name__) is family
    assert {family.__name__, family.predicted_by.__name__} <= set(likely.__all__)
    assert FAMILIES[families_of([f"x={family.name}"], ["x"])["x"]] is family
    with pytest.raises(likely.LikelyError, match=family.name):
        likely.NaiveBayes(families="nonsense").fit(*data(family))


def refusal(family: Any, folder: Path) -> None:
    columns, y = data(family)
    model = bayes(family)
    columns["z"][7] = -2.5
    for use in (lambda: bayes_of(family, columns, y), lambda: model.predict(columns)):
        with pytest.raises(likely.LikelyError, match=r"column 'z', row 7: -2\.5 is impossible"):
            use()


def bayes_of(family: Any, columns: Any, y: Any) -> Any:
    return likely.NaiveBayes(families=family.name).fit(columns, y)


USES: tuple[Callable[[Any, Path], None], ...] = (
    *(fits_a_list, estimates, naive_bayes_is_bayes_rule, missing_cells_are_no_evidence, mixture, markov),
    *(markov_of_given_parameters, auto_takes_it, posterior, intervals, ask, sample, save_and_load, diff),
    *(describe, explain, nomogram, impute, log_evidence, n_parameters, story, names, refusal),
)


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_a_new_family_can_be_used(family: Any, use: Any, tmp_path: Path) -> None:
    use(family, tmp_path)


def test_there_are_23_uses() -> None:
    assert len(USES) == 23


def test_a_family_that_is_taken_out_again_is_gone(tmp_path: Path) -> None:
    before = likely.__all__
    register_family(HalfNormal)
    bayes(HalfNormal).save(tmp_path / "model.likely")
    forget_family(HalfNormal)
    assert likely.__all__ == before
    with pytest.raises(AttributeError):
        likely.HalfNormal  # noqa: B018
    with pytest.raises(likely.LikelyError, match="'HalfNormal' is no family that this version"):
        likely.load(tmp_path / "model.likely")
    with pytest.raises(likely.LikelyError, match="was not registered"):
        forget_family(HalfNormal)
    with pytest.raises(likely.LikelyError, match="was not registered"):
        forget_family(Exponential)


def test_a_name_that_is_taken_is_refused() -> None:
    class Exponential2(HalfNormal):
        name = "exponential"

    with pytest.raises(likely.LikelyError, match="is there already"):
        register_family(Exponential2)


def test_only_its_file_and_the_table_name_a_family() -> None:
    """Beside them: its predictive distribution, which is a file of its own."""
    source = ROOT / "src" / "likely"
    word = re.compile(r"\b(Exponential|Lomax)\b(?!')")
    naming = {str(path.relative_to(source)) for path in source.rglob("*.py") if word.search(path.read_text())}
    assert naming == {"dist/families/exponential.py", "dist/families/table.py", "dist/predictive/lomax.py"}


def test_every_public_family_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "distributions.md").read_text()
    for family in FAMILIES.values():
        shown = [family.__name__] if family.__name__ in table.public_names() else []
        shown += [family.predicted_by.__name__] if shown and family.predicted_by else []
        assert all(f"`{name}`" in page for name in shown), shown


def test_the_toy_agrees_with_itself() -> None:
    """Mass 1, and the predictive distribution is the family's, averaged over the prior."""
    assert quad(lambda x: float(HalfNormal(0.3).prob(x)), 0, np.inf)[0] == pytest.approx(1)
    rates = Gamma(3.0, 2.0).sample(200_000, 0)
    assert FoldedT(3.0, 2.0).prob(1.5) == pytest.approx(HalfNormal(rates).prob(1.5).mean(), rel=0.01)
