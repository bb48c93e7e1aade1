"""A model is one folder and one row of the table: all else is derived from the row."""

from __future__ import annotations

from pathlib import Path

import pytest

import likely
from likely.estimator.registry import MODELS, commands, estimator_class, loaded, models_table

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", MODELS)
def test_a_row_names_what_is_there(name):
    row = MODELS[name]
    assert getattr(likely, name) is estimator_class(name)
    assert name in likely.__all__
    assert (DOCS / row.page).exists()
    for place in (row.learnt.record, row.learnt.check, row.learnt.form, *row.learnt.holds):
        assert place is None or callable(loaded(place))
    assert row.learnt.check is not None or callable(loaded(row.learnt.record).check)


@pytest.mark.parametrize("name", MODELS)
def test_every_record_tells_what_any_model_is_asked(name):
    """`story`, `show` and files go by these names, whatever the model is."""
    record = loaded(MODELS[name].learnt.record)
    assert callable(record.story)
    assert callable(record.trained_on)


def test_every_estimator_has_a_row():
    """What has a record can be saved; what is made of other people's models cannot."""
    wrappers = {"Average", "Decider"}
    public = {name: getattr(likely, name) for name in likely.__all__}
    estimators = {name for name, value in public.items() if isinstance(value, type) and hasattr(value, "fit")}
    families = {
        name for name in estimators if getattr(public[name], "__module__", "").startswith("likely.dist")
    }
    assert estimators - families - wrappers == set(MODELS)


def test_names_on_the_command_line_are_different():
    assert len(commands()) == sum(row.command is not None for row in MODELS.values())


def test_the_docs_have_the_table():
    assert models_table() in (DOCS / "index.md").read_text()
