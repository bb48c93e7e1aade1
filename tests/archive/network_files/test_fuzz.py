"""Files that were damaged in any way: a network or a clear error, soon, and never anything else."""

from __future__ import annotations

import contextlib
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from test_network_files import CAUSES, ENDINGS, random_network

from likely.archive.network_files import FORMATS, PlainNetwork
from likely.errors import LikelyError

QUICK, LONG = 800, 100_000  # mutated files of each format
SIGNS = [*"{}()[];|=:,\"'\\%<>&/*#\n\t 0", "\x00", "é", "//", "/*", "*/", "-->", "]]>", "]]"]
WORDS = [
    *("nan", "inf", "-1", "1e999", "9" * 30, "0.5", "1_0", "٣", "discrete", "default", "table", "property"),
    *(
        "variable",
        "node",
        "probability",
        "potential",
        "data",
        "states",
        "<cpt",
        "<state",
        "<TABLE>",
        "<!ENTITY",
    ),
    *(
        "<!ENTITY",
        "</",
        "&amp;",
        "&x;",
        "<![CDATA[",
        "<?xml",
        "xml:space='preserve'",
        "__import__('os')",
        "../../x",
    ),
]


def mutated(text: str, rng: np.random.Generator) -> str:
    """The text after one to three changes: parts cut, doubled, moved, swapped; signs and words put in."""
    for _ in range(rng.integers(1, 4)):
        n = len(text)
        a, b = sorted(int(i) for i in rng.integers(0, n + 1, 2))
        b = min(b, a + int(rng.integers(1, 60)))
        what = rng.integers(0, 8)
        if what == 0:
            text = text[:a] + text[b:]
        elif what == 1:
            text = text[:b] + text[a:b] + text[b:]
        elif what == 2:
            at = int(rng.integers(0, n + 1))
            text = text[:at] + text[a:b] + text[at:]
        elif what in (3, 4):
            text = text[:a] + SIGNS[rng.integers(len(SIGNS))] + text[a + int(rng.integers(0, 2)) :]
        elif what == 5:
            text = text[:a] + " " + WORDS[rng.integers(len(WORDS))] + " " + text[b:]
        elif what == 6:
            text = text[:a] + text[a:b] * int(rng.integers(2, 200)) + text[b:]
        elif rng.random() < 0.2:
            text = text[:a]
    return text


def fuzz(ending: str, n: int) -> tuple[int, int]:
    """How many damaged files were still networks, and how many were refused."""
    kind, rng = FORMATS[ending], np.random.default_rng(7)
    bases = [kind.text(random_network(seed, 4)) for seed in range(8)]
    bases += [CAUSES[ending]] if ending in CAUSES else []
    read = refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(n):
            text = mutated(bases[rng.integers(len(bases))], rng)
            try:
                assert isinstance(kind.read(text), PlainNetwork)
                read += 1
            except LikelyError:
                refused += 1
    return read, refused


@pytest.mark.parametrize("ending", ENDINGS)
def test_damaged_files_are_networks_or_clear_errors(ending: str):
    read, refused = fuzz(ending, QUICK)
    print(f"{ending}: {read} read, {refused} refused")
    assert read > QUICK / 50
    assert refused > QUICK / 4


@pytest.mark.long
@pytest.mark.parametrize("ending", ENDINGS)
def test_many_damaged_files_are_networks_or_clear_errors(ending: str):
    start = time.process_time()
    read, refused = fuzz(ending, LONG)
    print(f"{ending}: {read} read, {refused} refused, {time.process_time() - start:.0f} s")
    assert read + refused == LONG


def circle(n: int) -> str:
    """So many variables, each the parent of the one before."""
    names = [f"v{i}" for i in range(n)]
    said = "variable {0} {{ type discrete [1] {{ a }}; }} probability ({0} | {1}) {{ (a) 1; }}"
    return "".join(said.format(name, above) for name, above in zip(names, names[1:] + names[:1], strict=True))


PARENTS = "<smile><nodes><cpt id='a'><parents>{}</parents></cpt></nodes></smile>"
# Texts that grow in one way, each a trap for readers whose time or memory grows faster than the text.
TRAPS = {
    "comments": ("bif", lambda n: "/*" * n),
    "slashes": ("bif", lambda n: "/" * n),
    "quotes": ("bif", lambda n: 'variable "' + '\\"' * n),
    "brackets": ("net", lambda n: "potential (" + "(" * n),
    "tables without an end": ("bif", lambda n: "probability ( x ) { " * n),
    "variables without an end": ("bif", lambda n: "variable x { property " * n),
    "rows": ("dsc", lambda n: "node x { type : discrete[1] {a}; } probability (x) {" + "(" * n + "}"),
    "properties": ("bif", lambda n: "network n { " + "property a = b;" * n + "}"),
    "elements": ("xmlbif", lambda n: "<BIF>" * n),
    "parents": ("xdsl", lambda n: PARENTS.format("a " * n)),
    "states": ("bif", lambda n: "variable x { type discrete [ 2 ] { " + "s " * n + "}; }"),
    "a circle": ("bif", lambda n: circle(n // 10)),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_time_and_memory_grow_no_faster_than_the_text(trap: str):
    """A reader that looked at every character for every other one would need minutes for the longest."""
    ending, make = TRAPS[trap]
    text = make(20_000)
    start = time.process_time()
    tracemalloc.start()
    with contextlib.suppress(LikelyError):
        FORMATS[ending].read(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - start < 5
    assert peak < 400 * len(text) + 1e6
