"""The members of the pool, one a file: each learns from the same rows, and says log P(class given row)."""
