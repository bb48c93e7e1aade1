"""A frame -> a file, whole or not at all."""
