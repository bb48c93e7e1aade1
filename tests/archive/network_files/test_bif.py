"""BIF: what it may look like, what comes out, and errors that say where and what."""

from __future__ import annotations

import numpy as np
import pytest

from likely.archive.network_files import PlainNetwork, PlainVariable, bif
from likely.archive.network_files.source import NetworkText
from likely.errors import LikelyError, LikelyWarning

LAWN = """network lawn {
  property author = somebody;
}
variable rain {
  type discrete [ 2 ] { no, yes };
  property position = (73, 165);
}
variable wet {
  type discrete [ 3 ] { dry, damp, soaked };
}
probability ( rain ) {
  table 0.8, 0.2;
}
probability ( wet | rain ) {
  (no) 0.9, 0.08, 0.02;
  (yes) 0.1, 0.3, 0.6;
}
"""
NO, YES = [0.9, 0.08, 0.02], [0.1, 0.3, 0.6]


def wet(text: str) -> list[list[float]]:
    return bif.read(text).variables[1].table.tolist()


def test_a_network_is_read():
    network = bif.read(LAWN)
    assert network.name == "lawn"
    assert network.properties == {"author": "somebody"}
    rain, of_wet = network.variables
    assert (rain.name, rain.states, rain.parents) == ("rain", ("no", "yes"), ())
    assert rain.properties == {"position": "(73, 165)"}
    assert rain.table.tolist() == [0.8, 0.2]
    assert (of_wet.states, of_wet.parents) == (("dry", "damp", "soaked"), ("rain",))
    assert of_wet.table.tolist() == [NO, YES]
    assert network.arcs == [("rain", "wet")]


@pytest.mark.parametrize(
    "change",
    [
        ("(no) 0.9, 0.08, 0.02;\n  (yes)", "(yes) 0.1, 0.3, 0.6; (no) 0.9 0.08 0.02; // turned round\n /*"),
        ("(no) 0.9", "/* a comment; (with) signs */ (no) .9"),
        ("(no) 0.9, 0.08, 0.02;", "default 9e-1, 8E-2, 0.02;"),
        ("(no) 0.9, 0.08, 0.02;", "default 0.9 0.08 0.02 ; property seen = 14;"),
        ("(no) 0.9, 0.08, 0.02;\n  (yes) 0.1, 0.3, 0.6;", "table 0.9 0.08 0.02 0.1 0.3 0.6;"),
        # The states of the child vary slowest in some files: only one of the two orders sums to 1.
        ("(no) 0.9, 0.08, 0.02;\n  (yes) 0.1, 0.3, 0.6;", "table 0.9 0.1 0.08 0.3 0.02 0.6;"),
        ("wet | rain", "wet rain"),
        ("wet | rain", '"wet" | "rain"'),
        ("{ no, yes }", '{ "no" "yes" }'),
        ("network lawn", "network"),
    ],
    ids=lambda change: change[1][:30],
)
def test_it_may_look_otherwise(change: tuple[str, str]):
    old, new = change
    changed = LAWN.replace(old, new)
    if new.endswith("/*"):
        changed = changed.replace("/* 0.1, 0.3, 0.6;", "/* gone */")
    assert changed != LAWN
    assert wet(changed) == [NO, YES]


@pytest.mark.parametrize(
    "name", ["Asy/Patch", "a b", "a//b", "/*", '6" pipe', "C:\\new", "(", "", ";", '"', "table", "1"]
)
def test_any_name_survives(name: str):
    odd = PlainVariable(name, ("x", name or "y"), (), np.array([0.25, 0.75]))
    child = PlainVariable("child", (name, "other"), (name,), np.array([[0.5, 0.5], [1.0, 0.0]]))
    network = PlainNetwork(name or "unknown", (odd, child))
    assert bif.read(bif.text(network)) == network


