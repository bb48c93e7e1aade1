"""Linear regression."""
