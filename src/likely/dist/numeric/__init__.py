"""The arithmetic behind distributions: logs, products, distances, grids."""
