"""Columns of a table -> columns of numbers that a regression multiplies."""
