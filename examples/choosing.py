"""Which degree, how many groups, which network: the shortest description; and rows in real bits."""

import numpy as np
from sklearn.pipeline import make_pipeline

import likely
from likely import codes

y = [2.30, 0.25, 0.10, 0.35, -0.20, 0.35, 2.50, 3.65, 6.20, 8.15, 12.40, 15.45]
line = likely.LinearRegression(prior=None)
degrees = {f"degree {d}": make_pipeline(likely.Polynomial(degree=d), line) for d in (2, 3, 4, 5)}
print(likely.choose({"degree 1": line, **degrees}, {"x": np.arange(12.0), "y": y}, "y", step=0.01))

people = likely.read("titanic")
models = {f"{k} groups": likely.Mixture(k, random_state=0) for k in (1, 2, 3, 4)}
choice = likely.choose({**models, "network": likely.Network()}, people)
print()
print(choice)

print()
for name, model in zip(choice.names, choice.models, strict=True):
    bits = codes.ModelCode(model).bits(people)
    print(f"{name}: all rows in {len(bits)} bits")
