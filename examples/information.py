"""Which column tells most about playing tennis? Entropy and information gain, in bits."""

import likely
from likely.score import conditional_entropy_of, entropy, entropy_of, information, mutual_information_of

print(f"A coin: {entropy([0.5, 0.5]):.3f} bits. A die: {entropy([1 / 6] * 6):.3f} bits.\n")

days = likely.read("play_tennis", into="dict")
features = [name for name in days if name != "play"]
print(f"Play or not: {entropy_of('play', table=days)}\n")

gains = {name: mutual_information_of("play", name, table=days) for name in features}
for name, gain in sorted(gains.items(), key=lambda pair: -pair[1]):
    print(f"  {name:12} gain {gain:.4f} ({gain!r})")

print("\nOnce the outlook is known, what is left, and what would tell most?\n")
print(f"  left         {conditional_entropy_of('play', 'outlook', table=days):.4f} bits")
for name in features:
    if name != "outlook":
        more = mutual_information_of("play", name, given="outlook", table=days)
        print(f"  {name:12} {more:.4f} bits more")

print("\nSpam or ham, by the length of the description (bits for the class, bits for the word):\n")
classes, word = {"spam": 0.2, "ham": 0.8}, {"spam": 0.40, "ham": 0.12}
for name, p in classes.items():
    bits = information([p, word[name]])
    print(f"  {name:5} {bits[0]:.2f} + {bits[1]:.2f} = {bits.sum():.2f}")
