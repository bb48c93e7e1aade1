"""Networks: built by hand, asked, intervened on, written for other programs, and learnt from rows."""

from pathlib import Path
from tempfile import TemporaryDirectory

import likely
from likely import Conditional, Network

print("How do people travel? A network that somebody wrote down:\n")
age = Conditional("age", {"young": 0.3, "adult": 0.5, "old": 0.2})
sex = Conditional("sex", {"man": 0.6, "woman": 0.4})
uni = {
    ("young", "man"): 0.25,
    ("young", "woman"): 0.36,
    ("adult", "man"): 0.28,
    ("adult", "woman"): 0.30,
    ("old", "man"): 0.12,
    ("old", "woman"): 0.10,
}
school = Conditional("school", {k: {"high": 1 - p, "uni": p} for k, p in uni.items()}, given=["age", "sex"])
work = {"high": {"employee": 0.96, "own": 0.04}, "uni": {"employee": 0.92, "own": 0.08}}
town = {"high": {"small": 0.25, "big": 0.75}, "uni": {"small": 0.2, "big": 0.8}}
travel = {
    ("employee", "small"): {"car": 0.48, "train": 0.42, "other": 0.10},
    ("employee", "big"): {"car": 0.58, "train": 0.24, "other": 0.18},
    ("own", "small"): {"car": 0.56, "train": 0.36, "other": 0.08},
    ("own", "big"): {"car": 0.70, "train": 0.21, "other": 0.09},
}
network = Network.from_tables(
    [
        age,
        sex,
        school,
        Conditional("work", work, given="school"),
        Conditional("town", town, given="school"),
        Conditional("travel", travel, given=["work", "town"]),
    ]
)
print(network.describe(), "\n")
for question in ("P(travel=train)", "P(travel=train | age=young, sex=woman)", "P(school=uni | travel=train)"):
    print(network.ask(question))
print(f"\n{network.next_question('age=old', about='travel')}\n")
print(network.separated("age", "travel"))
print(network.separated("age", "travel", given="school"), "\n")

with TemporaryDirectory() as folder:
    file = Path(folder, "travel.bif")
    network.write(file)
    print("The first lines of its BIF file:\n")
    print("\n".join(file.read_text(encoding="utf-8").splitlines()[:6]))
    picture = Path(folder, "travel.svg")
    network.draw("travel=train").save(picture)
    print(f"...\nand a picture of {picture.stat().st_size} bytes\n")
    file = Path(folder, "again.xdsl")
    network.write(file)
    assert Network.read(file).arcs_ == network.arcs_

print("What if? Activities of proteins, each low or high, and a drug that blocks one of them:\n")
low_high = {"low": {"low": 0.9, "high": 0.1}, "high": {"low": 0.3, "high": 0.7}}
cell = Network.from_tables(
    [
        Conditional("pkc", {"low": 0.6, "high": 0.4}),
        Conditional("raf", low_high, given="pkc"),
        Conditional("mek", low_high, given="raf"),
        Conditional("erk", low_high, given="mek"),
        Conditional("jnk", low_high, given="pkc"),
    ]
)
print(cell.ask("P(jnk=high | raf=high)"), "seen: pkc is probably high")
print(cell.ask("P(jnk=high | do(raf=high))"), "done: jnk does not come of raf")
print(cell.ask("P(erk=high | do(mek=low), pkc=high)"), "mek is blocked")
print(f"to count the effect of raf on jnk, hold fixed: {cell.adjustment_sets('raf', 'jnk')}\n")

print("Learnt from rows drawn from it, and from the Titanic:\n")
rows = network.sample(20_000, random_state=0)
learnt = Network().fit(rows)
print(f"arcs of the truth: {sorted(network.arcs_)}\nfound again:       {sorted(learnt.arcs_)}\n")
people = likely.read("titanic", into="dict")
titanic = Network(tiers=[["sex", "age"], "class", "survived"]).fit(people)
print(titanic.describe(), "\n")
print(titanic.ask("P(survived=yes | class=3rd, sex=female)", data=people))
