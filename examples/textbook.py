"""The worked examples of the sources: one of them in full, then all of them checked."""

from likely import textbook

print(textbook.show("P2"))
print()
print(textbook.check())