def test_words_are_split_as_the_pattern_matches_them():
    """Without quotes and comments the text is split, which is faster; both ways must give the same."""
    split = NetworkText(LAWN, bif.GRAMMAR).tokens
    assert split == bif.GRAMMAR.pattern.findall(LAWN)
    assert NetworkText(LAWN + "// end", bif.GRAMMAR).tokens == split


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "words"),
    [
        ("(yes) 0.1", "(perhaps) 0.1", 16, 4, "expected a state of 'rain' (no, yes), not perhaps"),
        ("(yes) 0.1", "(no) 0.1", 16, 3, "given a second time"),
        ("0.3, 0.6", "0.3, much", 16, 19, "expected 3 numbers, one for each state of 'wet', not much"),
        ("0.3, 0.6", "0.9", 16, 17, "expected 3 numbers, one for each state of 'wet', not ;"),
        ("0.3, 0.6", "0.3, 0.7", 16, 3, "a row sums to 1.1"),
        ("0.3, 0.6", "-0.3, 1.2", 16, 3, "-0.3 is no probability"),
        ("0.3, 0.6", "nan, 1", 16, 3, "nan is no probability"),
        ("  (yes) 0.1, 0.3, 0.6;\n", "", 16, 1, "'wet' has no numbers for (yes)"),
        ("wet | rain", "wet | snow", 14, 21, "there is no variable 'snow'"),
        ("( wet |", "( wit |", 14, 15, "there is no variable 'wit'"),
        ("[ 3 ]", "[ 4 ]", 9, 25, "says that it has 4 states and names 3"),
        ("discrete [ 3 ]", "continuous [ 3 ]", 9, 8, "expected 'discrete'"),
        ("variable wet", "variable rain", 8, 10, "described a second time"),
        ("probability ( wet | rain )", "probability ( rain )", 14, 15, "has a second table"),
        ("probability ( rain )", "likelihood ( rain )", 11, 1, "expected 'network', 'variable'"),
        ("table 0.8, 0.2", "table 0.8", 12, 9, "1 numbers stand here and 'rain' needs 2"),
        ("(yes) 0.1, 0.3, 0.6;\n}\n", "(yes) 0.1", 15, 3, "'}' is missing from here on"),
        ("(no) 0.9", 'wet "(no) 0.9', 15, 7, "never closed"),
    ],
)
def test_errors_say_where_and_what(old: str, new: str, line: int, column: int, words: str):
    changed = LAWN.replace(old, new)
    with pytest.raises(LikelyError) as raised:
        bif.read(changed)
    assert words in str(raised.value)
    assert str(raised.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("variable wet", "variable snow { type discrete [ 1 ] { no }; } variable wet", "'snow' has no table"),
        ("{ no, yes }", "{ no, no }", "the state 'no' twice"),
        ("( rain )", "( rain | wet )", "circle: "),
        ("( wet | rain )", "( wet | rain, rain )", "parent 'rain' twice"),
    ],
)
def test_what_is_no_network_is_refused(old: str, new: str, words: str):
    with pytest.raises(LikelyError, match=words):
        bif.read(LAWN.replace(old, new))


def test_sums_a_little_off_are_mended_with_a_notice_and_others_refused():
    with pytest.warns(LikelyWarning, match="1 row of tables did not sum to 1 .*0.0009"):
        table = bif.read(LAWN.replace("0.08, 0.02", "0.08, 0.0209")).variables[1].table
    assert table[0] == pytest.approx(np.array([0.9, 0.08, 0.0209]) / 1.0009, rel=1e-15)
    assert table[1].tolist() == YES
    with pytest.raises(LikelyError, match=r"sums to 1\.0011"):
        bif.read(LAWN.replace("0.08, 0.02", "0.08, 0.0211"))


def test_a_small_file_cannot_ask_for_a_large_table():
    """60 parents of two states and one `default`: refused before anything of that size is made."""
    names = [f"x{i}" for i in range(60)]
    text = "".join(
        f"variable {n} {{ type discrete [2] {{a b}}; }} probability ({n}) {{table .5 .5;}}" for n in names
    )
    text += "variable y { type discrete [2] {a b}; }"
    text += f"probability (y | {' '.join(names)}) {{ default 0.5 0.5; }}"
    with pytest.raises(LikelyError, match=r"2\.31e\+18 of them that of 'y'; give it fewer parents"):
        bif.read(text)
