"""`python -m hookd`: the same as the `hookd` command."""

from hookd.cli import main

main()
