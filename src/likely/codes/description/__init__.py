"""Minimum description length: the bits of a model, and of a table once the model is known."""
