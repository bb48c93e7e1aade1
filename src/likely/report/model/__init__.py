"""What people read about a fitted model: its columns, its strongest evidence, how good it is."""
