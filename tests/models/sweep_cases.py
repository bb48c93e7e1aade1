"""Random fits: models, families, shapes, priors, estimates, gaps, weights and odd data, from a seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import likely
from likely.dist import (
    Beta,
    BilateralPareto,
    Dirichlet,
    Gamma,
    KnownVariance,
    Laplace,
    MEstimate,
    NormalInverseGamma,
    NormalInverseWishart,
    SharedVariance,
)

Table = dict[str, Any]
MODELS = ("NaiveBayes", "GaussianClassifier", "Mixture", "MixtureClassifier", "HiddenMarkov", "Impute")
BY_EM = MODELS[2:]
SHAPES = ("full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical", "identity")
ESTIMATES = ("ml", "map", "mean", "predictive")
GAPS = ("none", "some", "a column in one class", "a column")
WEIGHTS = ("none", "whole", "fractional", "some zero")
NASTY = ("plain", "plain", "constant", "apart", "cauchy", "t", "tiny", "copies")
PRIORS = ("default", "none", "number", "laplace", "m-estimate", "conjugate")
# Families by what a column holds; the first is that of the kind. "shape" stands for the shape's own.
FAMILIES = {
    "numbers": ("shape", "shape", "shape", "normal", "uniform", "histogram", "kernel", "multivariate_normal"),
    "booleans": ("bernoulli",),
    "levels": ("categorical",),
    "counts": ("poisson", "multinomial", "multinomial", "geometric", "binomial"),
    "mixed": ("",),
}
KINDS = {"numbers": "quantitative", "booleans": "boolean", "levels": "categorical", "counts": "count"}


@dataclass(frozen=True)
class Case:
    """One fit, and what it was drawn as."""

    model: str
    holds: str
    family: str
    shape: str
    prior: str
    estimate: str
    gaps: str
    weights: str
    nasty: str
    seed: int
    table: Table
    y: Any
    weight: Any
    options: dict[str, Any]

    def __str__(self) -> str:
        words = (self.model, self.holds, self.family, self.shape, f"prior {self.prior}", self.estimate)
        return ", ".join(
            (f"seed {self.seed}", *words, f"gaps {self.gaps}", f"weights {self.weights}", self.nasty)
        )

    def of_rows(self, index: Any, weight: Any) -> Case:
        """The same fit of other rows."""
        table = {name: column[index] for name, column in self.table.items()}
        options = dict(self.options)
        if "init" in options:
            options["init"] = options["init"][index]
        return replace(self, table=table, y=self.y[index], weight=weight, options=options)

    def fit(self) -> Any:
        """The fitted model."""
        if self.model == "Impute":
            return likely.Impute(likely.Mixture(**self.options)).fit(self.table)
        model = getattr(likely, self.model)(**self.options)
        if self.model == "HiddenMarkov":
            return model.fit(self.table)
        if self.model == "Mixture":
            return model.fit(self.table, sample_weight=self.weight)
        return model.fit(self.table, self.y, sample_weight=self.weight)


def draw(seed: int) -> Case:
    """The case of a seed."""
    rng = np.random.default_rng([15, seed])
    model, holds = str(rng.choice(MODELS)), str(rng.choice(list(FAMILIES)))
    if model == "GaussianClassifier":
        holds = str(rng.choice(["numbers", "numbers", "mixed"]))
    family = str(rng.choice(FAMILIES[holds]))
    by_em = model in BY_EM
    if by_em and family in ("uniform", "histogram", "kernel") and rng.random() < 0.9:
        family = "shape"  # others are refused, which is soon seen
    shape = "diagonal" if model == "NaiveBayes" else str(rng.choice(SHAPES))
    prior, estimate = str(rng.choice(PRIORS)), "mean" if by_em else str(rng.choice(ESTIMATES))
    nasty, gaps = str(rng.choice(NASTY)), str(rng.choice(GAPS))
    weights = "none" if model in ("HiddenMarkov", "Impute") else str(rng.choice(WEIGHTS))
    corner = rng.integers(0, 30)
    if corner < 3:  # where maximum likelihood is hardest to climb: few rows a group, long tails, gaps
        model, holds, family, shape = str(rng.choice(["Mixture", *BY_EM])), "numbers", "shape", "full"
        prior, estimate, gaps, nasty, weights = (
            "none",
            "mean",
            "some",
            str(rng.choice(["t", "cauchy"])),
            "none",
        )
    elif corner < 5:  # rows of which only some kinds are known
        model, holds, family, prior = str(rng.choice(MODELS[:3:2])), "counts", "multinomial", "none"
        shape, estimate, gaps = "diagonal", "mean", str(rng.choice(GAPS[1:3]))
    elif corner < 7:  # what is always true, by weights that do not add up to the last bit
        model, shape, prior, estimate, gaps = (
            str(rng.choice(MODELS[:3:2])),
            "diagonal",
            "none",
            "mean",
            "none",
        )
        holds, weights, nasty = str(rng.choice(["booleans", "counts"])), "fractional", "constant"
        family = "bernoulli" if holds == "booleans" else str(rng.choice(["geometric", "binomial"]))
    n, g = int(rng.integers(12, 50)), int(rng.integers(2, 4))
    n, g = (30, 3) if corner < 3 else (n, g)
    y = np.arange(n) % g
    if nasty == "tiny":
        y = np.where(np.arange(n) < 2 * (g - 1), y, 0)
    least = 2 if family == "multinomial" or corner < 3 else 1
    table = _table(rng, holds, family, least, y, nasty)
    table = _with_gaps(rng, table, gaps, y)
    weight = _weights(rng, weights, n)
    if nasty == "copies":
        again = np.concatenate([np.arange(n), rng.integers(0, n, n // 2)])
        table, y = {name: column[again] for name, column in table.items()}, y[again]
        weight = None if weight is None else weight[again]
    options = _options(rng, model, holds, family, shape, prior, estimate, table, g)
    if model == "Mixture" and weights in (
        "whole",
        "some zero",
    ):  # what a row begins as, however often it comes
        options["init"] = rng.integers(0, g, len(y))
    return Case(
        *(model, holds, family, shape, prior, estimate, gaps, weights, nasty, seed),
        *(table, np.array(list("abc"))[y], weight, options),
    )


def _table(rng: np.random.Generator, holds: str, family: str, least: int, y: Any, nasty: str) -> Table:
    columns: Table = {}
    for j in range(int(rng.integers(least, least + 3))):
        kind = str(rng.choice(list(KINDS))) if holds == "mixed" else holds
        columns[f"{kind}{j}"] = _column(rng, kind, family, y, nasty)
    if nasty == "constant":
        name = next(iter(columns))
        columns[name] = np.full(len(y), float(np.nanmax(columns[name])))
    return columns


def _column(rng: np.random.Generator, kind: str, family: str, y: Any, nasty: str) -> Any:
    n, away = len(y), rng.normal(0, 1.5, 3)[y]
    if kind == "numbers":
        noise = {"cauchy": rng.standard_cauchy(n), "t": rng.standard_t(2, n)}.get(nasty, rng.normal(size=n))
        return (noise + away * (1e3 if nasty == "apart" else 1)) * 10.0 ** rng.integers(-2, 3)
    chance = 1 / (1 + np.exp(-away))
    if kind == "booleans":
        return (rng.random(n) < np.where(nasty == "apart", away > 0, chance)).astype(float)
    if kind == "levels":
        return np.minimum(rng.integers(0, 3, n) * (rng.random(n) < chance) + (away > 0), 2).astype(float)
    return rng.poisson(np.exp(away)) + float(family == "geometric")


def _with_gaps(rng: np.random.Generator, table: Table, gaps: str, y: Any) -> Table:
    name, found = str(rng.choice(list(table))), {}
    for own, column in table.items():
        missing = np.zeros(len(y), bool)
        if gaps == "some":
            missing = rng.random(len(y)) < 0.25
        elif own == name and gaps != "none":
            missing = (y == 0) if gaps == "a column in one class" else np.ones(len(y), bool)
        found[own] = np.where(missing, np.nan, column)
    return found


def _weights(rng: np.random.Generator, weights: str, n: int) -> Any:
    if weights == "whole":
        return rng.integers(1, 4, n).astype(float)
    if weights == "fractional":
        return rng.random(n) * 10.0 ** rng.integers(-2, 3)
    return rng.integers(0, 3, n).astype(float) if weights == "some zero" else None


def _options(
    rng: np.random.Generator, model: str, holds: str, family: str, shape: str, prior: str, estimate: str,
    table: Table, g: int,
) -> dict[str, Any]:  # fmt: skip
    kinds = {name: KINDS[name.rstrip("0123456789")] for name in table}
    stated: Any = {"default": "default", "none": None, "number": float(rng.choice([0.3, 5.0]))}.get(prior)
    if prior == "laplace":
        stated = Laplace(0.5)
    if prior == "m-estimate":
        stated = MEstimate(2)
    if prior == "conjugate":
        of_all = shape if family == "shape" else family
        by_name = {name: _conjugate(table, shape if "numbers" in name else "", kinds[name]) for name in table}
        stated = by_name if holds == "mixed" else _conjugate(table, of_all, KINDS[holds])
    options = {"kinds": kinds, "prior": stated}
    if family not in ("shape", ""):
        options["families"] = family
    if model in ("NaiveBayes", "GaussianClassifier"):
        options["estimate"] = estimate
    if model == "NaiveBayes":  # the classical one, of which everything is known in closed form
        options = {"families": "classical", "evidence_weights": None, **options}
    else:
        options["covariance"] = shape
    if model == "GaussianClassifier" and shape in SHAPES[:2] and prior != "conjugate" and rng.random() < 0.4:
        options["shrinkage"] = (0.3, "ledoit_wolf")[int(rng.integers(2))]
    if model in BY_EM:
        options |= {"max_iter": 60, "random_state": 0}
    if model in ("Mixture", "Impute"):
        options["components"] = g
    if model == "HiddenMarkov":
        options["states"] = g
    return options


def _conjugate(table: Table, family: str, kind: str) -> Any:
    """A conjugate prior of a family, worth a few rows, in units near those of the data."""
    d = sum(name.startswith("numbers") for name in table)
    largest = max((float(np.nanmax(np.abs(c), initial=1.0)) for c in table.values()), default=1.0)
    match family:
        case "full" | "tied" | "multivariate_normal":
            return NormalInverseWishart(np.zeros(d), 1, d + 3, np.eye(d) * largest)
        case "normal" | "diagonal" | "tied_diagonal":
            return NormalInverseGamma(0, 1, 3, largest)
        case "spherical" | "tied_spherical":
            return SharedVariance(np.zeros(d), 1, 3, largest)
        case "identity":
            return KnownVariance(2, 0, 1)
        case "uniform":
            return BilateralPareto(-largest, largest, 2)
        case "multinomial":
            return Dirichlet(np.full(len(table), 1.5))
        case "geometric" | "binomial":
            return Beta(2, 3)
        case "histogram" | "kernel":
            return 2.0
    return {"boolean": Beta(2, 3), "categorical": MEstimate(2), "count": Gamma(2, 1)}[kind]
