"""Probabilistic learning for tables and text."""
