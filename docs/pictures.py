"""Draw the pictures of the site: python docs/pictures.py"""

import os
import runpy
from pathlib import Path

from matplotlib.figure import Figure

import likely

HERE = Path(__file__).parent / "img"
HERE.mkdir(exist_ok=True)

people = likely.read("titanic", into="dict")
model = likely.NaiveBayes().fit(people, "survived")
someone = {"class": ["1st"], "sex": ["female"], "age": ["adult"]}

for name, axes in (
    ("waterfall", model.explain(someone)[0].plot()),
    ("nomogram", model.nomogram("yes", "no").plot()),
):
    axes.figure.savefig(HERE / f"{name}.svg", bbox_inches="tight")

example = runpy.run_path(str(HERE.parents[1] / "examples" / "densities.py"))
figure = Figure(figsize=(9.6, 3.4), layout="constrained")
for (name, parts), axes in zip(example["truths"].items(), figure.subplots(1, 2), strict=True):
    example["panel"](name, parts, axes)
figure.savefig(HERE / "densities.svg")

example = runpy.run_path(str(HERE.parents[1] / "examples" / "gaussian.py"))
example["line"].draw().figure.savefig(HERE / "gaussian-line.svg", bbox_inches="tight")
figure = Figure(figsize=(11.4, 3.8), layout="constrained")
for (name, model), axes in zip(example["models"].items(), figure.subplots(1, 3), strict=True):
    model.draw(ax=axes).set_title(name, loc="left")
figure.savefig(HERE / "gaussian-plane.svg")

told = likely.posterior(likely.Beta(1, 1), names="theta").history([0] + [1] * 9)
told.plot().figure.savefig(HERE / "posteriors.svg", bbox_inches="tight")

above = {f"above {t}": (lambda x, t=t: x > t) for t in range(10)}
panels = likely.hypotheses.Rules(above).history([2, 7, 4], [False, True, False]).plot()
panels[0].figure.savefig(HERE / "evolution.svg")

example = runpy.run_path(str(HERE.parents[1] / "examples" / "regression.py"))
example["curve"].plot().figure.savefig(HERE / "learning_curve.svg", bbox_inches="tight")
example["boundaries"](Figure(figsize=(6, 4), layout="constrained").subplots()).figure.savefig(
    HERE / "linear-classifiers.svg"
)

example = runpy.run_path(str(HERE.parents[1] / "examples" / "em.py"))
example["stationary"](Figure(figsize=(4.6, 4.2), layout="constrained").subplots()).figure.savefig(
    HERE / "em-stationary.svg"
)
example = runpy.run_path(str(HERE.parents[1] / "examples" / "mixtures.py"))
for name, draw in (("steps", example["densities_by_step"]), ("convergence", example["convergence"])):
    axes = draw(Figure(figsize=(4.8, 3.4), layout="constrained").subplots())
    axes.figure.savefig(HERE / f"mixture-{name}.svg")
shared = Path(os.environ.get("LIKELY_DATA", HERE.parents[2] / "shared" / "data")) / "old_faithful.csv"
if shared.exists():
    geyser = likely.read(shared, into="pandas").to_numpy()
    found = likely.Mixture(2, random_state=0).fit(geyser)
    axes = example["ellipses"](Figure(figsize=(4.8, 3.4), layout="constrained").subplots(), geyser, found)
    axes.set(xlabel="minutes that an eruption lasts", ylabel="minutes to the next")
    axes.figure.savefig(HERE / "mixture-ellipses.svg")
