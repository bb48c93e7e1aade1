"""Probabilities -> numbers: information, entropy, mutual information and divergence, in bits.

The name says what goes in. `entropy`, `conditional_entropy`, `mutual_information` and `kl` take
probabilities; with `_of` at the end they take columns of data. A list such as [0, 1] could be either, and
guessing from the values would change the answer when a value changes.

>>> from likely.score import entropy, entropy_of
>>> entropy([0.5, 0.5])
1.0
>>> entropy_of(["heads", "tails", "heads", "heads"])
0.81 bits from 4 rows; biased low by about 0.2
"""

from likely.score.bits import Bits
from likely.score.of_columns import conditional_entropy_of, entropy_of, kl_of, mutual_information_of
from likely.score.of_probabilities import conditional_entropy, entropy, information, kl, mutual_information

__all__ = [
    "Bits",
    "conditional_entropy",
    "conditional_entropy_of",
    "entropy",
    "entropy_of",
    "information",
    "kl",
    "kl_of",
    "mutual_information",
    "mutual_information_of",
]
