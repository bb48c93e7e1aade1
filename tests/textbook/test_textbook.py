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
    "H": (1, 2, 3, 4),
    "G": (1, 2, 3, 4, 6, 8),
    "N": (1, 3, 4, 5, 6, 7, 11),
    "L": (1,),
    "C": (5,),
    "E": (2,),
    "I": (1, 2),
    "F": (7, 10),
}


def test_what_there_is():
    assert [f"{letter}{number}" for letter, numbers in WANTED.items() for number in numbers] == IDS


@pytest.mark.parametrize("name", IDS)
class TestEvery:
    def test_figures_are_right(self, name):
        outcome = textbook.show(name).run()
        assert outcome.failures == []
        assert outcome.ok

    def test_code_uses_public_names_alone(self, name):
        code = textbook.show(name).code
        for line in re.findall(r"^\s*(?:from|import) .*$", code, re.MULTILINE):
            words = line.split()
            if words[0] == "import":
                assert words[1] in ("likely", "numpy"), line
            elif words[1].startswith("likely"):
                assert words[1] == "likely", line
                assert {word.strip(",") for word in words[3:]} <= set(likely.__all__), line
        assert set(re.findall(r"\blikely\.(\w+)", code)) <= set(likely.__all__)

    def test_what_is_shown_is_what_is_run(self, name):
        example = textbook.show(name)
        body = "\n".join(f"    {line}" for line in example.code.splitlines())
        names: dict[str, object] = {"Any": object}
        exec(f"def run():\n{body}", names)
        found = names["run"]()
        assert set(found) == {step.label for step in example.steps}
        assert judged(found, example.steps).ok

    def test_printed(self, name):
        text = str(textbook.show(name))
        assert text.startswith(f"{name}  ")
        assert "WRONG" not in text
        assert "DIFFERS" not in text

    def test_figure(self, name):
        draw = textbook.show(name).figure
        assert draw is None or len(draw().figure.axes) >= 1


def test_check():
    found = textbook.check()
    assert found.ok
    assert str(found).endswith("all right")
    assert found.to_frame()["ok"].all()


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
