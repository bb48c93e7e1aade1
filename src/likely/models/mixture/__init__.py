"""Hidden groups: mixtures, what they complete and how they are found."""
