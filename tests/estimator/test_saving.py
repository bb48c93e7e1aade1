"""Models come back from their files the same to the last bit, and files that lie are refused."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
import time
import warnings
import zipfile
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hostile_files import hostile, members, sealed
from saving_cases import CASES, OTHERS, Case
from seeds import sizes
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import likely
from likely.errors import LikelyError, LikelyWarning

each = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


other = pytest.mark.parametrize("case", OTHERS, ids=[case.name for case in OTHERS])


_FITTED: dict[str, Any] = {}


def _fitted(case):
    """The model of a case, fitted once and copied for whoever asks."""
    if case.name not in _FITTED:
        with warnings.catch_warnings():
            if any(case is one for one in OTHERS):
                warnings.simplefilter("ignore", LikelyWarning)  # of constant columns, of rows that stay apart
            _FITTED[case.name] = case.fit()
    return copy.deepcopy(_FITTED[case.name])


def _same(a, b):
    if isinstance(a, tuple):
        return all(map(_same, a, b))
    return np.array_equal(a, b)


def _saved(model, tmp_path):
    path = tmp_path / "model.likely"
    model.save(path)
    return likely.load(path)


@pytest.mark.parametrize("case", [*CASES, *OTHERS], ids=[case.name for case in [*CASES, *OTHERS]])
def test_what_a_fitted_model_has_can_be_listed(case: Case):
    """As notebooks do when Tab is pressed: an attribute that this model has not is none, and no error."""
    model = _fitted(case)
    assert [name for name in dir(type(model)) if hasattr(model, name)]
    dir(model)


@each
def test_a_model_comes_back_to_the_last_bit(case: Case, tmp_path):
    model = _fitted(case)
    again = _saved(model, tmp_path)
    assert np.array_equal(again.predict_log_proba(case.X), model.predict_log_proba(case.X))
    assert np.array_equal(again.log_prob(case.X), model.log_prob(case.X))
    assert np.array_equal(again.classes_, model.classes_)
    assert again.classes_.dtype == model.classes_.dtype
    assert sorted(vars(again)) == sorted(vars(model))
    assert again.n_features_in_ == model.n_features_in_
    assert hasattr(again, "feature_names_in_") == hasattr(model, "feature_names_in_")
    # A number of NumPy's comes back as the same number of Python's.
    assert str(again.get_params()) == re.sub(r"np\.float64\((.*?)\)", r"\1", str(model.get_params()))
    assert str(again.describe()) == str(model.describe())
    for column, known in zip(again.record_.schema.columns, model.record_.schema.columns, strict=True):
        assert column == known
        assert list(map(type, column.levels or ())) == list(map(type, known.levels or ()))
    assert str(again.sample(20, 3)) == str(model.sample(20, 3))
    if len(model.classes_) > 1:
        assert str(again.explain(case.X)[7 % len(case.y)]) == str(model.explain(case.X)[7 % len(case.y)])


@other
def test_other_models_come_back_to_the_last_bit(case: Case, tmp_path):
    model = _fitted(case)
    again = _saved(model, tmp_path)
    assert _same(case.answers(again, case.X), case.answers(model, case.X))
    assert sorted(vars(again)) == sorted(vars(model))
    assert str(again.get_params()) == str(model.get_params())
    if hasattr(model, "classes_"):
        assert np.array_equal(again.classes_, model.classes_)
        assert again.classes_.dtype == model.classes_.dtype
    if hasattr(model, "summary"):
        assert str(again.summary()) == str(model.summary())
    if hasattr(model, "explain") and len(getattr(model, "classes_", ("numbers", "have none"))) > 1:
        assert str(getattr(again, "prior_", None)) == str(getattr(model, "prior_", None))
        assert str(again.explain(case.X).to_frame()) == str(model.explain(case.X).to_frame())
    if hasattr(model, "partial_fit"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LikelyWarning)
            try:
                expected = case.answers(copy.deepcopy(model).partial_fit(case.X, case.y), case.X)
            except LikelyError:  # some priors need all rows at once
                return
            assert _same(case.answers(again.partial_fit(case.X, case.y), case.X), expected)


@other
def test_other_models_can_be_pickled_and_cloned(case: Case):
    model = _fitted(case)
    again = pickle.loads(pickle.dumps(model))
    assert _same(case.answers(again, case.X), case.answers(model, case.X))
    assert not hasattr(clone(again), "record_")


@pytest.mark.parametrize("case", [c for c in CASES if c.adds], ids=[c.name for c in CASES if c.adds])
def test_a_model_goes_on_learning(case: Case, tmp_path):
    model = _fitted(case)
    again = _saved(model, tmp_path)
    expected = (model + model.decay(0.5)).predict_log_proba(case.X)
    assert np.array_equal((model + again.decay(0.5)).predict_log_proba(case.X), expected)
    more, also = copy.deepcopy(model), again
    more.partial_fit(case.X, case.y)
    also.partial_fit(case.X, case.y)
    assert np.array_equal(also.predict_log_proba(case.X), more.predict_log_proba(case.X))


@each
def test_a_model_can_be_pickled_and_cloned(case: Case):
    model = _fitted(case)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_log_proba(case.X), model.predict_log_proba(case.X))
    assert str(clone(again).get_params()) == str(model.get_params())
    assert not hasattr(clone(again), "record_")


def _model(**parameters):
    table = likely.read("titanic")
    return likely.NaiveBayes(**{"families": "classical", "evidence_weights": None, **parameters}).fit(
        table, "survived"
    )


def _state(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("model.json"))


def test_the_file_says_what_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    path = tmp_path / "titanic.likely"
    _model(prior=likely.Laplace(2)).save(str(path))
    state = _state(path)
    assert list(state)[:6] == ["format", "format_version", "likely", "python", "numpy", "created"]
    assert (state["format"], state["format_version"], state["likely"]) == (
        "likely model",
        2,
        likely.__version__,
    )
    assert state["created"] == "1970-01-02T00:00:00+00:00"
    assert state["estimator"] == "NaiveBayes"
    assert state["parameters"]["prior"] == {"is": "Laplace", "strength": 2}
    assert state["trained_on"]["weight_of_rows"] == 2201
    assert state["trained_on"]["classes"] == [
        {"class": "no", "weight": 1490},
        {"class": "yes", "weight": 711},
    ]
    assert state["trained_on"]["columns"][1] == {
        "name": "sex",
        "kind": "categorical",
        "family": "categorical",
    }
    first = path.read_bytes()
    _model(prior=likely.Laplace(2)).save(path)
    assert path.read_bytes() == first


def test_the_library_of_the_table_is_kept(tmp_path):
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    again = _saved(likely.NaiveBayes(families="classical", evidence_weights=None).fit(frame, "b"), tmp_path)
    assert isinstance(again.sample(3, 0), pl.DataFrame)


def test_what_cannot_be_kept_is_refused_by_name(tmp_path):
    class Own(likely.Normal):
        pass

    class Mine(likely.NaiveBayes):
        pass

    x, y = {"a": [1.0, 2.0, 3.0]}, ["x", "y", "x"]
    with pytest.raises(NotFittedError):
        likely.NaiveBayes(families="classical", evidence_weights=None).save(tmp_path / "a")
    with pytest.raises(LikelyError, match="cannot save families: the class Own cannot be held"):
        likely.NaiveBayes(families={"a": Own}, evidence_weights=None).fit(x, y).save(tmp_path / "a")
    with pytest.raises(LikelyError, match="a Mine cannot be saved"):
        Mine().fit(x, y).save(tmp_path / "a")
    cut = pd.DataFrame({"a": pd.cut(pd.Series([1.0, 2.0, 3.0]), [0, 2, 4])})
    with pytest.raises(
        LikelyError, match=r"cannot save the model: Interval\(0, 2.*\(Interval\) cannot be held"
    ):
        likely.NaiveBayes(families="classical", evidence_weights=None).fit(cut, y).save(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_wide_table_is_not_a_wall_of_names(tmp_path):
    x = np.random.default_rng(0).integers(0, 3, (50, 3000))
    x[:, :1000] *= 2  # two sets of levels
    model = likely.NaiveBayes(kinds="categorical", families="classical", evidence_weights=None).fit(
        x, np.arange(50) % 2
    )
    again = _saved(model, tmp_path)
    assert np.array_equal(again.predict_log_proba(x), model.predict_log_proba(x))
    with zipfile.ZipFile(tmp_path / "model.likely") as archive:
        assert archive.getinfo("model.json").file_size < 3000 * 25
    assert (
        len(_state(tmp_path / "model.likely")["record"]["schema"]["columns"]["fields"]["levels"]["values"])
        == 2
    )


def test_columns_that_are_alike_are_written_once(tmp_path):
    x = np.random.default_rng(0).normal(size=(20, 20_000))
    model = likely.NaiveBayes(families="classical", evidence_weights=None).fit(x, np.arange(20) % 2)
    again = _saved(model, tmp_path)
    assert np.array_equal(again.predict_log_proba(x), model.predict_log_proba(x))
    assert "Places" in json.dumps(_state(tmp_path / "model.likely")["record"]["schema"])
    assert len(json.dumps(_state(tmp_path / "model.likely")["record"]["schema"])) < 1000


def _changed(path, change):
    """The file with its state changed, and its checksums right."""
    parts = members(path.read_bytes())
    state = json.loads(parts["model.json"])
    change(state)
    path.write_bytes(sealed(parts, state))
    return path


LIES = {
    "no-estimator": lambda s: s.update(estimator="os.system"),
    "unknown-class": lambda s: s["record"].update({"is": "Popen"}),
    "unknown-field": lambda s: s["record"].update(extra=1),
    "missing-field": lambda s: s["record"].pop("slots"),
    "wrong-type": lambda s: s["record"]["schema"].update(named="yes"),
    "unknown-kind": lambda s: s["record"]["target"]["kind"].update(name="mro"),
    "unknown-family": lambda s: s["record"]["slots"][0]["family"].update(name="Family"),
    "level-twice": lambda s: s["record"]["schema"]["columns"][0]["levels"].__setitem__(0, "2nd"),
    "level-gone": lambda s: s["record"]["schema"]["columns"][0]["levels"].pop(),
    "class-gone": lambda s: s["record"]["target"]["levels"].pop(),
    "column-out-of-range": lambda s: s["record"]["slots"][0].update(columns=[0, 1, 3]),
    "column-twice": lambda s: s["record"]["slots"][0].update(columns=[0, 1, 1]),
    "negative-count": lambda s: s["record"]["tally"]["groups"]["$values"].__setitem__(0, -5),
    "count-not-a-number": lambda s: s["record"]["tally"]["parts"][0]["table"]["$values"].__setitem__(
        0, {"$float": "nan"}
    ),
    "other-statistic": lambda s: s["record"]["tally"]["parts"].__setitem__(
        0, {"is": "Sums", "n": s["record"]["tally"]["groups"], "total": s["record"]["tally"]["groups"]}
    ),
    "unknown-estimate": lambda s: s["record"]["settings"].update(estimate="magic"),
    "impossible-rates": lambda s: s["record"]["settings"].update(
        base_rate={"is": "mapping", "pairs": [["no", 2]]}
    ),
    "no-prior": lambda s: s["record"]["slots"][0].update(prior="strong"),
    "unknown-parameter": lambda s: s["parameters"].update(surprise=1),
    "wrong-parameter": lambda s: s["parameters"].update(n_jobs="all"),
    "a-method-replaced": lambda s: s["fitted"].update(families_=1),
    "a-name-replaced": lambda s: s["fitted"].update(__class__=1),
    "columns-without-end": lambda s: s["record"]["schema"].update(
        columns={
            "is": "Alike",
            "pattern": s["record"]["target"] | {"levels": ["a"]},
            "names": {"is": "Places", "d": 10**12},
        }
    ),
    "names-without-end": lambda s: s["parameters"].update(kinds={"is": "Places", "d": 10**12}),
    "a-million-columns": lambda s: s["record"]["schema"].update(
        columns={
            "is": "many",
            "of": "Column",
            "n": 10**9,
            "fields": {
                k: {"values": [v], "which": None} for k, v in s["record"]["target"].items() if k != "is"
            },
        }
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_under_right_checksums_is_refused(lie, tmp_path):
    path = tmp_path / "titanic.likely"
    _model().save(path)
    assert likely.load(_changed(path, lambda state: None)).predict_proba is not None
    with pytest.raises(LikelyError, match=r"^cannot load '.*titanic\.likely': .*[^.]\. Save the model again"):
        likely.load(_changed(path, LIES[lie]))


GAP_LIES = {
    "gap-out-of-range": lambda part: part["gaps"]["$values"].__setitem__(0, 99),
    "gap-below": lambda part: part["gaps"]["$values"].__setitem__(0, -1),
    "gaps-not-told": lambda part: part["ends"]["$values"].__setitem__(-1, 99),
    "no-gaps-in-a-set": lambda part: part["ends"]["$values"].__setitem__(0, 0),
    "words-below-none": lambda part: part["words"]["$values"].__setitem__(0, -5.0),
    "no-words": lambda part: part.pop("words"),
    "words-of-fewer-classes": lambda part: part["words"]["$values"].pop(),
    "fewer-sets": lambda part: part["ends"]["$values"].pop(),
}


@pytest.mark.parametrize("lie", GAP_LIES)
def test_gaps_that_no_rows_have_are_refused(lie, tmp_path):
    path = tmp_path / "counts.likely"
    X = np.array([[1, np.nan, 2], [2, 1, np.nan], [np.nan, np.nan, 3], [1, 1, 1]])
    likely.NaiveBayes(families="multinomial", kinds="count", evidence_weights=None).fit(X, [0, 1, 0, 1]).save(
        path
    )
    likely.load(_changed(path, lambda state: None))
    with pytest.raises(LikelyError, match="cannot load"):
        likely.load(_changed(path, lambda s: GAP_LIES[lie](s["record"]["tally"]["parts"][0])))


@pytest.mark.parametrize("lie", [{"decimals": 10**30}, {"decimals": 400}, {"decimals": -1}, {"high": -5.0}])
def test_a_range_that_no_column_has_is_refused(lie, tmp_path):
    path = tmp_path / "fills.likely"
    likely.Impute("gaussian").fit({"x": [*(np.arange(40) / 2).tolist(), None]}).save(path)
    assert likely.load(_changed(path, lambda state: None)).transform({"x": [None]})["x"] == [9.8]
    with pytest.raises(LikelyError, match=r"cannot load.*are no range"):
        likely.load(_changed(path, lambda s: s["record"]["schema"]["columns"][0]["span"].update(lie)))


def test_fields_that_came_later_take_their_defaults(tmp_path):
    path = tmp_path / "titanic.likely"
    model = _model()
    model.save(path)
    _changed(path, lambda state: state["record"].pop("weighed"))
    _changed(path, lambda state: state["parameters"].pop("n_jobs"))
    table = likely.read("titanic").drop(columns="survived")
    assert np.array_equal(likely.load(path).predict_log_proba(table), model.predict_log_proba(table))


@pytest.fixture(scope="module")
def sound_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    for case in CASES + OTHERS:
        _fitted(case).save(folder / case.name)
    return {case.name: (case, folder / case.name) for case in CASES + OTHERS}


@pytest.mark.parametrize("n", sizes(500, 100_000))
def test_no_lie_does_any_harm(n, sound_files, tmp_path, monkeypatch):
    """Changed bytes and changed states, with right checksums or not: refused, or a model that answers."""
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, lambda *_, **__: pytest.fail("something was unpickled"))
    rng, path, slowest = random.Random(n), tmp_path / "hostile.likely", 0.0
    refused = answered = 0
    for _ in range(n):
        case, sound = sound_files[rng.choice(list(sound_files))]
        path.write_bytes(hostile(sound, rng))
        few = {name: cells[:6] for name, cells in case.X.items()} if isinstance(case.X, dict) else case.X[:6]
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # notices, such as of names that were changed
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of numbers near the end of the range
            try:
                case.answers(likely.load(path), few)
                answered += 1
            except LikelyError:
                refused += 1
        slowest = max(slowest, time.process_time() - start)
    assert refused > n / 2
    assert answered > n / 20  # many changes do no harm: another number, or a word for people
    assert slowest < 3.0  # seconds; the slowest family takes a third of one for an honest file


def test_it_shows_itself_in_a_notebook():
    unfitted, model = likely.NaiveBayes(prior=None, families="classical", evidence_weights=None), _model()
    for shown in (unfitted, model):
        assert "NaiveBayes" in shown._repr_html_()
    said = model.describe()._repr_html_()
    assert said.count("<tr>") == 5
    assert "male 0.915" in said
    odd = (
        likely.NaiveBayes(families="classical", evidence_weights=None)
        .fit({"<b>": ["<i>", "y"]}, ["<script>", "&"])
        .describe()
        ._repr_html_()
    )
    assert "<script>" not in odd
    assert "<i>" not in odd
    assert "<b>" not in odd


def test_a_model_in_words():
    said = str(_model(prior=None).describe())
    assert said.splitlines()[:7] == [
        "NaiveBayes of 'survived' given 3 columns, learnt from 2201 rows",
        "11 free parameters",
        "",
        "class  rows  base rate",
        "no     1490      0.677",
        "yes     711      0.323",
        "",
    ]
    assert "  yes  male 0.516, female 0.484" in said  # 367 and 344 of 711
    found = _model(prior=None).describe().to_dict()
    json.dumps(found)
    assert found["base_rate"] == pytest.approx([1490 / 2201, 711 / 2201])
    assert found["columns"][1]["says"][1] == {"class": "yes", "says": "male 0.516, female 0.484"}


def test_a_model_of_everything_in_words():
    for case in CASES:
        found = _fitted(case).describe()
        json.dumps(found.to_dict())
        assert len(str(found).splitlines()) > 4


def test_the_words_that_tell():
    mails = {"text": ["win money", "win win", "meet me", "meet at noon"], "late": [1.0, None, 2.0, 3.0]}
    model = likely.NaiveBayes(
        kinds={"text": "text"}, missing="level", families="classical", evidence_weights=None
    ).fit(mails, ["spam", "spam", "ham", "ham"])
    said = {about.column: about.says for about in model.describe().columns()}
    assert said["text"][1].startswith("win ")
    assert "meet" in said["text"][0]
    assert "win" not in said["text"][0]
    assert said["late"][1].endswith("; missing 0.5")
