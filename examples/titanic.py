"""Who survived the Titanic? From 2,201 people to honest probabilities and the evidence behind them."""

import likely

people = likely.read("titanic", into="dict")
model = likely.NaiveBayes().fit(people, "survived")

print(f"{len(people['survived'])} people, {', '.join(model.feature_names_in_)} -> survived\n")

someone = {
    "class": ["1st", "3rd", "crew"],
    "sex": ["female", "male", None],
    "age": ["adult", "child", "adult"],
}
for row, chance in enumerate(model.predict_proba(someone)[:, 1]):
    known = [f"{name} {values[row] or 'unknown'}" for name, values in someone.items()]
    print(f"P(survived | {', '.join(known)}) = {chance:.3f}")

print("\nWhy, for the first of them:\n")
print(model.explain(someone)[0])

print("\nWhat matters most, over everyone:\n")
print(model.importance({name: people[name] for name in model.feature_names_in_}))

print("\nFive people who never lived, drawn from the model:\n")
for person in zip(*model.sample(5, random_state=1).values(), strict=True):
    print("  " + ", ".join(map(str, person)))

print("\nThe same evidence where half of all people survive:")
chance = model.with_base_rate("uniform").predict_proba({name: cells[:1] for name, cells in someone.items()})[
    0, 1
]
print(f"P(survived | class 1st, sex female, age adult) = {chance:.3f}")
