"""Pure functions on arrays, each written once: whoever needs one calls it."""

from likely.infer.bayes import bayes_rule

__all__ = ["bayes_rule"]
