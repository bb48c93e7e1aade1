"""Tables as text <-> small files."""
