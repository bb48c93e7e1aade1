"""Worked examples of features that are constructed: subgroups, linked tables, sequences."""

from __future__ import annotations

from typing import Any

from likely.textbook.example import Step, worked


@worked(
    "F9c",
    "Flach ch. 10",
    "A subgroup is a feature, and its negation a disjunction",
    data="""
    Seven sea animals by length (3 4 5 3 7 4 5) and gills (no no no yes no yes no); the first three and the
    last are dolphins. The subgroup: length in [3, 5] and no gills.
    """,
    steps=(
        Step("rows in the subgroup", "1 2 3 7"),
        Step("its negation", "length < 3 or length > 5 or gills != no"),
        Step("rows of the negation", "4 5 6"),
        Step("P(dolphin) in the subgroup, and its lift", (1.0, 7 / 4)),
        Step("found by a search for them", "length < 7 and gills = no"),
        Step("a concept as a condition", "gills = no"),
    ),
    notes="""
    The source names subgroups as features; the animals are ours. The search asks for as few conditions as it
    needs: no animal is shorter than 3.
    """,
)
def _subgroups() -> dict[str, Any]:
    import numpy as np

    import likely

    animals = {"length": [3, 4, 5, 3, 7, 4, 5], "gills": ["no", "no", "no", "yes", "no", "yes", "no"]}
    dolphin = [True, True, True, False, False, False, True]
    text = "3 <= length <= 5 and gills = no"
    given = likely.Subgroups([text, f"not ({text})"]).fit(animals, dolphin)
    inside, outside = list(given.transform(animals).values())[-2:]
    line = given.table().lines[0]
    searched = likely.Subgroups(count=1, least=1).fit(animals, dolphin)
    concept = likely.hypotheses.Concept(("length", "gills"), (likely.hypotheses.ANY, "no"))
    return {
        "rows in the subgroup": " ".join(map(str, np.flatnonzero(inside) + 1)),
        "its negation": given.negations_[0],
        "rows of the negation": " ".join(map(str, np.flatnonzero(outside) + 1)),
        "P(dolphin) in the subgroup, and its lift": (line["rate"], line["lift"]),
        "found by a search for them": searched.texts_[0],
        "a concept as a condition": concept.text,
    }


EXAMPLES = (_subgroups,)
