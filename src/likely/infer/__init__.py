"""Pure functions on arrays, each written once: whoever needs one calls it."""

from likely.infer.bayes import bayes_rule
from likely.infer.chains import Chains
from likely.infer.em import EM, em, em_restarts
from likely.infer.forward_backward import Smoothed, forward_backward
from likely.infer.newton import Local, Newton, Penalty, newton
from likely.infer.pav import Pools, pav, pav_of_sums
from likely.infer.viterbi import viterbi

__all__ = [
    "EM",
    "Chains",
    "Local",
    "Newton",
    "Penalty",
    "Pools",
    "Smoothed",
    "bayes_rule",
    "em",
    "em_restarts",
    "forward_backward",
    "newton",
    "pav",
    "pav_of_sums",
    "viterbi",
]
