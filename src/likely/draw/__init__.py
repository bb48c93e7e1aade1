"""Plain records of labels and numbers -> pictures; knows no model."""

from likely.draw.bars import bars
from likely.draw.densities import DensityCurve, densities
from likely.draw.forest import Estimate, forest
from likely.draw.histogram import histogram
from likely.draw.nomogram import Scale, nomogram
from likely.draw.path import path
from likely.draw.percentiles import percentiles
from likely.draw.regions import regions
from likely.draw.ticks import Mark, nice_values
from likely.draw.waterfall import WaterfallStep, waterfall

__all__ = [
    "DensityCurve",
    "Estimate",
    "Mark",
    "Scale",
    "WaterfallStep",
    "bars",
    "densities",
    "forest",
    "histogram",
    "nice_values",
    "nomogram",
    "path",
    "percentiles",
    "regions",
    "waterfall",
]
