"""All formats alike: what is written is read again; files of other programs; errors; real networks."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from likely.archive import network_files
from likely.archive.network_files import FORMATS, PlainNetwork, PlainVariable
from likely.errors import LikelyError

ENDINGS = ["bif", "xmlbif", "xdsl", "net", "dsc"]
NAMES = [
    "rain",
    "Asy/Patch",
    "Asy Patch",
    "Asy_Patch",
    "a//b",
    '6" pipe',
    "C:\\new\\",
    "(",
    "%",
    "<&>",
    "2nd",
    "no\tyes",
    "é漢",
    " edge ",
    "table",
    "x]]>y",
]


def random_network(seed: int, n: int = 8) -> PlainNetwork:
    """Variables in any order with any names; numbers of all digits, zeros and ones among them."""
    rng = np.random.default_rng(seed)
    names = [NAMES[i] for i in rng.permutation(len(NAMES))[:n]]
    states = {
        name: tuple(NAMES[i] for i in rng.permutation(len(NAMES))[: rng.integers(1, 5)]) for name in names
    }
    variables = []
    for i, name in enumerate(names):
        parents = tuple(names[j] for j in rng.permutation(i)[: rng.integers(0, min(i, 3) + 1)])
        shape = (*(len(states[parent]) for parent in parents), len(states[name]))
        table = rng.dirichlet(np.full(shape[-1], 0.3), shape[:-1])
        table[rng.random(shape[:-1]) < 0.2] = np.eye(shape[-1])[0]
        variables.append(PlainVariable(name, states[name], parents, table.reshape(shape)))
    return PlainNetwork(NAMES[seed % len(NAMES)], tuple(variables[i] for i in rng.permutation(n)))


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_again(ending: str, tmp_path: Path):
    """Names, order and all 17 digits."""
    for seed in range(20):
        network = random_network(seed)
        file = tmp_path / f"network.{ending}"
        network_files.write(file, network)
        again = network_files.read(file)
        assert again == network
        assert FORMATS[ending].text(again) == FORMATS[ending].text(network)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_real_network_survives_every_format(ending: str, shared_data: Path, tmp_path: Path):
    small = [f for f in sorted((shared_data / "bif").iterdir()) if f.stat().st_size < 70_000]
    assert len(small) >= 10
    for file in small:
        network = network_files.read(file)
        network_files.write(tmp_path / f"it.{ending}.gz", network)
        assert network_files.read(tmp_path / f"it.{ending}.gz") == network


@pytest.mark.long
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_large_real_network_survives_every_format(ending: str, shared_data: Path, tmp_path: Path):
    for file in sorted((shared_data / "bif").iterdir()):
        network = network_files.read(file)
        network_files.write(tmp_path / f"it.{ending}", network)
        assert network_files.read(tmp_path / f"it.{ending}") == network


def test_properties_survive_where_the_format_has_a_place(tmp_path: Path):
    said = {"position": "(73, 165)", "note": 'odd; "text" {', "weight": "0.5"}
    rain = PlainVariable("rain", ("no", "yes"), (), np.array([0.8, 0.2]), said)
    network = PlainNetwork("lawn", (rain,), {"author": "somebody"})
    for ending in ("bif", "xmlbif", "net"):
        network_files.write(tmp_path / f"it.{ending}", network)
        assert network_files.read(tmp_path / f"it.{ending}") == network
    network_files.write(tmp_path / "it.xdsl", network)
    assert network_files.read(tmp_path / "it.xdsl").variables[0].properties == said


# The same network as programs of the formats write it.
CAUSES = {
    "xmlbif": """<?xml version="1.0" encoding="US-ASCII"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> <!ELEMENT NAME (#PCDATA)>
]>
<BIF VERSION="0.3"><NETWORK><NAME>lawn</NAME>
<VARIABLE TYPE="nature"> <NAME>rain</NAME> <OUTCOME>no</OUTCOME> <OUTCOME>yes</OUTCOME> </VARIABLE>
<VARIABLE TYPE="nature"> <NAME>hose</NAME> <OUTCOME>off</OUTCOME> <OUTCOME>on</OUTCOME> </VARIABLE>
<VARIABLE TYPE="nature"> <NAME>wet</NAME> <OUTCOME>no</OUTCOME> <OUTCOME>yes</OUTCOME> </VARIABLE>
<DEFINITION> <FOR>rain</FOR> <TABLE>0.8 0.2</TABLE> </DEFINITION>
<DEFINITION> <FOR>hose</FOR> <TABLE>0.5 0.5</TABLE> </DEFINITION>
<DEFINITION> <FOR>wet</FOR> <GIVEN>rain</GIVEN> <GIVEN>hose</GIVEN>
  <TABLE> <!-- no, off --> 0.9 0.1 0.3 0.7 <!-- yes --> 0.2 0.8 0.05 0.95 </TABLE> </DEFINITION>
</NETWORK></BIF>""",
    "xdsl": """<?xml version="1.0" encoding="UTF-8"?>
