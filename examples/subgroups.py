"""Subgroups of the Titanic: searched on one half of the passengers, believed on the other."""

from __future__ import annotations

import likely

people = likely.read("titanic")
search, test = people[::2], people[1::2]

model = likely.Subgroups(count=5).fit(search, "survived")
print(model.describe())
print("\nThe same on people who were not searched:\n")
print(model.table(test))
print("\nNot in the first:", model.negations_[0])
print("\nGiven as text:\n")
print(likely.Subgroups(["sex = female and class in {1st, 2nd}"]).fit(search, "survived").table())
