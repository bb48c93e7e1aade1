"""Conjugate priors: distributions of a family's parameters."""
