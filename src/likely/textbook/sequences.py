"""Worked examples of sequences."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "E6",
    "Mitchell",
    "A hidden Markov model, by enumeration",
    data="""
    A casino with a fair die and a loaded one, changed now and then; eight throws, one of which nobody saw.
    All 256 ways in which the dice may have followed each other are tried.
    """,
    steps=(
        Step("log P(throws) less that of the sum over all ways", 0.0, tolerance=1e-10),
        Step("P(loaded) at each throw, forward-backward: largest error", 0.0, tolerance=1e-10),
        Step("the most probable way, Viterbi, is that of enumeration", True),
        Step("learning, Baum-Welch: the likelihood never falls", True),
    ),
    notes="A throw that nobody saw is summed out. The data are ours.",
)
def _casino() -> dict[str, Any]:
    from itertools import pairwise, product

    import numpy as np

    import likely

    initial, moves = np.array([0.8, 0.2]), np.array([[0.9, 0.1], [0.3, 0.7]])
    faces = np.array([[1 / 6] * 6, [0.1] * 5 + [0.5]])
    throws = [1, 6, 6, None, 6, 2, 3, 5]
    die = likely.Categorical(faces, levels=[1, 2, 3, 4, 5, 6])
    model = likely.HiddenMarkov.from_parameters(initial, moves, {"die": die})

    def joint(way: tuple[int, ...]) -> float:
        p = initial[way[0]] * np.prod([moves[a, b] for a, b in pairwise(way)])
        seen = [faces[state, face - 1] for state, face in zip(way, throws, strict=True) if face is not None]
        return float(p * np.prod(seen))

    ways = {way: joint(way) for way in product([0, 1], repeat=8)}
    total = sum(ways.values())
    loaded = [sum(p for way, p in ways.items() if way[at] == 1) / total for at in range(8)]
    drawn = model.sample(200, random_state=0)
    learnt = likely.HiddenMarkov(2, random_state=0, prior=None, max_iter=20).fit({"die": drawn["die"]})
    return {
        "log P(throws) less that of the sum over all ways": model.log_prob({"die": throws}).item()
        - np.log(total),
        "P(loaded) at each throw, forward-backward: largest error": np.abs(
            model.predict_proba({"die": throws})[:, 1] - loaded
        ).max(),
        "the most probable way, Viterbi, is that of enumeration": tuple(
            model.predict({"die": throws}).tolist()
        )
        == max(ways, key=lambda way: ways[way]),
        "learning, Baum-Welch: the likelihood never falls": bool((np.diff(learnt.history_) > -1e-9).all()),
    }


EXAMPLES = (_casino,)
