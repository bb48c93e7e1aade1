"""Statistics of rows in groups by queries: the engine that holds a table counts, we get the counts."""
