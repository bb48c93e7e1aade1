"""How sure is a probability? One question to a model that has seen many people, and to one that saw few."""

import likely

people = likely.read("titanic", into="dict")
someone = {
    "class": ["1st", "3rd", "crew"],
    "sex": ["female", "male", "female"],
    "age": ["adult", "child", "adult"],
}
for step in (1, 40):
    seen = {name: cells[::step] for name, cells in people.items()}
    model = likely.NaiveBayes().fit(seen, "survived")
    found = model.predict_interval(someone)
    print(f"From {len(seen['survived'])} people:\n")
    for row in range(3):
        who = ", ".join(str(cells[row]) for cells in someone.values())
        p, lower, upper = (part[row, 1] for part in (found.probability, found.lower, found.upper))
        worth = found.cases[row, 1]
        print(f"  {who:20} P(survived) = {p:.2f}, from {lower:.2f} to {upper:.2f}: as of {worth:.0f} cases")
    print()
print("The intervals are about the parameters: whether the columns are independent is another question.")
