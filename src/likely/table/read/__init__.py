"""A file, a query or a bundled table -> a frame."""
