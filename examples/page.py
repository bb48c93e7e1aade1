"""A model as one HTML file: who survived the Titanic, to be opened, clicked and shared."""

import tempfile
from pathlib import Path

import likely

people = likely.read("titanic")
model = likely.NaiveBayes().fit(people, "survived")
page = model.report(people)

folder = Path(tempfile.mkdtemp())
page.save(folder / "titanic.html")
print(f"{(folder / 'titanic.html').stat().st_size / 1000:.0f} kB, of which this is what it contains:\n")
for line in page.contains:
    print(f"- {line}")

print("\nA case that is told is in the address, so that it can be sent to somebody:")
print("titanic.html#class=1st&sex=female")

network = likely.Network().fit(people, "survived")
network.page().save(folder / "network.html")
print(f"\nA network has a page too, with what is believed of every node: {(folder / 'network.html').name}")
