"""A model that scores rows inside a database: the same answers from SQL, and the evidence beside them."""

from __future__ import annotations

import duckdb
import numpy as np

import likely

people = likely.read("titanic", into="dict")
connection = duckdb.connect()
connection.execute("CREATE TABLE people (id INTEGER, class TEXT, sex TEXT, age TEXT)")
rows = zip(range(len(people["sex"])), people["class"], people["sex"], people["age"], strict=True)
connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", list(rows)[::40])

for model in (
    likely.NaiveBayes(),
    likely.LogisticRegression(),
    likely.Classifier("additive"),
    likely.Calibrated(likely.NaiveBayes(), method="isotonic"),
):
    model.fit(people, "survived")
    answers = sorted(connection.execute(model.to_sql(source="people", keep=["id"])).fetchall())
    ids = [row[0] for row in answers]
    asked = {name: [people[name][i] for i in ids] for name in ("class", "sex", "age")}
    off = np.abs(np.array([row[1:] for row in answers]) - model.predict_proba(asked)).max()
    print(f"{type(model).__name__:20} {len(answers)} rows in SQL, at most {off:.0e} off")
    assert off < 1e-12

model = likely.NaiveBayes().fit(people, "survived")
answer = connection.execute(model.to_sql(source="people", keep=["id"], output="evidence"))
print("\n" + ", ".join(column[0] for column in answer.description))
print([round(cell, 3) for cell in min(answer.fetchall())])

print("\nThe same model for other programs:")
print(f"PMML {len(model.to_pmml()):,} characters, JSON {len(model.to_json()):,}, PostgreSQL:\n")
print(model.to_sql("postgres", source="people", keep=["id"], output="class")[:300], "...")
