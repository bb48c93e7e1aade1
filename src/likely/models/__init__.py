"""The estimators people use, thin: each arranges the same bricks in its own way."""
