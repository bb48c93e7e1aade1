"""Pure functions on arrays, each written once: whoever needs one calls it."""

from likely.infer.bayes import bayes_rule
from likely.infer.em import EM, em, em_restarts
from likely.infer.newton import Local, Newton, Penalty, newton
from likely.infer.pav import Pools, pav, pav_of_sums

__all__ = [
    "EM",
    "Local",
    "Newton",
    "Penalty",
    "Pools",
    "bayes_rule",
    "em",
    "em_restarts",
    "newton",
    "pav",
    "pav_of_sums",
]
