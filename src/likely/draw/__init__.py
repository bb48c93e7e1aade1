"""Plain records of labels and numbers -> pictures; knows no model."""

from likely.draw.axes import BLUE, ORANGE
from likely.draw.bars import bars
from likely.draw.nomogram import Scale, nomogram
from likely.draw.ticks import Mark, nice_values
from likely.draw.waterfall import Step, waterfall

__all__ = ["BLUE", "ORANGE", "Mark", "Scale", "Step", "bars", "nice_values", "nomogram", "waterfall"]
