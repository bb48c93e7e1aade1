"""A diagnostic test, twice: from what is known to a joint distribution, and from there to every answer."""

import likely
from likely import Conditional, Joint

disease = Conditional("disease", {"yes": 0.008, "no": 0.992})
rows = {"yes": {"+": 0.98, "-": 0.02}, "no": {"+": 0.03, "-": 0.97}}
test = Conditional("test", rows, given="disease")
again = Conditional("again", rows, given="disease")

once = Joint.product(disease, test)
print(f"{test}\n\n{once}\n")
print(once.ask("P(disease=yes | test=+)"))
print(once.ask("argmax(disease | test=+)"))
likelihood = test.likelihood(test="+")
print(f"but the test is most likely positive if disease = {max(likelihood, key=lambda k: likelihood[k])}\n")

twice = Joint.product(disease, test, again)
print(twice.ask("P(disease=yes | test=+, again=+)"))
for given in ([], ["disease"]):
    bits = twice.mutual_information("test", "again", given=given)
    print(f"The tests tell {bits:.4f} bits of each other{f' once {given[0]} is known' if given else ''}.")

print("\nThe Titanic, counted:\n")
people = Joint.from_data(likely.read("titanic", into="dict"))
print(people.conditional("survived", given=["class", "sex"]))
print(f"\n{people.next_question('survived')}\n")

print("What naive Bayes makes of it:\n")
assumed = Joint.of(likely.NaiveBayes().fit(likely.read("titanic", into="dict"), "survived"))
for question in ("P(survived=yes | sex=female, class=3rd)", "I(sex; class | survived)"):
    print(f"{question}: counted {people.ask(question):.4f}, assumed {assumed.ask(question):.4f}")
