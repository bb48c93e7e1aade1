"""A number by the default learner: how far disease goes in a year, and how far that is known."""

from sklearn.datasets import load_diabetes

import likely

table = load_diabetes(as_frame=True).frame
model = likely.Regressor("fast").fit(table, "target")
print(model.describe(), "\n")
print(model.predict_interval(table[:5]), "\n")
print(model.explain(table[:1]).text(0, top=5), "\n")
print(model.interactions(table), "\n")
print(model.ask("P(target > 200 | bmi=0.05)"))
