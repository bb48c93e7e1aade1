"""The worked examples run, their figures are right, and they use the public API alone."""

from __future__ import annotations

import re

import numpy as np
import pytest

import likely
from likely import LikelyError, textbook
from likely.textbook.outcome import judged
from likely.textbook.step import Step

IDS = [example.id for example in textbook.examples()]
WANTED = {
    "P": (1, 2, 3, 4, 5, 6, 7, 8),
    "H": (1, 2, 3, 4, 5),
    "G": (1, 2, 3, 4, 5, 6, 7, 8),
    "N": (1, 2, 3, 4, 5, 6, 7, 8, 10, 11),
    "L": (1, 2, 3, 4, 5, 6),
    "C": (1, 2, 3, 4, 5),
    "E": (1, 2, 3, 4, 5, 6),
    "I": (1, 2, 4, 5),
    "F": (1, 2, 7, 10),
}
# Those whose source has a figure, or plots what the example is about.
DRAWN = ["P5", "H3", "G2", "G3", "G7", "N2", "N8", "L4", "L5", "C1", "C3", "E3", "I4", "F2", "F7"]
# What the sources print, by the catalogue: an example must have at least these figures to compare with.
PRINTED = {
    "P2": (".0078", ".0298", ".21"),
    "P4": ("3/4", "1", ".4, .3, .3", "5/14, 4/14, 4/14, 1/14"),
    "P5": ("0.6 %", "0.9", "0.8"),
    "P6": ("4/7", "3/5"),
    "H2": ("973", "5120"),
    "H4": (".4", ".6"),
    "G2": ("-1.85, 1.85",),
    "N1": (".3, .5, .2", ".6, .2, .2", ".054", ".1728", "5/16", ".2222", ".1481", "3/2"),
    "N3": ("3/2", "3/4"),
    "N6": (".0053", ".0206", "2/9, 4/9, 3/9", "3/5, 0/5, 2/5", "4/5, 1/5"),
    "E2": (".1", "2/21"),
    "I1": ("1", "2.585", "1.32, 3.06, .74, .18"),
    "I2": ("2.32, .32",),
    "F7": ("5/6", ".6", ".5", "3/7", ".4", ".2"),
    "F10": ("0, 0", "1"),
}
MODULES = ("calibrate", "compare", "decide", "hypotheses", "score")


def test_what_there_is():
    assert [f"{letter}{number}" for letter, numbers in WANTED.items() for number in numbers] == IDS


@pytest.fixture(scope="module")
def found():
    """What the code that each example shows comes to, once."""
    outcomes = {}
    for example in textbook.examples():
        body = "\n".join(f"    {line}" for line in example.code.splitlines())
        names: dict[str, object] = {"Any": object}
        exec(f"def run():\n{body}", names)
        outcomes[example.id] = names["run"]()
    return outcomes


@pytest.mark.parametrize("name", IDS)
class TestEvery:
    def test_shown_code_comes_to_the_figures(self, name, found):
        example = textbook.show(name)
        assert set(found[name]) == {step.label for step in example.steps}
        outcome = judged(found[name], example.steps)
        assert outcome.failures == []
        assert outcome.ok
        assert "WRONG" not in str(outcome)
        assert "DIFFERS" not in str(outcome)

    def test_code_uses_public_names_alone(self, name):
        code = textbook.show(name).code
        for line in re.findall(r"^\s*(?:from|import) .*$", code, re.MULTILINE):
            words = line.split()
            if words[0] == "import":
                assert words[1] in ("likely", "numpy", "warnings"), line
            elif words[1].startswith("likely"):
                assert words[1] == "likely", line
                assert {word.strip(",") for word in words[3:]} <= set(likely.__all__), line
        assert set(re.findall(r"\blikely\.(\w+)", code)) <= set(likely.__all__)
        for module in MODULES:
            used = re.findall(rf"\b(?:likely\.)?{module}\.(\w+)\(", code) if f" {module}" in code else []
            assert set(used) <= set(getattr(likely, module).__all__)
        assert "record_" not in code
        assert not re.search(r"\._[a-z]", code)

    def test_a_figure_that_is_off_is_seen(self, name, found):
        """Every step can fail: with another number, word or answer it is not right."""
        for step in textbook.show(name).steps:
            ours = found[name][step.label]
            if isinstance(step.exact, str | bool):
                other = not ours if isinstance(step.exact, bool) else f"{ours}?"
            else:
                other = np.asarray(ours, np.float64) + 2 * step.tolerance * (1 + np.abs(step.exact))
            assert not step.right(other), step.label

    def test_is_in_a_source_of_the_list(self, name):
        assert textbook.show(name).book in ("Flach", "Mitchell", "KTH", "CIML")


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_what_the_source_prints_is_beside_ours(name):
    assert set(PRINTED[name]) <= {step.book for step in textbook.show(name).steps}


