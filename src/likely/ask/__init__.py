"""Questions in the notation of probability -> answers, for any model that is a world."""
