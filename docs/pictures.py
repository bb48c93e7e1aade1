"""Draw the pictures of the site: python docs/pictures.py

Those of data that do not come with the project are kept in `docs/kept`, and drawn anew where the data are.
"""

import os
import runpy
from pathlib import Path

from matplotlib.figure import Figure

import likely

HERE = Path(__file__).parent / "img"
HERE.mkdir(exist_ok=True)
KEPT = Path(__file__).parent / "kept"
SHARP = 110  # dots an inch: of thousands of marks a picture of dots is smaller than one of lines

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
example["line_with_print"]().figure.savefig(HERE / "gaussian-line.svg", bbox_inches="tight")
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
example["line_and_interval"](Figure(figsize=(6, 4), layout="constrained").subplots()).figure.savefig(
    HERE / "linear-interval.svg"
)

for name, id in (
    ("one-feature", "L4"),
    ("linear-outlier", "G7b"),
    ("isometrics", "C1"),
    ("map-point", "N3b"),
    ("mixture-responsibilities", "E3b"),
    ("em-configurations", "E3c"),
    ("threshold", "F4"),
    ("bins", "F5"),
    ("evidence-feature", "F7b"),
):
    likely.textbook.show(id).figure().figure.savefig(HERE / f"{name}.svg", bbox_inches="tight")

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
    axes.figure.savefig(KEPT / "mixture-ellipses.png", dpi=SHARP)
    column = likely.profile(likely.read(shared))["waiting"]
    figure = Figure(figsize=(8.4, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    column.plot(left)
    column.plot_percentiles(right)
    figure.savefig(KEPT / "profile.png", dpi=SHARP)

example = runpy.run_path(str(HERE.parents[1] / "examples" / "hidden_markov.py"))
if shared.exists():
    quakes = likely.read(shared.with_name("earthquakes.csv"), into="dict")
    table = {"count": quakes["count"]}
    found = likely.HiddenMarkov(3, kinds="count", restarts=5, random_state=0).fit(table)
    axes = Figure(figsize=(7.2, 3), layout="constrained").subplots()
    example["course"](axes, quakes["year"], quakes["count"], found, table).set(ylabel="earthquakes a year")
    axes.figure.savefig(KEPT / "markov-earthquakes.png", dpi=SHARP)
    geyser = likely.read(shared.with_name("geyser_sequence.csv"), into="dict")
    found = likely.HiddenMarkov("auto", random_state=0).fit(geyser)
    axes = Figure(figsize=(4.8, 3.4), layout="constrained").subplots()
    example["by_state"](axes, geyser["waiting"], geyser["duration"], found.predict(geyser))
    axes.set(xlabel="minutes since the last eruption", ylabel="minutes that it lasts")
    axes.figure.savefig(KEPT / "markov-geyser.png", dpi=SHARP)
    bases = list("".join(shared.with_name("lambda_phage.fasta").read_text().splitlines()[1:]))
    found = likely.HiddenMarkov(2, random_state=0).fit({"base": bases})
    axes = Figure(figsize=(7.2, 2.2), layout="constrained").subplots()
    example["along"](axes, found.predict_proba({"base": bases})).set(xlabel="base", ylabel="chance")
    axes.figure.savefig(KEPT / "markov-phage.png", dpi=SHARP)

films = {
    "love": [1, 0, 0, 1, 1, 0],
    "war": [0, 2, 0, 2, 0, 2],
    "both": [1, 2, 0, 3, 1, 2],
    "fun": [0, 2, 1, 2, 1, 3],
}
genres = likely.Decompose("binary", 3).fit(films)
parts = [list(zip(*films.values(), strict=True)), *genres.parts(films)]
figure = Figure(figsize=(9.6, 3.0), layout="constrained")
for i, (part, axes) in enumerate(zip(parts, figure.subplots(1, 4), strict=True)):
    axes.imshow(part, cmap="Blues", vmin=0, vmax=3)
    axes.set_title(f"genre {i}" if i else "the ratings = the sum of", loc="left", fontsize=9)
    axes.set_xticks(range(4), list(films), fontsize=8)
    axes.set_yticks(range(6), [f"person {row + 1}" for row in range(6)] if i == 0 else [""] * 6, fontsize=8)
figure.savefig(HERE / "films.svg")

draws = likely.Normal([[2.0, 2.0], [4.0, 4.0]], 1.0).sample(150, 0)  # two classes of two columns
points = {name: draws[:, :, j].ravel() for j, name in enumerate(("first", "second"))}
of_class = [0, 1] * 150
figure = Figure(figsize=(10.4, 3.6), layout="constrained")
panels = figure.subplots(1, 3)
for axes, title in zip(panels, ("as they are", "log-odds: sums", "probabilities: products"), strict=True):
    space = {"log-odds: sums": "log-odds", "probabilities: products": "probability"}.get(title)
    told = points
    if space is not None:
        told = likely.Evidence("isotonic", space=space).fit(points, of_class).transform(points)
    axes.scatter(*told.values(), c=of_class, cmap="coolwarm", s=9, alpha=0.6)
    axes.set_title(title, loc="left", fontsize=9)
panels[1].axline((0, 0), slope=-1, color="grey", linewidth=1)
figure.savefig(HERE / "calibrated.svg")
