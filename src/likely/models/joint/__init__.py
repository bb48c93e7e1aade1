"""A finite joint distribution over named variables."""
