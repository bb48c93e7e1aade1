"""One evaluator of questions for each kind of model."""
