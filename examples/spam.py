"""A spam filter from raw messages: eight e-mails, three words, and every number can be checked by hand."""

import numpy as np

import likely

mails = likely.read("emails", into="dict")
for message, label in zip(mails["message"], mails["class"], strict=True):
    print(f"{label:5s} {message}")

words = likely.Words(stop=["d", "e"])
new = {"message": ["a a a b"]}
for name, how in (("counted", words), ("there or not", likely.Words(stop=["d", "e"], bits=True))):
    model = likely.NaiveBayes(kinds={"message": how}).fit(mails, "class")
    spam, ham = (np.exp(model.log_prob(new, [label]))[0] * 2 for label in ("spam", "ham"))
    print(f"\nWords {name}: P({new['message'][0]!r} | spam) = {spam:.4f}, P(... | ham) = {ham:.4f}\n")
    print(model.explain(new)[0])
