"""The families: distributions that can be learnt, one a file."""
