"""One column: as it came in, what is learnt of it, and its values as numbers or codes."""
