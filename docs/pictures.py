"""Draw the pictures of the site: python docs/pictures.py"""

from pathlib import Path

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
