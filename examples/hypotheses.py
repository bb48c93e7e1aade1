"""Which concept? Days on which someone enjoyed a sport: all concepts, and what the days leave of them."""

from likely import hypotheses

sport = hypotheses.Conjunctions(
    {
        "sky": ["sunny", "cloudy", "rainy"],
        "air": ["warm", "cold"],
        "humidity": ["normal", "high"],
        "wind": ["strong", "weak"],
        "water": ["warm", "cool"],
        "forecast": ["same", "change"],
    }
)
days = {
    "sky": ["sunny", "sunny", "rainy", "sunny"],
    "air": ["warm", "warm", "cold", "warm"],
    "humidity": ["normal", "high", "high", "high"],
    "wind": ["strong"] * 4,
    "water": ["warm", "warm", "warm", "cool"],
    "forecast": ["same", "same", "change", "change"],
}
enjoyed = [True, True, False, True]
print(f"{sport.size} concepts differ in meaning; {sport.syntactic_size} can be written.\n")
for day, (specific, general) in enumerate(sport.version_space(days, enjoyed).steps):
    print(f"after {day} days   S: {specific[0]}")
    for concept in general:
        print(f"               G: {concept}")
belief = sport.belief().update(days, enjoyed)
print(f"\n{len(belief.consistent)} concepts are left, each with probability {belief.prob(belief.map):.3f}.")
for wind in ("strong", "weak"):
    day = ("sunny", "warm", "normal", wind, "cool", "change")
    print(f"P(enjoys a day of {wind} wind) = {belief.vote(day):.2f}")
