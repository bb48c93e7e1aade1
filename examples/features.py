"""Columns to columns: bins, thresholds and weight of evidence, which say why they are what they are."""

import numpy as np

import likely

rng = np.random.default_rng(0)
n = 2000
age = rng.uniform(18, 90, n).round()
income = rng.lognormal(10, 0.6, n).round(-2)
buys = rng.random(n) < np.where((age > 35) & (age < 60), 0.6, 0.2)
people = {"age": age, "income": income, "buys": buys}

print("The most probable way to cut, column by column; income tells nothing and is not cut:\n")
bins = likely.Discretize().fit(people, "buys")
print(bins.table())

print("\nThe same, as SQL:\n")
print(bins.to_sql("people"))

print("\nOne cut, when to miss a buyer costs five times as much as to bother another:\n")
print(likely.Threshold("hull", costs=(1, 5)).fit(people, "buys").describe())

print("\nWhat each value says, in log-odds; rows are changed by what rows of other folds say:\n")
evidence = likely.Evidence()
told = evidence.fit_transform({"age": age, "income": income}, buys)
print(evidence.table())
for name, column in told.items():
    print(f"{name:8s} says {np.abs(column).mean():.2f} nats of evidence about a person on average")

print("\nNaive Bayes that sees bins where it took a normal distribution before:\n")
from sklearn.pipeline import make_pipeline  # noqa: E402

table = {"age": age, "income": income}
normal = likely.NaiveBayes(families="normal").fit(table, buys)
binned = make_pipeline(likely.Discretize(), likely.NaiveBayes()).fit(table, buys)
for name, model in (("normal", normal), ("bins", binned)):
    print(f"{name:8s} log loss {likely.score.log_loss(buys, model.predict_proba(table)[:, 1])}")

print("\nLevels: in order of what they say, rare ones together, one column each:\n")
towns = {"town": rng.choice(["Rome", "Oslo", "Bree", "Dale"], n, p=[0.5, 0.48, 0.01, 0.01])}
print(likely.Order().fit(towns, buys).orders_)
print(likely.GroupLevels(least=0.05).fit(towns).table())
print(list(likely.Binarize().fit_transform(towns)))

print("\nNumbers on a common scale, and back:\n")
scale = likely.Normalize("iqr").fit({"age": age})
print(scale.describe(), scale.inverse_transform({"age": [0.0, 1.0]}))
