"""Ask a model anything: probabilities, expectations, information, and what to ask next."""

import likely

people = likely.read("titanic", into="dict")
model = likely.NaiveBayes().fit(people, "survived")

for question in (
    "P(survived=yes | sex=female, age=adult)",
    "P(sex=female | survived=yes)",
    "odds(survived=yes | class=1st)",
    "P(class | survived=yes)",
    "argmax(class, sex | survived=no)",
    "H(survived)",
    "H(survived | sex)",
    "I(survived; sex)",
):
    print(model.ask(question), "\n")

print(model.next_question("sex=female"), "\n")

try:
    model.ask("P(survived=yes | sex=femal)")
except likely.LikelyError as error:
    print(error)
