"""Gaussian classifiers."""
