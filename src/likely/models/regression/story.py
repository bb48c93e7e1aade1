"""A conditional model has no story of its columns: it takes them as they are, and draws the target."""

from __future__ import annotations

from typing import Any

from likely.estimator.story import Story
from likely.format import words

TAKEN = "Take the columns as they are: the model has no story of them, and cannot draw a row."


def conditional_story(record: Any, model: str) -> Story:
    """The story of a regression, or of a linear classifier."""
    target = words.shown(record.target_name)
    if not hasattr(record, "classes"):
        return Story(
            model,
            (
                TAKEN,
                f"Add up the intercept and coefficients times columns: the mean of {target}.",
                f"Draw {target} from a normal distribution around it, with one variance for all rows.",
            ),
            f"P({target} | row) = Normal(intercept + coefficients . row, variance).",
            "It is optimal (no prediction has less expected squared error) where the mean is such a sum.",
            target,
        )
    if model != "LogisticRegression":
        return Story(
            model,
            (TAKEN, f"Add up a score for {target}, and answer by its sign: no probability is said."),
            "",
            "It errs least where the best boundary is a straight line at which these scores change sign: the "
            "basic linear classifier for balls of one size and equal base rates.",
            target,
        )
    return Story(
        model,
        (
            TAKEN,
            "Add up an intercept and coefficients times columns for each class against the first: log-odds.",
            f"Draw {target} from the probabilities that have these log-odds.",
        ),
        f"P({target} | row) = exp(log-odds) / sum of exp(log-odds).",
        "It is Bayes-optimal (no rule errs less often) where the log-odds are such a sum: among others "
        "wherever naive Bayes over Booleans or counts, or Gaussian classes of one covariance, would be.",
        target,
    )
