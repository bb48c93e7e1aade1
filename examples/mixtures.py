"""Hidden groups: found, counted, described, and used to fill in what is missing."""

import numpy as np

import likely

rng = np.random.default_rng(1)
child = rng.random(300) < 0.3
table = {
    "height": np.where(child, rng.normal(120, 9, 300), rng.normal(174, 9, 300)),
    "weight": np.where(child, rng.normal(25, 4, 300), rng.normal(72, 11, 300)),
    "works": rng.random(300) < np.where(child, 0.01, 0.8),
}
for name in ("height", "weight"):
    table[name] = np.where(rng.random(300) < 0.1, np.nan, table[name])

model = likely.Mixture("auto", random_state=0).fit(table)
print(model.curve_, "\n")
print(model.describe(), "\n")
print(model.ask("P(works=true | height < 130)"), "\n")

print("A few labels name the groups:")
told = np.full(300, None, object)
told[:20] = np.where(child[:20], "child", "adult")
named = likely.Mixture(2).fit(table, told)
print(f"{(named.predict(table) == np.where(child, 'child', 'adult')).mean():.1%} of all rows named right\n")

print("Gaps filled by the row's other columns:")
gap = int(np.flatnonzero(np.isnan(table["weight"]))[0])
filled = likely.Impute("mixture", components=2, random_state=0).fit_transform(table)
print(f"height {table['height'][gap]:.0f}, weight {filled['weight'][gap]:.0f}\n")

print("A class in two places:")
y = np.where((table["weight"] < 40) | (table["weight"] > 85), "odd", "usual")
y = np.where(np.isnan(table["weight"]), None, y)
classes = likely.MixtureClassifier({"odd": 2, "usual": 1}, random_state=0).fit({"weight": table["weight"]}, y)
print(
    dict(zip(classes.classes_, classes.predict_proba({"weight": [20.0]})[0].round(3).tolist(), strict=True))
)

# Two Gaussians on a line, step by step.
line = np.concatenate([rng.normal(-2, 1, 80), rng.normal(2.5, 1.5, 120)])
start = (line > 3.5).astype(int)
steps = {
    i: likely.Mixture(2, prior=None, init=start, max_iter=i, tol=0).fit({"x": line}) for i in (0, 1, 2, 5, 20)
}


def densities_by_step(ax):
    """The density of the line after so many iterations."""
    grid = np.linspace(-6, 8, 200)
    ax.hist(line, 30, density=True, color="#E0E0E0")
    for shade, (i, found) in zip((0.25, 0.4, 0.55, 0.75, 1.0), steps.items(), strict=True):
        ax.plot(grid, np.exp(found.log_prob({"x": grid})), color="#0072B2", alpha=shade, label=str(i))
    ax.set(xlabel="x", ylabel="density")
    ax.legend(title="iterations", frameon=False)
    ax.set_title("EM, step by step", loc="left")
    return ax


def ellipses(ax, X, found):
    """Points of a plane in the colours of their groups, and a line of equal density around each group."""
    part = found.record_.core.parts[0].distribution
    for g, colour in zip(range(len(part.mean)), ("#0072B2", "#E69F00", "#4D4D4D", "#009E73"), strict=False):
        mine = found.predict(X) == found.classes_[g]
        ax.scatter(X[mine, 0], X[mine, 1], s=6, color=colour, alpha=0.5)
        for sds in (1, 2):
            ax.plot(*part.take(g).ellipse(sds).outline().T, color=colour, linewidth=1)
    return ax


def convergence(ax):
    """What EM climbs, iteration by iteration, from other starts: rows go to the nearest of four of them."""
    clumps = np.concatenate([rng.normal(m, 0.6, 50) for m in (-6.0, -2.0, 2.0, 6.0)])
    for _ in range(8):
        nearest = np.abs(clumps[:, None] - rng.choice(clumps, 4, replace=False)).argmin(axis=1)
        run = likely.Mixture(4, init=nearest, tol=0, max_iter=40).fit({"x": clumps})
        ax.plot(run.history_, color="#0072B2", alpha=0.6)
    ax.set(xlabel="iteration", ylabel="log-likelihood and log prior")
    ax.set_title("none falls, not all arrive", loc="left")
    return ax
