"""The commands that ask a model, help, completion, JSON and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete

import likely
from likely.cli.app import commands
from likely.cli.app import likely as group
from likely.cli.run import run

NB = ("--model", "naive-bayes")  # the default is slower, and tested by itself


def test_explain_is_the_ledger_of_the_row(cli, titanic):
    people = likely.read("titanic", into="dict")
    row = {name: column[[700]] for name, column in people.items() if name != "survived"}
    ledger = likely.load(titanic).explain(row, "yes", "no")[0]
    options = ["--row", "701", "--class", "yes", "--against", "no"]
    assert cli.ok("explain", titanic, "titanic", *options) == f"{ledger}\n"
    assert json.loads(cli.ok("explain", titanic, "titanic", *options, "--json")) == {
        "row": 701,
        **ledger.to_dict(),
    }
    assert "evidence (bits)" in cli.ok("explain", titanic, "titanic", "--row", "1", "--bits")


def test_classes_that_are_numbers(cli, folder):
    (folder / "n.csv").write_text("x,y\n1,0\n2,1\n3,0\n4,2\n")
    cli.ok("learn", "n.csv", *NB, "-t", "y", "--folds", "0")
    assert cli.ok("explain", "n.likely", "n.csv", "--row", "1", "--class", "2").startswith("2 against 0")


def test_explain_opens_a_text_into_words(cli):
    cli.ok("learn", "emails", *NB, "--target", "class", "--kind", "message=text", "--out", "mail.likely")
    out = cli.ok("explain", "mail.likely", "emails", "--row", "1", "--class", "spam")
    mails = {"message": likely.read("emails", into="dict")["message"]}
    ledger = likely.load("mail.likely").explain(mails, "spam", "ham")[0]
    assert out == f"{ledger}\n"
    assert "\n  b " in out
    words = json.loads(cli.ok("explain", "mail.likely", "emails", "--row", "1", "--json"))["lines"][0][
        "words"
    ]
    assert {word["name"] for word in words} == set(ledger.lines[0].value.split())


def test_show_tells_the_story_and_the_number_of_parameters(cli, titanic):
    model = likely.load(titanic)
    assert f"\n{model.n_parameters_} free parameters\n" in cli.ok("show", titanic)
    assert cli.ok("show", titanic, "--story") == f"{model.story()}\n"
    assert json.loads(cli.ok("show", titanic, "--story", "--json")) == model.story().to_dict()


def test_ask_with_or(cli, titanic):
    """The sum rule holds between the answers that are printed."""

    def p(event: str) -> float:
        return json.loads(cli.ok("ask", titanic, f"P({event})", "--json"))["answer"]

    both = p("sex=female, class=1st")
    assert p("sex=female or class=1st") == pytest.approx(p("sex=female") + p("class=1st") - both, abs=1e-12)


def test_ask(cli, titanic):
    out = cli.ok("ask", titanic, "P(survived=yes | sex=female)")
    n, yes, female = 2201, 711, {"yes": 345 / 713, "no": 127 / 1492}  # Laplace's correction
    base = (yes + 1) / (n + 2)
    expected = base * female["yes"] / (base * female["yes"] + (1 - base) * female["no"])
    assert out.splitlines()[0] == f"P(survived = yes | sex = female) = {expected:.4f}"
    said = json.loads(cli.ok("ask", titanic, "P(survived=yes | sex=female)", "--json"))
    assert expected in [pytest.approx(value) for value in said.values() if isinstance(value, float)]


def test_next(cli, titanic):
    said = json.loads(cli.ok("next", titanic, "--given", "sex=female", "--cost", "age=2", "--json"))
    assert [option["name"] for option in said["options"]] == ["class", "age"]
    assert said["options"][1]["cost"] == 2
    assert "class" in cli.ok("next", titanic)


def test_show_and_diff_and_profile(cli, titanic):
    assert cli.ok("show", titanic) == f"{likely.load(titanic).describe()}\n"
    assert json.loads(cli.ok("show", titanic, "--json"))["target"] == "survived"
    cli.ok("learn", "titanic", *NB, "-t", "survived", "--drop", "age", "-o", "less.likely", "--folds", "0")
    assert "age" in cli.ok("diff", titanic, "less.likely")
    json.loads(cli.ok("diff", titanic, "less.likely", "--json"))
    assert "2201 rows, 4 columns" in cli.ok("profile", "titanic")
    assert "survived" in cli.ok("profile", "titanic", "--target", "survived")
    json.loads(cli.ok("profile", "titanic", "--json"))


def _no_constant(word):
    raise AssertionError(f"{word} is not JSON")


def test_json_is_strict_where_numbers_are_infinite(cli, folder):
    (folder / "z.csv").write_text("x,y\n" + "a,no\nb,yes\n" * 5)
    out = cli.ok("learn", "z.csv", "-t", "y", "--prior", "none", "--json")
    evidence = json.loads(out, parse_constant=_no_constant)["evidence"]["yes"][0]["evidence"]
    assert evidence == "inf"
    out = cli.ok("explain", "z.likely", "z.csv", "--row", "1", "--json")
    assert json.loads(out, parse_constant=_no_constant)["total"] == "inf"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["lern"], 2, "there is no command 'lern': did you mean 'learn'?"),
        (["learn"], 2, "Missing argument 'FILE'"),
        (["explain", "titanic.likely", "titanic"], 2, "--row"),
        (["explain", "titanic.likely", "titanic", "--row", "0"], 2, "x>=1"),
        (["explain", "titanic.likely", "titanic", "--row", "2202"], 1, "--row 2202: titanic has 2201 rows"),
        (["explain", "titanic.likely", "titanic", "--row", "1", "--class", "Yes"], 1, "did you mean 'yes'?"),
        (
            ["show", "titanik.likely"],
            1,
            "there is no model titanik.likely; here are junk.likely, titanic.likely.",
        ),
        (["show", "junk.likely"], 1, "junk.likely"),
        (["predict", "titanic.likely", "titanik"], 1, "there is no file titanik; did you mean 'titanic'?"),
        (["ask", "titanic.likely", "P(survivd=yes)"], 1, "did you mean survived?"),
        (["next", "titanic.likely", "--given", "sexx=male"], 1, "no column 'sexx'; did you mean 'sex'?"),
        (["next", "titanic.likely", "--given", "male"], 1, "write COLUMN="),
        (["next", "titanic.likely", "--cost", "sex=dear"], 1, "--cost sex=dear: give a number"),
        (["profile", "titanic", "-t", "surv"], 1, "did you mean 'survived'?"),
        (["sample", "titanic.likely", "-n", "0"], 2, "x>=1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_exit_codes_and_what_is_said(cli, folder, titanic, arguments, code, said):
    (folder / "junk.likely").write_text("no model")
    done = cli(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.count("\n") <= 2
    assert "Traceback" not in done.err


def test_a_fault_of_the_program_is_said_in_two_lines(cli, titanic, monkeypatch):
    monkeypatch.setattr("likely.cli.work.models.load_model", lambda path: 1 / 0)
    done = cli("show", titanic)
    assert done.code == 70
    first, second = done.err.splitlines()
    assert first == "unexpected error: ZeroDivisionError: division by zero"
    assert second == "Run again with --debug for the traceback."
    with pytest.raises(ZeroDivisionError):
        run(["show", titanic, "--debug"])


def test_debug_shows_where_an_error_came_from(folder):
    with pytest.raises(likely.LikelyError, match="no model"):
        run(["show", "none.likely", "--debug"])


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_examples_and_json(cli, name):
    out = cli.ok(name, "--help")
    for part in ("--json", "--debug", "Examples:", f"likely {name} "):
        assert part in out
    assert "..." not in cli.ok("--help").split("Commands:")[1].split("Start here")[0]  # nothing is cut short


def test_the_bare_command_helps(cli):
    assert cli.ok() == cli.ok("--help")


def test_version(cli):
    assert cli.ok("--version") == f"likely {likely.__version__}\n"


def test_completion(folder, titanic):
    def completed(*words):
        shell = BashComplete(group, {}, "likely", "_LIKELY_COMPLETE")
        return [(item.type, item.value) for item in shell.get_completions(list(words[:-1]), words[-1])]

    (folder / "play.csv").touch()
    assert completed("le") == [("plain", "learn")]
    assert completed("learn", "p") == [("plain", "play_tennis"), ("plain", "play.csv")]
    assert completed("learn", "data/") == [("file", "data/")]
    assert completed("show", "t") == [("plain", "titanic.likely")]
    assert completed("learn", "titanic", "--model", "l") == [("plain", "logistic"), ("plain", "linear")]


def test_the_modules_of_help_are_few():
    code = (
        "import sys; from likely.cli.run import run; run(['--help']); run(['learn', '--help']); "
        "print(sorted({m.partition('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(eval(done.stdout.splitlines()[-1]))
    assert not loaded & {
        "numpy",
        "scipy",
        "sklearn",
        "duckdb",
        "narwhals",
        "rich",
        "pandas",
        "polars",
        "pyarrow",
    }
    assert {"click", "likely"} <= loaded


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "likely", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"likely {likely.__version__}\n"
