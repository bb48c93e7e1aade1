from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import likely
from likely import codes
from likely.score import entropy

RULES = {"shannon": codes.shannon, "fano": codes.fano, "huffman": codes.huffman}


def _random(rng: np.random.Generator) -> list[float]:
    """Probabilities of 2 to 12 symbols: some even, some far apart, some powers of one half, some 0."""
    k = int(rng.integers(2, 13))
    p = rng.dirichlet(np.full(k, rng.choice([0.1, 1.0, 100.0])))
    if rng.random() < 0.3:
        p = 0.5 ** np.minimum(np.arange(1, k + 1), k - 1)
    if rng.random() < 0.3 and k > 2:
        p = np.append(p, 0.0)
    return (p / p.sum()).tolist()


CASES = {
    # probabilities: entropy, lengths by Huffman, mean by Huffman, by Fano, lengths and mean by Shannon
    "die": ([1 / 6] * 6, 2.584963, (2, 2, 3, 3, 3, 3), 8 / 3, 8 / 3, (3,) * 6, 3),
    "three": ([0.4, 0.3, 0.3], 1.570951, (1, 2, 2), 1.6, 1.6, (2, 2, 2), 2),
    "Laplace": ([5 / 14, 4 / 14, 4 / 14, 1 / 14], 1.835238, (2, 2, 2, 2), 2, 2, (2, 2, 2, 4), 15 / 7),
    "spam": ([0.3, 0.5, 0.2], 1.485475, (2, 1, 2), 1.5, 1.5, (2, 1, 3), 1.7),
    "ham": ([0.6, 0.2, 0.2], 1.370951, (1, 2, 2), 1.4, 1.4, (1, 3, 3), 1.8),
    "39": (
        [15 / 39, 7 / 39, 6 / 39, 6 / 39, 5 / 39],
        2.185812,
        (1, 3, 3, 3, 3),
        87 / 39,
        89 / 39,
        (2, 3, 3, 3, 3),
        2.615385,
    ),
    "disease": ([0.008, 0.992], 0.067222, (1, 1), 1, 1, (7, 1), 1.048),
}


@pytest.mark.parametrize("name", CASES)
def test_worked_figures(name: str) -> None:
    p, bits, lengths, huffman, fano, shannon_lengths, shannon = CASES[name]
    assert codes.huffman(p).lengths == lengths
    assert codes.huffman(p).mean_length == pytest.approx(huffman, abs=1e-12)
    assert codes.fano(p).mean_length == pytest.approx(fano, abs=1e-12)
    assert codes.shannon(p).lengths == shannon_lengths
    assert codes.shannon(p).mean_length == pytest.approx(shannon, abs=5e-7)
    assert codes.huffman(p).alphabet.entropy == pytest.approx(bits, abs=5e-7)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("rule", RULES)
def test_laws(rule: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = _random(rng)
    code = RULES[rule](p)
    possible = [word for word, share in zip(code.words, p, strict=True) if share > 0]
    assert all(word == "" for word, share in zip(code.words, p, strict=True) if share == 0)
    assert not any(a != b and b.startswith(a) for a, b in product(possible, possible))
    assert len(set(possible)) == len(possible)
    assert code.kraft <= 1 if rule == "shannon" else code.kraft == 1
    h = entropy(p)
    assert h - 1e-12 <= code.mean_length < h + 1
    if rule == "fano":
        # The theorem of Krajči, Liu, Mikeš and Moser (2015), sharper than the bound of one bit.
        assert code.mean_length <= h + 1 - min(share for share in p if share > 0) + 1e-12
    assert codes.huffman(p).mean_length <= code.mean_length + 1e-12
    message = rng.choice(len(p), 50, p=p).tolist()
    assert code.decode(code.encode(message)) == message


@pytest.mark.parametrize("seed", range(20))
def test_no_prefix_code_is_shorter_than_huffmans(seed: int) -> None:
    p = sorted(np.random.default_rng(seed).dirichlet(np.ones(5)).tolist(), reverse=True)
    possible = (n for n in product(range(1, 5), repeat=5) if sum(Fraction(1, 2**i) for i in n) <= 1)
    least = min(float(np.dot(p, n)) for n in possible)
    assert codes.huffman(p).mean_length == pytest.approx(least, abs=1e-12)


def test_shannon_is_exact_at_powers_of_one_half() -> None:
    p = [0.5**i for i in range(1, 60)]
    p.append(p[-1])
    assert codes.shannon(p).lengths == (*range(1, 60), 59)


def test_one_symbol_has_one_bit() -> None:
    for rule in RULES.values():
        code = rule({"x": 1.0})
        assert code.words == ("0",)
        assert code.mean_length == 1
        assert code.alphabet.entropy == 0
        assert code.decode("000") == ["x"] * 3
        assert rule({"x": 1.0, "y": 0.0}).words == ("0", "")
        assert "─" in code.tree()


def test_what_symbols_may_be() -> None:
    fitted = likely.Categorical.fit(list("abaccbaabc"), prior=None)
    assert codes.huffman(fitted).alphabet.symbols == ("a", "b", "c")
    assert codes.huffman(likely.Bernoulli(0.25)).encode([True, False]) == "10"
    assert codes.huffman([0.5, 0.25, 0.25]).encode([0, 2]) == "011"
    assert codes.huffman({("a", 1): 0.5, None: 0.5}).decode("10") == [None, ("a", 1)]


def test_refusals_name_symbol_and_remedy() -> None:
    code = codes.huffman({"a": 0.5, "b": 0.5, "c": 0.0})
    with pytest.raises(likely.LikelyError, match=r"'z', number 2 of the message.*none of the symbols"):
        code.encode("az")
    with pytest.raises(likely.LikelyError, match=r"'c'.*probability 0.*smoothing"):
        code.encode("c")
    with pytest.raises(likely.LikelyError, match="add up to 1"):
        codes.fano({"a": 0.5, "b": 0.6})
    with pytest.raises(likely.LikelyError, match="one number for each symbol"):
        codes.fano([[0.5, 0.5]])
    with pytest.raises(likely.LikelyError, match="end within a word"):
        codes.huffman([0.5, 0.25, 0.25]).decode("01")
    for bits in ("2", "0x"):
        with pytest.raises(likely.LikelyError, match="beginning of no word"):
            codes.huffman([0.5, 0.25, 0.25]).decode(bits)


def test_tables_and_trees_show_every_symbol() -> None:
    code = codes.huffman(dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 1 / 26))
    assert "and 6 more" in repr(code)
    assert len(code.tree().splitlines()) == 26
    assert code.to_frame()["bits"].tolist() == list(code.lengths)
    # Reading the tree from its root to a symbol gives the word.
    lines = codes.huffman({"a": 0.3, "b": 0.5, "c": 0.2}).tree().splitlines()
    assert [line[-1] for line in lines] == ["b", "a", "c"]