def test_figures():
    assert [example.id for example in textbook.examples() if example.figure is not None] == DRAWN


@pytest.mark.parametrize("name", DRAWN)
def test_figure(name):
    draw = textbook.show(name).figure
    assert draw is not None
    axes = draw().figure.axes
    assert all(ax.has_data() for ax in axes)
    assert axes[0].get_xlabel()


def test_printed():
    text = str(textbook.show("N6"))
    assert text.startswith("N6  Play tennis (Mitchell; KTH)\n\n  14 days")
    assert '    model = likely.NaiveBayes(prior=None).fit(days, "play")' in text
    assert re.search(r"P\(yes and today\) +0.00529101 +.0053 +agrees", text)


def test_check(monkeypatch):
    monkeypatch.setattr(textbook, "_ALL", tuple(map(textbook.show, ("P2", "G2"))))
    found = textbook.check()
    assert found.ok
    assert str(found).endswith("2 examples, 13 figures: all right")
    assert found.to_frame()["ok"].tolist() == [True, True]


def test_the_error_of_the_source_is_shown():
    """Flach ex. 9.2 prints +-1.85 where the densities differ."""
    text = str(textbook.show("G2"))
    assert "(-0.847545, 2.18088)" in text
    assert "the source is wrong" in text


class TestJudging:
    """A wrong figure, or a difference that nobody explains, does not pass."""

    @pytest.mark.parametrize(
        ("step", "ours", "ok"),
        [
            (Step("a", 0.5), 0.5, True),
            (Step("a", 0.5), 0.5 + 1e-6, False),
            (Step("a", 0.2085106383, ".21"), 49 / 235, True),
            (Step("a", 49 / 235, ".2085"), 49 / 235, True),
            (Step("a", 49 / 235, ".22"), 49 / 235, False),
            (Step("a", 49 / 235, ".22", "a misprint"), 49 / 235, True),
            (Step("a", 49 / 235, ".21", "said to be a misprint"), 49 / 235, False),
            (Step("a", 3 / 512, "0.6 %"), 3 / 512, True),
            (Step("a", 3 / 512, "0.7 %"), 3 / 512, False),
            (Step("a", 4 / 7, "4/7"), 4 / 7, True),
            (Step("a", (0.4, 0.3), ".4, .3"), np.array([0.4, 0.3]), True),
            (Step("a", (0.4, 0.3), ".4"), np.array([0.4, 0.3]), False),
            (Step("a", (0.4, 0.3)), np.array([0.4, 0.3, 0.3]), False),
            (Step("a", "ham", "ham"), "ham", True),
            (Step("a", "ham"), "spam", False),
            (Step("a", "ham", "spam"), "ham", False),
            (Step("a", True, "True"), True, True),
            (Step("a", 973, "973"), 973, True),
            (Step("a", 0.0), float("nan"), False),
        ],
    )
    def test_step(self, step, ours, ok):
        outcome = judged({"a": ours}, (step,))
        assert outcome.ok is ok
        assert bool(outcome.failures) is not ok

    def test_steps_and_figures_must_match(self):
        with pytest.raises(LikelyError, match="the code has the figures"):
            judged({"a": 1}, (Step("b", 1),))

    def test_a_table_of_the_steps(self):
        frame = textbook.show("G2").run().to_frame()
        assert list(frame) == ["step", "ours", "exact", "source", "verdict"]


def test_unknown():
    with pytest.raises(LikelyError, match="did you mean N11"):
        textbook.show("N111")
    assert textbook.show("n6").id == "N6"
