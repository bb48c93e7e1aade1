"""The models that `learn` can make, by the names they have on the command line; and model files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.work import MODEL_SUFFIX
from likely.errors import LikelyError
from likely.estimator.registry import commands, estimator_class

MISSING = tuple(
    dict.fromkeys(word for row in commands().values() if row.command for word in row.command.missing)
)


if TYPE_CHECKING:
    Choice = click.Choice[str]
else:
    Choice = click.Choice  # of no type at run time before click 8.2


class ModelChoice(Choice):
    """One of the models that there are when the command runs."""

    def __init__(self) -> None:
        super().__init__(())

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(commands())

    @choices.setter
    def choices(self, names: tuple[str, ...]) -> None:
        """Nothing is kept: they are looked up when they are needed."""


def new_model(name: str, *, kinds: Any, families: Any, prior: str, missing: str | None) -> Any:
    """A model that has not learnt anything yet; what does not apply to it is refused."""
    from likely.cli.work.declared import coefficient_prior_of, prior_of

    row = commands()[name]
    choice = row.command
    assert choice is not None
    if families is not None and not choice.families:
        raise LikelyError(f"--family does not apply to --model {name}, whose columns have no distributions.")
    if missing is not None and missing not in choice.missing:
        raise LikelyError(f"--missing {missing} does not apply to --model {name}: {_words(choice.missing)}.")
    settings: dict[str, Any] = {"kinds": kinds, **dict(choice.settings)}
    if choice.prior:
        settings["prior"] = prior_of(prior) if choice.families else coefficient_prior_of(prior)
    elif prior != "default":
        raise LikelyError(f"--prior does not apply to --model {name}: its members choose theirs.")
    settings |= {"families": families} if choice.families else {}
    settings |= {"missing": missing or choice.missing[0]} if len(choice.missing) > 1 else {}
    return estimator_class(row.name)(**settings)


def predicts_numbers(name: str) -> bool:
    """Whether a model of this name predicts numbers rather than classes."""
    command = commands()[name].command
    return command is not None and command.numbers


def describes_rows(name: str | None) -> bool:
    """Whether a model of this name needs no target."""
    command = None if name is None else commands()[name].command
    return command is not None and command.rows


def _words(words: tuple[str, ...]) -> str:
    return f"it knows {' and '.join(words)}"


def target_of(model: Any) -> str:
    """The name of the column that a model predicts."""
    return str(model.record_.target_name)


def able(model: Any, method: str, to: str) -> Any:
    """A method of a model; an error that says what its kind cannot do, if it has none."""
    if not hasattr(model, method) and hasattr(model, "model_"):
        raise LikelyError(
            f"a {type(model).__name__} {type(model.model_).__name__} cannot {to}: the map of its "
            "probabilities is no part of the evidence. Take the model that was calibrated."
        )
    if not hasattr(model, method):
        raise LikelyError(
            f"a {type(model).__name__} cannot {to}: it knows its target given the columns, and not how the "
            "columns are distributed. Learn with --model naive-bayes, gaussian or mixture."
        )
    return getattr(model, method)


def with_classes(model: Any, to: str) -> Any:
    """The model, if it predicts classes."""
    if not hasattr(model, "predict_proba"):
        raise LikelyError(f"a {type(model).__name__} has no probabilities of classes, which {to} needs.")
    return model


def described(model: Any) -> Any:
    """A model in words: what `show` prints. Of a regression of two classes, the odds ratios."""
    record = model.record_
    if hasattr(model, "odds_ratios") and record.reference and record.covariance is not None:
        return model.odds_ratios()
    ways = (getattr(model, name) for name in ("describe", "summary", "story") if hasattr(model, name))
    return next(ways)()


def facts_of(model: Any, description: Any) -> dict[str, Any]:
    """What `show` says of a model as JSON; a transformer describes itself in lines of text."""
    if not isinstance(description, str):
        facts: dict[str, Any] = description.to_dict()
        return facts
    trained = model.record_.trained_on()
    return {"model": type(model).__name__, "trained_on": trained, "description": description.splitlines()}


def is_model_file(path: str) -> bool:
    """Whether a file is a model rather than a table, by its name."""
    from likely.archive.network_files import is_network_file

    return path.endswith(MODEL_SUFFIX) or (Path(path).exists() and is_network_file(path))


def load_model(path: str) -> Any:
    """The model in a file, with a hint where there is none."""
    import likely

    if not Path(path).exists():
        near = sorted(str(file) for file in Path(path).parent.glob(f"*{MODEL_SUFFIX}"))
        hint = f"here are {', '.join(near[:5])}." if near else "`likely learn` makes one."
        raise LikelyError(f"there is no model {path}; {hint}")
    return likely.load(path)
