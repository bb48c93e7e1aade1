"""`python -m likely`: the command line, where its script is not on the path."""

from likely.cli import main

if __name__ == "__main__":
    main()