<smile version="1.0" id="lawn" numsamples="10000" discsamples="10000"><nodes>
  <cpt id="rain" diagtype="observation"><state id="no" label="F5" fault="true"/><state id="yes"/>
    <probabilities>0.8 0.2</probabilities></cpt>
  <cpt id="hose"><state id="off"/><state id="on"/><probabilities>0.5 0.5</probabilities></cpt>
  <cpt id="wet"><state id="no"/><state id="yes"/><parents>rain hose</parents>
    <probabilities>0.9 0.1 0.3 0.7 0.2 0.8 0.05 0.95</probabilities></cpt>
</nodes><extensions><genie version="1.0" app="GeNIe" name="Lawn"><node id="rain"><name>Rain today</name>
</node></genie></extensions></smile>""",
    "net": """% a comment; with { signs
net { node_size = (80 40); name = lawn; }
node rain { label = "Rain today"; position = (10 20); states = ("no" "yes"); }
discrete node hose { states = (off on); }
node wet { states = ("no" "yes"); HR_Color = "2"; }
potential (rain) { data = ( 0.8 0.2 ); }
potential (hose) { }
potential (wet | rain hose)
{ data = ((( 0.9 0.1 )   % no off
           ( 0.3 0.7 ))
          (( 0.2 0.8 ) ( 0.05 0.95 ))); experience = (1 1 1 1); }""",
    "dsc": """belief network "lawn"
node rain { name : "Rain today"; type : discrete[2] = { "no", "yes" }; position : (207, 95); }
node hose { type : discrete [ 2 ] { off, on }; }
node wet { type : discrete[2] = { "no", "yes" }; }
probability ( rain ) { 0.8, 0.2; }
probability ( hose ) { default : 0.5, 0.5; }
probability ( wet | rain, hose ) {
  (0, 0) : 0.9, 0.1; (1, 0) : 0.2, 0.8; // the first parent varies fastest here
  (0, 1) : 0.3, 0.7; (1, 1) : 0.05, 0.95;
}""",
}


@pytest.mark.parametrize("ending", CAUSES)
def test_files_of_other_programs(ending: str):
    network = FORMATS[ending].read(CAUSES[ending])
    assert network.name == "lawn"
    assert [v.name for v in network.variables] == ["rain", "hose", "wet"]
    assert [v.table.tolist() for v in network.variables] == [
        [0.8, 0.2],
        [0.5, 0.5],
        [[[0.9, 0.1], [0.3, 0.7]], [[0.2, 0.8], [0.05, 0.95]]],
    ]
    assert network.variables[1].states == ("off", "on")
    assert network.variables[2].parents == ("rain", "hose")


def test_the_first_parent_varies_fastest_in_xdsl_of_pyagrum():
    text = CAUSES["xdsl"].replace('app="GeNIe"', 'app="aGrUM 3.3.1"')
    turned = text.replace("0.9 0.1 0.3 0.7 0.2 0.8 0.05 0.95", "0.9 0.1 0.2 0.8 0.3 0.7 0.05 0.95")
    assert FORMATS["xdsl"].read(turned) == FORMATS["xdsl"].read(CAUSES["xdsl"])


def test_deterministic_nodes_of_genie():
    """Each configuration of the parents, the last varying fastest, results in one state."""
    text = CAUSES["xdsl"].replace('<cpt id="wet">', '<deterministic id="wet">')
    text = text.replace("</probabilities></cpt>\n</nodes>", "</resultingstates></deterministic>\n</nodes>")
    text = text.replace("<probabilities>0.9 0.1 0.3 0.7 0.2 0.8 0.05 0.95", "<resultingstates>no yes yes yes")
    table = FORMATS["xdsl"].read(text).variables[2].table
    assert table.tolist() == [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]


@pytest.mark.parametrize(
    ("ending", "old", "new", "at", "words"),
    [
        ("xmlbif", "<GIVEN>hose", "<GIVEN>hoose", "<GIVEN>hoose", "there is no variable 'hoose'"),
        ("xmlbif", "0.9 0.1", "0.9", "<TABLE> <", "7 numbers stand here and 'wet' needs 8"),
        ("xmlbif", "0.9 0.1", "0.9 x", "<TABLE> <", "expected a number, not x"),
        ("xmlbif", "0.9 0.1", "0.9 0.4", "<TABLE> <", "the table of 'wet': a row sums to 1.3"),
        ("xmlbif", '"nature"> <NAME>wet', '"utility"> <NAME>wet', '<VARIABLE TYPE="u', "only 'nature' can"),
        ("xdsl", 'cpt id="hose"', 'cpt id="rain"', '<cpt id="rain"><state id="off', "a second time"),
        ("xdsl", "<parents>rain", "<parents>rains", "<parents>", "there is no node 'rains'"),
        ("xdsl", '<state id="off"/>', "<state/>", "<state/>", "<state> has no id="),
        ("net", "0.3 0.7", "0.3 much", "much", "expected a number, not much"),
        ("net", "0.3 0.7", "0.3", "((( 0.9", "7 numbers stand here and 'wet' needs 8"),
        ("net", "discrete node", "continuous node", "continuous", "only discrete nodes"),
        ("net", "states = (off on);", "", "hose {", "the node 'hose' has no states"),
        ("dsc", "(1, 1) :", "(1, 2) :", "2) :", "expected a state of 'hose' (0, 1), not 2"),
        ("dsc", "(1, 1) :", "(1, 1)", "0.05", "expected ':', not 0.05"),
        ("dsc", "discrete [ 2 ]", "discrete [ 3 ]", "off,", "says that it has 3 states and names 2"),
    ],
)
def test_errors_say_where_and_what(ending: str, old: str, new: str, at: str, words: str):
    text = CAUSES[ending].replace(old, new)
    assert text != CAUSES[ending]
    assert text.count(at) == 1
    before = text[: text.index(at)].split("\n")
    with pytest.raises(LikelyError) as raised:
        FORMATS[ending].read(text)
    assert words in str(raised.value)
    assert str(raised.value).startswith(f"line {len(before)}, column {len(before[-1]) + 1}: ")


def test_what_is_no_xml_says_where():
    with pytest.raises(LikelyError, match="line 13, column 11: it is no XML: no element found"):
        FORMATS["xmlbif"].read(CAUSES["xmlbif"].removesuffix("</BIF>"))
    with pytest.raises(LikelyError, match="line 1, column 1: expected <BIF>, not <smile>"):
        FORMATS["xmlbif"].read("<smile/>")
    with pytest.raises(LikelyError, match="line 1, column 1: it is no XML: no element found"):
        FORMATS["xdsl"].read("")


def test_entities_are_never_expanded():
    """Ten levels of ten: a billion characters if they were."""
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE BIF [<!ENTITY a0 "ha">{levels}]><BIF><NETWORK><NAME>&a9;</NAME></NETWORK></BIF>'
    outside = '<!DOCTYPE BIF [<!ENTITY a SYSTEM "file:///etc/passwd">]><BIF><NETWORK><NAME>&a;</NAME></NETWORK></BIF>'
    for text in (bomb, outside):
        with pytest.raises(LikelyError, match="defines an entity"):
            FORMATS["xmlbif"].read(text)


def test_files_say_their_names_in_errors(tmp_path: Path):
    (tmp_path / "bad.bif").write_text("nonsense")
    with pytest.raises(LikelyError, match=r"bad\.bif \(BIF\): line 1, column 1: expected 'network'"):
        network_files.read(tmp_path / "bad.bif")
    with pytest.raises(LikelyError, match=r"cannot read .*none\.bif.*No such file"):
        network_files.read(tmp_path / "none.bif")
    with pytest.raises(LikelyError, match=r"does not end as a network file does: \.bif, "):
        network_files.read(tmp_path / "table.csv")


def test_old_encodings_and_marks(tmp_path: Path):
    text = "network n { } variable é { type discrete [ 1 ] { a }; } probability ( é ) { table 1.0; }"
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        (tmp_path / "it.bif").write_bytes(text.encode(encoding))
        assert network_files.read(tmp_path / "it.bif").variables[0].name == "é"


def test_packed_files_that_unpack_to_too_much_are_refused(tmp_path: Path):
    (tmp_path / "bomb.bif.gz").write_bytes(gzip.compress(b" " * (1 << 25)))
    with pytest.raises(LikelyError, match="it holds more than 16777216 bytes"):
        network_files.read(tmp_path / "bomb.bif.gz")
    (tmp_path / "cut.bif.gz").write_bytes(gzip.compress(b"network n { }" * 99)[:30])
    with pytest.raises(LikelyError, match="cut short"):
        network_files.read(tmp_path / "cut.bif.gz")


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ([("a", ("x",), (), [1.0]), ("a", ("x",), (), [1.0])], "two variables are called 'a'"),
        ([("a", (), (), [])], "'a' has no states"),
        ([("a", ("x", "y"), (), [1.0])], r"has shape \(1,\), and its parents and states need \(2,\)"),
        ([("a", ("x", "y"), (), [0.7, 0.7])], "the table of 'a': a row sums to 1.4"),
        ([("a", ("x",), ("a",), [[1.0]])], "circle: a -> a"),
    ],
)
def test_records_are_checked_before_they_are_written(variables, words: str):
    with pytest.raises(LikelyError, match=words):
        PlainNetwork("n", tuple(PlainVariable(*v[:3], np.array(v[3])) for v in variables))


def test_what_xml_cannot_hold_is_refused(tmp_path: Path):
    odd = PlainNetwork("n", (PlainVariable("a\x00b", ("x",), (), np.array([1.0])),))
    with pytest.raises(LikelyError, match=r"it\.xdsl \(XDSL\): .* has a character that XML cannot hold"):
        network_files.write(tmp_path / "it.xdsl", odd)
    assert not (tmp_path / "it.xdsl").exists()
