"""Gaps filled in four ways, and how far each is from what was there; and gaps that tell something."""

from __future__ import annotations

import numpy as np

import likely

rng = np.random.default_rng(0)
kind = rng.choice(["cat", "dog"], 300)
length = np.where(kind == "cat", rng.normal(46, 3, 300), rng.normal(70, 12, 300))
whole = {"length": length, "weight": 0.0001 * length**3 * rng.lognormal(-0.7, 0.15, 300)}
gaps = {name: np.where(rng.random(300) < 0.2, np.nan, column) for name, column in whole.items()}

print("root mean squared error of what was filled in, in standard deviations of the column:\n")
for model in ("mixture", "gaussian", "model", "class"):
    filled = likely.Impute(model, random_state=0).fit(gaps, kind).transform(gaps)
    errors = []
    for name, column in whole.items():
        missing = np.isnan(gaps[name])
        errors.append(np.sqrt(np.mean((filled[name] - column)[missing] ** 2)) / column.std())
    print(f"{model:10s}", *(f"{name} {error:.2f}  " for name, error in zip(whole, errors, strict=True)))

print()
print(likely.Impute("class").fit(gaps, kind).describe())

print("\nThat a cell is missing may tell something itself: a level of its own, beside the others:\n")
job = np.where(rng.random(len(kind)) < np.where(kind == kind[0], 0.6, 0.1), None, "told")
print(likely.MissingLevel().fit({"job": job}, kind).table())
