"""The colours of every picture: blue and orange are told apart by the colour-blind, and in grey print."""

BLUE, ORANGE, DARK, FAINT = "#0072B2", "#E69F00", "#4D4D4D", "#B0B0B0"
