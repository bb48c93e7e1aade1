"""EM as an engine for any model: a worked example, and why the start matters."""

from math import log, pi, sqrt

import numpy as np

import likely

# 40 things: 20 of class A or B, 10 of C, 10 of D; P = (1/2, beta, 2 beta, 1/2 - 3 beta). How many are B?


def expect_b(beta: float) -> tuple[float, float]:
    """How many of the 20 are expected to be B, and the log-likelihood of beta."""
    likelihood = 20 * log(0.5 + beta) + 10 * log(2 * beta) + 10 * log(0.5 - 3 * beta)
    return 20 * beta / (0.5 + beta), likelihood


def learn_beta(b: float) -> float:
    """The most likely beta if so many were B."""
    return (b + 10) / (6 * (b + 20))


for iterations in range(4):
    found = likely.em(expect_b, learn_beta, hidden=5.0, max_iter=iterations, tol=0)
    print(f"after {iterations} iterations: beta = {found.parameters:.7f}")
found = likely.em(expect_b, learn_beta, hidden=5.0, tol=1e-14)
b = expect_b(found.parameters)[0]
print(f"in the end: beta = {found.parameters:.7f}, A = {20 - b:.4f}, B = {b:.4f}")
print(f"in closed form: {(sqrt(57) - 3) / 48:.7f}\n")

# Two means of unit variance, at even odds: the likelihood has a ridge between the two ways to name them.
rng = np.random.default_rng(0)
x = np.concatenate([rng.normal(-2.0, 1.0, 70), rng.normal(2.0, 1.0, 30)])


def expect_share(means: np.ndarray) -> tuple[np.ndarray, float]:
    """The share of either mean in every number, and the log-likelihood."""
    density = np.exp(-((x[:, None] - means) ** 2) / 2) / sqrt(2 * pi) / 2
    return density / density.sum(axis=1, keepdims=True), float(np.log(density.sum(axis=1)).sum())


def learn_means(share: np.ndarray) -> np.ndarray:
    """The mean of the numbers, each by its share."""
    return (share * x[:, None]).sum(axis=0) / share.sum(axis=0)


starts = [(-3.0, 0.5), (0.4, -2.5), (0.8, 0.8), (3.5, 3.0)]
paths = []
for start in starts:
    means = [np.array(start)]
    ends = likely.em(expect_share, learn_means, np.array(start), tol=1e-9)
    for _ in range(ends.n_iter):
        means.append(learn_means(expect_share(means[-1])[0]))
    paths.append(np.array(means))
    print(f"from {start}: means {ends.parameters.round(3)}, log-likelihood {ends.objective:.2f}")


best, _ = likely.em_restarts(expect_share, learn_means, map(np.array, starts), tol=1e-9)
print(f"the best of them: means {best.parameters.round(3)}")


def stationary(ax):
    """The log-likelihood over both means, and the way of each start."""
    grid = np.linspace(-4, 4, 81)
    height = [[expect_share(np.array([m1, m2]))[1] for m1 in grid] for m2 in grid]
    best = np.max(height)
    ax.contour(grid, grid, height, best - np.array([200, 100, 50, 20, 10, 5, 2, 0.5]), colors="#B0B0B0")
    for path in paths:
        ax.plot(path[:, 0], path[:, 1], color="#0072B2", marker="o", markersize=3)
        ax.plot(*path[-1], color="#E69F00", marker="o", markersize=8)
    ax.set(xlabel="first mean", ylabel="second mean")
    ax.set_title("other starts, other ends", loc="left")
    return ax
