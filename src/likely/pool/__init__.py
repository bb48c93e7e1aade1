"""Members -> the default learner: fitted models whose log-probabilities are pooled."""
