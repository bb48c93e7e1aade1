"""`likely` on the command line. Loading this loads click and nothing else; a command loads what it needs."""

from likely.cli.run import main

__all__ = ["main"]
