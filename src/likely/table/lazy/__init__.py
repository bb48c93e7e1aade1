"""A table that another engine holds -> small answers to queries, and its rows some at a time."""
