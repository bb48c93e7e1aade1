"""What all models share: target, weights, the table they look at, and files."""
