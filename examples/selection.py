"""Which columns to keep: filters, CFS and Relief on fourteen days; what a model needs on the Titanic."""

from __future__ import annotations

import likely

days = likely.read("play_tennis")
for by in ("gain", "chi_squared", "cfs", "relief"):
    print(likely.Select(by, keep=2).fit(days, "play").table(), end="\n\n")

print("A column that is there twice, and the name of each row:\n")
people = likely.read("titanic", into="dict")
more = {**people, "sex again": people["sex"], "name": [f"passenger {i}" for i in range(len(people["sex"]))]}
print(likely.Select().fit(more, "survived").table())

print("\nForward selection with naive Bayes, then the whole search inside the folds:\n")
search = likely.Search(likely.NaiveBayes()).fit(people, "survived")
print(search.table(), end="\n\n")
print(search.evaluate(people, "survived"))

print("\nThe nearest of some people by age and town, one of unknown age:\n")
some = {"age": [20.0, 22.0, None, 58.0], "town": ["Lund", "Lund", "Umea", "Umea"]}
print(likely.distances(some).round(3))
print(likely.nearest(some, k=1).rows[:, 0])
