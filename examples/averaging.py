"""Three priors for fourteen days of tennis: too few days to choose one, so all of them vote."""

import likely

days = likely.read("play_tennis", into="dict")
members = {
    "weak prior": likely.NaiveBayes(prior=0.2),
    "Laplace": likely.NaiveBayes(),
    "strong prior": likely.NaiveBayes(prior=5.0),
}
today = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
for weights in ("evidence", "log_score", "stack"):
    model = likely.Average(members, weights=weights).fit(days, "play")
    print(f"{weights}\n{model.describe()}\nP(no) = {model.predict_proba(today)[0, 0]:.3f}\n")
