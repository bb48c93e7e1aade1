"""Hidden states: a loaded die, a fever that comes and goes, what comes next, and how it is drawn."""

import numpy as np

import likely

print("A casino that now and then uses a loaded die:")
fair, loaded = [1 / 6] * 6, [0.1] * 5 + [0.5]
die = likely.Categorical([fair, loaded], levels=[1, 2, 3, 4, 5, 6])
casino = likely.HiddenMarkov.from_parameters([0.5, 0.5], [[0.95, 0.05], [0.1, 0.9]], {"die": die})
rolls = casino.sample(300, random_state=1)
guessed = casino.predict({"die": rolls["die"]})
print(f"{(guessed == rolls['state']).mean():.0%} of 300 rolls told apart. The same learnt from the rolls:")
learnt = likely.HiddenMarkov(2, kinds="categorical", random_state=0).fit({"die": rolls["die"]})
print(learnt.describe(), "\n")

print("Three patients, two states, some cells missing:")
rng = np.random.default_rng(0)
ill = np.concatenate(
    [np.repeat([False, True, False], own) for own in ([20, 12, 18], [35, 10, 5], [8, 16, 26])]
)
visits = {
    "patient": np.repeat(["ann", "bob", "eve"], 50),
    "heat": np.where(ill, rng.normal(38.7, 0.5, 150), rng.normal(36.8, 0.4, 150)),
    "cough": rng.random(150) < np.where(ill, 0.6, 0.1),
}
visits["heat"] = np.where(rng.random(150) < 0.2, np.nan, visits["heat"])
model = likely.HiddenMarkov("auto", random_state=0).fit(visits, groups="patient")
print(model.curve_, "\n")
print(model.describe(), "\n")
ann = {name: visits[name][:30] for name in ("heat", "cough")}
print(model.ask("P(state=1)", ann), "on day 30 of Ann's")
print(model.ask("P(heat > 38)", ann, at=32), "three days later")
print(model.forecast(ann, 3)["heat"].round(1), "degrees are expected on the three days after\n")


def course(ax, x, values, model, table):
    """Values in order, and the mean of the state that each belongs to in the most probable course."""
    states, means = model.predict(table), model.record_.core.parts[0].distribution.mean[:, 0]
    ax.plot(x, values, "o-", color="0.7", markersize=3, linewidth=0.8)
    ax.step(x, means[states], where="mid", color="C0", linewidth=2)
    return ax


def by_state(ax, x, y, states):
    """Points, in the colour of their states, joined in order."""
    ax.plot(x, y, color="0.9", linewidth=0.5, zorder=0)
    for state in np.unique(states):
        own = states == state
        ax.scatter(x[own], y[own], s=10, label=f"state {state}")
    ax.legend(loc="upper right")
    return ax


def along(ax, chances):
    """The chance of each state along one long sequence."""
    places = np.arange(0, len(chances), max(1, len(chances) // 2000))
    ax.stackplot(places, chances[places].T, labels=[f"state {s}" for s in range(chances.shape[1])])
    ax.set(ylim=(0, 1), xlim=(0, len(chances)))
    ax.legend(loc="upper center", ncols=chances.shape[1], bbox_to_anchor=(0.5, 1.25))
    return ax
