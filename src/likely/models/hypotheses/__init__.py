"""Which hypothesis? Belief over any finite set of them, given data.

`Space` is of hypotheses that say how probable an observation is, `Rules` of hypotheses that say the label
of a thing, `Conjunctions` of all conjunctive concepts over some attributes. Each has the same answers: all
posteriors, the most probable hypothesis, the vote of all of them.

>>> from likely import hypotheses
>>> test = {"ill": {"+": 0.98, "-": 0.02}, "well": {"+": 0.03, "-": 0.97}}
>>> belief = hypotheses.Space({"ill": 0.008, "well": 0.992}, test).update(["+"])
>>> belief.map, belief.ml, round(belief.prob("ill"), 4)
('well', 'ill', 0.2085)
"""

from likely.models.hypotheses.belief import Belief
from likely.models.hypotheses.code import Code, DescriptionLengths
from likely.models.hypotheses.conjunctions import Concepts, Conjunctions
from likely.models.hypotheses.evolution import Evolution
from likely.models.hypotheses.rules import Rules
from likely.models.hypotheses.space import Space
from likely.models.hypotheses.version_space import ANY, Concept, VersionSpace

__all__ = [
    "ANY",
    "Belief",
    "Code",
    "Concept",
    "Concepts",
    "Conjunctions",
    "DescriptionLengths",
    "Evolution",
    "Rules",
    "Space",
    "VersionSpace",
]
