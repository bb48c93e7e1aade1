"""Models of the target given the rest: linear and logistic regression."""
