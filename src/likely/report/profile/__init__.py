"""A table before the model: what there is to know about each column."""
