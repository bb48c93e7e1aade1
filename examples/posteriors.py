"""What share of e-mails is spam? The belief after each e-mail, and how sure it is in the end."""

import likely

told = likely.posterior(likely.Beta(1, 1), names="spam").history([0] + [1] * 9)
print("e-mails   most probable   90 % interval       P(spam is the rule)")
for n, belief in enumerate(told):
    low, high = belief.interval(kind="highest")
    print(f"{n:7}   {belief.map:13.3f}   {low:.3f} to {high:.3f}      {belief.prob('spam > 0.5'):.4f}")
print()
print(told[10])
