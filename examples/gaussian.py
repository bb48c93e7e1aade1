"""Boundaries between Gaussian classes (Flach, examples 9.2 and 9.3): equations, points, pictures."""

import numpy as np

from likely import GaussianClassifier, Normal, Whiten

# One column: means 1 and 2, sds 1 and 2, equal base rates.
line = GaussianClassifier.from_parameters({"+": 1, "-": 2}, {"+": 1, "-": 4}, names=["x"])
print(line.boundary("+", "-"))
exact = line.boundary("+", "-").points()
print(f"equally probable at {exact.round(4)}, and not at the +-1.85 that is in print:")
for x in (*exact, -1.85, 1.85):
    print(f"  density at {x:7.4f}: + {Normal(1, 1).prob(x):.4f}, - {Normal(2, 2).prob(x):.4f}")
for odds in (0.42, 0.43, 2.0):
    told = line.with_base_rate({"+": odds / (1 + odds), "-": 1 / (1 + odds)})
    print(f"prior odds {odds}: boundaries at {told.boundary('+', '-').points().round(4)}")


def line_with_print(ax=None):
    """The densities with their boundaries, and where the boundaries in print would be."""
    ax = line.draw(ax=ax)
    for x in (-1.85, 1.85):
        ax.axvline(x, color="#D55E00", linestyle=":", label="in print, wrong" if x > 0 else None)
    ax.legend(frameon=False)
    return ax


# Two columns: the same means, three pairs of covariances.
means = {"+": [1, 1], "-": [-1, -1]}
shapes = {
    "one ball": np.eye(2),
    "one ellipse": np.array([[1.0, 1.0], [1.0, 2.0]]),
    "two ellipses": {"+": [[1, 0.7], [0.7, 1]], "-": [[1, -0.7], [-0.7, 1]]},
}
models = {
    name: GaussianClassifier.from_parameters(means, shape, names=["x1", "x2"])
    for name, shape in shapes.items()
}
for name, model in models.items():
    print(f"\n{name}: {model.boundary('+', '-')}")
print(f"\n(-3, -3) is {models['two ellipses'].predict({'x1': [-3], 'x2': [-3]})[0]}")

# Decorrelate and normalise, and the nearest mean is all there is to know.
rng = np.random.default_rng(0)
kind = rng.integers(0, 3, 300)
rows = (rng.normal(size=(300, 4)) + kind[:, None]) @ rng.normal(size=(4, 4))
white = Whiten(by="within").fit(rows, kind)
basic = GaussianClassifier("identity", prior=None).fit(white.transform(rows), kind)
tied = GaussianClassifier("tied", prior=None).fit(rows, kind)
apart = np.abs(basic.predict_proba(white.transform(rows)) - tied.predict_proba(rows)).max()
print(f"\nwhitened, basic and tied differ by less than 1e-12: {apart < 1e-12}")
