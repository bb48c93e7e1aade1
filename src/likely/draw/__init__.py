"""Plain records of labels and numbers -> pictures; knows no model."""

from likely.draw.bars import WaterfallStep, bars, waterfall
from likely.draw.code_tree import CodeLeaf, code_tree
from likely.draw.densities import DensityCurve, densities
from likely.draw.forest import Estimate, forest
from likely.draw.graph import GraphArc, GraphNode, GraphPicture, graph
from likely.draw.histogram import histogram, path, percentiles
from likely.draw.nomogram import Mark, Scale, nice_values, nomogram
from likely.draw.regions import regions
from likely.errors import old_names

__all__ = [
    "CodeLeaf",
    "DensityCurve",
    "Estimate",
    "GraphArc",
    "GraphNode",
    "GraphPicture",
    "Mark",
    "Scale",
    "WaterfallStep",
    "bars",
    "code_tree",
    "densities",
    "forest",
    "graph",
    "histogram",
    "nice_values",
    "nomogram",
    "path",
    "percentiles",
    "regions",
    "waterfall",
]

__getattr__ = old_names(
    __name__,
    {
        "BLUE": "likely.format.svg.BLUE",
        "Curve": "likely.draw.DensityCurve",
        "ORANGE": "likely.format.svg.ORANGE",
        "Step": "likely.draw.WaterfallStep",
    },
)
