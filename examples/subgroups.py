"""Subgroups of the Titanic, searched on one half and believed on the other; shops and their sales; texts."""

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

print("\nLinked: what the sales of a shop say about it, by SQL:\n")
shops = {"shop": ["a", "b", "c"]}
sales = {"shop": ["a", "a", "b"], "item": ["tea", "jam", "tea"], "price": [2.0, 4.0, 3.0]}
linked = likely.Linked("shop", sales, depth=2).fit(shops)
print(linked.describe())
for name, column in linked.transform(shops).items():
    print(f"{name:32s}", *column)

print("\nStructured: what is inside texts:\n")
texts = {"text": ["they write about machine learning", "Madam, I'm Adam"]}
inside = likely.Structured(phrases=["machine learning"], patterns=["[A-Z]"], columns=["text"]).fit(texts)
for name, column in inside.transform(texts).items():
    print(f"{name:32s}", *column)
