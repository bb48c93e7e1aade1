"""Models as files: written, read, checked and compared."""
