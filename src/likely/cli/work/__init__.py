"""What the commands do, behind the words of the command line."""

MODEL_SUFFIX = ".likely"
