"""Tables larger than memory -> their parts, read one after another here, or by the workers of a cluster."""
