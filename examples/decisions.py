"""From probabilities to decisions: calibrate a model, give mistakes a cost, and count what was paid."""

import likely
from likely.score import calibration_error, contingency, roc

people = likely.read("titanic", into="pandas")
X, y = people.drop(columns="survived"), people["survived"]

plain = likely.NaiveBayes().fit(X, y)
calibrated = likely.Calibrated(likely.NaiveBayes()).fit(X, y)
print("chosen:", calibrated.method_)
for name, loss in calibrated.log_losses_.items():
    print(f"  {name:9s} log loss {loss!r}")

found = likely.compare.cross_validate(likely.Calibrated(likely.NaiveBayes()), people, "survived")
p = found.probabilities[:, 1]
truth = y.to_numpy()[found.rows]
print(roc(truth, p))
print("calibration error:", calibration_error(truth, p))

# To call a survivor dead is five times as bad as the other mistake.
costs = "yes->no=5"
for rule in ("map", "cost"):
    decider = likely.Decider(calibrated, rule, costs=costs)
    print(f"{rule:5s} costs {decider.cost(X, y)!r} a person")
print(contingency(y, likely.Decider(calibrated, costs=costs).predict(X)))
