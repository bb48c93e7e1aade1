"""A file of any size -> some of its rows at a time."""
