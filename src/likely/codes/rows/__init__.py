"""The rows of a table <-> bits, column after column, by the conditionals of a fitted model."""
