"""The columns of a model that one family describes: which family, which prior, what was seen."""
