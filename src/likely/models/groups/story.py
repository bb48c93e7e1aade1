"""The generative story of a model of groups: a group is drawn, then each column given the group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.dist.distribution import short
from likely.estimator.story import OPTIMAL, Story
from likely.format import words

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord

TOP = 10  # columns, or levels of the target, that are named


def story(record: GroupRecord, model: str, target_is_hidden: bool = False) -> Story:
    """The story of a model whose columns are drawn given the class, or a hidden group."""
    target = words.shown(record.target.name)
    group, hidden = _group_words(record, target_is_hidden)
    steps = []
    if record.settings.estimate == "predictive":
        steps.append("Draw the numbers of the model from what is believed of them after the data.")
    steps += [f"Draw {target if not hidden else f'the hidden {target}'} from {_rates(record)}."]
    if record.components is not None:
        steps.append(f"Draw one of the hidden groups of that {target}, by its share.")
    steps.append(drawn_columns(record, group))
    independent = sum(part.describes_cells for part in record.parts)
    formula = _formula(target, hidden, record.components is not None)
    return Story(model, tuple(steps), formula, f"{OPTIMAL}: {_conditions(record, group, independent)}.")


def _group_words(record: GroupRecord, hidden: bool) -> tuple[str, bool]:
    if record.components is not None:
        return "group", False
    return ("group", True) if hidden else ("class", False)


def _rates(record: GroupRecord) -> str:
    named = zip(record.classes, record.rates, strict=True)
    said = [f"{words.shown(label)} {short(p)}" for label, p in named]
    return ", ".join([*said[:TOP], *(["..."] if len(said) > TOP else [])])


def drawn_columns(record: GroupRecord, group: str) -> str:
    """The step in which the columns are drawn, a line for each, or for those that are drawn together."""
    lines = []
    for part in record.parts:
        lines += part.story(group)
    shown = lines[:TOP] + ([f"and {words.many(len(lines) - TOP, 'more line')}"] if len(lines) > TOP else [])
    what = "each of these by itself, whatever the others are" if len(lines) > 1 else "the columns"
    return "\n".join([f"Given the {group}, draw {what}:", *shown])


def _formula(target: str, hidden: bool, components: bool) -> str:
    if components:
        within = "sum over its groups of P(group) x product of P(column | group)"
        return f"P(row, {target}) = P({target}) x {within}."
    if hidden:
        return f"P(row) = sum over {target} of P({target}) x product of P(column | {target})."
    return f"P(row, {target}) = P({target}) x product of P(column | {target})."


def _conditions(record: GroupRecord, group: str, independent: int) -> str:
    told = []
    if len(record.schema.columns) > 1 and (independent > 1 or not record.parts[0].family.joint):
        together = any(part.family.joint and len(part.columns) > 1 for part in record.parts)
        which = "columns that are not drawn together" if together else "the columns"
        told.append(f"{which} are independent given the {group}")
    told.append(f"each {group} has distributions of these families")
    return " and ".join(told)
