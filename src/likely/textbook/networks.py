"""Worked examples of belief networks."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked

_STORM = """
    Storm and a bus of tourists; lightning given storm, thunder given lightning, a campfire given storm and
    bus, a forest fire given storm, lightning and campfire.
    """


@worked(
    "B1",
    "Mitchell",
    "A network: the joint is the product of P(node | parents)",
    data=_STORM,
    steps=(
        Step("P(campfire | storm, bus)", 0.4, ".4"),
        Step("free numbers of the network, and of the full table", (18, 63)),
        Step("P(storm, bus, lightning, thunder, campfire, fire)", 0.2 * 0.5 * 0.7 * 0.95 * 0.4 * 0.5),
        Step("campfire tells nothing of lightning and thunder given its parents", True),
    ),
    notes="Only the arcs and P(campfire | storm, bus) are in the source; the other numbers are ours.",
)
def _storm() -> dict[str, Any]:
    import likely

    def p(chance: float) -> dict[bool, float]:
        return {True: chance, False: 1 - chance}

    T, F = True, False
    fire = {
        **{(T, T, T): p(0.5), (T, T, F): p(0.4), (T, F, T): p(0.1), (T, F, F): p(0.05)},
        **{(F, T, T): p(0.6), (F, T, F): p(0.5), (F, F, T): p(0.2), (F, F, F): p(0.01)},
    }
    camp = {(T, T): p(0.4), (T, F): p(0.1), (F, T): p(0.8), (F, F): p(0.2)}
    network = likely.Network.from_tables(
        [
            likely.Conditional("storm", p(0.2)),
            likely.Conditional("bus", p(0.5)),
            likely.Conditional("lightning", {T: p(0.7), F: p(0.01)}, given="storm"),
            likely.Conditional("thunder", {T: p(0.95), F: p(0.02)}, given="lightning"),
            likely.Conditional("campfire", camp, given=["storm", "bus"]),
            likely.Conditional("fire", fire, given=["storm", "lightning", "campfire"]),
        ]
    )
    everything = "storm=true, bus=true, lightning=true, thunder=true, campfire=true, fire=true"
    size = network.describe().to_dict()
    separated = network.separated("campfire", ["lightning", "thunder"], ["storm", "bus"])
    return {
        "P(campfire | storm, bus)": network.ask("P(campfire=true | storm=true, bus=true)"),
        "free numbers of the network, and of the full table": (size["parameters"], size["full_table"]),
        "P(storm, bus, lightning, thunder, campfire, fire)": network.ask(f"P({everything})"),
        "campfire tells nothing of lightning and thunder given its parents": bool(separated),
    }


@worked(
    "B2",
    "Mitchell",
    "Conditional independence, read off the graph",
    data=_STORM,
    steps=(
        Step("of 240 statements on two variables given others, those that hold", 58),
        Step("storm and bus: given nothing, given a campfire", (True, False)),
        Step("the Markov blanket of campfire", "bus, fire, lightning, storm"),
    ),
    notes="Each variable is independent of those not below it given its parents; the count is ours.",
)
def _independences() -> dict[str, Any]:
    from itertools import combinations

    import likely

    parents = {
        "lightning": ["storm"],
        "thunder": ["lightning"],
        "campfire": ["storm", "bus"],
        "fire": ["storm", "lightning", "campfire"],
    }
    names = ["storm", "bus", *parents]
    network = likely.Network(parents).fit({name: [True, False] for name in names})
    holding = 0
    for a, b in combinations(names, 2):
        others = [name for name in names if name not in (a, b)]
        for size in range(len(others) + 1):
            holding += sum(bool(network.separated(a, b, given)) for given in combinations(others, size))
    alone, told = network.separated("storm", "bus"), network.separated("storm", "bus", "campfire")
    return {
        "of 240 statements on two variables given others, those that hold": holding,
        "storm and bus: given nothing, given a campfire": (bool(alone), bool(told)),
        "the Markov blanket of campfire": ", ".join(sorted(network.blanket("campfire"))),
    }


@worked(
    "B3",
    "Mitchell",
    "Inference in a network: any node from any others",
    data=_STORM,
    steps=(
        Step("P(fire)", 15081 / 100000),
        Step("P(storm | fire)", 575 / 1371),
        Step("P(storm | fire, no thunder)", 16625 / 220917),
        Step("P(campfire | fire), then with lightning: explained away", (10060 / 15081, 199 / 639)),
        Step("thunder and no fire: probability, then P(storm)", (29749 / 312500, 0.8151534505361525)),
        Step("P(storm), thunder heard with likelihoods .9 and .2", 33485 / 77587),
        Step("the most probable explanation of a fire: probability", 4704 / 11425),
        Step("P(fire | do(campfire)), and seen", (0.2392, 0.2235555555555556)),
    ),
    notes="The figures are ours, exact fractions of the tables of B1.",
)
def _inference() -> dict[str, Any]:
    import numpy as np

    import likely

    def p(chance: float) -> dict[bool, float]:
        return {True: chance, False: 1 - chance}

    T, F = True, False
    fire = {
        **{(T, T, T): p(0.5), (T, T, F): p(0.4), (T, F, T): p(0.1), (T, F, F): p(0.05)},
        **{(F, T, T): p(0.6), (F, T, F): p(0.5), (F, F, T): p(0.2), (F, F, F): p(0.01)},
    }
    camp = {(T, T): p(0.4), (T, F): p(0.1), (F, T): p(0.8), (F, F): p(0.2)}
    network = likely.Network.from_tables(
        [
            likely.Conditional("storm", p(0.2)),
            likely.Conditional("bus", p(0.5)),
            likely.Conditional("lightning", {T: p(0.7), F: p(0.01)}, given="storm"),
            likely.Conditional("thunder", {T: p(0.95), F: p(0.02)}, given="lightning"),
            likely.Conditional("campfire", camp, given=["storm", "bus"]),
            likely.Conditional("fire", fire, given=["storm", "lightning", "campfire"]),
        ]
    )
    heard = network.marginals("thunder=true, fire=false")
    soft = network.marginals({"thunder": {True: 0.9, False: 0.2}})
    burnt = network.ask("P(campfire=true | fire=true)")
    return {
        "P(fire)": network.ask("P(fire=true)"),
        "P(storm | fire)": network.ask("P(storm=true | fire=true)"),
        "P(storm | fire, no thunder)": network.ask("P(storm=true | fire=true, thunder=false)"),
        "P(campfire | fire), then with lightning: explained away": (
            burnt,
            network.ask("P(campfire=true | fire=true, lightning=true)"),
        ),
        "thunder and no fire: probability, then P(storm)": (np.exp(heard.log_evidence), heard["storm"][True]),
        "P(storm), thunder heard with likelihoods .9 and .2": soft["storm"][True],
        "the most probable explanation of a fire: probability": network.most_probable(
            "fire=true"
        ).probability,
        "P(fire | do(campfire)), and seen": (
            network.ask("P(fire=true | do(campfire=true))"),
            network.ask("P(fire=true | campfire=true)"),
        ),
    }


@worked(
    "B4",
    "Mitchell",
    "Learning a network where some variables are seen only sometimes, by EM",
    data="""
    A -> B. Complete rows (A, B): (1, 1) three times, (1, 0) once, (0, 1) once, (0, 0) three times; with A
    missing: B = 1 four times, B = 0 twice.
    """,
    steps=(
        Step("P(A)", 7.5 / 14),
        Step("P(B | A), P(B | not A)", (0.8, 2 / 6.5)),
        Step("the likelihood never falls", True),
    ),
    notes="The rows are ours: the maximum likelihood has a closed form, by P(B) and P(A | B).",
)
def _missing_parents() -> dict[str, Any]:
    import numpy as np

    import likely

    rows = [(1, 1)] * 3 + [(1, 0)] + [(0, 1)] + [(0, 0)] * 3 + [(None, 1)] * 4 + [(None, 0)] * 2
    table = {"A": [None if a is None else a == 1 for a, _ in rows], "B": [b == 1 for _, b in rows]}
    network = likely.Network([("A", "B")], prior=None, tol=0, max_iter=200).fit(table)
    return {
        "P(A)": network.ask("P(A=true)"),
        "P(B | A), P(B | not A)": (
            network.ask("P(B=true | A=true)"),
            network.ask("P(B=true | A=false)"),
        ),
        "the likelihood never falls": bool((np.diff(network.history_) > -1e-9).all()),
    }


@worked(
    "B5",
    "Mitchell",
    "A number below a class, with another child beside it",
    data="""
    P(Y = b) = 1/2; X given a is normal with mean 0, given b with mean 2, both with sd 1; P(Z | a) = .2,
    P(Z | b) = .7.
    """,
    steps=(
        Step("P(b | x = 1.5, Z): odds 3.5 e", 0.9048885967707345),
        Step("density of X at 1.5", 0.24079146121509565),
        Step("E(X | Z), Var(X | Z)", (14 / 9, 137 / 81)),
        Step("P(b | Z, X > 1)", 0.9488763280518377),
    ),
    notes="The figures are ours.",
)
def _number_below_class() -> dict[str, Any]:
    import likely

    z = {"a": {True: 0.2, False: 0.8}, "b": {True: 0.7, False: 0.3}}
    network = likely.Network.from_tables(
        {
            "Y": likely.Conditional("Y", {"a": 0.5, "b": 0.5}),
            "X": (likely.Normal([0.0, 2.0], [1.0, 1.0]), "Y"),
            "Z": likely.Conditional("Z", z, given="Y"),
        }
    )
    x: Any = network.ask("P(X)")
    return {
        "P(b | x = 1.5, Z): odds 3.5 e": network.ask("P(Y=b | X=1.5, Z=true)"),
        "density of X at 1.5": x.density(1.5),
        "E(X | Z), Var(X | Z)": (network.ask("E(X | Z=true)"), network.ask("var(X | Z=true)")),
        "P(b | Z, X > 1)": network.ask("P(Y=b | Z=true, X>1)"),
    }


@worked(
    "B6",
    "Mitchell",
    "Networks in files of other programs",
    data="""
    The days on which tennis was played, as a tree (Chow and Liu), written as BIF and as XDSL and read back.
    """,
    steps=(
        Step("arcs of the tree", 4),
        Step("read back: the same arcs and the same numbers", (True, True)),
    ),
    notes="The formats are ours to read and write; the tree has the most mutual information.",
)
def _files() -> dict[str, Any]:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import likely

    tree = likely.Network("tree").fit(likely.read("play_tennis", into="dict"))
    same = []
    with TemporaryDirectory() as folder:
        for ending in ("bif", "xdsl"):
            file = Path(folder) / f"tennis.{ending}"
            tree.write(file)
            again = likely.Network.read(file)
            figures = [one.marginals("humidity=high")["play"]["yes"] for one in (again, tree)]
            same.append(abs(figures[0] - figures[1]) < 1e-12 and sorted(again.arcs_) == sorted(tree.arcs_))
    return {
        "arcs of the tree": len(tree.arcs_),
        "read back: the same arcs and the same numbers": tuple(same),
    }


EXAMPLES = (_storm, _independences, _inference, _missing_parents, _number_below_class, _files)
