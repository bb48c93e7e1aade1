"""Rows coded by models: they come back, in at most two bits more than their information."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely
from likely import LikelyError
from likely.codes import ModelCode

RNG = np.random.default_rng(2)
N = 90
KIND = np.arange(N) % 3
TABLE = pd.DataFrame(
    {
        "length": RNG.normal(5 + KIND, 0.5).round(1),
        "count": RNG.poisson(2 + KIND),
        "wet": RNG.random(N) < 0.2 + 0.3 * KIND,
        "colour": RNG.choice(["red", "größe 😀", ""], N),
        "kind": np.array(["a", "b", "c"])[KIND],
    }
)
GAPS = TABLE.assign(
    length=np.where(np.arange(N) % 7 == 0, np.nan, TABLE["length"]),
    colour=np.where(np.arange(N) % 5 == 0, None, TABLE["colour"]),
)
LEVELS = TABLE[["wet", "colour", "kind"]]
MODELS = {
    "naive Bayes": lambda t: likely.NaiveBayes().fit(t, "kind"),
    "normals": lambda t: likely.NaiveBayes(families="classical", evidence_weights=None).fit(t, "kind"),
    "kernels": lambda t: likely.NaiveBayes(families={"length": "kernel"}).fit(t, "kind"),
    "mixture": lambda t: likely.Mixture(2, random_state=0).fit(t),
    "mixture of classes": lambda t: likely.MixtureClassifier(2, random_state=0).fit(t, "kind"),
    "network": lambda t: likely.Network().fit(t),
    "network with a target": lambda t: likely.Network(structure="naive").fit(t, "kind"),
}


@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
@pytest.mark.parametrize("table", [TABLE, GAPS], ids=["whole", "gaps"])
@pytest.mark.parametrize("name", MODELS)
def test_rows_come_back(name, table, tmp_path):
    model = MODELS[name](table)
    code = ModelCode(model)
    bits = code.bits(table)
    assert len(bits) <= code.information(table) + 2
    data = code.encode(table)
    assert len(data) <= len(bits) / 8 + 90
    again = code.decode(data)[list(table.columns)]
    pd.testing.assert_frame_equal(again, table, check_dtype=False)
    model.save(tmp_path / "m.likely")  # and by the same model from its file
    by_file = ModelCode(likely.load(tmp_path / "m.likely"))
    assert by_file.encode(table) == data
    pd.testing.assert_frame_equal(by_file.decode(data)[list(table.columns)], table, check_dtype=False)


@pytest.mark.parametrize("fit", [MODELS["naive Bayes"], MODELS["network"], likely.Joint.from_data])
def test_information_is_that_of_the_rows(fit):
    model = fit(LEVELS)
    if isinstance(model, likely.Joint):
        expected = likely.code_length(model, LEVELS).data_bits
    else:
        expected = -float(
            (
                model.log_prob(LEVELS[["wet", "colour"]], LEVELS["kind"])
                if hasattr(model, "classes_")
                else model.log_prob(LEVELS)
            ).sum()
        ) / np.log(2)
    code = ModelCode(model)
    assert code.information(LEVELS) == pytest.approx(expected, abs=1e-6)
    assert expected - 0.1 <= len(code.bits(LEVELS)) <= expected + 2.1


def test_the_better_model_makes_the_shorter_file(shared_data):
    table = likely.read(shared_data / "iris.csv", into="pandas")
    target = table.columns[-1]
    rows = np.random.default_rng(0).permutation(150)
    seen, new = table.iloc[rows[:100]], table.iloc[rows[100:]].reset_index(drop=True)
    models = [
        likely.NaiveBayes(families="classical", evidence_weights=None).fit(seen, target),
        likely.GaussianClassifier().fit(seen, target),
        likely.Mixture(1).fit(seen),
    ]
    held_out = [-float(m.log_prob(new.drop(columns=target), new[target]).mean()) for m in models[:2]]
    held_out.append(-float(models[2].log_prob(new).mean()))
    sizes = [len(ModelCode(m).bits(new)) for m in models]
    assert np.argsort(held_out).tolist() == np.argsort(sizes).tolist()
    assert sizes[1] < sizes[0]  # columns vary together


def test_numbers_are_rounded_to_the_step():
    table = {"x": RNG.normal(0, 1, 40)}
    model = likely.Mixture(1).fit(table)
    code = ModelCode(model, step=0.05)
    again = np.array(code.decode(code.encode(table))["x"])
    assert np.abs(again - table["x"]).max() <= 0.025 + 1e-12
    table = {"x": RNG.normal(0, 1, 2000)}
    with pytest.raises(LikelyError, match=r"column 'x' has room for .* give a coarser step"):
        ModelCode(model).encode(table)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_any_frame(frame):
    table = frame({"a": ["x", "y", "x"], "b": [True, False, True]})
    code = ModelCode(likely.Network().fit(table))
    again = code.decode(code.encode(table))
    assert isinstance(again, frame)
    assert again["a"].to_list() == ["x", "y", "x"]


def test_odd_tables():
    one = {"a": ["x"]}
    code = ModelCode(likely.Mixture(1).fit(one))
    assert code.bits(one) == ""
    assert list(code.decode(code.encode(one))["a"]) == ["x"]
    gone = {"a": ["x", "y"], "n": [np.nan, np.nan]}
    model = likely.NaiveBayes().fit(gone, ["p", "q"])
    code = ModelCode(model)
    again = code.decode(code.encode({**gone, "y": ["p", "q"]}))
    assert np.isnan(np.array(again["n"], float)).all()


class TestRefused:
    MODEL = likely.Mixture(1).fit({"a": ["x", "y"], "n": [1.0, 2.0]})

    @pytest.mark.parametrize(
        ("table", "said"),
        [
            ({"a": ["z"], "n": [1.0]}, "column 'a' holds 'z', which the model has never seen"),
            ({"a": ["x"], "n": [np.inf]}, "column 'n' holds infinity"),
            ({"a": ["x"]}, "no column 'n'"),
            ({"a": ["x"], "n": [1.0], "more": [1]}, "column 'more' is none that the model knows"),
        ],
    )
    def test_tables(self, table, said):
        with pytest.raises(LikelyError, match=said):
            ModelCode(self.MODEL).encode(table)

    def test_models(self):
        logistic = likely.LogisticRegression().fit({"n": [1.0, 2.0]}, ["a", "b"])
        with pytest.raises(LikelyError, match="does not say how probable a whole row is"):
            ModelCode(logistic)
        texts = {"t": ["win a prize now and here, more than ever before, friends"] * 3}
        text = likely.NaiveBayes(kinds="text").fit(texts, ["a", "b", "a"])
        with pytest.raises(LikelyError, match="column 't' is text"):
            ModelCode(text).encode({**texts, "y": ["a", "b", "a"]})

    def test_damaged_bytes(self):
        """Every byte changed, and every length cut: the rows, or an error that says so, and nothing else."""
        table = {"a": ["x", "y", "x", "x"] * 5, "n": [1.0, 2.0, 1.5, 2.0] * 5}
        code = ModelCode(likely.Mixture(1).fit(table))
        data = code.encode(table)
        rng = np.random.default_rng(0)
        for at in range(len(data)):
            for changed in (
                data[:at],
                data[:at] + bytes([data[at] ^ int(rng.integers(1, 256))]) + data[at + 1 :],
            ):
                try:
                    again = code.decode(changed)
                except LikelyError:
                    continue
                assert list(again["a"]) == table["a"]

    def test_another_model(self):
        table = {"a": ["x", "y", "x", "x"] * 5}
        data = ModelCode(likely.Mixture(1).fit(table)).encode(table)
        other = ModelCode(likely.Mixture(1).fit({"a": ["x", "y"] + ["y"] * 30}))
        with pytest.raises(LikelyError, match="another model"):
            other.decode(data)


@pytest.mark.parametrize("library", ["pandas", "polars", "dict"])
@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_true_false_columns_come_back_as_gaps(seed, library):
    rng = np.random.default_rng(seed)
    flag = [None if rng.random() < 0.3 else bool(rng.random() < 0.5) for _ in range(30)]
    flag[0], flag[1] = True, None
    table = {"flag": flag, "kind": rng.choice(["a", "b"], 30).tolist()}
    table = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "dict": dict}[library](table)
    code = ModelCode(likely.Mixture(1, random_state=0).fit(table))
    back = code.decode(code.encode(table))["flag"]
    assert [None if value is None or pd.isna(value) else bool(value) for value in list(back)] == flag


def test_a_category_that_no_row_has_does_not_stop_the_coder():
    kind = pd.Categorical(["lo", "hi", "lo", "hi"], ["lo", "mid", "hi"], ordered=True)
    table = pd.DataFrame({"kind": kind, "n": [1, 2, 3, 4]})
    code = ModelCode(likely.NaiveBayes(evidence_weights=None).fit(table, "kind"))
    assert code.decode(code.encode(table))["kind"].astype(str).tolist() == ["lo", "hi", "lo", "hi"]


def test_numbers_that_do_not_come_back_as_they_were_are_told():
    table = {"x": [0.0, 0.2, 1 / 3, 0.2], "kind": ["a", "b", "a", "b"]}
    code = ModelCode(likely.NaiveBayes(evidence_weights=None).fit(table, "kind"))
    with pytest.warns(likely.LikelyWarning, match="'x' has no common step"):
        code.encode(table)
