"""Three estimates of a density from the same 20 values, for two truths (as in Flach's figure 9.5)."""

import numpy as np

import likely
from likely.draw import DensityCurve, densities

rng = np.random.default_rng(5)
places = np.linspace(-6, 6, 1201)
families = {"normal": likely.Normal, "histogram": likely.Histogram, "kernel": likely.Kernel}
truths = {
    "one normal": [likely.Normal(0, 1.5)],
    "two normals": [likely.Normal(-2.5, 0.8), likely.Normal(2.5, 0.8)],
}


def panel(name, parts, ax=None):
    """The picture of one truth, and how far (in bits a value) each estimate is from it."""
    values = np.concatenate([part.sample(20 // len(parts), rng) for part in parts])
    truth = np.mean([part.prob(places) for part in parts], axis=0)
    found = {label: family.fit(values) for label, family in families.items()}
    heights = {label: estimate.prob(places) for label, estimate in found.items()}
    step = places[1] - places[0]
    apart = {label: step * (truth * np.log2(truth / y)).sum() for label, y in heights.items()}
    axes = densities(
        values,
        [DensityCurve(label, places, y) for label, y in heights.items()],
        truth=DensityCurve("truth", places, truth),
        title=f"20 values of {name}",
        xlabel="x",
        ax=ax,
    )
    return axes, found, apart


if __name__ == "__main__":
    for name, parts in truths.items():
        axes, found, apart = panel(name, parts)
        axes.figure.savefig(f"densities_{name.replace(' ', '_')}.svg")
        print(f"20 values of {name}:")
        for label, estimate in found.items():
            print(f"  {estimate}: {apart[label]:.2f} bits a value from the truth")
