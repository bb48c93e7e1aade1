"""Look at a table before a model does: kinds, statistics, what tells about the target, and what to mend."""

import numpy as np

import likely

people = likely.read("titanic", into="dict")
print(likely.profile(people, "survived"))

print("\nA table with faults in it:\n")
rng = np.random.default_rng(1)
n = 300
ill = rng.random(n) < 0.3
visits = {
    "patient": [f"P{i:04}" for i in range(n)],
    "age": np.where(rng.random(n) < 0.04, -999, rng.integers(18, 90, n)),
    "weight": rng.lognormal(4.3, 0.2, n).round(1),
    "smoker": rng.choice(["yes", "no", "Yes ", "unknown"], n, p=[0.3, 0.5, 0.1, 0.1]),
    "dose": rng.choice(["0.5", "1.0", "2.0", "?"], n),
    "clinic": ["north"] * n,
    "treatment": np.where(ill, rng.choice(["pills", "drops"], n), "none"),
    "ill": ill,
}
found = likely.profile(visits, "ill")
print(found)

print("\nOne column, and a statistic that its kind does not have:\n")
print(found["weight"])
try:
    print(found["smoker"].mean)
except likely.LikelyError as error:
    print(f"\n{error}")
