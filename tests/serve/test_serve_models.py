"""Every sort of model answers over HTTP what it answers in Python."""

from __future__ import annotations

import warnings
from datetime import date

import numpy as np
import pytest
from served_models import CLASSIFIERS, KIND, NUMBERS, PRICE, ROW, ROWS, SAVED, X, model

import likely

pytest.importorskip("starlette")
from starlette.testclient import TestClient


def client_of(fitted, **options):
    return TestClient(likely.serve.app(fitted, **options), base_url="http://localhost")


def quietly(work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", likely.LikelyWarning)
        return work()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_probabilities_are_those_of_the_model(name):
    fitted = model(name)
    client = client_of(fitted)
    wanted = quietly(lambda: fitted.predict_proba(ROWS))
    answer = client.post("/predict", json=ROWS).json()
    p = [list(one["probabilities"].values()) for one in answer["predictions"]]
    assert np.array_equal(p, wanted)
    labels = fitted.classes_[wanted.argmax(axis=1)].tolist()
    assert [one["prediction"] for one in answer["predictions"]] == labels
    single = client.post("/predict", json=ROW).json()
    assert np.allclose(list(single["probabilities"].values()), wanted[0], rtol=1e-12)
    assert list(single["probabilities"]) == [str(label) for label in fitted.classes_]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_come_with_their_intervals(name):
    fitted = model(name)
    client = client_of(fitted)
    for level in (0.9, 0.5):
        wanted = quietly(lambda level=level: fitted.predict_interval(ROWS, level))
        answer = client.post(f"/predict?level={level}", json=ROWS).json()["predictions"]
        for key, values in (
            ("prediction", wanted.prediction),
            ("lower", wanted.lower),
            ("upper", wanted.upper),
        ):
            assert np.array_equal([one[key] for one in answer], values)


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_model_answers_alike_in_every_form(name, tmp_path):
    fitted = model(name)
    fitted.save(tmp_path / "it.likely")
    client = client_of(likely.load(tmp_path / "it.likely"))
    about = "?about=kind" if name == "network" else ""
    names = list(fitted.record_.schema.names)
    rows = [{"x0": 0.5, "x1": 2.0}] * 3 if name == "without names" else [ROW] * 3
    rows = [{key: value for key, value in row.items() if key in names} for row in rows]
    names = list(rows[0])
    as_json = client.post(f"/predict{about}", json=rows)
    assert as_json.status_code == 200, as_json.text
    lines = [",".join(names), *(",".join(str(row[key]) for key in names) for row in rows)]
    csv = client.post(
        f"/predict{about}",
        content="\n".join(lines),
        headers={"content-type": "text/csv", "accept": "application/json"},
    )
    assert csv.status_code == 200, csv.text
    assert csv.json()["predictions"] == as_json.json()["predictions"]
    back = client.post(
        f"/predict{about}", content="\n".join(lines), headers={"content-type": "text/csv"}
    ).text.splitlines()
    assert back[0].startswith(lines[0])
    assert len(back) == 4


def test_a_network_answers_about_any_node():
    fitted = model("network")
    client = client_of(fitted)
    for node in ("colour", "kind", "member"):
        known = {"size": 0.4, "colour": "red", "member": True, "kind": "a"}
        known.pop(node)
        answer = client.post("/predict", params={"about": node}, json=known).json()
        wanted = quietly(lambda node=node, known=known: fitted.predict_proba(known, of=node))[0]
        assert np.allclose(list(answer["probabilities"].values()), wanted)
    refused = client.post("/predict", json=ROW)
    assert refused.status_code == 422
    assert "'size', 'colour', 'member', 'kind'" in refused.json()["detail"]
    assert client.post("/predict?about=colours", json=ROW).json()["detail"].endswith("did you mean 'colour'?")
    assert client.post("/predict?about=size", json=ROW).status_code in (200, 422)
    assert client_of(fitted, about="kind").post("/predict", json=ROW).status_code == 200
    with pytest.raises(likely.LikelyError, match="there is no such node"):
        likely.serve.app(fitted, about="kinds")


def test_nothing_known_is_the_base_rate():
    fitted = model("naive bayes")
    p = client_of(fitted).post("/predict", json={}).json()["probabilities"]
    assert np.allclose(list(p.values()), fitted.base_rate_)


def test_a_decider_says_what_to_do():
    fitted = model("decider")
    answer = client_of(fitted).post("/predict", json=ROWS).json()["predictions"]
    assert [one["decision"] for one in answer] == quietly(lambda: fitted.predict(ROWS)).tolist()
    costs = quietly(lambda: fitted.expected_costs(ROWS))
    assert np.array_equal([one["expected_cost"] for one in answer], costs)


def test_rows_of_a_markov_model_are_one_sequence():
    fitted = model("markov")
    table = {"size": X["size"][:90]}
    rows = [{"size": value} for value in table["size"].tolist()]
    answer = client_of(fitted).post("/predict", json=rows).json()["predictions"]
    p = [list(one["probabilities"].values()) for one in answer]
    assert np.allclose(p, fitted.predict_proba(table), atol=1e-12)


@pytest.mark.parametrize("name", ["naive bayes", "logistic", "pool", "calibrated", "gaussian"])
def test_ledgers_are_those_of_the_model(name):
    fitted = model(name)
    client = client_of(fitted)
    ledger = client.post("/explain?for=a&against=b", json=ROW).json()
    wanted = fitted.explain([ROW], "a", "b")[0].to_dict()
    assert ledger == wanted
    several = client.post("/explain", json=ROWS).json()["ledgers"]
    assert len(several) == 3
    total = list(several[0].values())[2]  # where the odds start, whatever that is called
    total += sum(line["evidence"] for line in several[0]["lines"])
    p = several[0]["probabilities"]
    assert total == pytest.approx(several[0]["total"])
    assert several[0]["total"] == pytest.approx(np.log(p[several[0]["for"]] / p[several[0]["against"]]))


@pytest.mark.parametrize("name", NUMBERS)
def test_parts_of_a_number_sum_to_it(name):
    client = client_of(model(name))
    parts = client.post("/explain", json=ROW).json()
    number = client.post("/predict", json=ROW).json()["prediction"]
    total = parts["total"] if "total" in parts else parts["prediction"]
    assert total == pytest.approx(number)
    assert client.post("/explain?for=a", json=ROW).status_code == 422


def test_the_ledger_of_a_network():
    fitted = model("network")
    ledger = client_of(fitted).post("/explain?about=kind&for=a", json=ROW).json()
    p = ledger["probabilities"]
    assert ledger["total"] == pytest.approx(np.log(p["a"] / p["b"]))


def test_questions_and_the_next_one():
    fitted = model("naive bayes")
    client = client_of(fitted)
    said = client.post("/ask", json={"question": "P(kind=a | colour=red)"}).json()
    assert said["answer"] == pytest.approx(float(fitted.ask("P(kind=a | colour=red)")))
    ranking = client.post("/next", json={"given": {"colour": "red"}, "costs": {"size": 2}}).json()
    assert ranking["options"] == fitted.next_question({"colour": "red"}, {"size": 2}).to_dict()["options"]
    on_network = client_of(model("network")).post("/next?about=kind", json={"given": {"colour": "red"}})
    assert on_network.json()["about"] == "kind"


def test_what_a_model_cannot_do_is_not_there():
    client = client_of(model("decider"))
    assert client.post("/explain", json=ROW).status_code == 404
    assert "/explain" not in client.get("/schema").json()["paths"]


@pytest.mark.parametrize(
    "other",
    [
        lambda: likely.Normalize().fit(X),
        lambda: likely.Impute().fit(X),
        lambda: likely.Discretize().fit({**X, "kind": KIND}, "kind"),
        lambda: likely.Joint([0.3, 0.7], {"rain": ["yes", "no"]}),
    ],
)
def test_what_predicts_nothing_is_refused(other):
    with pytest.raises(likely.LikelyError, match="predicts nothing"):
        likely.serve.app(other())


def test_what_is_not_fitted_is_refused():
    with pytest.raises(likely.LikelyError, match="not fitted"):
        likely.serve.app(likely.NaiveBayes())


def test_names_of_columns_without_names_are_places():
    fitted = model("without names")
    client = client_of(fitted)
    wanted = fitted.predict_proba([[0.5, 2.0]])[0]
    one = client.post("/predict", json={"x1": 2.0, "x0": 0.5}).json()
    assert np.allclose(list(one["probabilities"].values()), wanted)
    assert client.post("/predict", json={"size": 2.0}).status_code == 422


def test_dates_and_times_are_texts():
    when = np.array(["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"] * 10, "datetime64[D]")
    moment = when.astype("datetime64[us]") + np.timedelta64(3, "h")
    late = [day.month > 2 for day in when.tolist()]
    fitted = likely.NaiveBayes().fit({"when": when, "moment": moment, "y": late}, "y")
    client = client_of(fitted)
    answer = client.post("/predict", json={"when": "2024-03-15", "moment": "2024-03-15T03:00:00"}).json()
    wanted = fitted.predict_proba(
        {"when": [date(2024, 3, 15)], "moment": np.array(["2024-03-15T03:00:00"], "datetime64[us]")}
    )[0]
    assert np.allclose(list(answer["probabilities"].values()), wanted)
    for bad in ("tomorrow", 7, True):
        refused = client.post("/predict", json=[{"when": None}, {"when": bad}])
        assert refused.status_code == 422
        assert (
            f"column 'when' should hold dates such as 2024-12-31, but row 1 holds {bad!r}"
            in refused.text.replace("\\", "")
        )


def test_threads_do_not_mix_answers():
    from concurrent.futures import ThreadPoolExecutor

    for name in ("naive bayes", "pool", "network with a target"):
        fitted = model(name)
        client = client_of(fitted)
        rows = [
            {"size": float(s), "colour": c, "member": bool(m)} for s, c, m in zip(*X.values(), strict=True)
        ]
        wanted = fitted.predict_proba(rows)
        with ThreadPoolExecutor(8) as pool:
            answers = list(
                pool.map(lambda row, client=client: client.post("/predict", json=row).json(), rows)
            )
        p = [list(one["probabilities"].values()) for one in answers]
        assert np.allclose(p, wanted, rtol=1e-10)
        assert len(PRICE) == len(p)
