"""Classification by compression: the class whose model codes a row in the fewest bits."""
