"""Probabilities -> decisions: rules, costs, abstention, and base rates that change.

>>> import likely
>>> from likely.decide import Decider
>>> model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
>>> Decider(model, costs="yes->no=5").predict({"class": ["3rd"], "sex": ["male"], "age": ["child"]})
array(['yes'], dtype=object)
"""

from likely.decide.base_rate import BaseRates, estimate_base_rate
from likely.decide.decider import Decider
from likely.decide.reweighted import Reweighted, with_base_rate

__all__ = ["BaseRates", "Decider", "Reweighted", "estimate_base_rate", "with_base_rate"]