@pytest.mark.parametrize("seed", range(30))
def test_fano_is_within_one_bit_where_it_is_worst(seed: int) -> None:
    """Climbing towards the largest redundancy from many starts: it comes close to 1 - p_min, never above."""
    rng = np.random.default_rng(seed)

    def beyond(p: np.ndarray) -> float:
        return float(codes.fano(p.tolist()).mean_length - entropy(p.tolist()) - 1 + p.min())

    p = np.append(rng.dirichlet(np.ones(rng.integers(1, 6))), np.full(rng.integers(1, 12), 1e-3))
    p /= p.sum()
    worst = beyond(p)
    for _ in range(60):
        other = p * np.exp(rng.normal(0, 0.5, len(p)))
        other /= other.sum()
        if beyond(other) > worst:
            p, worst = other, beyond(other)
    assert worst <= 1e-12


def test_fano_comes_as_near_to_one_bit_as_one_likes() -> None:
    """Two symbols, one nearly certain: one bit each, hardly any of it needed. So no bound below 1 holds."""
    code = codes.fano([1 - 1e-6, 1e-6])
    assert 0.9999 < code.mean_length - code.alphabet.entropy < 1 - 1e-6


def test_notebooks_show_words_and_tree() -> None:
    page = codes.huffman({"<a>": 0.5, "b": 0.5})._repr_html_()
    assert "&lt;a&gt;" in page
    assert "<a>" not in page
    assert page.count("<path") == 2
    many = codes.huffman([1 / 100] * 100)._repr_html_()
    assert "<svg" not in many
    assert "draw() has the tree" in many
    assert "and 80 more" in many


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("rule", RULES)
def test_a_tree_reads_back_as_its_words(rule: str, seed: int) -> None:
    """From the text of the tree alone: bits of a line, and those of lines above where it has none."""
    p = _random(np.random.default_rng(seed))
    code = RULES[rule](p)
    read, bits = {}, ""
    for line in code.tree().splitlines():
        path, name = line.rsplit(" ", 1)
        own = [path[i : i + 4][2:3] for i in range(0, len(path), 4)]
        bits = "".join(bit if bit in "01" and bit.strip() else bits[i] for i, bit in enumerate(own))
        read[int(name)] = bits
    assert read == {i: word for i, word in enumerate(code.words) if word}


@pytest.mark.parametrize("rule", RULES)
def test_a_picture_has_every_word(rule: str, tmp_path: Path) -> None:
    code = RULES[rule]({"a & <b>": 0.4, "c": 0.3, "d": 0.2, "e": 0.1, "never": 0.0})
    code.draw().save(tmp_path / "code.svg")
    root = ElementTree.parse(tmp_path / "code.svg").getroot()
    ends = [
        "".join(leaf.itertext()) for leaf in root.findall(".//{*}text") if leaf.find("{*}tspan") is not None
    ]
    for symbol, word in zip(code.alphabet.symbols, code.words, strict=True):
        assert any(f"{symbol}: " in end and end.endswith(word) for end in ends) == bool(word)
    branches = {word[:n] for word in code.words for n in range(1, len(word) + 1)}
    assert len(root.findall(".//{*}path")) == len(branches)
    assert len(root.findall(".//{*}circle")) == len(branches) + 1 - len(ends)
    with pytest.raises(likely.LikelyError, match=r"a picture of a code is SVG"):
        code.draw().save(tmp_path / "code.png")


def test_the_picture_in_the_docs_is_what_is_drawn() -> None:
    docs = Path(__file__).parents[2] / "docs" / "fano.svg"
    code = codes.fano({"a": 15 / 39, "b": 7 / 39, "c": 6 / 39, "d": 6 / 39, "e": 5 / 39})
    assert docs.read_text() == code.draw().svg


def test_trees_of_very_long_words() -> None:
    code = codes.shannon([1e-300, 1 - 1e-300])
    assert len(code.tree().splitlines()) == 2
    assert code.draw().svg.count("<path") == 998
