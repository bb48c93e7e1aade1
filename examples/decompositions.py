"""Films and genres: a table of ratings as a product of smaller ones, and ratings that nobody gave."""

from __future__ import annotations

import numpy as np

import likely

films = {
    "love": [1, 0, 0, 1, 1, 0],
    "war": [0, 2, 0, 2, 0, 2],
    "both": [1, 2, 0, 3, 1, 2],
    "fun": [0, 2, 1, 2, 1, 3],
}

for method, components in (("pca", 2), ("svd", 2), ("nmf", 2), ("binary", 3), ("boolean", None)):
    print(likely.Decompose(method, components).fit(films).describe(), "\n")

print("What the known cells determine is filled in; what they leave open is said:\n")
known = {name: np.array(column, float) for name, column in films.items()}
known["both"][3] = known["fun"][5] = np.nan
model = likely.Decompose("completion", 3).fit(known)
for name, column in model.complete(known).items():
    print(f"{name:5s}", np.round(column, 6))
print("open:", model.undetermined_)

print("\nTexts and words in one space:\n")
texts = ["they write about machine learning", "machines learn to write", "a film about love", "love and war"]
lsa = likely.Decompose("lsa", 2, kinds="text").fit({"text": texts})
print({name: column.round(3) for name, column in lsa.transform({"text": ["write", "love"]}).items()})
