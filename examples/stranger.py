"""First contact: what a stranger tries in the first ten minutes, on the tables that come with `likely`.

Every step checks itself against the rows, so that it is seen here before a stranger sees it.
"""

import json
import subprocess
import sys
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import likely

warnings.simplefilter("error")  # a stranger should see none of them

people = likely.read("titanic", into="dict")
days = likely.read("play_tennis", into="dict")
mails = likely.read("emails", into="dict")
TABLES = {"titanic": (people, "survived"), "play_tennis": (days, "play"), "emails": (mails, "class")}


def run(*words):
    """What the command line prints."""
    command = [sys.executable, "-c", "from likely.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout


print("1. Look at every table, and at every column of it")
for name, (table, target) in TABLES.items():
    profile = likely.profile(table, target)
    for column in profile:
        assert column.missing == sum(cell is None for cell in table[column.name])
        png, _ = column.plot()._repr_png_()  # what a notebook shows
        assert png.startswith(b"\x89PNG")
    assert "<table" in profile._repr_html_()
    print(f"   {name}: {profile.n} rows, {', '.join(f'{n} {kind}' for kind, n in profile.kinds.items())}")

print("\n2. Learn, and ask about the same table: it may hold its target")
for name, (table, target) in TABLES.items():
    kinds = {"message": likely.Words(stop=["d", "e"])} if name == "emails" else None
    model = likely.NaiveBayes(kinds).fit(table, target)
    answers = model.predict(table)
    right = sum(answer == true for answer, true in zip(answers, table[target], strict=True))
    assert abs(model.score(table, target) - right / len(answers)) < 1e-12
    print(f"   {name}: {right} of {len(answers)} right, on the rows it was learnt from")

print("\n3. One row, in whatever form it comes")
model = likely.NaiveBayes().fit(people, "survived")
someone = {"class": "1st", "sex": "female", "age": "adult"}
chance = model.predict_proba(someone)[0, 1]
assert (model.predict_proba([someone, someone])[:, 1] == chance).all()
print(f"   P(survived | {', '.join(someone.values())}) = {chance:.3f}")

print("\n4. Why: the lines of the ledger add up")
ledger = model.explain(someone)[0]
assert abs(ledger.base + sum(line.evidence for line in ledger.lines) - ledger.total) < 1e-9
print("   " + str(ledger).replace("\n", "\n   "))

print("\n5. Is it better than knowing nothing? On rows that the model has not seen")
models = {"naive Bayes": likely.NaiveBayes(), "logistic regression": likely.LogisticRegression()}
for name, one in models.items():
    scores = likely.compare.cross_validate(one, people, "survived")
    assert scores.log_loss < scores.base_rate["log loss"]
    print(f"   {name}: log loss {scores.log_loss}, base rate alone {float(scores.base_rate['log loss']):.3f}")

print("\n6. Questions, beside the frequency in the table")
women = [lived for sex, lived in zip(people["sex"], people["survived"], strict=True) if sex == "female"]
share = women.count("yes") / len(women)
answer = model.ask("P(survived=yes | sex=female)")
assert abs(answer - share) < 0.01
print(f"   {answer}; in the table {women.count('yes')} of {len(women)}, {share:.4f}")
print(f"   {model.ask('P(survived=yes | sex=female or age=child)')}")
print(f"   ask next: {model.next_question('sex=female').best}")

print(f"   {model.ask('P(survived=yes | sex=female)', data='model')}".replace("\n", "\n   "))
facts = {"sex": "female", "class": "3rd"}
asked = model.ask("P(survived=yes | sex=female, class=3rd)")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the column that is not told
    assert abs(asked - model.predict_proba(facts)[0, 1]) < 1e-12
nobody = model.predict_proba({"class": None, "sex": None, "age": None})[0, 1]
assert abs(nobody - model.ask("P(survived=yes)")) < 1e-12  # nothing told is the base rate
try:
    model.ask("P(survived=yes | class=1st class)")
except likely.LikelyError as error:
    print("   " + str(error).replace("\n", "\n   "))

print("\n7. Rows that could have been: no value that the table does not have")
drawn = model.sample(500, random_state=0)
assert all(set(drawn[name]) <= set(people[name]) for name in people)
print(f"   500 drawn, {sum(value == 'yes' for value in drawn['survived'])} of them survivors")

print("\n8. Which class did best? With intervals")
print(
    "   "
    + str(likely.compare.groups(people, "survived", "class", success="yes"))
    .split("\n\n")[1]
    .replace("\n", "\n   ")
)

print("\n9. Groups that nobody has named")
groups = likely.Mixture(2, random_state=0).fit_predict(
    {name: people[name] for name in ("class", "sex", "age")}
)
print(f"   {(groups == 0).sum()} and {(groups == 1).sum()} people")

print("\n10. The same on the command line, in numbers that programs can read")
with TemporaryDirectory() as folder:
    file = str(Path(folder) / "titanic.likely")
    learnt = json.loads(
        run("learn", "titanic", "--target", "survived", "--model", "naive-bayes", "-o", file, "--json")
    )
    asked = json.loads(run("ask", file, "P(survived=yes | sex=female)", "--json"))
    shown = run("explain", file, "titanic", "--row", "1")
assert abs(asked["answer"] - answer) < 0.02
assert "survived" in json.dumps(learnt)
print("   " + shown.strip().split("\n")[0])

print("\n11. Everything that answers has a picture")
pictures = {
    "ledger": ledger,
    "importance": model.importance(people),
    "nomogram": model.nomogram(),
    "summary": likely.LogisticRegression().fit(people, "survived").summary(),
    "scores": scores,
    "groups": likely.compare.groups(people, "survived", "class", success="yes"),
    "answer": model.ask("P(class)"),
    "next question": model.next_question(),
}
for thing in pictures.values():
    assert thing.plot()._repr_png_()[0].startswith(b"\x89PNG")
    assert "<table" in thing._repr_html_()
print(f"   {', '.join(pictures)}")

print("\n12. A messy table: words for true and false, money, percent, dates, gaps, an identifier")
customers = likely.read("customers", into="dict")
seen = likely.profile(customers, "left")
print("   " + ", ".join(f"{column.name} {column.kind}" for column in seen))
words = {
    "records": ["Yes", "No"] * 20,
    "income": [f"${i},752" for i in range(1, 41)],
    "rate": [f"{i / 10}%" for i in range(40)],
    "signed": [f"({i})" if i % 2 else str(i) for i in range(40)],
    "y": ["good", "bad", "bad", "good"] * 10,
}
with TemporaryDirectory() as folder, warnings.catch_warnings():
    warnings.simplefilter("ignore")  # one notice for each column that is written in no plain way
    file = Path(folder) / "messy.csv"
    lines = [";".join(words), *(";".join(cells) for cells in zip(*words.values(), strict=True))]
    file.write_text("\n".join(lines), encoding="latin-1")
    table = likely.read(file, into="dict")
assert float(table["income"][0]) == 1752
assert abs(float(table["rate"][5]) - 0.5) < 1e-9 or abs(float(table["rate"][5]) - 0.005) < 1e-9
drawn = likely.NaiveBayes().fit(table, "y").sample(50, random_state=0)
assert set(drawn["records"]) <= {"Yes", "No"}  # as they were written
assert str(likely.profile(table)["records"].kind) == "boolean"
assert min(drawn["income"]) >= 1752
assert max(drawn["income"]) <= 40752

print("\n13. Odds ratios against a reference level, with intervals, and a test of each column")
ratios = likely.LogisticRegression().fit(people, "survived").odds_ratios()
assert "sex=male (against female)" in ratios.names
print("   " + str(ratios).replace("\n", "\n   "))

print("\n14. A calibrated model explains itself and answers")
calibrated = likely.Calibrated(likely.NaiveBayes()).fit(people, "survived")
assert calibrated.explain(someone).rest_names[-1] == "calibration"
print(f"   {calibrated.ask('P(survived=yes | sex=female)')}")

print("\n15. Rows that count for less than one")
halves = likely.compare.groups(people, "survived", "class", success="yes", weight=[0.5] * len(people["sex"]))
assert halves.best == likely.compare.groups(people, "survived", "class", success="yes").best
print(f"   best: {halves.best}")

print("\n16. Few facts told: the default learner beside the rows that have them")
pool = likely.Classifier("fast").fit(people, "survived")
for facts in ({}, {"sex": "female"}, {"class": "3rd"}, {"sex": "female", "class": "3rd"}):
    inside = [
        lived
        for *cells, lived in zip(*(people[name] for name in facts), people["survived"], strict=True)
        if cells == list(facts.values())
    ]
    told = ", ".join(f"{name}={value}" for name, value in facts.items())
    answer = float(pool.ask(f"P(survived=yes | {told})" if told else "P(survived=yes)"))
    share, error = inside.count("yes") / len(inside), 0.5 / len(inside) ** 0.5
    assert abs(answer - share) < 2 * error
    print(f"   {told or 'nothing'}: {answer:.3f}, in the rows {share:.3f} ± {error:.3f}")

print("\n17. Worse than knowing nothing is said, not hidden")
with TemporaryDirectory() as folder:
    file = Path(folder) / "noise.csv"
    lines = [f"{(i * 37) % 101},{(i * 53) % 89},{'yes' if (i * 29) % 7 < 3 else 'no'}" for i in range(120)]
    file.write_text("\n".join(["a,b,y", *lines]), encoding="utf-8")
    words = ("--target", "y", "--model", "naive-bayes", "-o", str(Path(folder) / "m.likely"), "--json")
    learnt = json.loads(run("learn", str(file), *words))
scores = learnt["cross-validation"]
assert isinstance(learnt["worse than the base rate"], bool)
assert "base rate" in json.dumps(scores)
print(f"   noise: worse than the base rate is {learnt['worse than the base rate']}")

print("\n18. What a column cannot have is never drawn nor filled in")
gaps = {
    "visits": [i % 7 if i % 5 else None for i in range(80)],
    "paid": [("Yes", "No", None)[i % 3] for i in range(80)],
    "share": [round((i % 11) / 10, 1) for i in range(80)],
}
filled = likely.Impute().fit_transform(gaps)
assert all(value == int(value) and 0 <= value <= 6 for value in filled["visits"])
assert set(filled["paid"]) == {"Yes", "No"}
drawn = likely.NaiveBayes().fit(gaps | {"y": ["a", "b"] * 40}, "y").sample(200, random_state=1)
assert all(value is None or 0 <= value <= 6 for value in drawn["visits"])
assert min(drawn["share"]) >= 0
assert max(drawn["share"]) <= 1
print(f"   {sum(cell is None for cell in gaps['visits'])} visits filled: {sorted(set(filled['visits']))}")

print("\n19. A summary after predict -o, and numbers that stay numbers")
with TemporaryDirectory() as folder:
    file, out = str(Path(folder) / "t.likely"), str(Path(folder) / "out.csv")
    run("learn", "titanic", "--target", "survived", "--model", "naive-bayes", "-o", file)
    said = run("predict", file, "titanic", "-o", out)
    rows = Path(out).read_text(encoding="utf-8").splitlines()
assert len(rows) == 1 + len(people["sex"])
assert f"{len(people['sex'])} rows" in said
print("   " + said.strip().split("\n")[0])

print("\n20. What is said of a column is what its rows hold")
customers = likely.read("customers", into="dict", missing=[999])
for column in likely.profile(customers):
    cells = [cell for cell in customers[column.name] if cell is not None and cell == cell]
    assert column.missing == len(customers["left"]) - len(cells)
    assert column.distinct == len(set(cells))
bare = json.loads(run("profile", "customers", "--na", "999", "--json"))
ages = [age for age in customers["age"] if age is not None and age == age]
seen = next(column for column in bare["columns"] if column["name"] == "age")
assert seen["missing"] == len(customers["age"]) - len(ages)
print(f"   age from {min(ages):g} to {max(ages):g}, {seen['missing']} missing")

print("\n21. Latin-1, commas before fractions, a mark for gaps: found or told, and said once")
with TemporaryDirectory() as folder:
    file = Path(folder) / "kunden.csv"
    lines = [f"{i},{i % 10}0;{('Köln', 'Münster', '-')[i % 3]};{('ja', 'nein')[i % 2]}" for i in range(60)]
    file.write_bytes("\n".join(["Größe;Ort;y", *lines]).encode("latin-1"))
    with warnings.catch_warnings(record=True) as notices:
        warnings.simplefilter("always")
        table = likely.read(file, into="dict", missing=["-"])
    told = json.loads(
        run("profile", str(file), "--decimal", ",", "--encoding", "latin-1", "--na", "-", "--json")
    )
assert abs(float(table["Größe"][1]) - 1.1) < 1e-12
assert [cell is None for cell in table["Ort"]] == [i % 3 == 2 for i in range(60)]
assert [column["missing"] for column in told["columns"]] == [0, 20, 0]
print(f"   {len(notices)} notices, {sum(cell is None for cell in table['Ort'])} towns missing")

print("\n22. Medians, variances, information: of numbers and dates too")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a column that is one value in every row
    of_customers = likely.NaiveBayes().fit(customers, "left")
for question in (
    "median(age)",
    "var(age | left=yes)",
    "cov(age, visits)",
    "I(age; visits)",
    "median(joined)",
):
    print(f"   {of_customers.ask(question)}")
asked = float(of_customers.ask("median(age)"))
assert abs(asked - sorted(ages)[len(ages) // 2]) < 3
print(f"   {model.ask('P(not survived=yes | sex=male & age=adult)')}")
apart = model.ask("P((class=1st or class=2nd) & sex=female)", data=people)
both = sum(
    kind in ("1st", "2nd") and sex == "female"
    for kind, sex in zip(people["class"], people["sex"], strict=True)
)
assert f"{both} of {len(people['sex'])} rows" in str(apart)  # beside the model's answer, which is far from it
assert "independent" in str(apart)
print("   " + str(apart).replace("\n", "\n   "))

print("\n23. Models side by side, identifiers left out, unseen levels counted")
with TemporaryDirectory() as folder:
    file, rows = str(Path(folder) / "c.likely"), Path(folder) / "new.csv"
    learnt = json.loads(
        run("learn", "customers", "--target", "left", "--model", "logistic", "-o", file, "--json")
    )
    assert "base rate" in json.dumps(learnt)
    assert "customer" not in likely.load(file).feature_names_in_
    rows.write_text("plan,region\nplatinum,north\nplatinum,south\nbasic,west\n", encoding="utf-8")
    command = [sys.executable, "-c", "from likely.cli import main; main()"]
    done = subprocess.run(
        [*command, "predict", file, str(rows), "-o", str(rows.with_name("out.csv"))],
        capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip
said = " ".join((done.stdout + done.stderr).split())
assert "cells never seen in training: plan 2" in said
assert "missing columns: joined, age" in said
print("   " + said.split(" wrote ")[0])

print("\n24. A pandas Series is a row; groups of new rows; data go to standard output alone")
frame = likely.read("titanic", into="pandas")
assert (model.predict_proba(frame.iloc[0])[0] == model.predict_proba(people)[0]).all()
features = {name: people[name] for name in ("class", "sex", "age")}
grouped = likely.Mixture(2, random_state=0).fit(features)
assert grouped.transform(features).shape == (len(people["sex"]), 2)
assert (grouped.transform(features).argmax(axis=1) == grouped.predict(features)).all()
lines = run("compare", "titanic", "--outcome", "survived", "--by", "class", "--success", "yes", "--json")
rates = {one["group"]: one["mean"] for one in json.loads(lines)["groups"]}
for kind, rate in rates.items():
    mine = [lived for one, lived in zip(people["class"], people["survived"], strict=True) if one == kind]
    assert abs(rate - (mine.count("yes") + 1) / (len(mine) + 2)) < 1e-12
print("   " + ", ".join(f"{kind} {rate:.3f}" for kind, rate in rates.items()))

print("\n25. n/a among numbers, levels and columns of several words, and what an answer is compared with")
with TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as notices:
    warnings.simplefilter("always")
    file = Path(folder) / "contracts.csv"
    kinds = ("month by month", "one year", "two years")
    lines = [
        f"{kinds[i % 3]},{'n/a' if i % 9 == 0 else f'{i % 50}.5%'},{'yn'[i % 5 > 1]}" for i in range(180)
    ]
    file.write_text("\n".join(["contract kind,price cut,left", *lines]), encoding="utf-8")
    table = likely.read(file, into="pandas")
assert table["price cut"].isna().sum() == 20
assert any("'n/a' in column 'price cut'" in str(notice.message) for notice in notices)
left = likely.NaiveBayes().fit(table, "left")
asked = left.ask("P(left=y | contract kind=one year, price cut > 20)", data=table)
inside = table[(table["contract kind"] == "one year") & (table["price cut"] > 20)]
assert f"{(inside.left == 'y').sum()} of {len(inside)} rows" in str(asked)
print("   " + str(asked).replace("\n", "\n   "))
half = left.ask("median(price cut | left=y)", data=table)
assert abs(half.share - table["price cut"][table.left == "y"].dropna().median()) < 2
print("   " + str(half).replace("\n", "\n   "))

print("\n26. A text's ledger shows its words, by the default learner too")
letters = {"message": [*mails["message"]] * 8, "class": [*mails["class"]] * 8}
for reader in (likely.NaiveBayes, likely.Classifier):
    words = likely.Words(stop=["d", "e"])
    ledger = (
        reader(kinds={"message": words}).fit(letters, "class").explain({"message": mails["message"][0]})[0]
    )
    line = next(line for line in ledger.lines if line.name == "message")
    assert abs(sum(part.evidence for part in line.parts) - line.evidence) < 1e-9
    print(
        f"   {reader.__name__}: {', '.join(f'{part.name} {part.evidence:+.2f}' for part in line.parts[:4])}"
    )

print("\n27. What took a minute takes seconds: 400 rows of 25 columns with gaps, and 50 groups")
random = np.random.default_rng(0)
rows = {f"x{i}": np.where(random.random(400) < 0.1, np.nan, random.normal(size=400)) for i in range(24)}
rows["place"] = random.choice(["north", "south", "west"], 400)
shops = {
    "sales": random.gamma(2, 50, 5000),
    "paid": random.choice(["no", "yes"], 5000),
    "shop": [f"shop {i:02d}" for i in random.integers(0, 50, 5000)],
}
for what, tried in {
    "a mixture of 3 groups": lambda: likely.Mixture(3, random_state=0).fit(rows),
    "gaps filled": lambda: likely.Impute().fit_transform(rows),
    "50 means compared": lambda: likely.compare.groups(shops, "sales", "shop").differences(),
    "50 shares compared": lambda: likely.compare.groups(shops, "paid", "shop", success="yes").differences(),
}.items():
    start = time.process_time()
    tried()
    took = time.process_time() - start
    assert took < 10  # it is half that on a machine that has nothing else to do
    print(f"   {what}: {took:.1f} s")

print("\nAll of it holds.")
