"""The estimators people use, thin: each arranges the same bricks in its own way."""

from likely.models.naive_bayes import NaiveBayes

__all__ = ["NaiveBayes"]
