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

from likely.models.hypotheses_belief import Belief
from likely.models.hypotheses_concept import ANY, Concept
from likely.models.hypotheses_concepts import Concepts
from likely.models.hypotheses_conjunctions import Conjunctions
from likely.models.hypotheses_description import DescriptionLengths
from likely.models.hypotheses_evolution import Evolution
from likely.models.hypotheses_rules import Rules
from likely.models.hypotheses_space import Space
from likely.models.hypotheses_version_space import VersionSpace

__all__ = [
    "ANY",
    "Belief",
    "Concept",
    "Concepts",
    "Conjunctions",
    "DescriptionLengths",
    "Evolution",
    "Rules",
    "Space",
    "VersionSpace",
]
