"""Code in other languages given on a command line: what it would do."""
