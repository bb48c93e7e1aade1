"""The worked examples run, their figures are right, and they use the public API alone."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from seeds import rarely

import likely
from likely import LikelyError, textbook
from likely.textbook.example import Step, judged

IDS = [example.id for example in textbook.examples()]
WANTED = {
    "P": (1, 2, 3, 4, 5, 6, 7, 8),
    "H": (1, 2, 3, 4, 5),
    "G": (1, 2, 3, 4, 5, 6, 7, "7b", 8),
    "N": (1, 2, 3, "3b", 4, 5, 6, 7, 8, 9, "9b", 10, 11),
    "L": (1, 2, 3, 4, 5, 6),
    "C": (1, 2, 3, 4, 5),
    "E": (1, 2, 3, "3b", "3c", 4, 5, 6),
    "I": (1, 2, 3, "3b", "3c", "3d", 4, "4b", 5, "5b", "5c"),
    "B": (1, 2, 3, 4, 5, 6),
    "F": (
        *(1, "1b", 2, 3, 4, 5, 6, 7, "7b", 8, "9a", "9b", "9c", "9d", "9e"),
        *(10, "10b", "10c", "10d", 11, "11b", 12),
    ),
}
# Those whose source has a figure, or plots what the example is about.
DRAWN = ["P5", "H3", "G2", "G3", "G7", "G7b", "N2", "N3b", "N8", "L4", "L5", "C1", "C3", "E3", "E3b", "E3c"]
DRAWN += ["I4", "F2", "F4", "F5", "F7", "F7b", "F10c"]
# All that the sources print, by the catalogue, as they print it: no more, for a source is not to be credited
# with what it does not say, and no less. Words ("ham", "True") are left out.
PRINTED = {
    "P2": [".0078", ".0298", ".21", ".79"],
    "P4": ["3/4", "1", ".4, .3, .3", "5/14, 4/14, 4/14, 1/14"],
    "P5": ["0.6 %", "0.9", "0.8"],
    "P6": ["3/5"],
    "H4": [".4", ".6"],
    "G2": ["-1.85, 1.85", "1.5"],
    "G3": ["1, 1, 0, 0", "1, 0, 0, 0", "1, 1, .7, .7"],
    "N1": [
        ".3, .5, .2",
        ".6, .2, .2",
        ".5, .67, .33",
        ".67, .33, .33",
        ".054",
        ".1728",
        "5/16",
        ".222",
        ".148",
        "3/2",
    ],
    "N3": ["3/2", "3/4"],
    "N6": [
        "9/14",
        "2/9, 4/9, 3/9",
        "3/5, 0/5, 2/5",
        "2/9, 4/9, 3/9",
        "2/5, 2/5, 1/5",
        "3/9, 6/9",
        "4/5, 1/5",
        "3/9, 6/9",
        "3/5, 2/5",
        ".0053",
        ".0206",
        ".795",
    ],
    "N11": ["5/16"],
    "E2": [".1", "2/21", ".0948", "16.813, 3.187"],
    "I1": ["1", "2.6", "1.32, 3.06, .74, .18"],
    "I2": ["2.32, .32"],
    "B1": [".4"],
    "F7": ["48/65, 48/102", "5/6", ".6", ".5", "3/7", ".4", ".2"],
    "F10": ["0, 0", "1"],
    "F10c": ["0, 0, 1"],
}
NUMBER = re.compile(r"-?(\d+/\d+|\d+(\.\d+)?|\.\d+)( %)?")
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


def numbers(step):
    """What the source prints of a step, number by number, as text; nothing if it prints words."""
    texts = [text.strip() for text in step.book.split(",")]
    return texts if all(NUMBER.fullmatch(text) for text in texts) else []


@pytest.mark.parametrize("name", IDS)
def test_what_the_source_prints_is_beside_ours(name):
    assert [step.book for step in textbook.show(name).steps if numbers(step)] == PRINTED.get(name, [])


def rounded_as(printed, value):
    """Whether a number, rounded to the decimals that are printed, is the one that is printed.

    In decimals, not as the check itself does it. A half may be rounded either way.
    """
    if "/" in printed:
        above, below = map(int, printed.split("/"))
        return Fraction(float(value)).limit_denominator(10**6) == Fraction(above, below)
    percent, shown = printed.endswith("%"), Decimal(printed.rstrip("% "))
    exact = round(Decimal(float(value)) * (100 if percent else 1), 12)
    return shown in {exact.quantize(shown, rounding) for rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN)}


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_ours_rounds_to_what_the_source_prints(name, found):
    """To as many decimals as it prints, unless the step says that the source is wrong; then it does not."""
    for step in textbook.show(name).steps:
        texts = numbers(step)
        for values in (step.exact, found[name][step.label]) if texts else ():
            flat = np.asarray(values, float).reshape(-1)
            assert len(flat) == len(texts)
            same = all(map(rounded_as, texts, flat))
            assert same is not bool(step.wrong), (step.label, step.book, values)


def test_at_least_one_of_two_words():
    """P8 by counting the four kinds of e-mail: three have a word, one of them both."""
    mails = [(a, b) for a in (True, False) for b in (True, False)]
    spam = [mail for mail in mails if any(mail)]
    both = Fraction(sum(map(all, spam)), len(spam))
    each = Fraction(sum(a for a, _ in spam), len(spam))
    exact = {step.label: step.exact for step in textbook.show("P8").steps}
    assert exact["at least one: P(both | spam)"] == float(both) == 1 / 3
    assert exact["at least one: P(first | spam) P(second | spam)"] == float(each**2) == 4 / 9


def test_figures():
    assert [example.id for example in textbook.examples() if example.figure is not None] == DRAWN


# E3c takes seconds, and test_textbook_figures.py looks at it.
@pytest.mark.parametrize("name", [*(name for name in DRAWN if name != "E3c"), *rarely("E3c")])
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
    assert str(found).endswith("2 examples, 14 figures: all right")
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
    assert textbook.show("G7B") is textbook.show("g7b")
    assert (textbook.show("E3c").row, textbook.show("E3").row) == ("E3", "E3")
