"""Belief networks: variables, each with a distribution given its parents in a graph without circles."""
