"""Hidden states that follow each other: what a sequence of rows goes through unseen."""
