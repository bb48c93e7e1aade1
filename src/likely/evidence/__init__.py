"""The evidence behind predictions: parts that sum. Knows no model, only arrays of log-odds."""

from likely.errors import old_names
from likely.evidence.importance import Importance, importance
from likely.evidence.intervals import Intervals
from likely.evidence.ledger import Ledger, LedgerLine, Ledgers, Status
from likely.evidence.linear import LinearForm
from likely.evidence.nomogram import CurveAxis, LevelAxis, Nomogram

__all__ = [
    "CurveAxis",
    "Importance",
    "Intervals",
    "Ledger",
    "LedgerLine",
    "Ledgers",
    "LevelAxis",
    "LinearForm",
    "Nomogram",
    "Status",
    "importance",
]

__getattr__ = old_names(__name__, {"Line": "likely.evidence.LedgerLine"})
