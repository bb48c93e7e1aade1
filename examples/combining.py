"""What columns say only together: the class and the sex of passengers crossed; a circle by squares."""

from __future__ import annotations

import numpy as np
from sklearn.pipeline import make_pipeline

import likely

people = likely.read("titanic")
crossed = likely.Cross([("class", "sex")]).fit(people, "survived")
print(crossed.table())
print(crossed.to_sql("people")[:200], "...\n")

rng = np.random.default_rng(0)
points = {"x": rng.normal(size=400), "y": rng.normal(size=400)}
inside = np.where(points["x"] ** 2 + points["y"] ** 2 < 1, "inside", "outside")
for name, model in (
    ("x and y", likely.LogisticRegression()),
    ("and their squares and product", make_pipeline(likely.Polynomial(), likely.LogisticRegression())),
):
    print(f"{name:30s} {model.fit(points, inside).score(points, inside):.3f} of the points right")
