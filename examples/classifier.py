"""The default learner on the Titanic: what its members are worth, why one passenger has her chances."""

import likely

people = likely.read("titanic")
model = likely.Classifier().fit(people, "survived")
print(model.describe(), "\n")
someone = {"class": ["1st"], "sex": ["female"], "age": ["adult"]}
print(model.explain(someone)[0], "\n")
print(model.predict_interval(someone), "\n")
print(model.curves(people), "\n")
print(model.interactions(people), "\n")
print(model.ask("P(survived=yes | sex=male, class=3rd, age=child)"))
