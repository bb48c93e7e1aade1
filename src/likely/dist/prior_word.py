"""What a user may say of the prior: a word, a strength, a smoothing, a shrinkage, or a prior itself."""

from __future__ import annotations

from collections.abc import Mapping

from likely.dist.numeric.column_variance import Spread
from likely.dist.prior import Prior
from likely.dist.priors.shrinkage import Shrinkage
from likely.dist.priors.smoothing import Smoothing

# "default", a strength of it, None for maximum likelihood; a floor of variances (`Spread`) is EM's own word.
PriorWord = Prior | Smoothing | Shrinkage | Spread | float | str | None

# One for all columns, or by the column's name.
Priors = Mapping[str, PriorWord] | PriorWord
