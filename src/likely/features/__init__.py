"""Columns -> columns."""

from likely.features.whiten import Whiten

__all__ = ["Whiten"]
