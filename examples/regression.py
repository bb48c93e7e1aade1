"""Logistic regression with priors: the evidence behind a prediction, and twins on growing samples."""

import numpy as np

import likely
from likely.compare import learning_curve

people = likely.read("titanic", into="dict")
someone = {"class": ["3rd"], "sex": ["female"], "age": ["child"]}

for name, prior in (
    ("no prior", None),
    ("Normal(0, 0.3)", likely.Normal(0, 0.3)),
    ("DoubleExponential(0, 0.02)", likely.DoubleExponential(0, 0.02)),
    ("by evidence", "auto"),
):
    model = likely.LogisticRegression(prior).fit(people, "survived")
    kept = {n: round(float(w), 2) for n, w in zip(model.coef_names_, model.coef_[0], strict=True) if w}
    print(f"{name}: P(survived) = {model.predict_proba(someone)[0, 1]:.2f}, {kept}")

print()
print(model.explain(someone)[0])
print()
print(model.summary())
print()
twins = {"naive Bayes": likely.NaiveBayes(), "logistic regression": likely.LogisticRegression()}
curve = learning_curve(twins, people, "survived", sizes=[20, 60, 200, 600, 1500], repeats=10)
print(curve)


def boundaries(axes):
    """Three linear classifiers on two clouds, one of which has a far branch, after Flach, figure 9.6."""
    rng = np.random.default_rng(3)
    x = np.concatenate(
        [
            rng.normal([0, 0], 1, (40, 2)),
            rng.normal([1.5, 2.5], 0.7, (30, 2)),
            rng.normal([10, 12], 0.7, (12, 2)),
        ]
    )
    y = np.arange(len(x)) >= 40
    axes.scatter(*x[~y].T, marker="_", color="#4D4D4D")
    axes.scatter(*x[y].T, marker="+", color="#4D4D4D")
    ends = np.array([-3.0, 12.0])
    for model, colour in (
        (likely.BasicLinearClassifier(), "#009E73"),
        (likely.LeastSquaresClassifier(), "#E69F00"),
        (likely.LogisticRegression(), "#0072B2"),
    ):
        model.fit(x, y)
        (a, b), c = model.coef_[0], model.intercept_[0]
        wrong = int((model.predict(x) != y).sum())
        label = f"{type(model).__name__}: {wrong} wrong"
        axes.plot(ends, -(c + a * ends) / b, color=colour, label=label)
    axes.set_ylim(-4, 14)
    axes.legend(frameon=False)
    return axes


def line_and_interval(axes):
    """Two measurements of one length: one given the other with its interval, and the line of both."""
    rng = np.random.default_rng(5)
    length = rng.normal(170, 8, 40)
    tape, eye = length + rng.normal(0, 4, 40), length + rng.normal(0, 4, 40)
    line, both = (
        likely.LinearRegression().fit({"tape": tape}, eye),
        likely.total_least_squares({"tape": tape}, eye),
    )
    at = np.linspace(tape.min(), tape.max(), 50)
    found = line.predict_interval({"tape": at}, 0.9)
    axes.fill_between(
        at, found.lower, found.upper, color="#0072B2", alpha=0.15, lw=0, label="90 % of new outcomes"
    )
    axes.plot(at, found.prediction, color="#0072B2", label="least squares")
    axes.plot(at, both.intercept + both.coefficients[0] * at, color="#E69F00", label="total least squares")
    axes.scatter(tape, eye, marker=".", color="#4D4D4D")
    axes.set(xlabel="measured by tape", ylabel="guessed by eye")
    axes.legend(frameon=False)
    return axes


if __name__ == "__main__":
    from matplotlib.figure import Figure

    said = boundaries(Figure().subplots()).get_legend_handles_labels()[1]
    print("\n" + "\n".join(said))
