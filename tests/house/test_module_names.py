"""Files have words of the field for names: none that mean everything, and none that was replaced."""

from __future__ import annotations

from collections.abc import Iterable

from source import modules

# Said of so many things that they name none of them; in the names of public classes alone they stay.
OVERLOADED = {"known", "seen", "place", "places", "told", "found", "look", "beside"}
PUBLIC = {"likely.dist.families.known_normal", "likely.dist.priors.known_variance"}
# What files of a room were called before they had a better name.
REPLACED = {
    "models": "held slots typed time_state kept impossible graphs auto by_em hidden starts guesses complete "
    "portraits rounding finding hidden_chain moment stretches allowed known_chain",
    "table": "alike fits",
    "stats": "within fourth",
    "dist": "packed bumps bars curve reach spread",
    "evidence": "spread mixture face",
    "calibrate": "scores_of soft",
    "score": "foretold masses terms",
    "report": "glance tally caution",
    "cli": "predicting learnt training groups grouping",
}


def misnamed(names: Iterable[str]) -> list[str]:
    """Modules, as likely.room.name, whose last name is overloaded or was replaced in that room."""
    faults = []
    for name in names:
        _, _, path = name.partition(".")
        room, last = path.partition(".")[0], path.rpartition(".")[2]
        overloaded = OVERLOADED & set(last.split("_")) and name not in PUBLIC
        if overloaded or last in REPLACED.get(room, "").split():
            faults.append(name)
    return faults


def test_files_have_names_of_the_field():
    assert misnamed(module.name for module in modules()) == []


def test_the_law_sees_such_names():
    names = ["likely.models.mixture.portraits", "likely.infer.things_found", "likely.draw.bars"]
    assert misnamed([*names, *PUBLIC]) == names[:2]
