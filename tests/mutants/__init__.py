"""One-line changes that break a promise, and the run that sees each of them noticed."""
